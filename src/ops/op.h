#ifndef OVERT_OPS_OP_H_
#define OVERT_OPS_OP_H_

#include <cstdint>
#include <functional>
#include <span>
#include <string_view>

#include "graph/graph.h"
#include "ops/infer_context.h"
#include "ops/kernel_context.h"

namespace overt {

/// Works out the outputs' types and shapes (and, for integer arithmetic, contents) from the inputs'.
/// Called with symbolic dims when a model is opened, and with numbers when a plan is made: the same code.
/// Throws Error(invalid_model) for attributes or inputs that break the standard.
using InferFunction = void (*)(InferContext& context);

/// A node's reference kernel, attributes parsed: reads context inputs, writes context outputs. May be called
/// from several threads at once. Throws Error(invalid_argument) for contents that break the standard.
using ReferenceKernel = std::function<void(KernelContext& context)>;

/// Parses the node's attributes, once, and gives its kernel.
using MakeReference = ReferenceKernel (*)(const Node& node);

/// Bit i set: the outputs' shapes depend on the contents of input i, so these must be known before a plan.
using InputMask = uint32_t;
constexpr InputMask input_bit(int i) {
  return InputMask{1} << i;
}

enum class OutputShapes : uint8_t {
  from_inputs,  ///< known from shapes, attributes and the contents named by content_inputs
  from_data,    ///< known only after the node has run (NonZero, NonMaxSuppression, If)
};

enum class Purity : uint8_t {
  pure,    ///< equal inputs give equal outputs: may be folded and merged
  impure,  ///< random numbers, control flow with effects: left alone
};

/// An operator: one line in its family's list. Since-versions are handled inside the family's parse function.
struct OpEntry {
  std::string_view domain;
  std::string_view type;
  InferFunction infer = nullptr;
  MakeReference reference = nullptr;
  InputMask content_inputs = 0;
  OutputShapes output_shapes = OutputShapes::from_inputs;
  Purity purity = Purity::pure;
};

/// The entry, or null where no family has the operator (or it is a fused node: those are defined by their parts).
const OpEntry* find_op(std::string_view domain, std::string_view type);
inline const OpEntry* find_op(const Node& node) {
  return find_op(node.op.domain, node.op.type);
}

/// Every operator of every family, sorted by domain and type.
std::span<const OpEntry> all_ops();

/// Content mask of a node; for a fused node, 0 (their parts take no shape inputs).
InputMask content_inputs(const Node& node);

}  // namespace overt

#endif  // OVERT_OPS_OP_H_
