#include "ops/compute_values.h"

namespace overt {

template <typename C>
void load_values(const TensorView& view, std::span<C> values) {
  visit_types(FloatTypes{}, view.type, "conversion", [&]<typename T>() {
    const std::span<const T> source = view.values<T>();
    for (size_t i = 0; i < source.size(); ++i) values[i] = static_cast<C>(static_cast<ComputeType<T>>(source[i]));
  });
}

template <typename C>
void store_values(std::span<const C> values, const MutableTensorView& view) {
  visit_types(FloatTypes{}, view.type, "conversion", [&]<typename T>() {
    const std::span<T> target = view.values<T>();
    for (size_t i = 0; i < target.size(); ++i) target[i] = T(static_cast<ComputeType<T>>(values[i]));
  });
}

template void load_values<float>(const TensorView&, std::span<float>);
template void load_values<double>(const TensorView&, std::span<double>);
template void store_values<float>(std::span<const float>, const MutableTensorView&);
template void store_values<double>(std::span<const double>, const MutableTensorView&);

}  // namespace overt
