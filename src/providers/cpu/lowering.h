#ifndef OVERT_PROVIDERS_CPU_LOWERING_H_
#define OVERT_PROVIDERS_CPU_LOWERING_H_

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "provider_api/program.h"
#include "providers/cpu/device.h"
#include "providers/cpu/kernel.h"
#include "providers/cpu/layout.h"

namespace overt::cpu {

/// A value as a kernel wants it.
struct TensorUse {
  ValueId value = ValueId::none;
  Layout layout;
};

/// A node turned into one kernel and the tensors that it touches. The kernel's pointers are `reads`, then
/// `writes`, then scratch memory.
struct LoweredNode {
  std::unique_ptr<const Kernel> kernel;  ///< null: a view, see `view_offset_bytes`
  std::vector<TensorUse> reads;
  std::vector<TensorUse> writes;
  /// writes[0] may lie in the memory of reads[in_place_read], -1: of none. Same bytes, element by element.
  int32_t in_place_read = -1;
  /// writes[0] must hold reads[in_place_read]'s contents when the kernel starts; that read has no pointer.
  bool in_place_required = false;
  /// A view: writes[i] is reads[0]'s memory, that many bytes further on. No kernel runs.
  std::vector<int64_t> view_offset_bytes;
};

/// A lowered node, or why this way does not do, in words.
struct Lowered {
  std::optional<LoweredNode> node;
  std::string refusal;

  static Lowered refused(std::string reason) { return {std::nullopt, std::move(reason)}; }
};

/// What a lowering may look at.
struct LowerContext {
  const PartitionView& partition;
  const Node& node;
  Device& device;
  /// Layout in which the value lies at this point, by ValueId; row-major for what is not computed here.
  std::span<const Layout> layouts;

  const Shape& shape(ValueId id) const { return partition.values.shapes[index_of(id)]; }
  DataType type(ValueId id) const { return partition.values.types[index_of(id)]; }
  const Tensor* constant(ValueId id) const {
    return id == ValueId::none ? nullptr : partition.values.constants[index_of(id)];
  }
  const Layout& layout(ValueId id) const { return layouts[index_of(id)]; }
  ValueId input(size_t i) const { return node.has_input(i) ? node.inputs[i] : ValueId::none; }
  bool is_float32(ValueId id) const { return type(id) == DataType::float32; }
};

/// One way to run an operator. Tried in the order of the list; the first that does not refuse is taken.
struct LoweringEntry {
  std::string_view name;
  Lowered (*lower)(const LowerContext& context) = nullptr;
};

/// The ways to run a node, best first. The last one is the reference kernel.
std::span<const LoweringEntry> lowerings(const Node& node);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_LOWERING_H_
