// Functions: the part of GraphBuilder that puts a function's nodes in the place of a call.
#include "base/error.h"
#include "base/escape.h"
#include "onnx/attribute_reader.h"
#include "onnx/graph_builder.h"

namespace overt {
namespace {

constexpr size_t kMaxPrefix = 200;  // bytes; longer ones are cut and numbered, or deep nesting would square them
/// The version of Identity that takes every type, whatever the file imports: the node is ours.
constexpr int32_t kIdentityVersion = 25;

}  // namespace

const ProtoAttribute* GraphBuilder::follow_reference(const ProtoNode& node, const ProtoAttribute& attribute,
                                                     const Frame& frame) const {
  if (attribute.reference.empty()) return &attribute;
  const auto fail_reference = [&](std::string_view problem) {
    fail_at(ErrorCode::invalid_model, node.name, "{}: attribute '{}' refers to the function attribute '{}', {}",
            describe(node, origin_), escape_name(attribute.name), escape_name(attribute.reference), problem);
  };
  if (frame.bindings == nullptr) fail_reference("and the node is in no function");
  if (attribute.kind_field != 0) fail_reference("and has a value of its own, expected one of the two");
  const auto bound = frame.bindings->find(attribute.reference);
  if (bound == frame.bindings->end()) fail_reference("which the function does not have");
  if (bound->second == nullptr) return nullptr;
  if (attribute.type != 0) {
    const AttributeType found = attribute_type(*bound->second, origin_, node);
    if (static_cast<int64_t>(found) != attribute.type) {
      fail_reference(fmt::format("which the call gives as {}, expected {}", attribute_type_name(found),
                                 attribute_type_name(static_cast<AttributeType>(attribute.type))));
    }
  }
  return bound->second;
}

GraphBuilder::Bindings GraphBuilder::bind_attributes(const ProtoNodes& body, const ProtoNode& call,
                                                     const Function& function, const Frame& frame) const {
  const ProtoFunction& proto = *function.proto;
  Bindings bindings(hash_key_);
  const auto declare = [&](std::string_view name, const ProtoAttribute* fallback) {
    if (bindings.try_emplace(name, fallback).second) return;
    fail_at(ErrorCode::invalid_model, proto.name, "function '{}' declares the attribute '{}' twice",
            escape_name(proto.name), escape_name(name));
  };
  for (const std::string_view name : proto.attributes) declare(name, nullptr);
  for (const ProtoAttribute& fallback : proto.defaults) declare(fallback.name, &fallback);

  check_attribute_names(body, call);
  for (const ProtoAttribute& given : body.attributes_of(call)) {
    const auto place = bindings.find(given.name);
    if (place == bindings.end()) {
      fail_at(ErrorCode::invalid_model, call.name, "{} gives the attribute '{}', which function '{}' does not have",
              describe(call, origin_), escape_name(given.name), escape_name(proto.name));
    }
    if (given.graph_count > 0) {
      fail_at(ErrorCode::unsupported, call.name, "{} gives function '{}' a graph as the attribute '{}'",
              describe(call, origin_), escape_name(proto.name), escape_name(given.name));
    }
    if (const ProtoAttribute* held = follow_reference(call, given, frame)) place->second = held;
  }
  return bindings;
}

std::string GraphBuilder::call_prefix(const ProtoNode& call, const Frame& frame) {
  ++calls_;
  std::string prefix = frame.prefix.empty() ? std::string() : frame.prefix + "/";
  prefix += call.name.empty() ? call.op_type.substr(0, kMaxPrefix) : call.name.substr(0, kMaxPrefix);
  if (!call.name.empty() && call.name.size() <= kMaxPrefix && prefix.size() <= kMaxPrefix) return prefix;
  return fmt::format("{}~{}", std::string_view(prefix).substr(0, kMaxPrefix), calls_);
}

void GraphBuilder::expand_call(const ProtoNodes& body, const ProtoNode& call, const Function& function,
                               NameScope& scope, const Frame& frame, std::span<const ValueId> outputs,
                               int32_t source) {
  const ProtoFunction& proto = *function.proto;
  if (call.input_count > proto.inputs.size() || call.output_count > proto.outputs.size()) {
    fail_at(ErrorCode::invalid_model, call.name,
            "{} has {} inputs and {} outputs, function '{}' takes {} and gives {}", describe(call, origin_),
            call.input_count, call.output_count, escape_name(proto.name), proto.inputs.size(), proto.outputs.size());
  }
  const auto fail_function = [&](std::string_view name, std::string_view problem) {
    fail_at(ErrorCode::invalid_model, proto.name, "function '{}': '{}' {}", escape_name(proto.name),
            escape_name(name), problem);
  };
  const std::vector<ValueId> given = resolve_inputs(body, call, scope);
  const Bindings bindings = bind_attributes(body, call, function, frame);
  const Frame inside{.opsets = function.opsets,
                     .function = &function,
                     .bindings = &bindings,
                     .prefix = call_prefix(call, frame),
                     .source = source};
  NameScope names(scope.graph(), nullptr, hash_key_);
  for (size_t i = 0; i < proto.inputs.size(); ++i) {
    const ValueId id = i < given.size() ? given[i] : ValueId::none;
    if (!names.define(proto.inputs[i], id, NameScope::Definition::immediate)) {
      fail_function(proto.inputs[i], "is an input twice");
    }
  }
  WantedOutputs wanted(hash_key_);
  for (size_t i = 0; i < proto.outputs.size(); ++i) {
    const ValueId id = i < outputs.size() ? outputs[i] : ValueId::none;
    if (!wanted.try_emplace(proto.outputs[i], id).second) fail_function(proto.outputs[i], "is an output twice");
  }
  std::erase_if(wanted, [](const auto& entry) { return entry.second == ValueId::none; });

  const std::vector<ValueId> made = declare_outputs(proto.body, names, inside, &wanted);
  for (size_t i = 0; i < proto.outputs.size(); ++i) {
    const auto id = names.find_own(proto.outputs[i]);
    if (!id) fail_function(proto.outputs[i], "is an output that nothing gives");
    if (i >= outputs.size() || outputs[i] == ValueId::none || *id == outputs[i]) continue;
    if (*id == ValueId::none) fail_function(proto.outputs[i], "is handed on as an output and not given by the call");
    Node identity;  // an input that is an output too
    identity.op = {"", "Identity", kIdentityVersion};
    identity.name = inside.prefix + "/Identity";
    identity.inputs = {*id};
    identity.outputs = {outputs[i]};
    identity.sources = {source};
    scope.graph().add_node(std::move(identity));
  }
  add_nodes(proto.body, names, inside, made, source);
}

}  // namespace overt
