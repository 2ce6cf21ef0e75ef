#include "ops/pool.h"

#include <array>
#include <cmath>
#include <limits>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {

PoolAttributes parse_pool(const Node& node) {
  PoolAttributes attributes;
  std::string_view type = node.op.type;
  attributes.global = type.starts_with("Global");
  if (attributes.global) type.remove_prefix(6);
  attributes.kind = type == "MaxPool" ? PoolKind::maximum : type == "AveragePool" ? PoolKind::average : PoolKind::lp;
  if (!attributes.global) {
    attributes.window = parse_window(node);
    if (attributes.window.kernel.empty()) reject_node(node, "attribute kernel_shape is missing");
  }
  attributes.count_include_pad = node.integer("count_include_pad", 0) != 0;
  attributes.column_major = node.integer("storage_order", 0) != 0;
  if (attributes.kind == PoolKind::lp) {
    attributes.p = node.op.since_version == 1 ? static_cast<double>(node.real("p", 2.0f))
                                              : static_cast<double>(node.integer("p", 2));
    if (!(attributes.p > 0)) reject_node(node, "p is {}, expected more than 0", attributes.p);
  }
  return attributes;
}

Dims pool_output_dims(const Node& node, const PoolAttributes& attributes, const Dims& x) {
  const size_t least = attributes.global ? 2 : 3;
  if (x.size() < least)
    reject_node(node, "input {} has rank {}, expected at least {}", to_string(x), x.size(), least);
  Dims output = {x[0], x[1]};
  if (attributes.global) {
    output.resize(x.size(), 1);
    return output;
  }
  const std::span<const Dim> input = std::span(x).subspan(2);
  check_window_rank(node, attributes.window, std::ssize(input));
  const Dims spatial = window_output_dims(node, attributes.window, to_dims(attributes.window.kernel), input);
  output.insert(output.end(), spatial.begin(), spatial.end());
  return output;
}

PoolGeometry resolve_pool(const Node& node, const PoolAttributes& attributes, const Shape& x) {
  PoolGeometry geometry;
  geometry.output = to_shape(node, pool_output_dims(node, attributes, to_dims(x.dims())));
  geometry.planes = x.elements(0, 2);
  if (attributes.global) {
    const int64_t plane = x.elements(2, x.rank());
    geometry.window = {WindowAxis{.input = plane, .kernel = plane, .output = 1}};
  } else {
    geometry.window = resolve_window(node, attributes.window, attributes.window.kernel, x.dims().subspan(2));
  }
  return geometry;
}

int64_t average_count(const PoolAttributes& attributes, const Window& window, const WindowWalk& walk) {
  int64_t count = 1;
  for (size_t i = 0; i < window.size(); ++i) {
    const WindowAxis& axis = window[i];
    count *= attributes.count_include_pad
                 ? taps_within(axis, walk.position(i), -axis.pad_begin, axis.input + axis.pad_end).count()
                 : walk.taps(i).count();
  }
  return count;
}

void infer_pool(InferContext& context) {
  const PoolAttributes attributes = parse_pool(context.node());
  ValueInfo output;
  output.type = context.type(0);
  if (const Dims* x = context.shape(0)) output.shape = pool_output_dims(context.node(), attributes, *x);
  context.set_output(0, output);
  output.type = DataType::int64;
  if (attributes.kind == PoolKind::maximum && context.output_count() > 1) context.set_output(1, output);
}

namespace {

/// The index that the standard's Indices output has for a row-major offset in a plane.
int64_t column_major_index(const Window& window, int64_t offset) {
  int64_t stride = input_plane(window), index = 0;
  for (size_t axis = window.size(); axis-- > 0;) {
    stride /= window[axis].input;
    index += offset % window[axis].input * stride;
    offset /= window[axis].input;
  }
  return index;
}

/// `indices` may be null. A window that lies in the padding gives the type's least value and the index -1. A NaN
/// under a window is its maximum.
template <typename T>
void max_pool(const PoolGeometry& g, bool column_major, const T* x, T* y, int64_t* indices) {
  constexpr T least =
      std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  const int64_t in_plane = input_plane(g.window), out_plane = output_plane(g.window);
  for (int64_t plane = 0; plane < g.planes; ++plane) {
    const T* in = x + plane * in_plane;
    int64_t at = plane * out_plane;
    for (WindowWalk walk(g.window); !walk.done(); walk.next(), ++at) {
      T best = least;
      int64_t where = -1;
      walk.for_each_tap([&](int64_t offset) {
        const T value = in[offset];
        const bool is_nan = value != value;
        if (where < 0 || value > best || (is_nan && best == best)) {
          best = value;
          where = offset;
        }
      });
      y[at] = best;
      if (indices == nullptr) continue;
      indices[at] = where < 0 ? -1 : plane * in_plane + (column_major ? column_major_index(g.window, where) : where);
    }
  }
}

template <typename C>
void average_pool(const PoolAttributes& attributes, const PoolGeometry& g, const C* x, C* y) {
  const int64_t in_plane = input_plane(g.window);
  for (int64_t plane = 0; plane < g.planes; ++plane, x += in_plane) {
    for (WindowWalk walk(g.window); !walk.done(); walk.next()) {
      double sum = 0;
      walk.for_each_tap([&](int64_t offset) { sum += static_cast<double>(x[offset]); });
      *y++ = static_cast<C>(sum / static_cast<double>(average_count(attributes, g.window, walk)));
    }
  }
}

template <typename C>
void lp_pool(double p, const PoolGeometry& g, const C* x, C* y) {
  const int64_t in_plane = input_plane(g.window);
  for (int64_t plane = 0; plane < g.planes; ++plane, x += in_plane) {
    for (WindowWalk walk(g.window); !walk.done(); walk.next()) {
      double sum = 0;
      walk.for_each_tap([&](int64_t offset) { sum += std::pow(std::abs(static_cast<double>(x[offset])), p); });
      *y++ = static_cast<C>(std::pow(sum, 1 / p));
    }
  }
}

template <typename C>
void pool_floats(const PoolAttributes& attributes, const PoolGeometry& geometry, const TensorView& x,
                 const MutableTensorView& y, int64_t* indices) {
  const ComputeInput<C> in(x);
  const ComputeOutput<C> out(y);
  switch (attributes.kind) {
    case PoolKind::maximum: max_pool(geometry, attributes.column_major, in.data(), out.data(), indices); break;
    case PoolKind::average: average_pool(attributes, geometry, in.data(), out.data()); break;
    case PoolKind::lp: lp_pool(attributes.p, geometry, in.data(), out.data()); break;
  }
  out.store();
}

ReferenceKernel make_pool(const Node& node) {
  return [attributes = parse_pool(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const PoolGeometry geometry = resolve_pool(context.node(), attributes, x.shape());
    const MutableTensorView y = context.output(0, x.type, geometry.output);
    int64_t* indices = nullptr;
    if (attributes.kind == PoolKind::maximum && context.wants_output(1)) {
      indices = context.output(1, DataType::int64, geometry.output).values<int64_t>().data();
    }
    if (y.elements() == 0) return;
    if (attributes.kind == PoolKind::maximum && !attributes.global && !is_floating_point(x.type)) {
      return visit_types(TypeList<int8_t, uint8_t>{}, x.type, "MaxPool", [&]<typename T>() {
        max_pool(geometry, attributes.column_major, x.values<T>().data(), y.values<T>().data(), indices);
      });
    }
    visit_compute_type(x.type, context.node().op.type,
                       [&]<typename C>() { pool_floats<C>(attributes, geometry, x, y, indices); });
  };
}

constexpr std::array kPoolOps = {
    OpEntry{"", "AveragePool", infer_pool, make_pool},  OpEntry{"", "GlobalAveragePool", infer_pool, make_pool},
    OpEntry{"", "GlobalLpPool", infer_pool, make_pool}, OpEntry{"", "GlobalMaxPool", infer_pool, make_pool},
    OpEntry{"", "LpPool", infer_pool, make_pool},       OpEntry{"", "MaxPool", infer_pool, make_pool},
};

}  // namespace

std::span<const OpEntry> pool_ops() {
  return kPoolOps;
}

}  // namespace overt
