#include "providers/cpu/kernels/winograd.h"

#include <algorithm>
#include <cmath>

#include "providers/cpu/kernels/pointwise.h"
#include "providers/cpu/kernels/winograd_task.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "providers/cpu/kernels/winograd.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "providers/cpu/kernels/winograd-inl.h"

HWY_BEFORE_NAMESPACE();
namespace overt::cpu {
namespace HWY_NAMESPACE {

void winograd_inputs(const WinogradBlock& block, int64_t first, int64_t last) {
  transform_inputs(block, first, last);
}

void winograd_outputs(const WinogradBlock& block, int64_t first, int64_t last, float* sums) {
  multiply_and_finish(block, first, last, sums);
}

}  // namespace HWY_NAMESPACE
}  // namespace overt::cpu
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace overt::cpu {
namespace {

HWY_EXPORT(winograd_inputs);
HWY_EXPORT(winograd_outputs);

/// Transformed inputs of a block, in floats: half of a second-level cache of 1 MB, which also holds the sums and
/// lets weights pass.
constexpr int64_t kBlockFloats = 131072;
constexpr int64_t kMaxTiles = 56;  ///< four panels: the sums of a pair of output groups then take 258 KB
constexpr int64_t kMinChannels = 16;
constexpr int64_t kMinTiles = 12;
/// Transformed weights in floats beyond which reading them from memory takes longer than the formula's products.
constexpr int64_t kMaxWeights = 3'000'000;

int64_t parts_of(int64_t total, int64_t size) {
  return (total + size - 1) / size;
}

WinogradShapes shapes_of(const ConvolutionSpec& spec) {
  WinogradShapes s;
  s.pictures = spec.source.shape[0];
  s.input_groups = spec.source.channel_groups();
  s.output_groups = spec.destination.channel_groups();
  s.output_channels = spec.destination.channels();
  s.rows_in = spec.source.shape[2];
  s.cols_in = spec.source.shape[3];
  s.rows_out = spec.destination.shape[2];
  s.cols_out = spec.destination.shape[3];
  s.pad_top = spec.pads_begin[0];
  s.pad_left = spec.pads_begin[1];
  s.tile_rows = parts_of(s.rows_out, 4);
  s.tile_cols = parts_of(s.cols_out, 4);
  return s;
}

std::string refuse(const ConvolutionSpec& spec) {
  const int64_t block = own_channel_block();
  if (block == 0) return "the CPU has vectors of less than 8 lanes";
  if (spec.precision == Precision::bf16) return "float32 alone is computed";
  if (spec.source.block != block || spec.destination.block != block || spec.source.shape.rank() != 4) {
    return "pictures in blocks of " + std::to_string(block) + " channels are needed";
  }
  if (spec.weights.empty() || spec.weights.type() != DataType::float32) return "weights are not constant float32";
  if (!spec.bias.empty() && spec.bias.type() != DataType::float32) return "the bias is not float32";
  if (spec.groups != 1) return "the convolution has groups";
  const Shape& w = spec.weights.shape();
  const auto is_one = [](int64_t value) { return value == 1; };
  if (w[2] != 3 || w[3] != 3 || !std::ranges::all_of(spec.strides, is_one) ||
      !std::ranges::all_of(spec.dilations, is_one)) {
    return "a kernel of 3x3 with stride 1 and no dilation is needed";
  }
  if (spec.destination.elements() == 0 || spec.source.elements() == 0) return "a tensor is empty";
  if (w[0] < kMinChannels || w[1] < kMinChannels) return "few channels: the transforms cost more than they save";
  if (36 * w[0] * w[1] > kMaxWeights) return "many channels: reading transformed weights costs more than they save";
  if (shapes_of(spec).tiles() < kMinTiles) return "a small picture: reading weights costs more than they save";
  for (size_t i = 1; i < spec.epilogue.steps.size(); ++i) {
    if (spec.epilogue.steps[i].operand >= 0) return "a later step of the epilogue has an operand";
  }
  if (!spec.epilogue.steps.empty() && spec.epilogue.steps[0].kind == EpilogueKind::multiply) {
    return "the epilogue begins with a multiplication";
  }
  return refuse_epilogue(spec.epilogue, spec.destination);
}

/// G g G^T of one filter, in double precision.
void transform_filter(const float* g, double (&u)[36]) {
  const double p = std::sqrt(0.5);
  const double q = std::sqrt(2.0);
  const double transform[6][3] = {{1, 0, 0},
                                  {-2.0 / 3, -2.0 / 3 * p, -1.0 / 3},
                                  {-2.0 / 3, 2.0 / 3 * p, -1.0 / 3},
                                  {1.0 / 6, q / 6, 1.0 / 3},
                                  {1.0 / 6, -q / 6, 1.0 / 3},
                                  {0, 0, 1}};
  for (int i = 0; i < 6; ++i) {
    double row[3] = {};
    for (int k = 0; k < 3; ++k) {
      for (int j = 0; j < 3; ++j) row[j] += transform[i][k] * static_cast<double>(g[k * 3 + j]);
    }
    for (int j = 0; j < 6; ++j) {
      u[i * 6 + j] = row[0] * transform[j][0] + row[1] * transform[j][1] + row[2] * transform[j][2];
    }
  }
}

/// [M, C, 3, 3] to [pairs of output groups, 36, C, 2, B]; the last of an odd number of groups stands alone.
Tensor pack_weights(const Tensor& weights, int64_t block) {
  const int64_t outputs = weights.shape()[0];
  const int64_t inputs = weights.shape()[1];
  const int64_t output_groups = parts_of(outputs, block);
  const int64_t padded_inputs = parts_of(inputs, block) * block;
  Tensor packed(DataType::float32, {output_groups * 36 * padded_inputs * block});
  const Tensor aligned = weights.aligned();
  const std::span<const float> from = aligned.values<float>();
  const std::span<float> to = packed.mutable_values<float>();
  double u[36];
  for (int64_t m = 0; m < outputs; ++m) {
    const int64_t group = m / block / 2 * 2;
    const int64_t together = std::min<int64_t>(2, output_groups - group);
    for (int64_t c = 0; c < inputs; ++c) {
      transform_filter(&from[static_cast<size_t>((m * inputs + c) * 9)], u);
      const int64_t base = group * 36 * padded_inputs * block + m - group * block;
      for (int64_t i = 0; i < 36; ++i) {
        to[static_cast<size_t>(base + (i * padded_inputs + c) * together * block)] = static_cast<float>(u[i]);
      }
    }
  }
  return packed;
}

class Winograd final : public Kernel {
 public:
  Winograd(const ConvolutionSpec& spec, int64_t block, Tensor weights, Threads& threads)
      : epilogue_(spec.epilogue),
        shapes_(shapes_of(spec)),
        block_(block),
        weights_(std::move(weights)),
        bias_(DataType::float32, {shapes_.output_groups * block}),
        threads_(threads) {
    if (!spec.bias.empty()) std::ranges::copy(spec.bias.values<float>(), bias_.mutable_values<float>().begin());
    epilogue_.operands.clear();  // layouts, known to be the destination's
    const int64_t tile_floats = 36 * shapes_.input_groups * block;
    const int64_t most = std::clamp<int64_t>(kBlockFloats / tile_floats, 1, kMaxTiles);
    const int64_t total = shapes_.tiles();
    // A whole number of rounds of all threads, unless blocks become too small to be worth the weights they read.
    blocks_ = parts_of(parts_of(total, most), threads.count()) * threads.count();
    shared_ = total / blocks_ < kMinTiles;
    if (shared_) blocks_ = parts_of(total, kMaxTiles);
    tiles_ = parts_of(total, blocks_);
    values_floats_ = tiles_ * tile_floats;
    sums_floats_ = 36 * 2 * tiles_ * block;
  }

  std::string_view name() const override { return "overt winograd 4x4 convolution"; }
  int64_t scratch_bytes() const override {
    const int64_t values = shared_ ? values_floats_ : values_floats_ * threads_.count();
    return (values + sums_floats_ * threads_.count()) * static_cast<int64_t>(sizeof(float));
  }
  std::unique_ptr<KernelInstance> instantiate() const override;

  void run(std::span<void* const> pointers) const;

 private:
  WinogradBlock block_of(int64_t number, const WinogradBlock& all) const {
    WinogradBlock block = all;
    block.first_tile = shapes_.tiles() * number / blocks_;
    block.last_tile = shapes_.tiles() * (number + 1) / blocks_;
    return block;
  }
  void run_private(const WinogradBlock& all, float* scratch) const;
  void run_shared(const WinogradBlock& all, float* scratch) const;

  EpilogueSpec epilogue_;
  WinogradShapes shapes_;
  int64_t block_;
  Tensor weights_;
  Tensor bias_;
  Threads& threads_;
  int64_t blocks_ = 1;   ///< of tiles
  int64_t tiles_ = 1;    ///< most of a block
  bool shared_ = false;  ///< all threads work on one block, each for some of the outputs
  int64_t values_floats_ = 0;
  int64_t sums_floats_ = 0;
};

class WinogradInstance final : public KernelInstance {
 public:
  explicit WinogradInstance(const Winograd& kernel) : kernel_(kernel) {}
  void run(std::span<void* const> pointers) override { kernel_.run(pointers); }

 private:
  const Winograd& kernel_;
};

std::unique_ptr<KernelInstance> Winograd::instantiate() const {
  return std::make_unique<WinogradInstance>(*this);
}

void Winograd::run(std::span<void* const> pointers) const {
  const bool operand =
      !epilogue_.steps.empty() && epilogue_.steps[0].operand >= 0 && !epilogue_.first_operand_in_place;
  EpilogueRun epilogue;
  WinogradBlock all;
  all.shapes = &shapes_;
  all.x = static_cast<const float*>(pointers[0]);
  all.y = static_cast<float*>(pointers[operand ? 2 : 1]);
  all.weights = weights_.values<float>().data();
  all.bias = bias_.values<float>().data();
  all.epilogue = &epilogue;
  bind_epilogue(epilogue_, pointers.subspan(1), all.y, epilogue);
  float* const scratch = static_cast<float*>(pointers[operand ? 3 : 2]);
  if (shared_) {
    run_shared(all, scratch);
  } else {
    run_private(all, scratch);
  }
}

/// Each thread takes blocks of tiles and does all of their work.
void Winograd::run_private(const WinogradBlock& all, float* scratch) const {
  parallel_for_workers(threads_, blocks_, 1, [&](int worker, int64_t first, int64_t last) {
    float* const own = scratch + worker * (values_floats_ + sums_floats_);
    for (int64_t i = first; i < last; ++i) {
      WinogradBlock block = block_of(i, all);
      block.values = own;
      HWY_DYNAMIC_DISPATCH(winograd_inputs)(block, 0, shapes_.input_groups);
      HWY_DYNAMIC_DISPATCH(winograd_outputs)(block, 0, parts_of(shapes_.output_groups, 2), own + values_floats_);
    }
  });
}

/// All threads transform a block's inputs, then each computes some of the outputs, so that each weight is read once.
void Winograd::run_shared(const WinogradBlock& all, float* scratch) const {
  for (int64_t i = 0; i < blocks_; ++i) {
    WinogradBlock block = block_of(i, all);
    block.values = scratch;
    parallel_for(threads_, shapes_.input_groups, 1, [&](int64_t first, int64_t last) {
      HWY_DYNAMIC_DISPATCH(winograd_inputs)(block, first, last);
    });
    parallel_for_workers(threads_, parts_of(shapes_.output_groups, 2), 1,
                         [&](int worker, int64_t first, int64_t last) {
                           float* const sums = scratch + values_floats_ + worker * sums_floats_;
                           HWY_DYNAMIC_DISPATCH(winograd_outputs)(block, first, last, sums);
                         });
  }
}

}  // namespace

MadeKernel make_winograd(const ConvolutionSpec& spec, PackedConstants& packed, Threads& threads) {
  if (std::string refusal = refuse(spec); !refusal.empty()) return MadeKernel::refused(std::move(refusal));
  const int64_t block = own_channel_block();
  Tensor weights = packed.get(spec.weights, "winograd 4x4", [&] { return pack_weights(spec.weights, block); });
  return {std::make_unique<Winograd>(spec, block, std::move(weights), threads), {}};
}

}  // namespace overt::cpu
#endif
