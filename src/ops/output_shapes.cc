#include "ops/output_shapes.h"

#include "ops/op.h"

namespace overt {
namespace {

struct KnownInputs {
  std::vector<ValueInfo> infos;
  std::vector<Tensor> constants;
  std::vector<InferInput> inputs;
};

KnownInputs known_inputs(const KernelContext& context, InputMask content_inputs) {
  const size_t count = context.input_count();
  KnownInputs known{std::vector<ValueInfo>(count), std::vector<Tensor>(count), std::vector<InferInput>(count)};
  for (size_t i = 0; i < count; ++i) {
    if (!context.has_input(i)) continue;
    const TensorView& view = context.input(i);
    known.infos[i] = ValueInfo::tensor(view.type, Dims(view.dims.begin(), view.dims.end()));
    known.inputs[i].info = &known.infos[i];
    if (i >= 32 || (content_inputs & input_bit(static_cast<int>(i))) == 0) continue;
    const auto bytes = static_cast<size_t>(tensor_bytes(view.type, view.shape()));
    known.constants[i] = Tensor::share(view.type, view.shape(), view.data, bytes, nullptr);
    known.inputs[i].constant = &known.constants[i];
  }
  return known;
}

std::vector<ValueInfo> infer(const Node& node, const OpEntry& op, const KnownInputs& known) {
  try {
    InferContext context(node, known.inputs, nullptr);
    op.infer(context);
    return context.take_outputs();
  } catch (const Error& error) {
    // What contradicts the standard here came with the inputs of this run.
    if (error.code() != ErrorCode::invalid_model) throw;
    throw Error(ErrorCode::invalid_argument, error.message(), error.subject());
  }
}

}  // namespace

std::vector<Shape> output_shapes(const KernelContext& context) {
  const Node& node = context.node();
  const OpEntry* op = find_op(node);
  if (op == nullptr) fail_at(ErrorCode::internal, node.name, "{} is in no family", display_name(node));
  const KnownInputs known = known_inputs(context, op->content_inputs);
  std::vector<Shape> shapes;
  for (const ValueInfo& info : infer(node, *op, known)) {
    const bool wanted = context.wants_output(shapes.size());
    std::optional<Shape> shape = info.concrete_shape();
    if (wanted && !shape) {
      context.reject("the shape of output {} cannot be worked out in 64-bit numbers: {}", shapes.size(),
                     info.to_string());
    }
    shapes.push_back(shape ? *std::move(shape) : Shape());
  }
  return shapes;
}

std::vector<int64_t> index_values(const TensorView& view) {
  if (view.type == DataType::int32) {
    const auto values = view.values<int32_t>();
    return {values.begin(), values.end()};
  }
  const auto values = view.values<int64_t>();
  return {values.begin(), values.end()};
}

int64_t single_integer(const KernelContext& context, size_t i, std::string_view name) {
  const TensorView& view = context.input(i);
  if (view.elements() != 1) context.reject("{} has shape {}, expected one element", name, view.shape().to_string());
  return index_values(view)[0];
}

}  // namespace overt
