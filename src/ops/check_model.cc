#include "ops/check_model.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "ops/schema.h"

namespace overt {
namespace {

constexpr size_t kMostWarnings = 100;
constexpr size_t kMostUnknown = 50;  // operators named in one message

/// "2", "1 to 3", "1 or more".
std::string count_text(int32_t least, int32_t most) {
  if (least == most) return std::to_string(least);
  if (most == OpSchema::kUnlimited) return fmt::format("{} or more", least);
  return fmt::format("{} to {}", least, most);
}

std::string schema_name(const OpSchema& schema) {
  return fmt::format("{}{}{}-{}", schema.domain, schema.domain.empty() ? "" : ".", schema.name, schema.since_version);
}

/// The schema of the parameter at a position; the last one serves all further ones of a variadic list.
const ParameterSchema& parameter_at(std::span<const ParameterSchema> parameters, size_t position) {
  return parameters[std::min(position, parameters.size() - 1)];
}

/// The inputs or the outputs of a schema.
struct Side {
  std::string_view what;
  std::span<const ParameterSchema> parameters;
  int32_t least = 0;
  int32_t most = 0;
  bool may_skip_variadic = false;  ///< whether one beyond the least count of a variadic list may be left out
};

Side input_side(const OpSchema& schema) {
  return {"input", schema.inputs, schema.min_inputs, schema.max_inputs, /*may_skip_variadic=*/false};
}

Side output_side(const OpSchema& schema) {
  return {"output", schema.outputs, schema.min_outputs, schema.max_outputs, /*may_skip_variadic=*/true};
}

void check_arity(const Node& node, const OpSchema& schema, std::span<const ValueId> values, const Side& side) {
  const auto count = static_cast<int64_t>(values.size());
  if (count < side.least || count > side.most) {
    fail_at(ErrorCode::invalid_model, node.name, "{} has {} {}s, {} takes {}", display_name(node), count, side.what,
            schema_name(schema), count_text(side.least, side.most));
  }
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] != ValueId::none) continue;
    const ParameterSchema& parameter = parameter_at(side.parameters, i);
    if (parameter.option == ParameterOption::optional) continue;
    const bool beyond_least = i + 1 >= side.parameters.size() + parameter.min_count;
    if (parameter.option == ParameterOption::variadic && side.may_skip_variadic && beyond_least) continue;
    fail_at(ErrorCode::invalid_model, node.name, "{}: {} {} ({}) is left out, {} requires it", display_name(node),
            side.what, i, parameter.name, schema_name(schema));
  }
}

void check_attributes(const Node& node, const OpSchema& schema) {
  for (const Attribute& attribute : node.attributes) {
    const AttributeSchema* known = schema.find_attribute(attribute.name);
    if (known == nullptr && attribute.name.starts_with("__")) continue;
    if (known == nullptr) {
      std::vector<std::string_view> names;
      for (const AttributeSchema& candidate : schema.attributes) names.push_back(candidate.name);
      const auto nearest = nearest_name(attribute.name, names);
      fail_at(ErrorCode::invalid_model, node.name, "{} has the attribute '{}', which {} does not have{}",
              display_name(node), escape_name(attribute.name), schema_name(schema),
              nearest ? fmt::format("; did you mean '{}'?", *nearest) : std::string());
    }
    if (known->type != attribute.type) {
      fail_at(ErrorCode::invalid_model, node.name, "{}: attribute {} is {}, {} takes {}", display_name(node),
              attribute.name, attribute_type_name(attribute.type), schema_name(schema),
              attribute_type_name(known->type));
    }
  }
  for (const AttributeSchema& attribute : schema.attributes) {
    if (!attribute.required || node.has_attribute(attribute.name)) continue;
    fail_at(ErrorCode::invalid_model, node.name, "{} lacks the attribute {}, which {} requires", display_name(node),
            attribute.name, schema_name(schema));
  }
}

bool allows(const TypeSet& types, const ValueInfo& info) {
  switch (info.kind) {
    case ValueKind::tensor: return types.has_tensor(info.type);
    case ValueKind::sequence: return types.has_sequence(info.type);
    case ValueKind::optional: return types.has_optional_tensor(info.type) || types.has_optional_sequence(info.type);
    case ValueKind::map: return types.maps != 0;
  }
  return false;
}

std::string kind_text(const ValueInfo& info) {
  switch (info.kind) {
    case ValueKind::tensor: break;
    case ValueKind::sequence: return fmt::format("a sequence of {}", data_type_name(info.type));
    case ValueKind::optional: return fmt::format("an optional {}", data_type_name(info.type));
    case ValueKind::map: return fmt::format("a map to {}", data_type_name(info.type));
  }
  return std::string(data_type_name(info.type));
}

std::string type_list(const TypeSet& types) {
  std::string text;
  const auto add = [&](std::string_view name) { text += fmt::format("{}{}", text.empty() ? "" : ", ", name); };
  for (int code = 1; code <= static_cast<int>(DataType::int2); ++code) {
    if (types.has_tensor(static_cast<DataType>(code))) add(data_type_name(static_cast<DataType>(code)));
  }
  if (types.sequences != 0 || types.map_sequences != 0) add("a sequence");
  if (types.optional_tensors != 0 || types.optional_sequences != 0) add("an optional");
  if (types.maps != 0) add("a map");
  return text;
}

/// Types that the letters of a node's schema stand for, as they turn up.
class TypeLetters {
 public:
  TypeLetters(const Graph& graph, const Node& node, const OpSchema& schema)
      : graph_(graph), node_(node), schema_(schema) {}

  void check(std::span<const ValueId> values, const Side& side) {
    if (side.parameters.empty()) return;
    for (size_t i = 0; i < values.size(); ++i) {
      if (values[i] == ValueId::none) continue;
      const ValueInfo& info = graph_.value(values[i]).info;
      if (info.type == DataType::undefined) continue;
      const ParameterSchema& parameter = parameter_at(side.parameters, i);
      if (!allows(*parameter.types, info)) {
        fail_at(ErrorCode::invalid_model, node_.name, "{}: {} {} ({}) is {}, {} takes {}", display_name(node_),
                side.what, i, parameter.name, kind_text(info), schema_name(schema_), type_list(*parameter.types));
      }
      if (parameter.option == ParameterOption::variadic && !parameter.homogeneous) continue;
      check_letter(parameter, info, side.what, i);
    }
  }

 private:
  struct Use {
    std::string_view letter;
    ValueInfo info;
    std::string_view what;
    size_t position;
  };

  void check_letter(const ParameterSchema& parameter, const ValueInfo& info, std::string_view what, size_t position) {
    const auto first = std::ranges::find(uses_, parameter.type, &Use::letter);
    if (first == uses_.end()) {
      uses_.push_back({parameter.type, {info.type, std::nullopt, std::nullopt, info.kind}, what, position});
      return;
    }
    if (first->info.type == info.type && first->info.kind == info.kind) return;
    fail_at(ErrorCode::invalid_model, node_.name, "{}: {} {} is {} and {} {} is {}, {} takes the same type ({})",
            display_name(node_), first->what, first->position, kind_text(first->info), what, position,
            kind_text(info), schema_name(schema_), parameter.type);
  }

  const Graph& graph_;
  const Node& node_;
  const OpSchema& schema_;
  std::vector<Use> uses_;  ///< a schema has few letters
};

std::span<const ValueId> explicit_inputs(const Node& node) {
  return std::span(node.inputs).first(static_cast<size_t>(node.explicit_inputs));
}

void check_node_types(const Graph& graph, const Node& node, const OpSchema& schema) {
  TypeLetters letters(graph, node, schema);
  letters.check(explicit_inputs(node), input_side(schema));
  letters.check(node.outputs, output_side(schema));
}

/// Calls `visit` with each subgraph of a node.
template <typename GraphType, typename NodeType, typename Visit>
void for_each_subgraph(NodeType& node, Visit visit) {
  for (auto& attribute : node.attributes) {
    if (auto* one = std::get_if<std::unique_ptr<Graph>>(&attribute.payload)) visit(static_cast<GraphType&>(**one));
    if (auto* many = std::get_if<std::vector<std::unique_ptr<Graph>>>(&attribute.payload)) {
      for (auto& graph : *many) visit(static_cast<GraphType&>(*graph));
    }
  }
}

class ModelChecker {
 public:
  explicit ModelChecker(Model& model) : model_(model) {}

  void run() {
    check_graph(model_.graph);
    report_unknown();
  }

 private:
  struct Unknown {
    int64_t nodes = 0;
    std::string first;  ///< the first node's name for people
  };

  void check_graph(Graph& graph) {
    for (const NodeId id : graph.order()) {
      Node& node = graph.edit_node(id);
      const OpSchema* schema = find(node);
      if (schema == nullptr) continue;
      check_arity(node, *schema, explicit_inputs(node), input_side(*schema));
      check_arity(node, *schema, node.outputs, output_side(*schema));
      check_attributes(node, *schema);
      check_node_types(graph, node, *schema);
      warn_if_deprecated(node, *schema);
      node.op.since_version = schema->since_version;
      for_each_subgraph<Graph>(node, [&](Graph& subgraph) { check_graph(subgraph); });
    }
  }

  /// The schema, or null and a note for the list of what is unknown.
  const OpSchema* find(const Node& node) {
    const int latest = latest_opset(node.op.domain);
    if (latest > 0 && node.op.since_version > latest) {
      fail_at(ErrorCode::unsupported, node.name,
              "{} is of opset {} of domain '{}', and {} is the newest one known here: export the model for that one",
              display_name(node), node.op.since_version, domain_name(node.op.domain), latest);
    }
    const OpSchema* schema = find_schema(node.op.domain, node.op.type, node.op.since_version);
    if (schema != nullptr) return schema;
    const OpSchema* later = find_schema(node.op.domain, node.op.type, latest);
    std::string text = fmt::format("{} of domain '{}' (opset {}", escape_name(node.op.type),
                                   domain_name(node.op.domain), node.op.since_version);
    text += later != nullptr ? ", where it does not exist yet)" : ")";
    Unknown& unknown = unknown_[text];
    if (unknown.nodes++ == 0) unknown.first = display_name(node);
    return nullptr;
  }

  static std::string domain_name(std::string_view domain) { return domain.empty() ? "ai.onnx" : escape_name(domain); }

  void warn_if_deprecated(const Node& node, const OpSchema& schema) {
    if (!schema.deprecated || model_.warnings.size() >= kMostWarnings) return;
    model_.warnings.push_back(
        fmt::format("{}: {} is deprecated by the standard", display_name(node), schema_name(schema)));
  }

  void report_unknown() const {
    if (unknown_.empty()) return;
    std::string text;
    size_t named = 0;
    for (const auto& [name, unknown] : unknown_) {
      if (named++ == kMostUnknown) break;
      text += fmt::format("{}{}, {} {}, first {}", named == 1 ? "" : "; ", name, unknown.nodes,
                          unknown.nodes == 1 ? "node" : "nodes", unknown.first);
    }
    if (unknown_.size() > kMostUnknown) text += fmt::format("; and {} more", unknown_.size() - kMostUnknown);
    fail_at(ErrorCode::unsupported, unknown_.begin()->second.first, "{} {} not known here: {}", unknown_.size(),
            unknown_.size() == 1 ? "operator is" : "operators are", text);
  }

  Model& model_;
  std::map<std::string, Unknown> unknown_;
};

}  // namespace

void check_model(Model& model) {
  for (const OpsetImport& opset : model.opsets) {
    if (!opset.domain.empty() || opset.version <= latest_opset("")) continue;
    fail(ErrorCode::unsupported,
         "the model imports opset {} of ai.onnx, and {} is the newest one known here: export it for that one",
         opset.version, latest_opset(""));
  }
  ModelChecker(model).run();
}

void check_types(const Graph& graph) {
  for (const NodeId id : graph.order()) {
    const Node& node = graph.node(id);
    const OpSchema* schema = find_schema(node.op.domain, node.op.type, node.op.since_version);
    if (schema != nullptr) check_node_types(graph, node, *schema);
    for_each_subgraph<const Graph>(node, [](const Graph& subgraph) { check_types(subgraph); });
  }
}

}  // namespace overt
