#ifndef OVERT_BASE_FUNCTION_REF_H_
#define OVERT_BASE_FUNCTION_REF_H_

#include <memory>
#include <type_traits>
#include <utility>

namespace overt {

template <typename Signature>
class FunctionRef;

/// A borrowed callable with a const call operator (a lambda that is not mutable): two pointers, no allocation.
/// The callable must outlive every call.
template <typename Result, typename... Arguments>
class FunctionRef<Result(Arguments...)> {
 public:
  template <typename Callable>
  requires(!std::is_same_v<std::remove_cvref_t<Callable>, FunctionRef>) FunctionRef(Callable&& callable)
      : object_(address_of(callable)), call_([](const void* object, Arguments... arguments) -> Result {
          using Plain = std::remove_reference_t<Callable>;
          return (*static_cast<std::add_const_t<Plain>*>(object))(std::forward<Arguments>(arguments)...);
        }) {}

  Result operator()(Arguments... arguments) const { return call_(object_, std::forward<Arguments>(arguments)...); }

 private:
  template <typename Callable>
  static const void* address_of(const Callable& callable) {
    return static_cast<const void*>(std::addressof(callable));
  }

  const void* object_;
  Result (*call_)(const void*, Arguments...);
};

}  // namespace overt

#endif  // OVERT_BASE_FUNCTION_REF_H_
