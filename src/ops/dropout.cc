#include "ops/dropout.h"

#include <algorithm>
#include <array>
#include <random>

#include "ops/families.h"
#include "ops/output_shapes.h"
#include "ops/strided_copy.h"
#include "ops/visit.h"

namespace overt {
namespace {

void infer_dropout(InferContext& context) {
  const DropoutAttributes attributes = parse_dropout(context.node());
  ValueInfo output = context.input(0);
  output.elements.reset();
  ValueInfo mask = output;
  if (!attributes.mask_like_data) mask.type = DataType::boolean;
  context.set_output(0, std::move(output));
  context.set_output(1, std::move(mask));
}

/// A number in [0, 1) with 53 random bits, of two draws.
double uniform(std::mt19937& twister) {
  const uint32_t high = static_cast<uint32_t>(twister()) >> 5;
  const uint32_t low = static_cast<uint32_t>(twister()) >> 6;
  return (high * 0x1p26 + low) * 0x1p-53;
}

std::vector<uint8_t> kept_elements(int64_t count, double ratio, uint32_t seed) {
  std::vector<uint8_t> kept(static_cast<size_t>(count), 1);
  if (ratio == 0.0) return kept;
  std::mt19937 twister(seed);
  for (uint8_t& keep : kept) keep = uniform(twister) >= ratio ? 1 : 0;
  return kept;
}

/// The share of elements to drop: 0 outside training.
double drop_ratio(const KernelContext& context) {
  if (!context.has_input(2)) return 0.0;
  const TensorView& training = context.input(2);
  if (training.elements() != 1) context.reject("training_mode has {} elements, expected 1", training.elements());
  if (!training.values<bool>()[0]) return 0.0;
  if (!context.has_input(1)) return 0.5;
  const TensorView& view = context.input(1);
  if (view.elements() != 1) context.reject("ratio has {} elements, expected 1", view.elements());
  double ratio = 0.0;
  visit_types(FloatTypes{}, view.type, "Dropout",
              [&]<typename T>() { ratio = static_cast<double>(static_cast<ComputeType<T>>(view.values<T>()[0])); });
  if (!(ratio >= 0.0 && ratio < 1.0)) context.reject("ratio is {}, expected 0 or more and less than 1", ratio);
  return ratio;
}

void write_mask(const MutableTensorView& mask, std::span<const uint8_t> kept) {
  if (mask.type == DataType::boolean) {
    std::ranges::transform(kept, mask.values<bool>().begin(), [](uint8_t keep) { return keep != 0; });
    return;
  }
  visit_types(FloatTypes{}, mask.type, "Dropout", [&]<typename T>() {
    std::ranges::transform(kept, mask.values<T>().begin(), [](uint8_t keep) { return T(keep != 0 ? 1.0f : 0.0f); });
  });
}

ReferenceKernel make_dropout(const Node& node) {
  return [attributes = parse_dropout(node)](KernelContext& context) {
    const TensorView& input = context.input(0);
    const double ratio = drop_ratio(context);
    const MutableTensorView output = context.output(0, input.type, input.shape());
    if (ratio == 0.0 && !context.wants_output(1)) {
      copy_elements(input, output);
      return;
    }
    const std::vector<uint8_t> kept = kept_elements(input.elements(), ratio, attributes.seed);
    if (ratio == 0.0) {
      copy_elements(input, output);
    } else {
      visit_types(FloatTypes{}, input.type, "Dropout", [&]<typename T>() {
        const auto scale = static_cast<ComputeType<T>>(1.0 / (1.0 - ratio));
        const std::span<const T> source = input.values<T>();
        const std::span<T> target = output.values<T>();
        for (size_t i = 0; i < target.size(); ++i) {
          target[i] = kept[i] != 0 ? T(static_cast<ComputeType<T>>(source[i]) * scale) : T(ComputeType<T>(0));
        }
      });
    }
    if (!context.wants_output(1)) return;
    const DataType mask_type = attributes.mask_like_data ? input.type : DataType::boolean;
    write_mask(context.output(1, mask_type, input.shape()), kept);
  };
}

constexpr std::array kOps = {
    OpEntry{"", "Dropout", &infer_dropout, &make_dropout},
};

}  // namespace

DropoutAttributes parse_dropout(const Node& node) {
  return {static_cast<uint32_t>(node.integer("seed", 0)), node.op.since_version < 10};
}

std::span<const OpEntry> dropout_ops() {
  return kOps;
}

}  // namespace overt
