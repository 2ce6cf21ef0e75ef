#ifndef OVERT_VISION_ATTEMPT_H_
#define OVERT_VISION_ATTEMPT_H_

#include <csetjmp>

namespace overt::vision {

/// Runs a step that calls a C library whose error callback leaves by longjmp(state.escape.jump). False: it left.
///
/// libjpeg and libpng report errors through a callback that must not return, and no exception may cross their
/// frames. So the callback jumps here; neither this frame nor `step`'s may hold anything with a destructor
/// (what must live longer is in `state`), and the caller throws.
template <typename State>
bool attempt(State& state, void (*step)(State&)) {
  if (setjmp(state.escape.jump) != 0) return false;
  step(state);
  return true;
}

}  // namespace overt::vision

#endif  // OVERT_VISION_ATTEMPT_H_
