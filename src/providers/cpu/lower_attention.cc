#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "ops/fused.h"
#include "providers/cpu/host_kernel.h"
#include "providers/cpu/kernels/rows.h"
#include "providers/cpu/lowerings.h"
#include "providers/cpu/onednn/matmul.h"

namespace overt::cpu {
namespace {

/// A tensor's batch, head, sequence and channel lengths and strides, whatever the order of its axes.
struct AttentionView {
  std::array<int64_t, 4> dims;  ///< b, h, s, d
  std::array<int64_t, 4> strides;
};

AttentionView view(const Shape& shape, AttentionLayout layout) {
  AttentionView result{{1, 1, 1, 1}, {0, 0, 0, 0}};
  const std::string_view letters = attention_layout_name(layout);
  int64_t stride = 1;
  for (size_t axis = letters.size(); axis-- > 0;) {
    const size_t place = std::string_view("bhsd").find(letters[axis]);
    result.dims[place] = shape[static_cast<int64_t>(axis)];
    result.strides[place] = stride;
    stride *= shape[static_cast<int64_t>(axis)];
  }
  for (size_t i = 0; i < 4; ++i) {
    if (result.strides[i] == 0) result.strides[i] = stride;  // an axis that the layout lacks has length 1
  }
  return result;
}

/// The view as a batch of matrices [b, h, s, d], or [b, h, d, s].
onednn::MatrixView matrices(const AttentionView& v, bool transposed) {
  onednn::MatrixView matrix{{v.dims.begin(), v.dims.end()}, {v.strides.begin(), v.strides.end()}};
  if (transposed) {
    std::swap(matrix.dims[2], matrix.dims[3]);
    std::swap(matrix.strides[2], matrix.strides[3]);
  }
  return matrix;
}

/// Three kernels in a row: scores, softmax, values. Pointers: q, k, v, [mask], y, scratch memory, which holds the
/// scores [B, H, S, T] first and then the products' own scratch.
class Attention final : public Kernel {
 public:
  struct Parts {
    std::unique_ptr<const Kernel> scores;
    std::unique_ptr<const Kernel> values;
    int64_t rows = 0;
    int64_t cols = 0;
    bool masked = false;
    Threads* threads = nullptr;
  };
  explicit Attention(Parts parts) : parts_(std::move(parts)) {
    score_bytes_ = (parts_.rows * parts_.cols * static_cast<int64_t>(sizeof(float)) + 63) / 64 * 64;
  }

  std::string_view name() const override { return "attention: onednn matmul, softmax, onednn matmul"; }
  int64_t scratch_bytes() const override {
    return score_bytes_ + std::max(parts_.scores->scratch_bytes(), parts_.values->scratch_bytes());
  }
  std::unique_ptr<KernelInstance> instantiate() const override { return std::make_unique<Instance>(*this); }

 private:
  class Instance final : public KernelInstance {
   public:
    explicit Instance(const Attention& attention)
        : attention_(attention),
          scores_(attention.parts_.scores->instantiate()),
          values_(attention.parts_.values->instantiate()) {}

    void run(std::span<void* const> pointers) override {
      const Parts& parts = attention_.parts_;
      auto* scratch = static_cast<std::byte*>(pointers.back());
      auto* scores = reinterpret_cast<float*>(scratch);
      void* rest = scratch + attention_.score_bytes_;
      if (parts.masked) {
        scores_->run(std::array{pointers[0], pointers[1], pointers[3], static_cast<void*>(scores), rest});
      } else {
        scores_->run(std::array{pointers[0], pointers[1], static_cast<void*>(scores), rest});
      }
      softmax_rows(scores, scores, parts.rows, parts.cols, *parts.threads);
      values_->run(std::array{static_cast<void*>(scores), pointers[2], pointers[pointers.size() - 2], rest});
    }

   private:
    const Attention& attention_;
    std::unique_ptr<KernelInstance> scores_;
    std::unique_ptr<KernelInstance> values_;
  };

  Parts parts_;
  int64_t score_bytes_ = 0;
};

}  // namespace

Lowered lower_attention(const LowerContext& context) {
  if (!context.device.onednn) return Lowered::refused(context.device.onednn_refusal);
  for (size_t i = 0; i < context.node.inputs.size(); ++i) {
    const ValueId input = context.input(i);
    if (input == ValueId::none) continue;
    if (!context.is_float32(input))
      return Lowered::refused(fmt::format("{} is not float32", data_type_name(context.type(input))));
    if (context.shape(input).elements() == 0) return Lowered::refused("empty tensors");
  }
  const FusedAttentionAttributes attributes = parse_fused_attention(context.node);
  const ValueId y_value = context.node.outputs[0];
  const AttentionView q = view(context.shape(context.input(0)), attributes.q);
  const AttentionView k = view(context.shape(context.input(1)), attributes.k);
  const AttentionView v = view(context.shape(context.input(2)), attributes.v);
  const AttentionView y = view(context.shape(y_value), attributes.y);
  const int64_t batch = q.dims[0];
  const int64_t heads = q.dims[1];
  const std::vector<int64_t> score_dims{batch, heads, q.dims[2], k.dims[2]};

  onednn::MatmulSpec scores;
  scores.a = matrices(q, false);
  scores.b = matrices(k, true);
  scores.c = onednn::dense_matrix(score_dims);
  scores.epilogue.scale = attributes.scale;
  scores.precision = context.device.precision;
  const ValueId mask = context.input(3);
  if (mask != ValueId::none) {
    const Shape& shape = context.shape(mask);
    Shape padded;
    for (int64_t axis = shape.rank(); axis < 4; ++axis) padded.push_back(1);
    for (const int64_t dim : shape) padded.push_back(dim);
    if (padded.rank() != 4) return Lowered::refused("the mask has more than four axes");
    scores.epilogue.operands.push_back(plain(std::move(padded)));
    scores.epilogue.steps.push_back({EpilogueKind::add, 0.0f, 0.0f, 0});
  }
  onednn::MatmulSpec values;
  values.a = onednn::dense_matrix(score_dims);
  values.b = matrices(v, false);
  values.c = matrices(y, false);
  values.precision = context.device.precision;

  Attention::Parts parts;
  MadeKernel made_scores = onednn::make_matmul(*context.device.onednn, *context.device.packed, scores);
  if (!made_scores.kernel) return Lowered::refused("scores: " + made_scores.refusal);
  MadeKernel made_values = onednn::make_matmul(*context.device.onednn, *context.device.packed, values);
  if (!made_values.kernel) return Lowered::refused("values: " + made_values.refusal);
  parts.scores = std::move(made_scores.kernel);
  parts.values = std::move(made_values.kernel);
  parts.rows = batch * heads * q.dims[2];
  parts.cols = k.dims[2];
  parts.masked = mask != ValueId::none;
  parts.threads = &context.device.threads();

  LoweredNode lowered;
  lowered.kernel = std::make_unique<Attention>(std::move(parts));
  for (size_t i = 0; i < 4; ++i) {
    if (context.input(i) != ValueId::none)
      lowered.reads.push_back({context.input(i), plain(context.shape(context.input(i)))});
  }
  lowered.writes.push_back({y_value, plain(context.shape(y_value))});
  return {std::move(lowered), {}};
}

}  // namespace overt::cpu
