#include "providers/cpu/kernels/pointwise.h"

#include <algorithm>

#include "providers/cpu/kernels/epilogue.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/pointwise.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "providers/cpu/kernels/epilogue-inl.h"
#include "providers/cpu/kernels/panel-inl.h"

namespace overt::cpu {
#ifndef OVERT_PROVIDERS_CPU_KERNELS_POINTWISE_TASK
#define OVERT_PROVIDERS_CPU_KERNELS_POINTWISE_TASK

/// A share of the work: pixels [first, last) of one picture for a range of pairs of output groups.
struct PointwiseTask {
  const float* x = nullptr;  ///< the picture, [input groups, pixels, B]
  float* y = nullptr;        ///< the picture, [output groups, pixels, B]
  int64_t y_offset = 0;      ///< of y in the destination, in elements
  int64_t pixels = 0;        ///< of a picture
  int64_t first = 0, last = 0;
  int64_t input_groups = 0;
  int64_t output_groups = 0;
  int64_t output_channels = 0;
  int64_t first_pair = 0, last_pair = 0;
  const float* weights = nullptr;  ///< [pairs, input groups * B, 2 (1 in the last of an odd number), B]
  const float* bias = nullptr;     ///< [output groups, B]
  const EpilogueRun* epilogue = nullptr;
};

#endif
}  // namespace overt::cpu

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

int64_t vector_block() {
  return kBlock >= 8 ? kBlock : 0;
}

/// Pixels whose inputs stay in the first-level cache while pairs of output groups pass.
constexpr int64_t kPixelsAtOnce = 4 * kPanelPixels;

void finish_group(const PointwiseTask& task, int64_t group, int64_t first, int64_t count) {
  const int64_t at = (group * task.pixels + first) * kBlock;
  apply_epilogue(*task.epilogue, task.y + at, task.y_offset + at, count);
  if (group + 1 == task.output_groups) clear_padding(task.y + at, count, task.output_channels);
}

/// All pairs of output groups for a few pixels before the next pixels.
void run_pointwise(const PointwiseTask& task) {
  const float* const start = task.epilogue->start;
  for (int64_t first = task.first; first < task.last; first += kPixelsAtOnce) {
    const int64_t count = std::min(kPixelsAtOnce, task.last - first);
    for (int64_t pair = task.first_pair; pair < task.last_pair; ++pair) {
      const int64_t group = 2 * pair;
      const int64_t pixels = task.pixels;
      const Panel panel{task.x + first * kBlock,
                        pixels * kBlock,
                        task.input_groups,
                        task.weights + group * task.input_groups * kBlock * kBlock,
                        task.bias + group * kBlock,
                        start == nullptr ? nullptr : start + task.y_offset + (group * pixels + first) * kBlock,
                        task.y + (group * pixels + first) * kBlock,
                        pixels * kBlock};
      if (group + 1 < task.output_groups) {
        multiply_row<2>(panel, count);
        finish_group(task, group, first, count);
        finish_group(task, group + 1, first, count);
      } else {
        multiply_row<1>(panel, count);
        finish_group(task, group, first, count);
      }
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace overt::cpu {
namespace {

HWY_EXPORT(vector_block);
HWY_EXPORT(run_pointwise);

struct Shapes {
  int64_t pictures, pixels, input_groups, output_groups, output_channels, block;
};

/// Rounds up.
int64_t parts_of(int64_t total, int64_t size) {
  return (total + size - 1) / size;
}

std::string refuse(const ConvolutionSpec& spec) {
  const int64_t block = own_channel_block();
  if (block == 0) return "the CPU has vectors of less than 8 lanes";
  if (spec.precision == Precision::bf16) return "float32 alone is computed";
  if (spec.source.block != block || spec.destination.block != block) {
    return "layouts in blocks of " + std::to_string(block) + " are needed";
  }
  if (spec.weights.empty() || spec.weights.type() != DataType::float32) return "weights are not constant float32";
  if (!spec.bias.empty() && spec.bias.type() != DataType::float32) return "the bias is not float32";
  if (spec.groups != 1) return "the convolution has groups";
  const auto is = [](int64_t wanted) { return [=](int64_t value) { return value == wanted; }; };
  if (!std::ranges::all_of(spec.strides, is(1)) || !std::ranges::all_of(spec.pads_begin, is(0)) ||
      !std::ranges::all_of(spec.pads_end, is(0)) ||
      spec.weights.elements() != spec.source.channels() * spec.destination.channels()) {
    return "a kernel of one pixel with stride 1 and no padding is needed";
  }
  if (spec.destination.elements() == 0 || spec.source.elements() == 0) return "a tensor is empty";
  return refuse_epilogue(spec.epilogue, spec.destination);
}

/// [M, C] to [pairs of output groups, C, 2, B]; the last of an odd number of groups stands alone. Zeros fill up.
Tensor pack_weights(const Tensor& weights, int64_t outputs, int64_t inputs, int64_t block) {
  const int64_t output_groups = parts_of(outputs, block);
  const int64_t padded_inputs = parts_of(inputs, block) * block;
  Tensor packed(DataType::float32, {output_groups * block * padded_inputs});
  const Tensor aligned = weights.aligned();
  const std::span<const float> from = aligned.values<float>();
  const std::span<float> to = packed.mutable_values<float>();
  for (int64_t m = 0; m < outputs; ++m) {
    const int64_t first_group = m / block / 2 * 2;
    const int64_t together = std::min<int64_t>(2, output_groups - first_group);
    const int64_t base = first_group * block * padded_inputs + m - first_group * block;
    for (int64_t c = 0; c < inputs; ++c) {
      to[static_cast<size_t>(base + c * together * block)] = from[static_cast<size_t>(m * inputs + c)];
    }
  }
  return packed;
}

Tensor pack_bias(const Tensor& bias, int64_t outputs, int64_t block) {
  Tensor packed(DataType::float32, {parts_of(outputs, block) * block});
  if (!bias.empty()) std::ranges::copy(bias.values<float>(), packed.mutable_values<float>().begin());
  return packed;
}

class Pointwise final : public Kernel {
 public:
  Pointwise(const ConvolutionSpec& spec, const Shapes& shapes, Tensor weights, Tensor bias, Threads& threads)
      : epilogue_(spec.epilogue),
        shapes_(shapes),
        weights_(std::move(weights)),
        bias_(std::move(bias)),
        threads_(threads) {
    epilogue_.operands.clear();  // layouts, known to be the destination's
    const int64_t cuts = 4 * threads.count();
    const int64_t most = parts_of(shapes.pixels, kMinPixels);
    pixel_parts_ = std::min(most, std::max(parts_of(shapes.pixels, kMaxPixels), cuts));
    pair_parts_ = std::min(parts_of(shapes.output_groups, 2), parts_of(cuts, shapes.pictures * pixel_parts_));
  }

  std::string_view name() const override { return "overt pointwise convolution"; }
  int64_t scratch_bytes() const override { return 0; }
  std::unique_ptr<KernelInstance> instantiate() const override;

  void run(std::span<void* const> pointers) const;

 private:
  /// Few pixels at once waste the loading of weights; many leave the caches.
  static constexpr int64_t kMinPixels = 28;
  static constexpr int64_t kMaxPixels = 224;

  EpilogueSpec epilogue_;
  Shapes shapes_;
  Tensor weights_;
  Tensor bias_;
  Threads& threads_;
  int64_t pixel_parts_ = 1;
  int64_t pair_parts_ = 1;
};

class PointwiseInstance final : public KernelInstance {
 public:
  explicit PointwiseInstance(const Pointwise& kernel) : kernel_(kernel) {}
  void run(std::span<void* const> pointers) override { kernel_.run(pointers); }

 private:
  const Pointwise& kernel_;
};

std::unique_ptr<KernelInstance> Pointwise::instantiate() const {
  return std::make_unique<PointwiseInstance>(*this);
}

void Pointwise::run(std::span<void* const> pointers) const {
  const Shapes& s = shapes_;
  size_t operands = 0;
  for (const EpilogueStep& step : epilogue_.steps) operands += step.operand >= 0 ? 1 : 0;
  if (epilogue_.first_operand_in_place) --operands;
  const float* const x = static_cast<const float*>(pointers[0]);
  float* const y = static_cast<float*>(pointers[1 + operands]);
  EpilogueRun epilogue;
  bind_epilogue(epilogue_, pointers.subspan(1), y, epilogue);
  const int64_t pairs = parts_of(s.output_groups, 2);
  // Tasks that follow each other share the pixels, so that a thread finds them in its cache.
  parallel_for(threads_, s.pictures * pixel_parts_ * pair_parts_, 1, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; ++i) {
      const int64_t pair_part = i % pair_parts_;
      const int64_t pixel_part = i / pair_parts_ % pixel_parts_;
      const int64_t picture = i / pair_parts_ / pixel_parts_;
      PointwiseTask task;
      task.x = x + picture * s.input_groups * s.pixels * s.block;
      task.y_offset = picture * s.output_groups * s.pixels * s.block;
      task.y = y + task.y_offset;
      task.pixels = s.pixels;
      task.first = s.pixels * pixel_part / pixel_parts_;
      task.last = s.pixels * (pixel_part + 1) / pixel_parts_;
      task.input_groups = s.input_groups;
      task.output_groups = s.output_groups;
      task.output_channels = s.output_channels;
      task.first_pair = pairs * pair_part / pair_parts_;
      task.last_pair = pairs * (pair_part + 1) / pair_parts_;
      task.weights = weights_.values<float>().data();
      task.bias = bias_.values<float>().data();
      task.epilogue = &epilogue;
      HWY_DYNAMIC_DISPATCH(run_pointwise)(task);
    }
  });
}

}  // namespace

int64_t own_channel_block() {
  return HWY_DYNAMIC_DISPATCH(vector_block)();
}

MadeKernel make_pointwise(const ConvolutionSpec& spec, PackedConstants& packed, Threads& threads) {
  if (std::string refusal = refuse(spec); !refusal.empty()) return MadeKernel::refused(std::move(refusal));
  const int64_t block = own_channel_block();
  const int64_t outputs = spec.destination.channels();
  const int64_t inputs = spec.source.channels();
  const Shapes shapes{spec.source.shape[0],
                      spec.source.spatial(),
                      spec.source.channel_groups(),
                      spec.destination.channel_groups(),
                      outputs,
                      block};
  Tensor weights =
      packed.get(spec.weights, "pointwise", [&] { return pack_weights(spec.weights, outputs, inputs, block); });
  return {
      std::make_unique<Pointwise>(spec, shapes, std::move(weights), pack_bias(spec.bias, outputs, block), threads),
      {}};
}

}  // namespace overt::cpu
#endif
