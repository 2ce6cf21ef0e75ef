#ifndef OVERT_PASSES_CHANNEL_AFFINE_H_
#define OVERT_PASSES_CHANNEL_AFFINE_H_

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "graph/graph.h"

namespace overt {

/// y[c] = scale[c]*x[c] + shift[c], one number of each per channel.
struct ChannelAffine {
  std::vector<double> scale;
  std::vector<double> shift;

  explicit ChannelAffine(int64_t channels)
      : scale(static_cast<size_t>(channels), 1.0), shift(static_cast<size_t>(channels), 0.0) {}

  bool shifts() const;                    ///< whether any shift is not zero
  void then(const ChannelAffine& after);  ///< after(this(x))
  std::vector<double> applied(std::span<const double> x) const;
};

/// What the channels of a value are.
struct ChannelLayout {
  int64_t channels = 0;
  int64_t rank = 0;
  int64_t axis = 1;
};

/// What the node does to each channel of `input`: an inference BatchNormalization with constants, or an Add, Sub,
/// Mul or Div with a constant that has one number, or one per channel. Nothing for other nodes, where the
/// result's shape would differ from the input's, or where a coefficient is not finite.
std::optional<ChannelAffine> read_channel_affine(const Graph& graph, const Node& node, ValueId input,
                                                 const ChannelLayout& layout);

}  // namespace overt

#endif  // OVERT_PASSES_CHANNEL_AFFINE_H_
