#include "ops/batch_normalization.h"

#include <array>
#include <cmath>
#include <vector>

#include "ops/checks.h"
#include "ops/compute_values.h"
#include "ops/families.h"

namespace overt {

BatchNormalizationAttributes parse_batch_normalization(const Node& node) {
  BatchNormalizationAttributes attributes;
  attributes.epsilon = node.real("epsilon", 1e-5f);
  attributes.momentum = node.real("momentum", 0.9f);
  const int version = node.op.since_version;
  attributes.per_activation = version < 9 && node.integer("spatial", 1) == 0;
  if (version >= 14) {
    attributes.training = node.integer("training_mode", 0) != 0;
  } else if (version >= 7) {
    attributes.training = node.has_output(1);  // asking for statistics is how training is asked for
  } else {
    attributes.training = node.integer("is_test", 0) == 0 && node.has_output(1);
  }
  return attributes;
}

BatchNormalizationGeometry resolve_batch_normalization(const BatchNormalizationAttributes& attributes,
                                                       const Shape& x) {
  if (x.rank() == 0) return {1, 1, 1};
  if (x.rank() == 1) return {x[0], 1, 1};
  if (attributes.per_activation) return {x[0], x.elements(1, x.rank()), 1};
  return {x[0], x[1], x.elements(2, x.rank())};
}

void batch_normalization_factors(std::span<const float> scale, std::span<const float> bias,
                                 std::span<const float> mean, std::span<const float> variance, float epsilon,
                                 std::span<float> factor, std::span<float> offset) {
  for (size_t c = 0; c < scale.size(); ++c) {
    const double exact = double{scale[c]} / std::sqrt(double{variance[c]} + double{epsilon});
    factor[c] = static_cast<float>(exact);
    offset[c] = static_cast<float>(double{bias[c]} - double{mean[c]} * exact);
  }
}

void infer_batch_normalization(InferContext& context) {
  const BatchNormalizationAttributes attributes = parse_batch_normalization(context.node());
  const Dims* x = context.shape(0);
  for (size_t i = 1; i < 5; ++i) {
    const Dims* shape = context.input(i).shape ? context.shape(i) : nullptr;
    if (x == nullptr || shape == nullptr || attributes.per_activation) continue;
    const Dim channels = x->size() > 1 ? (*x)[1] : Dim(1);
    if (shape->size() != 1 || differ((*shape)[0], channels)) {
      context.reject("input {} has shape {}, expected [{}] for input {}", i, to_string(*shape), channels.to_string(),
                     to_string(*x));
    }
  }
  set_output_like(context, 0, 0);
  for (size_t i = 1; i < context.output_count(); ++i) set_output_like(context, i, 3);
}

namespace {

constexpr std::array kNames = {"scale", "bias", "mean", "variance"};

/// Mean and variance (of the population) of each channel.
template <typename C>
void batch_statistics(const BatchNormalizationGeometry& g, const C* x, std::vector<C>& mean,
                      std::vector<C>& variance) {
  const double count = static_cast<double>(g.batch * g.inner);
  for (int64_t c = 0; c < g.channels; ++c) {
    double sum = 0, squares = 0;
    for (int64_t n = 0; n < g.batch; ++n) {
      for (int64_t i = 0; i < g.inner; ++i) sum += static_cast<double>(x[(n * g.channels + c) * g.inner + i]);
    }
    for (int64_t n = 0; n < g.batch; ++n) {
      for (int64_t i = 0; i < g.inner; ++i) {
        const double distance = static_cast<double>(x[(n * g.channels + c) * g.inner + i]) - sum / count;
        squares += distance * distance;
      }
    }
    mean[static_cast<size_t>(c)] = static_cast<C>(sum / count);
    variance[static_cast<size_t>(c)] = static_cast<C>(squares / count);
  }
}

template <typename C>
struct ChannelValues {
  const C *scale, *bias, *mean, *variance;
};

template <typename C>
void normalise(const BatchNormalizationGeometry& g, const C* x, const ChannelValues<C>& channel, float epsilon,
               C* y) {
  for (int64_t plane = 0; plane < g.batch * g.channels; ++plane) {
    const int64_t c = plane % g.channels;
    const C factor = channel.scale[c] / std::sqrt(channel.variance[c] + static_cast<C>(epsilon));
    const C mean = channel.mean[c], bias = channel.bias[c];
    for (int64_t i = plane * g.inner; i < (plane + 1) * g.inner; ++i) y[i] = (x[i] - mean) * factor + bias;
  }
}

template <typename C>
void store_output(KernelContext& context, size_t output, const TensorView& like, std::span<const C> values) {
  if (context.wants_output(output)) store_values<C>(values, context.output(output, like.type, like.shape()));
}

/// The statistics' outputs: running mean and variance, and before opset 14 those of the batch after them.
template <typename C>
void store_statistics(KernelContext& context, float momentum, const std::vector<C>& mean,
                      const std::vector<C>& variance) {
  const auto blend = [&](size_t input, const std::vector<C>& batch) {
    const ComputeInput<C> running(context.input(input));
    const C keep = static_cast<C>(momentum);
    std::vector<C> mixed(batch.size());
    for (size_t i = 0; i < batch.size(); ++i) mixed[i] = running.values()[i] * keep + batch[i] * (1 - keep);
    return mixed;
  };
  const TensorView& like = context.input(3);
  store_output<C>(context, 1, like, blend(3, mean));
  store_output<C>(context, 2, like, blend(4, variance));
  store_output<C>(context, 3, like, mean);
  store_output<C>(context, 4, like, variance);
}

template <typename C>
void batch_normalization(KernelContext& context, const BatchNormalizationAttributes& attributes,
                         const BatchNormalizationGeometry& geometry, const MutableTensorView& y) {
  const ComputeInput<C> x(context.input(0)), scale(context.input(1)), bias(context.input(2)), mean(context.input(3)),
      variance(context.input(4));
  const ComputeOutput<C> out(y);
  ChannelValues<C> channel = {scale.data(), bias.data(), mean.data(), variance.data()};
  if (!attributes.training) {
    normalise(geometry, x.data(), channel, attributes.epsilon, out.data());
    return out.store();
  }
  const size_t channels = static_cast<size_t>(geometry.channels);
  std::vector<C> batch_mean(channels), batch_variance(channels);
  batch_statistics(geometry, x.data(), batch_mean, batch_variance);
  channel.mean = batch_mean.data();
  channel.variance = batch_variance.data();
  normalise(geometry, x.data(), channel, attributes.epsilon, out.data());
  out.store();
  store_statistics(context, attributes.momentum, batch_mean, batch_variance);
}

ReferenceKernel make_batch_normalization(const Node& node) {
  return [attributes = parse_batch_normalization(node)](KernelContext& context) {
    const TensorView& x = context.input(0);
    const BatchNormalizationGeometry geometry = resolve_batch_normalization(attributes, x.shape());
    for (size_t i = 1; i < 5; ++i) {
      if (context.input(i).elements() != geometry.channels) {
        reject_node(context.node(), "{} has shape {}, expected {} elements for input {}", kNames[i - 1],
                    context.input(i).shape().to_string(), geometry.channels, x.shape().to_string());
      }
    }
    const MutableTensorView y = context.output(0, x.type, x.shape());
    visit_compute_type(x.type, "BatchNormalization",
                       [&]<typename C>() { batch_normalization<C>(context, attributes, geometry, y); });
  };
}

constexpr std::array kBatchNormalizationOps = {
    OpEntry{"", "BatchNormalization", infer_batch_normalization, make_batch_normalization},
};

}  // namespace

std::span<const OpEntry> batch_normalization_ops() {
  return kBatchNormalizationOps;
}

}  // namespace overt
