#include "ops/cast.h"

#include <array>

#include "base/escape.h"
#include "ops/contents.h"
#include "ops/convert.h"
#include "ops/families.h"
#include "ops/number_text.h"
#include "ops/strided_copy.h"
#include "ops/type_attribute.h"
#include "ops/visit.h"

namespace overt {
namespace {

using NumbersAndBool = TypeList<float, double, Float16, BFloat16, int8_t, int16_t, int32_t, int64_t, uint8_t,
                                uint16_t, uint32_t, uint64_t, bool>;

/// The known integer x as type `to`, where that is known and no other number.
std::optional<Dim> converted(const Dim& x, DataType to) {
  if (to == DataType::boolean) {
    if (x.is_number()) return Dim(x.number() != 0 ? 1 : 0);
    return less(0, x) == true ? std::optional(Dim(1)) : std::nullopt;
  }
  if (to == DataType::int64) return x;
  if (!x.is_number()) return to == DataType::int32 ? std::optional(x) : std::nullopt;
  switch (to) {
    case DataType::int32: return Dim(convert<int32_t>(x.number()));
    case DataType::int16: return Dim(convert<int16_t>(x.number()));
    case DataType::int8: return Dim(convert<int8_t>(x.number()));
    case DataType::uint8: return Dim(convert<uint8_t>(x.number()));
    case DataType::uint16: return Dim(convert<uint16_t>(x.number()));
    case DataType::uint32: return Dim(int64_t{convert<uint32_t>(x.number())});
    default: return std::nullopt;
  }
}

std::optional<Dims> converted_contents(const InferContext& context, DataType to) {
  std::optional<Dims> contents = context.integers(0);
  if (!contents) return std::nullopt;
  for (Dim& element : *contents) {
    const auto result = converted(element, to);
    if (!result) return std::nullopt;
    element = *result;
  }
  return contents;
}

void set_cast_output(InferContext& context, DataType to) {
  ValueInfo output;
  output.type = to;
  if (const Dims* dims = context.shape(0)) output.shape = *dims;
  if (keepable_elements(output)) output.elements = converted_contents(context, to);
  context.set_output(0, std::move(output));
}

void infer_cast(InferContext& context) {
  set_cast_output(context, parse_cast(context.node()).to);
}
void infer_cast_like(InferContext& context) {
  set_cast_output(context, context.type(1));
}

template <typename T>
T parsed(const KernelContext& context, const std::string& text) {
  if constexpr (std::is_integral_v<T>) {
    if (const auto integer = parse_integer(text)) return convert<T>(*integer);
  }
  const std::optional<double> number = parse_number(text);
  if (!number) context.reject("the text '{}' is no number", escape_name(text, 40));
  return convert<T>(*number);
}

template <typename T>
std::string written(T value) {
  if constexpr (std::is_integral_v<T>) {
    return std::to_string(value);
  } else if constexpr (std::is_same_v<T, double>) {
    return number_text(value);
  } else {
    return number_text(static_cast<float>(value));
  }
}

void from_strings(const KernelContext& context, const TensorView& input, const MutableTensorView& output) {
  visit_types(NumbersAndBool{}, output.type, "Cast", [&]<typename To>() {
    const std::span<const std::string> source = input.values<std::string>();
    const std::span<To> target = output.values<To>();
    for (size_t i = 0; i < target.size(); ++i) target[i] = parsed<To>(context, source[i]);
  });
}

void to_strings(const TensorView& input, const MutableTensorView& output) {
  visit_types(NumbersAndBool{}, input.type, "Cast", [&]<typename From>() {
    const std::span<const From> source = input.values<From>();
    const std::span<std::string> target = output.values<std::string>();
    for (size_t i = 0; i < target.size(); ++i) target[i] = written(source[i]);
  });
}

void between_numbers(const TensorView& input, const MutableTensorView& output) {
  visit_types(NumbersAndBool{}, input.type, "Cast", [&]<typename From>() {
    visit_types(NumbersAndBool{}, output.type, "Cast", [&]<typename To>() {
      const std::span<const From> source = input.values<From>();
      const std::span<To> target = output.values<To>();
      for (size_t i = 0; i < target.size(); ++i) target[i] = convert<To>(source[i]);
    });
  });
}

/// The elements of a narrow type as floats, which hold each of them exactly.
Tensor widened(const TensorView& input) {
  Tensor wide(DataType::float32, input.shape());
  const std::span<float> target = wide.mutable_values<float>();
  for (size_t i = 0; i < target.size(); ++i) {
    target[i] = narrow_value(input.type, read_narrow(input.type, input.data, static_cast<int64_t>(i)));
  }
  return wide;
}

void to_narrow(const TensorView& input, const MutableTensorView& output, NarrowRounding rounding) {
  const size_t bytes = static_cast<size_t>(tensor_bytes(output.type, Shape(output.dims)));
  if (bytes > 0) static_cast<uint8_t*>(output.data)[bytes - 1] = 0;  // bits after the last element
  visit_types(NumbersAndBool{}, input.type, "Cast", [&]<typename From>() {
    const std::span<const From> source = input.values<From>();
    for (size_t i = 0; i < source.size(); ++i) {
      // Integers that a double does not hold lie far beyond each small float; of integers the low bits count.
      uint8_t bits = 0;
      if constexpr (std::is_integral_v<From>) {
        const bool whole = is_narrow_integer(output.type);
        bits =
            whole ? static_cast<uint8_t>(source[i]) : narrow_bits(output.type, convert<double>(source[i]), rounding);
      } else {
        bits = narrow_bits(output.type, convert<double>(source[i]), rounding);
      }
      write_narrow(output.type, output.data, static_cast<int64_t>(i), bits);
    }
  });
}

void cast_elements(const KernelContext& context, const TensorView& input, const MutableTensorView& output,
                   NarrowRounding rounding) {
  if (input.type == output.type) {
    copy_elements(input, output);
  } else if (is_narrow(input.type)) {
    const Tensor wide = widened(input);
    cast_elements(context, view_of(wide), output, rounding);
  } else if (is_narrow(output.type)) {
    const bool text = input.type == DataType::string;
    Tensor numbers(DataType::float64, text ? input.shape() : Shape{0});
    if (text) from_strings(context, input, {DataType::float64, numbers.shape().dims(), numbers.mutable_data()});
    to_narrow(text ? view_of(numbers) : input, output, rounding);
  } else if (input.type == DataType::string) {
    from_strings(context, input, output);
  } else if (output.type == DataType::string) {
    to_strings(input, output);
  } else {
    between_numbers(input, output);
  }
}

ReferenceKernel make_cast(const Node& node) {
  return [attributes = parse_cast(node)](KernelContext& context) {
    const TensorView& input = context.input(0);
    cast_elements(context, input, context.output(0, attributes.to, input.shape()), attributes.rounding);
  };
}

ReferenceKernel make_cast_like(const Node& node) {
  return [attributes = parse_cast_like(node)](KernelContext& context) {
    const TensorView& input = context.input(0);
    cast_elements(context, input, context.output(0, context.input(1).type, input.shape()), attributes.rounding);
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Cast", &infer_cast, &make_cast},
    OpEntry{"", "CastLike", &infer_cast_like, &make_cast_like},
};

NarrowRounding parse_rounding(const Node& node) {
  const std::string_view mode = node.string("round_mode", "up");
  if (mode != "up" && mode != "down" && mode != "nearest") {
    fail_at(ErrorCode::invalid_model, node.name, "{}: round_mode is none of up, down and nearest",
            display_name(node));
  }
  const PowerRounding nearest_or_up = mode == "nearest" ? PowerRounding::nearest : PowerRounding::up;
  return {node.integer("saturate", 1) != 0, mode == "down" ? PowerRounding::down : nearest_or_up};
}

}  // namespace

CastAttributes parse_cast(const Node& node) {
  const DataType to = type_attribute(node, "to", DataType::undefined);
  if (to == DataType::undefined) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: attribute to is missing", display_name(node));
  }
  return {to, parse_rounding(node)};
}

CastAttributes parse_cast_like(const Node& node) {
  return {DataType::undefined, parse_rounding(node)};
}

std::span<const OpEntry> cast_ops() {
  return kOps;
}

}  // namespace overt
