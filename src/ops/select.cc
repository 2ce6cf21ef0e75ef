#include "ops/select.h"

#include <algorithm>
#include <array>

#include "ops/broadcast.h"
#include "ops/contents.h"
#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/visit.h"

namespace overt {
namespace {

/// Calls choose(i, condition offset, x offset, y offset) for each element i of the broadcast, row by row.
template <typename Choose>
void for_each_choice(std::span<const int64_t> dims, std::span<const int64_t> condition, std::span<const int64_t> x,
                     std::span<const int64_t> y, Choose choose) {
  if (std::ranges::find(dims, 0) != dims.end()) return;
  std::array<std::vector<int64_t>, 3> strides = {broadcast_strides(condition, dims), broadcast_strides(x, dims),
                                                 broadcast_strides(y, dims)};
  const int64_t row = dims.empty() ? 1 : dims.back();
  std::array<int64_t, 3> step = {};
  for (size_t operand = 0; operand < 3 && !dims.empty(); ++operand) {
    step[operand] = strides[operand].back();
    strides[operand].pop_back();
  }
  StridedWalk rows(dims.first(dims.empty() ? 0 : dims.size() - 1), {strides[0], strides[1], strides[2]});
  for (size_t i = 0; !rows.done(); rows.next()) {
    for (int64_t j = 0; j < row; ++j) {
      choose(i++, rows.offset(0) + j * step[0], rows.offset(1) + j * step[1], rows.offset(2) + j * step[2]);
    }
  }
}

/// Contents of Where, if each choice or both its candidates are known.
std::optional<Dims> chosen_contents(const InferContext& context, const Shape& shape, size_t count) {
  const auto condition = known_contents(context, 0);
  const auto x = known_contents(context, 1);
  const auto y = known_contents(context, 2);
  if (!condition || !x || !y) return std::nullopt;
  Dims result(count);
  bool decided = true;
  for_each_choice(shape.dims(), condition->shape.dims(), x->shape.dims(), y->shape.dims(),
                  [&](size_t i, int64_t at, int64_t x_at, int64_t y_at) {
                    const Dim& choice = condition->elements[static_cast<size_t>(at)];
                    const Dim& if_true = x->elements[static_cast<size_t>(x_at)];
                    const Dim& if_false = y->elements[static_cast<size_t>(y_at)];
                    decided = decided && (choice.is_number() || if_true == if_false);
                    result[i] = choice == Dim(0) ? if_false : if_true;
                  });
  return decided ? std::optional(std::move(result)) : std::nullopt;
}

void infer_where(InferContext& context) {
  if (context.type(0) != DataType::boolean && context.type(0) != DataType::undefined) {
    context.reject("the condition is {}, expected bool", data_type_name(context.type(0)));
  }
  if (context.type(1) != context.type(2)) {
    context.reject("input 1 is {} and input 2 is {}, expected the same type", data_type_name(context.type(1)),
                   data_type_name(context.type(2)));
  }
  const Dims* condition = context.shape(0);
  const Dims* x = context.shape(1);
  const Dims* y = context.shape(2);
  if (condition == nullptr || x == nullptr || y == nullptr) {
    context.set_output_type(0, context.type(1));
    return;
  }
  const auto pair = broadcast(*x, *y);
  const auto dims = pair ? broadcast(*condition, *pair) : std::nullopt;
  if (!dims) {
    context.reject("the shapes {}, {} and {} do not broadcast together", to_string(*condition), to_string(*x),
                   to_string(*y));
  }
  ValueInfo output = ValueInfo::tensor(context.type(1), *dims);
  if (const auto count = keepable_elements(output)) {
    output.elements = chosen_contents(context, *output.concrete_shape(), *count);
  }
  context.set_output(0, std::move(output));
}

ReferenceKernel make_where(const Node&) {
  return [](KernelContext& context) {
    const Shape shape = output_shapes(context)[0];
    const TensorView& condition = context.input(0);
    const TensorView& x = context.input(1);
    const TensorView& y = context.input(2);
    const MutableTensorView output = context.output(0, x.type, shape);
    const std::span<const bool> choices = condition.values<bool>();
    visit_element_size(x.type, "Where", [&]<typename T>() {
      const T* if_true = static_cast<const T*>(x.data);
      const T* if_false = static_cast<const T*>(y.data);
      T* target = static_cast<T*>(output.data);
      for_each_choice(shape.dims(), condition.dims, x.dims, y.dims,
                      [&](size_t i, int64_t at, int64_t x_at, int64_t y_at) {
                        target[i] = choices[static_cast<size_t>(at)] ? if_true[x_at] : if_false[y_at];
                      });
    });
  };
}

void infer_non_zero(InferContext& context) {
  const Dims* dims = context.shape(0);
  const Dim rank = dims != nullptr ? Dim(static_cast<int64_t>(dims->size())) : context.unknown_dim(0, 0);
  context.set_output(0, ValueInfo::tensor(DataType::int64, {rank, context.unknown_dim(0, 1)}));
}

template <typename T>
bool is_non_zero(const T& value) {
  if constexpr (std::is_same_v<T, std::string>) {
    return !value.empty();
  } else {
    return static_cast<ComputeType<T>>(value) != ComputeType<T>{};
  }
}

/// Row-major positions of the elements that are not zero.
std::vector<int64_t> non_zero_positions(const TensorView& input) {
  std::vector<int64_t> positions;
  visit_types(AllTypes{}, input.type, "NonZero", [&]<typename T>() {
    const std::span<const T> values = input.values<T>();
    for (size_t i = 0; i < values.size(); ++i) {
      if (is_non_zero(values[i])) positions.push_back(static_cast<int64_t>(i));
    }
  });
  return positions;
}

ReferenceKernel make_non_zero(const Node&) {
  return [](KernelContext& context) {
    const TensorView& input = context.input(0);
    const std::vector<int64_t> positions = non_zero_positions(input);
    const auto count = static_cast<int64_t>(positions.size());
    const MutableTensorView output = context.output(0, DataType::int64, Shape{input.rank(), count});
    const std::span<int64_t> target = output.values<int64_t>();
    std::vector<int64_t> rest = positions;
    for (int64_t axis = input.rank(); axis-- > 0;) {
      const std::span<int64_t> row = target.subspan(static_cast<size_t>(axis * count), static_cast<size_t>(count));
      for (size_t i = 0; i < rest.size(); ++i) {
        row[i] = rest[i] % input.dim(axis);
        rest[i] /= input.dim(axis);
      }
    }
  };
}

void infer_compress(InferContext& context) {
  const CompressAttributes attributes = parse_compress(context.node());
  known_list_length(context, 1, "the condition");
  const Dims* dims = context.shape(0);
  if (!attributes.axis) {
    context.set_output(0, ValueInfo::tensor(context.type(0), {context.unknown_dim(0, 0)}));
    return;
  }
  if (dims == nullptr) {
    context.set_output_type(0, context.type(0));
    return;
  }
  const int64_t axis = context.normalise_axis(*attributes.axis, static_cast<int64_t>(dims->size()));
  Dims result = *dims;
  result[static_cast<size_t>(axis)] = context.unknown_dim(0, axis);
  context.set_output(0, ValueInfo::tensor(context.type(0), std::move(result)));
}

/// Positions where the condition holds; each must be below `length`.
std::vector<int64_t> chosen_positions(const KernelContext& context, int64_t length) {
  const std::span<const bool> condition = context.input(1).values<bool>();
  std::vector<int64_t> positions;
  for (size_t i = 0; i < condition.size(); ++i) {
    if (condition[i]) positions.push_back(static_cast<int64_t>(i));
  }
  if (!positions.empty() && positions.back() >= length) {
    context.reject("the condition holds at position {}, and the axis has length {}", positions.back(), length);
  }
  return positions;
}

ReferenceKernel make_compress(const Node& node) {
  return [attributes = parse_compress(node)](KernelContext& context) {
    const TensorView& input = context.input(0);
    Shape shape = input.shape();
    int64_t axis = 0;
    if (attributes.axis) {
      axis = *attributes.axis;
      if (axis < -shape.rank() || axis >= shape.rank()) {
        context.reject("axis {} is out of range for rank {}", axis, shape.rank());
      }
      axis = positive_axis(axis, shape.rank());
    } else {
      shape = Shape{shape.elements()};
    }
    const int64_t length = shape[axis];
    const std::vector<int64_t> positions = chosen_positions(context, length);
    shape[axis] = static_cast<int64_t>(positions.size());
    const MutableTensorView output = context.output(0, input.type, shape);
    if (shape.elements() == 0) return;
    const int64_t outer = shape.elements(0, axis);
    const int64_t inner = shape.elements(axis + 1, shape.rank());
    visit_element_size(input.type, "Compress", [&]<typename T>() {
      const T* source = static_cast<const T*>(input.data);
      T* target = static_cast<T*>(output.data);
      for (int64_t i = 0; i < outer; ++i) {
        for (const int64_t position : positions) {
          target = std::copy_n(source + (i * length + position) * inner, inner, target);
        }
      }
    });
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Where", &infer_where, &make_where},
    OpEntry{"", "NonZero", &infer_non_zero, &make_non_zero, 0, OutputShapes::from_data},
    OpEntry{"", "Compress", &infer_compress, &make_compress, 0, OutputShapes::from_data},
};

}  // namespace

CompressAttributes parse_compress(const Node& node) {
  if (!node.has_attribute("axis")) return {};
  return {node.integer("axis", 0)};
}

std::span<const OpEntry> select_ops() {
  return kOps;
}

}  // namespace overt
