#include "onnx/functions.h"

#include <algorithm>
#include <limits>

#include "base/checked.h"
#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

constexpr int64_t kAlwaysAllowedNodes = 10'000;

/// One text for the three names that identify a function. Lengths keep different triples apart.
std::string key_of(std::string_view domain, std::string_view name, std::string_view overload) {
  domain = canonical_domain(domain);
  return fmt::format("{}:{}:{}{}{}", domain.size(), name.size(), domain, name, overload);
}

std::string describe(const ProtoFunction& function) {
  std::string text = escape_name(function.name);
  if (!canonical_domain(function.domain).empty()) text = escape_name(function.domain) + "." + text;
  if (!function.overload.empty()) text += ":" + escape_name(function.overload);
  return text;
}

int64_t saturating_add(int64_t a, int64_t b) {
  return checked_add(a, b).value_or(std::numeric_limits<int64_t>::max());
}

bool is_tensor_kind(const ProtoAttribute& attribute) {
  constexpr uint32_t kTensor = 5, kTensors = 10, kSparse = 22, kSparses = 23;
  const uint32_t field = attribute.kind_field;
  return field == kTensor || field == kTensors || field == kSparse || field == kSparses;
}

/// Bytes that each expansion of a node copies: names and attributes.
int64_t copied_bytes(const ProtoNodes& body, const ProtoNode& node) {
  auto bytes = static_cast<int64_t>(node.name.size() + node.op_type.size() + node.domain.size());
  for (const std::string_view name : body.outputs(node)) bytes += static_cast<int64_t>(name.size());
  for (const ProtoAttribute& attribute : body.attributes_of(node)) {
    bytes += static_cast<int64_t>(attribute.name.size());
    if (!is_tensor_kind(attribute) && attribute.graph_count == 0)
      bytes += static_cast<int64_t>(attribute.bytes.size());
  }
  return bytes;
}

/// The bytes of a graph's own nodes, calls not followed.
int64_t own_bytes(const ProtoNodes& body) {
  int64_t bytes = 0;
  for (const ProtoNode& node : body.nodes) bytes += copied_bytes(body, node);
  for (const ProtoGraph& subgraph : body.subgraphs) bytes += own_bytes(subgraph.body);
  return bytes;
}

int64_t count_nodes(const ProtoNodes& body) {
  auto count = static_cast<int64_t>(body.nodes.size());
  for (const ProtoGraph& subgraph : body.subgraphs) count += count_nodes(subgraph.body);
  return count;
}

}  // namespace

OpsetTable::OpsetTable(std::span<const ProtoOpset> opsets, uint64_t hash_key, std::string_view what)
    : versions_(hash_key) {
  for (const ProtoOpset& opset : opsets) {
    if (opset.version < 1 || opset.version > std::numeric_limits<int32_t>::max()) {
      fail(ErrorCode::invalid_model, "{} imports version {} of domain '{}', expected 1 or more", what, opset.version,
           escape_name(opset.domain));
    }
    const auto version = static_cast<int32_t>(opset.version);
    const auto [place, added] = versions_.try_emplace(canonical_domain(opset.domain), version);
    if (!added && place->second != version) {
      fail(ErrorCode::invalid_model, "{} imports domain '{}' twice, with versions {} and {}", what,
           escape_name(opset.domain), place->second, version);
    }
  }
}

std::optional<int32_t> OpsetTable::find(std::string_view domain) const {
  const auto found = versions_.find(canonical_domain(domain));
  return found == versions_.end() ? std::nullopt : std::optional(found->second);
}

void FunctionTable::Cost::add(const Cost& other) {
  nodes = saturating_add(nodes, other.nodes);
  bytes = saturating_add(bytes, other.bytes);
  subgraph_depth = std::max(subgraph_depth, other.subgraph_depth);
  function_depth = std::max(function_depth, other.function_depth);
}

FunctionTable::FunctionTable(const ProtoModel& model, FileOrigin origin, uint64_t hash_key, const LoadLimits& limits)
    : origin_(origin), by_key_(0, NameHash(hash_key)), costs_(model.functions.size()) {
  if (model.functions.empty()) return;
  index(model, hash_key);
  order_functions();
  check_limits(model, limits);
}

void FunctionTable::index(const ProtoModel& model, uint64_t hash_key) {
  functions_.reserve(model.functions.size());
  for (const ProtoFunction& function : model.functions) {
    const std::string key = key_of(function.domain, function.name, function.overload);
    if (!by_key_.try_emplace(key, functions_.size()).second) {
      fail_at(ErrorCode::invalid_model, function.name, "the function {} is defined twice, again at byte {}",
              describe(function), origin_.offset_of(function.bytes));
    }
    functions_.push_back({&function, OpsetTable(function.opsets, hash_key, "function " + describe(function))});
  }
}

std::optional<size_t> FunctionTable::find_index(const ProtoNode& node) const {
  if (functions_.empty() && node.overload.empty()) return std::nullopt;
  const auto found = by_key_.find(key_of(node.domain, node.op_type, node.overload));
  if (found != by_key_.end()) return found->second;
  if (!node.overload.empty()) {
    fail_at(ErrorCode::invalid_model, node.name, "{} names the overload '{}', which no function of the model has",
            describe(node, origin_), escape_name(node.overload));
  }
  return std::nullopt;
}

const Function* FunctionTable::find(const ProtoNode& node) const {
  const auto found = find_index(node);
  return found ? &functions_[*found] : nullptr;
}

void FunctionTable::collect_calls(const ProtoNodes& body, std::vector<size_t>& calls) const {
  for (const ProtoNode& node : body.nodes) {
    if (const auto callee = find_index(node)) calls.push_back(*callee);
  }
  for (const ProtoGraph& subgraph : body.subgraphs) collect_calls(subgraph.body, calls);
}

FunctionTable::Cost FunctionTable::cost_of(const ProtoNodes& body) const {
  Cost total;
  for (const ProtoNode& node : body.nodes) {
    Cost cost;
    if (const auto callee = find_index(node)) {
      cost = costs_[*callee];
      ++cost.function_depth;
    } else {
      cost.nodes = 1;
    }
    cost.bytes = saturating_add(cost.bytes, copied_bytes(body, node));
    total.add(cost);
  }
  for (const ProtoGraph& subgraph : body.subgraphs) {
    Cost cost = cost_of(subgraph.body);
    ++cost.subgraph_depth;
    total.add(cost);
  }
  return total;
}

/// Depth-first over the call graph with a stack of its own; a function's cost is known once its callees' are.
void FunctionTable::order_functions() {
  enum class State : uint8_t { fresh, open, done };
  std::vector<State> states(functions_.size(), State::fresh);
  std::vector<std::vector<size_t>> calls(functions_.size());
  std::vector<size_t> path;
  for (size_t root = 0; root < functions_.size(); ++root) {
    if (states[root] != State::fresh) continue;
    path.push_back(root);
    while (!path.empty()) {
      const size_t at = path.back();
      if (states[at] == State::fresh) {
        states[at] = State::open;
        collect_calls(functions_[at].proto->body, calls[at]);
      }
      if (calls[at].empty()) {
        costs_[at] = cost_of(functions_[at].proto->body);
        states[at] = State::done;
        path.pop_back();
        continue;
      }
      const size_t callee = calls[at].back();
      calls[at].pop_back();
      if (states[callee] == State::open) fail_cycle(path, callee);
      if (states[callee] == State::fresh) path.push_back(callee);
    }
  }
}

void FunctionTable::fail_cycle(std::span<const size_t> path, size_t back_to) const {
  constexpr ptrdiff_t kMostNames = 16;
  const auto start = std::ranges::find(path, back_to);
  std::string text;
  for (auto it = start; it != path.end() && it - start < kMostNames; ++it) {
    text += describe(*functions_[*it].proto) + " -> ";
  }
  if (path.end() - start > kMostNames) text += "... -> ";
  const ProtoFunction& first = *functions_[back_to].proto;
  fail_at(ErrorCode::invalid_model, first.name, "functions call each other in a circle: {}{}", text, describe(first));
}

void FunctionTable::check_limits(const ProtoModel& model, const LoadLimits& limits) const {
  const Cost cost = cost_of(model.graph->body);
  int64_t in_file = count_nodes(model.graph->body);
  for (const ProtoFunction& function : model.functions) in_file += count_nodes(function.body);
  const int64_t scaled = checked_mul(in_file, limits.expanded_per_node).value_or(limits.expanded_nodes);
  const int64_t allowed =
      std::max(in_file, std::min(limits.expanded_nodes, saturating_add(scaled, kAlwaysAllowedNodes)));
  if (cost.nodes > allowed) {
    const bool uncountable = cost.nodes == std::numeric_limits<int64_t>::max();
    fail(ErrorCode::unsupported, "the model's functions expand {} nodes to {}, and {} are allowed", in_file,
         uncountable ? "more than 2^63" : std::to_string(cost.nodes), allowed);
  }
  const int64_t main_bytes = own_bytes(model.graph->body);  // are there once, whatever the functions are
  if (cost.bytes - main_bytes > limits.expanded_bytes) {
    fail(ErrorCode::unsupported,
         "the model's functions expand to {} bytes of names and attributes, and {} are allowed",
         cost.bytes - main_bytes, limits.expanded_bytes);
  }
  if (cost.function_depth > limits.function_depth) {
    fail(ErrorCode::unsupported, "functions call each other {} deep, and {} are allowed", cost.function_depth,
         limits.function_depth);
  }
  if (cost.subgraph_depth > limits.subgraph_depth) {
    fail(ErrorCode::unsupported, "subgraphs are nested {} deep when functions are expanded, and {} are allowed",
         cost.subgraph_depth, limits.subgraph_depth);
  }
}

}  // namespace overt
