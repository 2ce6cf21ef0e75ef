// Range (start, limit, delta): start, start + delta, ... before limit. Its attribute stash_type (opset 27) names the
// least precision for 16-bit floats; floats of all sizes are counted in double here and rounded once.
#include <array>
#include <cmath>

#include "ops/contents.h"
#include "ops/convert.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

template <typename T>
using CountType = std::conditional_t<std::is_integral_v<T>, T, double>;

using RangeTypes = TypeList<float, double, int16_t, int32_t, int64_t, Float16, BFloat16>;

constexpr std::array<std::string_view, 3> kNames = {"start", "limit", "delta"};

/// More elements than any memory has, as a count that no allocation grants.
constexpr int64_t kTooMany = int64_t{1} << 60;

/// max(ceil((limit - start) / delta), 0), for delta other than 0; nothing for NaN.
template <typename T>
std::optional<int64_t> range_count(T start, T limit, T delta) {
  if constexpr (std::is_integral_v<T>) {
    const bool forward = delta > 0;
    if (forward ? start >= limit : start <= limit) return 0;
    // As unsigned numbers the distances are exact.
    const uint64_t low = static_cast<uint64_t>(int64_t{forward ? start : limit});
    const uint64_t high = static_cast<uint64_t>(int64_t{forward ? limit : start});
    const uint64_t step = forward ? static_cast<uint64_t>(int64_t{delta}) : 0 - static_cast<uint64_t>(int64_t{delta});
    const uint64_t count = (high - low - 1) / step + 1;
    return static_cast<int64_t>(std::min<uint64_t>(count, kTooMany));
  } else {
    const double count = std::ceil((limit - start) / delta);
    if (std::isnan(count)) return std::nullopt;
    if (count <= 0) return 0;
    return count < static_cast<double>(kTooMany) ? static_cast<int64_t>(count) : kTooMany;
  }
}

/// The count for three tensors of one element each.
template <typename T, typename Context>
int64_t checked_count(const Context& context, const std::array<CountType<T>, 3>& numbers) {
  const auto [start, limit, delta] = numbers;
  if (delta == 0) context.reject("delta is 0, expected any other number");
  const auto count = range_count(start, limit, delta);
  if (!count) context.reject("start, limit and delta are no numbers that a range could have");
  return *count;
}

template <typename T>
CountType<T> element_of(const TensorView& view) {
  return convert<CountType<T>>(view.values<T>()[0]);
}

/// The number of elements where the three are constants.
std::optional<int64_t> constant_count(const InferContext& context) {
  std::optional<int64_t> count;
  for (size_t i = 0; i < 3; ++i) {
    const Tensor* constant = context.constant(i);
    if (constant == nullptr || constant->elements() != 1) return std::nullopt;
  }
  visit_types(RangeTypes{}, context.type(0), "Range", [&]<typename T>() {
    std::array<CountType<T>, 3> numbers;
    for (size_t i = 0; i < 3; ++i) numbers[i] = element_of<T>(view_of(*context.constant(i)));
    count = checked_count<T>(context, numbers);
  });
  return count;
}

/// The length where the three are known integers, perhaps symbolic.
std::optional<Dim> symbolic_count(const Dim& start, const Dim& limit, const Dim& delta) {
  if (!delta.is_number() || delta.number() == 0 || delta.number() == INT64_MIN) return std::nullopt;
  const bool forward = delta.number() > 0;
  const Dim distance = maximum(forward ? limit - start : start - limit, 0);
  return ceil_div(distance, forward ? delta : Dim(-delta.number()));
}

void infer_range(InferContext& context) {
  for (size_t i = 0; i < 3; ++i) {
    if (context.type(i) != context.type(0)) {
      context.reject("{} is {}, expected {} as start", kNames[i], data_type_name(context.type(i)),
                     data_type_name(context.type(0)));
    }
    const Dims* dims = context.shape(i);
    const Dim count = dims != nullptr ? product(*dims) : Dim(1);
    if (count.is_number() && count.number() != 1) {
      context.reject("{} has {} elements, expected 1", kNames[i], count.number());
    }
  }
  std::array<std::optional<Dim>, 3> numbers;
  for (size_t i = 0; i < 3; ++i) {
    const std::optional<Dims> contents = context.integers(i);
    if (contents && contents->size() == 1) numbers[i] = contents->front();
  }
  std::optional<Dim> count;
  if (const auto constant = constant_count(context)) count = *constant;
  const bool integers = numbers[0] && numbers[1] && numbers[2];
  if (integers && *numbers[2] == Dim(0)) context.reject("delta is 0, expected any other number");
  if (!count && integers) count = symbolic_count(*numbers[0], *numbers[1], *numbers[2]);
  ValueInfo output = ValueInfo::tensor(context.type(0), {count.value_or(context.unknown_dim(0, 0))});
  if (const auto kept = keepable_elements(output); kept && integers) {
    output.elements.emplace();
    for (size_t i = 0; i < *kept; ++i) {
      output.elements->push_back(*numbers[0] + *numbers[2] * static_cast<int64_t>(i));
    }
  }
  context.set_output(0, std::move(output));
}

ReferenceKernel make_range(const Node&) {
  return [](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const DataType type = context.input(0).type;
    const MutableTensorView output = context.output(0, type, shape);
    visit_types(RangeTypes{}, type, "Range", [&]<typename T>() {
      const auto start = element_of<T>(context.input(0));
      const auto delta = element_of<T>(context.input(2));
      const std::span<T> target = output.values<T>();
      for (size_t i = 0; i < target.size(); ++i) {
        if constexpr (std::is_integral_v<T>) {  // unsigned, as delta*i alone may overflow
          target[i] =
              static_cast<T>(static_cast<uint64_t>(int64_t{start}) + static_cast<uint64_t>(int64_t{delta}) * i);
        } else {
          target[i] = convert<T>(start + static_cast<double>(i) * delta);
        }
      }
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Range", &infer_range, &make_range, input_bit(0) | input_bit(1) | input_bit(2)},
};

}  // namespace

std::span<const OpEntry> range_ops() {
  return kOps;
}

}  // namespace overt
