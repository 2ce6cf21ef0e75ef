#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "ops/broadcast.h"
#include "ops/fused.h"
#include "providers/cpu/host_kernel.h"
#include "providers/cpu/kernels/strided_copy.h"
#include "providers/cpu/lowerings.h"

namespace overt::cpu {
namespace {

/// Bytes of one element where strided copies can move it, else 0.
int64_t movable_bytes(DataType type) {
  const int bits = data_type_bits(type);
  return type == DataType::string || bits < 8 || bits > 64 ? 0 : bits / 8;
}

std::string refuse_type(const LowerContext& context) {
  const DataType type = context.type(context.node.outputs[0]);
  if (movable_bytes(type) == 0) return fmt::format("{} elements are not moved as bytes", data_type_name(type));
  if (context.shape(context.node.outputs[0]).elements() == 0) return "empty tensors";
  return {};
}

/// One tensor moved by one strided copy.
struct Move {
  StridedCopy copy;
  int64_t source_offset_bytes = 0;
};

Lowered lower_move(const LowerContext& context, std::string name, Move move) {
  const ValueId x = context.input(0);
  const ValueId y = context.node.outputs[0];
  LoweredNode lowered;
  lowered.reads.push_back({x, plain(context.shape(x))});
  lowered.writes.push_back({y, plain(context.shape(y))});
  Threads& threads = context.device.threads();
  lowered.kernel = host_kernel(std::move(name), [move = std::move(move), &threads](std::span<void* const> pointers) {
    move.copy.run(static_cast<const std::byte*>(pointers[0]) + move.source_offset_bytes, pointers[1], threads);
  });
  return {std::move(lowered), {}};
}

}  // namespace

Lowered lower_transpose(const LowerContext& context) {
  if (std::string refusal = refuse_type(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const Shape& x = context.shape(context.input(0));
  const Shape& y = context.shape(context.node.outputs[0]);
  std::vector<int64_t> perm(context.node.integers("perm").begin(), context.node.integers("perm").end());
  if (perm.empty()) {
    perm.resize(static_cast<size_t>(x.rank()));
    std::iota(perm.rbegin(), perm.rend(), int64_t{0});
  }
  const std::vector<int64_t> own = row_major_strides(x.dims());
  std::vector<int64_t> source;
  for (const int64_t axis : perm) source.push_back(own[static_cast<size_t>(axis)]);
  const int64_t bytes = movable_bytes(context.type(context.input(0)));
  return lower_move(context, "transpose", {StridedCopy(y.dims(), source, row_major_strides(y.dims()), bytes)});
}

Lowered lower_expand(const LowerContext& context) {
  if (std::string refusal = refuse_type(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const Shape& x = context.shape(context.input(0));
  const Shape& y = context.shape(context.node.outputs[0]);
  const int64_t bytes = movable_bytes(context.type(context.input(0)));
  return lower_move(
      context, "expand",
      {StridedCopy(y.dims(), broadcast_strides(x.dims(), y.dims()), row_major_strides(y.dims()), bytes)});
}

Lowered lower_slice(const LowerContext& context) {
  if (std::string refusal = refuse_type(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  if (context.node.inputs.size() < 2) return Lowered::refused("the form of opset 9 and before");
  const Shape& x = context.shape(context.input(0));
  const Shape& y = context.shape(context.node.outputs[0]);
  const auto numbers = [&](size_t i, std::vector<int64_t>& out) {
    if (context.input(i) == ValueId::none) return true;
    const Tensor* constant = context.constant(context.input(i));
    if (constant == nullptr) return false;
    out.clear();
    if (constant->type() == DataType::int64) {
      for (const int64_t value : constant->values<int64_t>()) out.push_back(value);
    } else {
      for (const int32_t value : constant->values<int32_t>()) out.push_back(value);
    }
    return true;
  };
  std::vector<int64_t> starts;
  if (!numbers(1, starts)) return Lowered::refused("the starts are not known");
  std::vector<int64_t> axes(starts.size());
  std::iota(axes.begin(), axes.end(), int64_t{0});
  std::vector<int64_t> steps(starts.size(), 1);
  if (!numbers(3, axes) || !numbers(4, steps)) return Lowered::refused("axes or steps are not known");
  const std::vector<int64_t> own = row_major_strides(x.dims());
  std::vector<int64_t> source = own;
  int64_t offset = 0;
  for (size_t i = 0; i < starts.size(); ++i) {
    const int64_t axis = axes[i] < 0 ? axes[i] + x.rank() : axes[i];
    const int64_t dim = x[axis];
    const int64_t step = steps[i];
    int64_t start = starts[i] < 0 ? std::max(starts[i], -dim) + dim : starts[i];
    start = std::clamp<int64_t>(start, 0, step > 0 ? dim : dim - 1);
    offset += start * own[static_cast<size_t>(axis)];
    // A step past the end is taken once at most, so its size does not matter then (and might overflow).
    source[static_cast<size_t>(axis)] = y[axis] > 1 ? own[static_cast<size_t>(axis)] * step : 0;
  }
  const int64_t bytes = movable_bytes(context.type(context.input(0)));
  return lower_move(context, "slice",
                    {StridedCopy(y.dims(), source, row_major_strides(y.dims()), bytes), offset * bytes});
}

Lowered lower_concat(const LowerContext& context) {
  if (std::string refusal = refuse_type(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const ValueId y = context.node.outputs[0];
  const Shape& shape = context.shape(y);
  const int64_t axis = context.node.integer("axis", 1) + (context.node.integer("axis", 1) < 0 ? shape.rank() : 0);
  const int64_t bytes = movable_bytes(context.type(y));
  // With whole groups of channels, blocked parts are pieced together as they are.
  const int64_t block = context.device.channel_block();
  const bool whole_groups = context.is_float32(y) && axis == 1 && shape.rank() >= 3 &&
                            std::ranges::all_of(context.node.inputs, [&](ValueId part) {
                              return context.shape(part)[1] % block == 0 && context.layout(part).blocked();
                            });
  const int64_t part_block = whole_groups ? block : 1;
  const Layout whole{shape, part_block};
  const int64_t outer = shape.elements(0, axis);
  const int64_t row = outer == 0 ? 0 : whole.elements() / outer;  // elements of one outer step

  struct Part {
    StridedCopy copy;
    int64_t offset_bytes;
  };
  LoweredNode lowered;
  std::vector<Part> parts;
  int64_t offset = 0;
  for (const ValueId part : context.node.inputs) {
    const Layout layout{context.shape(part), part_block};
    lowered.reads.push_back({part, layout});
    const int64_t length = outer == 0 ? 0 : layout.elements() / outer;
    parts.push_back(
        {StridedCopy(std::array{outer, length}, std::array{length, int64_t{1}}, std::array{row, int64_t{1}}, bytes),
         offset * bytes});
    offset += length;
  }
  lowered.writes.push_back({y, whole});
  Threads& threads = context.device.threads();
  lowered.kernel = host_kernel("concat", [parts = std::move(parts), &threads](std::span<void* const> pointers) {
    auto* whole_memory = static_cast<std::byte*>(pointers[parts.size()]);
    for (size_t i = 0; i < parts.size(); ++i)
      parts[i].copy.run(pointers[i], whole_memory + parts[i].offset_bytes, threads);
  });
  return {std::move(lowered), {}};
}

Lowered lower_space_to_depth(const LowerContext& context) {
  if (std::string refusal = refuse_type(context); !refusal.empty()) return Lowered::refused(std::move(refusal));
  const FusedSpaceToDepthAttributes attributes = parse_fused_space_to_depth(context.node);
  const ValueId x = context.input(0);
  const ValueId y = context.node.outputs[0];
  const Shape& in = context.shape(x);
  const Shape& out = context.shape(y);
  const int64_t bytes = movable_bytes(context.type(x));
  const int64_t rows = out[2];
  const int64_t cols = out[3];
  const std::array dims{in[0], in[1], rows, cols};
  const std::array source{in[1] * in[2] * in[3], in[2] * in[3], attributes.block * in[3], attributes.block};
  const std::array target{out[1] * rows * cols, rows * cols, cols, int64_t{1}};
  const StridedCopy copy(dims, source, target, bytes);
  std::vector<std::pair<int64_t, int64_t>> offsets;  // in the source and in the result, in bytes
  for (size_t i = 0; i < attributes.offsets.size(); ++i) {
    const auto [row, col] = attributes.offsets[i];
    offsets.emplace_back((row * in[3] + col) * bytes, static_cast<int64_t>(i) * in[1] * rows * cols * bytes);
  }
  LoweredNode lowered;
  lowered.reads.push_back({x, plain(in)});
  lowered.writes.push_back({y, plain(out)});
  Threads& threads = context.device.threads();
  lowered.kernel = host_kernel("space_to_depth", [copy, offsets, &threads](std::span<void* const> pointers) {
    for (const auto& [from, to] : offsets) {
      copy.run(static_cast<const std::byte*>(pointers[0]) + from, static_cast<std::byte*>(pointers[1]) + to, threads);
    }
  });
  return {std::move(lowered), {}};
}

}  // namespace overt::cpu
