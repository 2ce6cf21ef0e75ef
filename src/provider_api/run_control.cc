#include "base/error.h"
#include "provider_api/program.h"

namespace overt {

void RunControl::check() const {
  if (cancel != nullptr && cancel->cancelled()) fail(ErrorCode::cancelled, "the run was cancelled by its caller");
  if (deadline && std::chrono::steady_clock::now() >= *deadline) {
    fail(ErrorCode::cancelled, "the run's deadline passed before it was done; give it more time or a smaller input");
  }
}

}  // namespace overt
