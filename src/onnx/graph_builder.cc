#include "onnx/graph_builder.h"

#include <algorithm>
#include <limits>

#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "onnx/attribute_reader.h"

namespace overt {
namespace {

constexpr int64_t kFirstIrWithDefaults = 4;  // before, an input with an initializer is a constant
constexpr size_t kMostWarnings = 100;
constexpr size_t kMostSuggestions = 4096;    // names that an unknown one is compared with
constexpr size_t kMaxNameInFunction = 1024;  // bytes; such names are for people

std::string name_in_frame(std::string_view prefix, std::string_view name) {
  if (prefix.empty()) return std::string(name);
  return fmt::format("{}/{}", prefix, name.substr(0, kMaxNameInFunction));
}

[[noreturn]] void fail_duplicate(std::string_view name, std::string_view what) {
  fail_at(ErrorCode::invalid_model, name, "the name '{}' is given twice, again by {}: each value needs its own",
          escape_name(name), what);
}

/// Whether a tensor may stand for a value that is declared like this.
bool fits(const ValueInfo& declared, const Tensor& tensor) {
  if (declared.kind != ValueKind::tensor || declared.type != tensor.type()) return false;
  if (!declared.shape) return true;
  if (declared.shape->size() != static_cast<size_t>(tensor.shape().rank())) return false;
  for (size_t axis = 0; axis < declared.shape->size(); ++axis) {
    const Dim& dim = (*declared.shape)[axis];
    if (dim.is_number() && dim.number() != tensor.shape()[static_cast<int64_t>(axis)]) return false;
  }
  return true;
}

}  // namespace

GraphBuilder::GraphBuilder(const ProtoModel& proto, FileOrigin origin, uint64_t hash_key, const LoadLimits& limits,
                           const OpsetTable& opsets, const FunctionTable& functions, TensorReader& tensors,
                           Model& model)
    : proto_(proto),
      origin_(origin),
      hash_key_(hash_key),
      limits_(limits),
      opsets_(opsets),
      functions_(functions),
      tensors_(tensors),
      model_(model) {}

void GraphBuilder::build() {
  const Frame frame{.opsets = opsets_};
  NameScope scope(model_.graph, nullptr, hash_key_);
  build_graph(*proto_.graph, scope, frame, NameReach::main_graph);
}

void GraphBuilder::warn(std::string text) {
  if (model_.warnings.size() < kMostWarnings) model_.warnings.push_back(std::move(text));
}

ValueId GraphBuilder::add_value(Graph& graph, std::string_view name, const Frame& frame) {
  if (graph.value_count() >= std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::unsupported, "a graph has more than 2^31 - 1 values");
  }
  return graph.add_value(name_in_frame(frame.prefix, name));
}

int32_t GraphBuilder::add_sources(const ProtoNodes& body) {
  const auto first = static_cast<int32_t>(model_.source_nodes.size());
  for (const ProtoNode& node : body.nodes) {
    model_.source_nodes.push_back(
        {std::string(node.name), std::string(node.op_type), std::string(canonical_domain(node.domain))});
  }
  return first;
}

void GraphBuilder::build_graph(const ProtoGraph& proto, NameScope& scope, const Frame& frame, NameReach reach) {
  scope.graph().name = proto.name;
  const int32_t first_source = frame.function == nullptr ? add_sources(proto.body) : frame.source;
  add_inputs_and_constants(proto, scope, frame, reach);
  const std::vector<ValueId> made = declare_outputs(proto.body, scope, frame, nullptr);
  note_declared(proto.outputs, scope, reach);
  note_declared(proto.value_infos, scope, reach);
  add_nodes(proto.body, scope, frame, made, first_source);
  add_outputs(proto, scope, reach);
  scope.graph().sort();
}

std::vector<NamedTensor> GraphBuilder::read_initializers(const ProtoGraph& proto, const Frame& frame, NameReach reach,
                                                         NameMap<size_t>& by_name) {
  // A subgraph in a function is built once for each call; its tensors are read once.
  const bool shared = frame.function != nullptr && reach == NameReach::subgraph;
  std::vector<NamedTensor> tensors;
  tensors.reserve(proto.initializers.size() + proto.sparse_initializers.size());
  for (const std::string_view bytes : proto.initializers) {
    tensors.push_back(shared ? tensors_.read_shared(bytes) : tensors_.read(bytes));
  }
  for (const std::string_view bytes : proto.sparse_initializers) {
    tensors.push_back(shared ? tensors_.read_sparse_shared(bytes) : tensors_.read_sparse(bytes));
  }
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].name.empty()) {
      const bool sparse = i >= proto.initializers.size();
      fail(ErrorCode::invalid_model, "the initializer at byte {} has no name",
           origin_.offset_of(sparse ? proto.sparse_initializers[i - proto.initializers.size()]
                                    : proto.initializers[i]));
    }
    if (!by_name.try_emplace(tensors[i].name, i).second) fail_duplicate(tensors[i].name, "an initializer");
  }
  return tensors;
}

void GraphBuilder::add_input_default(const ProtoValueInfo& input, const ValueInfo& declared, const Tensor& tensor) {
  if (!fits(declared, tensor)) {
    fail_at(ErrorCode::invalid_model, input.name, "input '{}' is declared as {} and its initializer is {} {}",
            escape_name(input.name), declared.to_string(), data_type_name(tensor.type()), tensor.shape().to_string());
  }
  model_.input_defaults.emplace_back(model_.graph.inputs().size(), tensor);
}

void GraphBuilder::add_inputs_and_constants(const ProtoGraph& proto, NameScope& scope, const Frame& frame,
                                            NameReach reach) {
  Graph& graph = scope.graph();
  const bool is_main = reach == NameReach::main_graph;
  const bool has_defaults = is_main && proto_.ir_version >= kFirstIrWithDefaults;
  NameMap<size_t> by_name(hash_key_);
  std::vector<NamedTensor> tensors = read_initializers(proto, frame, reach, by_name);
  const auto warn_of_shadow = [&](std::string_view name) {
    if (!scope.is_defined_outside(name)) return;
    warn(fmt::format("'{}' in subgraph '{}' hides a value of that name outside", escape_name(name),
                     escape_name(proto.name)));
  };
  NameMap<bool> seen(hash_key_);
  for (const ProtoValueInfo& input : proto.inputs) {
    if (input.name.empty()) {
      fail(ErrorCode::invalid_model, "the graph input at byte {} has no name", origin_.offset_of(input.bytes));
    }
    if (!seen.try_emplace(input.name).second) fail_duplicate(input.name, "a graph input");
    const auto initializer = by_name.find(input.name);
    if (initializer != by_name.end() && !has_defaults) continue;
    ValueInfo info = read_value_info(input, origin_, limits_.rank, reach);
    if (is_main && info.type == DataType::undefined && info.kind == ValueKind::tensor) {
      fail_at(ErrorCode::invalid_model, input.name, "graph input '{}' has no element type", escape_name(input.name));
    }
    warn_of_shadow(input.name);
    if (initializer != by_name.end()) {
      add_input_default(input, info, tensors[initializer->second].tensor);
      tensors[initializer->second].tensor = {};
    }
    const ValueId id = add_value(graph, input.name, frame);
    graph.info(id) = std::move(info);
    scope.define(input.name, id, NameScope::Definition::immediate);
    graph.add_input(id);
    if (is_main) model_.input_names.emplace_back(input.name);
  }
  for (NamedTensor& constant : tensors) {
    if (constant.tensor.empty()) continue;  // an input's default
    warn_of_shadow(constant.name);
    const ValueId id = add_value(graph, constant.name, frame);
    graph.set_constant(id, std::move(constant.tensor));
    scope.define(constant.name, id, NameScope::Definition::immediate);
  }
}

void GraphBuilder::note_declared(std::span<const ProtoValueInfo> infos, NameScope& scope, NameReach reach) {
  Graph& graph = scope.graph();
  for (const ProtoValueInfo& declared : infos) {
    const auto id = scope.find_own(declared.name);
    if (!id || *id == ValueId::none || graph.info(*id).type != DataType::undefined) continue;
    graph.info(*id) = read_value_info(declared, origin_, limits_.rank, reach);
  }
}

void GraphBuilder::add_outputs(const ProtoGraph& proto, NameScope& scope, NameReach reach) {
  const bool is_main = reach == NameReach::main_graph;
  NameMap<bool> seen(hash_key_);
  for (const ProtoValueInfo& output : proto.outputs) {
    if (is_main && !seen.try_emplace(output.name).second) fail_duplicate(output.name, "a graph output");
    const auto id = scope.resolve(output.name);
    if (!id || *id == ValueId::none) {
      const auto nearest = nearest_name(output.name, scope.names(kMostSuggestions));
      fail_at(ErrorCode::invalid_model, output.name, "graph output '{}' is produced by nothing{}",
              escape_name(output.name),
              nearest ? fmt::format("; did you mean '{}'?", escape_name(*nearest)) : std::string());
    }
    scope.graph().add_output(*id);
    if (is_main) model_.output_names.emplace_back(output.name);
  }
}

std::vector<ValueId> GraphBuilder::declare_outputs(const ProtoNodes& body, NameScope& scope, const Frame& frame,
                                                   const WantedOutputs* wanted) {
  std::vector<ValueId> ids;
  for (const ProtoNode& node : body.nodes) {
    for (const std::string_view name : body.outputs(node)) {
      if (name.empty()) {
        ids.push_back(ValueId::none);
        continue;
      }
      if (scope.is_defined_outside(name)) {
        fail_at(ErrorCode::invalid_model, node.name, "{} in a subgraph gives '{}', a name that is taken outside it",
                describe(node, origin_), escape_name(name));
      }
      const auto existing = wanted != nullptr ? wanted->find(name) : WantedOutputs::const_iterator();
      const bool exists = wanted != nullptr && existing != wanted->end();
      ids.push_back(exists ? existing->second : add_value(scope.graph(), name, frame));
      if (!scope.define(name, ids.back(), NameScope::Definition::by_node)) {
        fail_duplicate(name, describe(node, origin_));
      }
    }
  }
  return ids;
}

void GraphBuilder::add_nodes(const ProtoNodes& body, NameScope& scope, const Frame& frame,
                             std::span<const ValueId> outputs, int32_t first_source) {
  size_t next_output = 0;
  for (size_t i = 0; i < body.nodes.size(); ++i) {
    const ProtoNode& node = body.nodes[i];
    const int32_t source = frame.function == nullptr ? first_source + static_cast<int32_t>(i) : frame.source;
    const auto made = outputs.subspan(next_output, node.output_count);
    next_output += node.output_count;
    if (const Function* function = functions_.find(node)) {
      expand_call(body, node, *function, scope, frame, made, source);
    } else {
      add_node(body, node, scope, frame, made, source);
    }
  }
}

std::vector<ValueId> GraphBuilder::resolve_inputs(const ProtoNodes& body, const ProtoNode& proto, NameScope& scope) {
  std::vector<ValueId> ids;
  ids.reserve(proto.input_count);
  for (const std::string_view name : body.inputs(proto)) {
    if (name.empty()) {
      ids.push_back(ValueId::none);
      continue;
    }
    const auto id = scope.resolve(name);
    if (!id) {
      const auto nearest = nearest_name(name, scope.names(kMostSuggestions));
      fail_at(ErrorCode::invalid_model, proto.name, "{} reads '{}' as input {}, which nothing gives{}",
              describe(proto, origin_), escape_name(name), ids.size(),
              nearest ? fmt::format("; did you mean '{}'?", escape_name(*nearest)) : std::string());
    }
    ids.push_back(*id);
  }
  return ids;
}

void GraphBuilder::add_node(const ProtoNodes& body, const ProtoNode& proto, NameScope& scope, const Frame& frame,
                            std::span<const ValueId> outputs, int32_t source) {
  OpenNode open;
  Node& node = open.node;
  const auto version = frame.opsets.find(proto.domain);
  if (!version) {
    fail_at(ErrorCode::invalid_model, proto.name, "{} is of domain '{}', which the {} does not import",
            describe(proto, origin_), escape_name(proto.domain), frame.function == nullptr ? "model" : "function");
  }
  node.op = {std::string(canonical_domain(proto.domain)), std::string(proto.op_type), *version};
  if (frame.function == nullptr) {
    node.name = proto.name;
  } else {
    node.name = name_in_frame(frame.prefix, proto.name.empty() ? proto.op_type : proto.name);
  }
  node.inputs = resolve_inputs(body, proto, scope);
  node.explicit_inputs = static_cast<int32_t>(node.inputs.size());
  add_attributes(body, proto, scope, frame, open);
  if (node.explicit_inputs == 0 && !node.inputs.empty()) {
    fail_at(ErrorCode::invalid_model, proto.name, "{} has a subgraph and no inputs", describe(proto, origin_));
  }
  node.outputs.assign(outputs.begin(), outputs.end());
  node.sources = {source};
  scope.graph().add_node(std::move(node));
}

void GraphBuilder::check_attribute_names(const ProtoNodes& body, const ProtoNode& proto) const {
  std::vector<std::string_view> names;
  names.reserve(proto.attribute_count);
  for (const ProtoAttribute& attribute : body.attributes_of(proto)) names.push_back(attribute.name);
  std::ranges::sort(names);
  const auto twice = std::ranges::adjacent_find(names);
  if (twice == names.end()) return;
  fail_at(ErrorCode::invalid_model, proto.name, "{} has the attribute '{}' twice", describe(proto, origin_),
          escape_name(*twice));
}

void GraphBuilder::add_attributes(const ProtoNodes& body, const ProtoNode& proto, NameScope& scope,
                                  const Frame& frame, OpenNode& open) {
  check_attribute_names(body, proto);
  open.node.attributes.reserve(proto.attribute_count);
  const TensorUse use = frame.function == nullptr ? TensorUse::once : TensorUse::shared;
  for (const ProtoAttribute& written : body.attributes_of(proto)) {
    const ProtoAttribute* held = follow_reference(proto, written, frame);
    if (held == nullptr) continue;
    Attribute attribute = read_attribute(*held, origin_, proto, tensors_, use);
    attribute.name = written.name;
    if (attribute.type == AttributeType::graph) {
      if (held->graph_count != 1) {
        fail_at(ErrorCode::invalid_model, proto.name, "{}: attribute '{}' has {} graphs, expected 1",
                describe(proto, origin_), escape_name(written.name), held->graph_count);
      }
      attribute.payload = build_subgraph(body.graphs_of(*held).front(), scope, frame, open);
    } else if (attribute.type == AttributeType::graphs) {
      std::vector<std::unique_ptr<Graph>> graphs;
      for (const ProtoGraph& graph : body.graphs_of(*held)) {
        graphs.push_back(build_subgraph(graph, scope, frame, open));
      }
      attribute.payload = std::move(graphs);
    }
    open.node.attributes.push_back(std::move(attribute));
  }
}

std::unique_ptr<Graph> GraphBuilder::build_subgraph(const ProtoGraph& proto, NameScope& scope, const Frame& frame,
                                                    OpenNode& open) {
  auto graph = std::make_unique<Graph>();
  NameScope inner(*graph, &scope, hash_key_);
  build_graph(proto, inner, frame, NameReach::subgraph);
  for (const NameScope::OuterValue& value : inner.outer_values()) {
    const auto next = static_cast<int32_t>(open.node.inputs.size());
    const auto [place, added] = open.captured.try_emplace(value.outer, next);
    if (added) open.node.inputs.push_back(value.outer);
    graph->add_input(value.inner);
    graph->captures.push_back({place->second, value.inner});
  }
  return graph;
}

}  // namespace overt
