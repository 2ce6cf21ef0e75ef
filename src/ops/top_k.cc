#include "ops/top_k.h"

#include <algorithm>
#include <numeric>

#include "ops/axis.h"
#include "ops/checks.h"
#include "ops/elementwise.h"
#include "ops/families.h"

namespace overt {

TopKAttributes parse_top_k(const Node& node) {
  TopKAttributes attributes;
  attributes.axis = node.integer("axis", -1);
  attributes.largest = node.integer("largest", 1) != 0;
  attributes.sorted = node.integer("sorted", 1) != 0;
  if (node.op.since_version >= 10) return attributes;
  if (!node.has_attribute("k")) reject_node(node, "the attribute k is missing");
  attributes.k = node.integer("k", 0);
  return attributes;
}

int64_t checked_k(const Node& node, int64_t k, int64_t length, ErrorCode code) {
  if (k >= 0 && k <= length) return k;
  fail_at(code, node.name, "{}: k is {}, expected 0 to {}, the length of the axis", display_name(node), k, length);
}

namespace {

/// Whether a comes before b among the largest: NaN before any number.
template <typename T>
bool is_larger(T a, T b) {
  if (a != a) return b == b;
  return a > b;
}

/// Indices of the first k of `lane` in order; the rest of `indices` is scratch.
template <typename T>
void choose(std::span<const T> lane, int64_t k, bool largest, std::vector<int64_t>& indices) {
  indices.resize(lane.size());
  std::iota(indices.begin(), indices.end(), int64_t{0});
  const auto comes_before = [&](int64_t i, int64_t j) {
    const T a = lane[static_cast<size_t>(largest ? i : j)];
    const T b = lane[static_cast<size_t>(largest ? j : i)];
    if (is_larger(a, b)) return true;
    return !is_larger(b, a) && i < j;
  };
  std::partial_sort(indices.begin(), indices.begin() + k, indices.end(), comes_before);
}

template <typename T>
void top_k_lanes(const AxisSplit& split, int64_t k, bool largest, const T* x, T* values, int64_t* positions) {
  std::vector<ComputeType<T>> lane(static_cast<size_t>(split.length));
  std::vector<int64_t> indices;
  for (int64_t i = 0; i < split.outer * split.inner; ++i) {
    const int64_t outer = i / split.inner;
    const int64_t inner = i % split.inner;
    const T* in = x + outer * split.length * split.inner + inner;
    for (size_t j = 0; j < lane.size(); ++j) lane[j] = to_compute(in[static_cast<int64_t>(j) * split.inner]);
    choose(std::span<const ComputeType<T>>(lane), k, largest, indices);
    for (int64_t j = 0; j < k; ++j) {
      const int64_t index = indices[static_cast<size_t>(j)];
      const int64_t target = (outer * k + j) * split.inner + inner;
      if (values != nullptr) values[target] = in[index * split.inner];
      if (positions != nullptr) positions[target] = index;
    }
  }
}

int64_t k_of(const KernelContext& context, const TopKAttributes& attributes) {
  if (attributes.k) return *attributes.k;
  const TensorView& k = context.input(1);
  if (k.elements() != 1) context.reject("k has shape {}, expected [1]", k.shape().to_string());
  return k.values<int64_t>()[0];
}

ReferenceKernel make_top_k(const Node& node) {
  return [attributes = parse_top_k(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const int64_t axis = normalise_axis(context.node(), attributes.axis, x.rank());
    const int64_t k = checked_k(context.node(), k_of(context, attributes), x.dim(axis), ErrorCode::invalid_argument);
    Shape shape = x.shape();
    shape[axis] = k;
    MutableTensorView values, positions;
    if (context.wants_output(0)) values = context.output(0, x.type, shape);
    if (context.wants_output(1)) positions = context.output(1, DataType::int64, shape);
    if (shape.elements() == 0) return;
    visit_types(NumericTypes{}, x.type, "TopK", [&]<typename T>() {
      top_k_lanes(split_at(x.dims, axis), k, attributes.largest, x.values<T>().data(), static_cast<T*>(values.data),
                  static_cast<int64_t*>(positions.data));
    });
  };
}

/// k as a dim: known, or nothing.
std::optional<Dim> inferred_k(const InferContext& context, const TopKAttributes& attributes) {
  if (attributes.k) return Dim(*attributes.k);
  require_input_type(TypeList<int64_t>{}, context, 1);
  const std::optional<Dims> contents = context.integers(1);
  if (!contents) return std::nullopt;
  if (contents->size() != 1) context.reject("k has {} elements, expected 1", contents->size());
  return contents->front();
}

void infer_top_k(InferContext& context) {
  require_input_type(NumericTypes{}, context, 0);
  const TopKAttributes attributes = parse_top_k(context.node());
  const std::optional<Dim> k = inferred_k(context, attributes);
  const Dims* shape = context.shape(0);
  if (shape == nullptr) {
    context.set_output_type(0, context.type(0));
    context.set_output_type(1, DataType::int64);
    return;
  }
  const int64_t axis = normalise_axis(context.node(), attributes.axis, static_cast<int64_t>(shape->size()));
  const Dim& length = (*shape)[static_cast<size_t>(axis)];
  if (k && k->is_number()) {
    checked_k(context.node(), k->number(), length.number_if_known().value_or(INT64_MAX), ErrorCode::invalid_model);
  }
  Dims result = *shape;
  result[static_cast<size_t>(axis)] = k ? *k : context.unknown_dim(0, axis);
  context.set_output(0, ValueInfo::tensor(context.type(0), result));
  context.set_output(1, ValueInfo::tensor(DataType::int64, std::move(result)));
}

constexpr OpEntry kOps[] = {
    {"", "TopK", &infer_top_k, &make_top_k, input_bit(1)},
};

}  // namespace

std::span<const OpEntry> top_k_ops() {
  return kOps;
}

}  // namespace overt
