#include "ops/constant.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "ops/contents.h"
#include "ops/elements.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// Contents of a small integer tensor.
std::optional<Dims> integer_contents(const Tensor& tensor) {
  if (tensor.elements() > kMaxKnownElements) return std::nullopt;
  Dims dims;
  switch (tensor.type()) {
    case DataType::int64:
      for (const int64_t value : tensor.values<int64_t>()) dims.emplace_back(value);
      return dims;
    case DataType::int32:
      for (const int32_t value : tensor.values<int32_t>()) dims.emplace_back(value);
      return dims;
    case DataType::boolean:
      for (const bool value : tensor.values<bool>()) dims.emplace_back(value ? 1 : 0);
      return dims;
    default: return std::nullopt;
  }
}

void infer_constant(InferContext& context) {
  const Tensor value = parse_constant(context.node());
  ValueInfo output = ValueInfo::tensor(value.type(), Dims(value.shape().begin(), value.shape().end()));
  output.elements = integer_contents(value);
  context.set_output(0, std::move(output));
}

ReferenceKernel make_constant(const Node& node) {
  return [value = parse_constant(node)](KernelContext& context) {
    copy_elements(view_of(value), context.output(0, value.type(), value.shape()));
  };
}

void infer_constant_of_shape(InferContext& context) {
  const Tensor value = parse_constant_of_shape(context.node()).value;
  const std::optional<int64_t> rank = known_list_length(context, 0, "the shape");
  const std::optional<Dims> dims = context.integers(0);
  if (!dims) {
    if (!rank || *rank > kMaxKnownElements) {
      context.set_output_type(0, value.type());
      return;
    }
    Dims unknown;
    for (int64_t axis = 0; axis < *rank; ++axis) unknown.push_back(context.unknown_dim(0, axis));
    context.set_output(0, ValueInfo::tensor(value.type(), std::move(unknown)));
    return;
  }
  for (const Dim& dim : *dims) {
    if (dim.is_number() && dim.number() < 0) context.reject("the shape {} has a negative length", to_string(*dims));
  }
  ValueInfo output = ValueInfo::tensor(value.type(), *dims);
  const auto count = keepable_elements(output);
  const std::optional<Dims> element = count ? integer_contents(value) : std::nullopt;
  if (element) output.elements = Dims(*count, element->front());
  context.set_output(0, std::move(output));
}

/// Fills a tensor whose elements are smaller than a byte.
void fill_packed(const MutableTensorView& output, int bits, uint8_t element) {
  const int shift = element & ((1 << bits) - 1);
  int byte = 0;
  for (int i = 0; i < 8; i += bits) byte |= shift << i;
  std::memset(output.data, byte, static_cast<size_t>(tensor_bytes(output.type, Shape(output.dims))));
}

ReferenceKernel make_constant_of_shape(const Node& node) {
  return [value = parse_constant_of_shape(node).value](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const MutableTensorView output = context.output(0, value.type(), shape);
    if (shape.elements() == 0) return;
    const int bits = data_type_bits(value.type());
    if (bits < 8) {
      fill_packed(output, bits, *static_cast<const uint8_t*>(value.data()));
      return;
    }
    visit_element_size(value.type(), "ConstantOfShape", [&]<typename T>() {
      std::fill_n(static_cast<T*>(output.data), shape.elements(), *static_cast<const T*>(value.data()));
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Constant", &infer_constant, &make_constant},
    OpEntry{"", "ConstantOfShape", &infer_constant_of_shape, &make_constant_of_shape, input_bit(0)},
};

template <typename T>
Tensor list_of(std::span<const T> values) {
  return Tensor::of<T>(Shape{static_cast<int64_t>(values.size())}, values);
}

Tensor value_of(const Node& node, std::string_view name) {
  if (name == "value_int") return Tensor::of<int64_t>({}, {node.integer(name, 0)});
  if (name == "value_ints") return list_of(node.integers(name));
  if (name == "value_float") return Tensor::of<float>({}, {node.real(name, 0.0f)});
  if (name == "value_floats") return list_of(node.reals(name));
  if (name == "value_string") return Tensor::of<std::string>({}, {std::string(node.string(name, ""))});
  if (name == "value_strings") return list_of(node.strings(name));
  return *node.tensor(name);
}

}  // namespace

Tensor parse_constant(const Node& node) {
  constexpr std::array<std::string_view, 8> kNames = {"value",     "sparse_value", "value_float",  "value_floats",
                                                      "value_int", "value_ints",   "value_string", "value_strings"};
  std::string_view found;
  for (const std::string_view name : kNames) {
    if (!node.has_attribute(name)) continue;
    if (!found.empty()) {
      fail_at(ErrorCode::invalid_model, node.name, "{}: both {} and {} are given, expected one value",
              display_name(node), found, name);
    }
    found = name;
  }
  if (found.empty()) {
    fail_at(ErrorCode::invalid_model, node.name,
            "{}: no value is given, expected one of value, value_int and the like", display_name(node));
  }
  return value_of(node, found);
}

ConstantOfShapeAttributes parse_constant_of_shape(const Node& node) {
  const Tensor* value = node.tensor("value");
  if (value == nullptr) return {Tensor(DataType::float32, Shape{1})};
  if (value->elements() != 1) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: value has shape {}, expected one element", display_name(node),
            value->shape().to_string());
  }
  return {*value};
}

std::span<const OpEntry> constant_ops() {
  return kOps;
}

}  // namespace overt
