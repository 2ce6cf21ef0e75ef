#include "onnx/name_scope.h"

#include <algorithm>
#include <string>

namespace overt {
namespace {

constexpr size_t kMaxCapturedName = 1024;  // bytes; a captured value's name is for people

}  // namespace

std::optional<ValueId> NameScope::find_own(std::string_view name) const {
  const auto found = ids_.find(name);
  return found == ids_.end() ? std::nullopt : std::optional(found->second.id);
}

std::optional<ValueId> NameScope::resolve(std::string_view name) {
  if (const auto own = find_own(name)) return own;
  if (parent_ == nullptr) return std::nullopt;
  const auto outer = parent_->resolve(name);  // as deep as subgraphs are, which is bounded
  if (!outer || *outer == ValueId::none) return outer;
  const Value& value = parent_->graph_.value(*outer);
  std::string inner_name(name.substr(0, kMaxCapturedName));
  ValueId inner = ValueId::none;
  if (value.is_constant()) {
    inner = graph_.add_constant(std::move(inner_name), value.constant);
  } else {
    inner = graph_.add_value(std::move(inner_name), value.info);
    outer_values_.push_back({*outer, inner});
  }
  ids_.emplace(name, Entry{inner, Definition::immediate});
  return inner;
}

bool NameScope::is_defined_outside(std::string_view name) const {
  for (const NameScope* scope = parent_; scope != nullptr; scope = scope->parent_) {
    const auto outer = scope->ids_.find(name);
    if (outer == scope->ids_.end() || outer->second.id == ValueId::none) continue;
    const bool exists = outer->second.definition == Definition::immediate ||
                        scope->graph_.value(outer->second.id).producer != NodeId::none;
    if (exists) return true;
  }
  return false;
}

std::vector<std::string_view> NameScope::names(size_t most) const {
  std::vector<std::string_view> names;
  for (const NameScope* scope = this; scope != nullptr; scope = scope->parent_) {
    if (names.size() + scope->ids_.size() > most) return {};
    for (const auto& [name, entry] : scope->ids_) names.push_back(name);
  }
  std::ranges::sort(names);  // the map's order changes from run to run
  return names;
}

}  // namespace overt
