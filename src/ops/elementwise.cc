#include "ops/elementwise.h"

#include <algorithm>
#include <array>

#include "ops/checks.h"
#include "ops/contents.h"

namespace overt {
namespace {

bool is_legacy_broadcast(const Node& node) {
  return node.op.since_version < 7 && node.op.domain.empty();
}

/// Whether axis `inner` continues `outer` for each operand, so that the two are one axis.
bool merges(const BroadcastLoop& loop, size_t outer, size_t inner) {
  return std::ranges::all_of(loop.strides, [&](const std::vector<int64_t>& strides) {
    return strides[outer] == strides[inner] * loop.dims[inner];
  });
}

std::optional<Dims> map_known(const InferContext& context, DataType type, UnaryElement element) {
  const std::optional<KnownContents> x = element != nullptr ? known_contents(context, 0) : std::nullopt;
  if (!x) return std::nullopt;
  Dims y;
  for (const Dim& value : x->elements) {
    const std::optional<Dim> result = element(value);
    if (!result) return std::nullopt;
    y.push_back(*result);
  }
  return elements_of_type(type, std::move(y));
}

/// Contents of the broadcast of two tensors whose shapes fit, where they can be told.
std::optional<KnownContents> zip_known(const std::optional<KnownContents>& a, const std::optional<KnownContents>& b,
                                       BinaryElement element) {
  if (!a || !b) return std::nullopt;
  const std::optional<Shape> shape = broadcast(a->shape.dims(), b->shape.dims());
  if (!shape || shape->elements() > kMaxKnownElements) return std::nullopt;
  KnownContents result{{}, *shape};
  const std::vector<int64_t> strides_a = broadcast_strides(a->shape.dims(), shape->dims());
  const std::vector<int64_t> strides_b = broadcast_strides(b->shape.dims(), shape->dims());
  for (StridedWalk walk(shape->dims(), {strides_a, strides_b}); !walk.done(); walk.next()) {
    const std::optional<Dim> value =
        element(a->elements[static_cast<size_t>(walk.offset(0))], b->elements[static_cast<size_t>(walk.offset(1))]);
    if (!value) return std::nullopt;
    result.elements.push_back(*value);
  }
  return result;
}

/// The contents as those of an output of this type.
std::optional<Dims> kept_elements(DataType type, std::optional<KnownContents> contents) {
  return contents ? elements_of_type(type, std::move(contents->elements)) : std::nullopt;
}

void require_one_type(const InferContext& context) {
  for (size_t i = 1; i < context.input_count(); ++i) {
    if (!context.has_input(i)) continue;
    const DataType first = context.type(0);
    const DataType type = context.type(i);
    if (first == DataType::undefined || type == DataType::undefined || first == type) continue;
    context.reject("input 0 has {} elements and input {} has {}, expected one type", data_type_name(first), i,
                   data_type_name(type));
  }
}

}  // namespace

StridedWalk BroadcastLoop::runs() const {
  std::vector<std::vector<int64_t>> outer;
  outer.reserve(strides.size());
  for (const std::vector<int64_t>& operand : strides) outer.emplace_back(operand.begin(), operand.end() - 1);
  return StridedWalk(std::span(dims).first(dims.size() - 1), std::move(outer));
}

BroadcastLoop broadcast_loop(std::span<const int64_t> target, std::span<const std::span<const int64_t>> operands) {
  BroadcastLoop full{{target.begin(), target.end()}, {}};
  for (const std::span<const int64_t> operand : operands) full.strides.push_back(broadcast_strides(operand, target));
  BroadcastLoop loop{{}, std::vector<std::vector<int64_t>>(operands.size())};
  const auto append = [&](int64_t dim, size_t axis) {
    loop.dims.push_back(dim);
    for (size_t i = 0; i < operands.size(); ++i) loop.strides[i].push_back(full.strides[i][axis]);
  };
  size_t previous = target.size();  // none
  for (size_t axis = 0; axis < target.size(); ++axis) {
    if (target[axis] == 1) continue;
    if (previous < target.size() && merges(full, previous, axis)) {
      loop.dims.back() *= target[axis];
      for (size_t i = 0; i < operands.size(); ++i) loop.strides[i].back() = full.strides[i][axis];
    } else {
      append(target[axis], axis);
    }
    previous = axis;
  }
  if (loop.dims.empty()) {
    loop.dims.push_back(1);
    for (std::vector<int64_t>& strides : loop.strides) strides.push_back(0);
  }
  return loop;
}

void infer_same_shape(InferContext& context, DataType type, UnaryElement element) {
  const Dims* shape = context.shape(0);
  if (shape == nullptr) return context.set_output_type(0, type);
  ValueInfo info = ValueInfo::tensor(type, *shape);
  info.elements = map_known(context, type, element);
  context.set_output(0, std::move(info));
}

template <typename AnyDims>
AnyDims aligned_second(const Node& node, size_t first_rank, AnyDims second) {
  if (!is_legacy_broadcast(node)) return second;
  const bool is_channel_slope = node.op.type == "PRelu" && second.size() == 1 && first_rank > 1;
  const bool starts_at_axis = node.integer("broadcast", 0) != 0 && node.has_attribute("axis");
  if (!is_channel_slope && !starts_at_axis) return second;
  const int64_t rank = static_cast<int64_t>(first_rank);
  const int64_t given = is_channel_slope ? 1 : node.integer("axis", 0);
  const int64_t axis = given < 0 ? given + rank : given;
  if (axis < 0 || axis > rank || static_cast<int64_t>(second.size()) > rank - axis) {
    reject_node(node, "axis {} leaves no room for {} axes in an input of rank {}", given, second.size(), rank);
  }
  second.insert(second.end(), static_cast<size_t>(rank - axis) - second.size(), 1);
  return second;
}
template std::vector<int64_t> aligned_second(const Node&, size_t, std::vector<int64_t>);
template Dims aligned_second(const Node&, size_t, Dims);

namespace {

void infer_pair(InferContext& context, DataType type, BinaryElement element) {
  const Dims* a = context.shape(0);
  const Dims* b = context.shape(1);
  if (a == nullptr || b == nullptr) return context.set_output_type(0, type);
  const Dims second = aligned_second(context.node(), a->size(), *b);
  const std::optional<Dims> shape = broadcast(*a, second);
  if (!shape) context.reject("shapes {} and {} do not broadcast", to_string(*a), to_string(*b));
  ValueInfo info = ValueInfo::tensor(type, *shape);
  if (element != nullptr) {
    std::optional<KnownContents> right = known_contents(context, 1);
    if (right) right->shape = to_shape(context.node(), second);
    info.elements = kept_elements(type, zip_known(known_contents(context, 0), right, element));
  }
  context.set_output(0, std::move(info));
}

}  // namespace

void infer_broadcast(InferContext& context, DataType type, BinaryElement element) {
  require_one_type(context);
  infer_pair(context, type, element);
}

void infer_broadcast_mixed(InferContext& context, DataType type) {
  infer_pair(context, type, nullptr);
}

void infer_variadic(InferContext& context, BinaryElement element) {
  require_one_type(context);
  const DataType type = context.type(0);
  if (context.shape(0) == nullptr) return context.set_output_type(0, type);
  Dims result = *context.shape(0);
  std::optional<KnownContents> contents = element != nullptr ? known_contents(context, 0) : std::nullopt;
  for (size_t i = 1; i < context.input_count(); ++i) {
    if (context.shape(i) == nullptr) return context.set_output_type(0, type);
    const Dims& next = *context.shape(i);
    const std::optional<Dims> both = broadcast(result, next);
    if (!both) {
      context.reject("shape {} of input {} does not broadcast with {}", to_string(next), i, to_string(result));
    }
    result = *both;
    if (contents) contents = zip_known(contents, known_contents(context, i), element);
  }
  ValueInfo info = ValueInfo::tensor(type, std::move(result));
  info.elements = kept_elements(type, std::move(contents));
  context.set_output(0, std::move(info));
}

BinaryOperands::BinaryOperands(const KernelContext& context, bool mixed_types)
    : a(context.input(0)), b(context.input(1)) {
  if (!mixed_types && a.type != b.type) {
    context.reject("input 0 has {} elements and input 1 has {}, expected one type", data_type_name(a.type),
                   data_type_name(b.type));
  }
  const std::vector<int64_t> second =
      aligned_second(context.node(), a.dims.size(), std::vector<int64_t>(b.dims.begin(), b.dims.end()));
  const std::optional<Shape> result = broadcast(a.dims, second);
  if (!result) context.reject("shapes {} and {} do not broadcast", a.shape().to_string(), b.shape().to_string());
  shape = *result;
  const std::array<std::span<const int64_t>, 2> operands{a.dims, second};
  loop = broadcast_loop(shape.dims(), operands);
}

}  // namespace overt
