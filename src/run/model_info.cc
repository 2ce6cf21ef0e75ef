#include "run/model_info.h"

#include <algorithm>
#include <functional>
#include <map>

namespace overt {
namespace {

std::string domain_name(const std::string& domain) {
  return domain.empty() ? "ai.onnx" : domain;
}

}  // namespace

ModelInfo model_info(const Model& model) {
  ModelInfo info;
  info.producer_name = model.producer_name;
  info.producer_version = model.producer_version;
  info.domain = model.domain;
  info.description = model.description;
  info.graph_name = model.graph_name;
  info.ir_version = model.ir_version;
  info.model_version = model.model_version;
  info.file_bytes = model.file_bytes;
  info.metadata = model.metadata;
  info.external_files = model.external_files;
  info.warnings = model.warnings;
  for (const OpsetImport& opset : model.opsets) info.opsets.emplace_back(domain_name(opset.domain), opset.version);
  std::map<std::string, int64_t> counts;
  for (const SourceNode& node : model.source_nodes) {
    ++counts[node.domain.empty() ? node.op_type : node.domain + "." + node.op_type];
  }
  info.operators.assign(counts.begin(), counts.end());
  std::ranges::stable_sort(info.operators, std::greater<>(), [](const auto& op) { return op.second; });
  for (size_t i = 0; i < model.graph.value_count(); ++i) {
    const Value& value = model.graph.value(static_cast<ValueId>(i));
    if (value.is_constant() && is_floating_point(value.constant.type())) info.parameters += value.constant.elements();
  }
  return info;
}

TensorSpec tensor_spec(const std::string& name, const ValueInfo& info) {
  TensorSpec spec;
  spec.name = name;
  spec.type = info.type;
  spec.rank_known = info.shape.has_value();
  if (info.kind != ValueKind::tensor) spec.other_kind = info.to_string();
  if (!info.shape) return spec;
  for (const Dim& dim : *info.shape) {
    spec.dims.push_back(dim.is_number() ? dim.number() : -1);
    spec.symbols.push_back(dim.is_number() ? "" : dim.to_string());
  }
  return spec;
}

std::vector<TensorSpec> input_specs(const Model& model) {
  std::vector<TensorSpec> specs;
  const auto inputs = model.graph.inputs();
  for (size_t i = 0; i < inputs.size(); ++i) {
    specs.push_back(tensor_spec(model.input_names[i], model.graph.value(inputs[i]).info));
  }
  for (const auto& [position, unused] : model.input_defaults) specs[position].optional = true;
  return specs;
}

std::vector<TensorSpec> output_specs(const Model& model) {
  std::vector<TensorSpec> specs;
  const auto outputs = model.graph.outputs();
  for (size_t i = 0; i < outputs.size(); ++i) {
    specs.push_back(tensor_spec(model.output_names[i], model.graph.value(outputs[i]).info));
  }
  return specs;
}

}  // namespace overt
