#include "ops/infer_context.h"

#include "base/escape.h"

namespace overt {

const ValueInfo& InferContext::input(size_t i) const {
  if (!has_input(i)) reject("input {} is missing", i);
  return *inputs_[i].info;
}

std::optional<Dims> InferContext::integers(size_t i) const {
  if (!has_input(i)) return std::nullopt;
  if (inputs_[i].info->elements) return inputs_[i].info->elements;
  const Tensor* constant = inputs_[i].constant;
  if (constant == nullptr || constant->elements() > kMaxKnownElements) return std::nullopt;
  Dims dims;
  const auto collect = [&](auto values) {
    for (const auto value : values) dims.emplace_back(static_cast<int64_t>(value));
  };
  switch (constant->type()) {
    case DataType::int64: collect(constant->values<int64_t>()); break;
    case DataType::int32: collect(constant->values<int32_t>()); break;
    case DataType::boolean: collect(constant->values<bool>()); break;
    default: return std::nullopt;
  }
  return dims;
}

void InferContext::set_output(size_t i, ValueInfo info) {
  if (!node_.has_output(i)) return;
  if (info.elements && static_cast<int64_t>(info.elements->size()) > kMaxKnownElements) info.elements.reset();
  outputs_[i] = std::move(info);
}

void InferContext::set_output_type(size_t i, DataType type) {
  ValueInfo info;
  info.type = type;
  set_output(i, std::move(info));
}

Dim InferContext::unknown_dim(size_t i, int64_t axis) const {
  const int32_t value = i < node_.outputs.size() ? static_cast<int32_t>(node_.outputs[i]) : -1;
  const std::string of = node_.name.empty() ? fmt::format("{}#{}", node_.op.type, value) : node_.name;
  return Dim::symbol(fmt::format("?{}:{}.{}", of, i, axis));
}

std::vector<ValueInfo> InferContext::infer_subgraph(const Graph& subgraph, std::span<const InferInput> inputs) const {
  if (infer_subgraph_ == nullptr) reject("a subgraph is not expected here");
  return infer_subgraph_(subgraph, inputs);
}

int64_t InferContext::normalise_axis(int64_t axis, int64_t rank, std::string_view attribute) const {
  if (axis < -rank || axis >= rank) {
    reject("{} {} is out of range for rank {}, expected {} to {}", attribute, axis, rank, -rank, rank - 1);
  }
  return axis < 0 ? axis + rank : axis;
}

void InferContext::reject_with(const std::string& message) const {
  fail_at(ErrorCode::invalid_model, node_.name, "{}: {}", display_name(node_), message);
}

}  // namespace overt
