#include <algorithm>
#include <array>
#include <vector>

#include "ops/families.h"
#include "ops/op.h"

namespace overt {
namespace {

std::vector<OpEntry> collect() {
  std::vector<OpEntry> all;
  for (const std::span<const OpEntry> family : op_families()) all.insert(all.end(), family.begin(), family.end());
  std::ranges::sort(all, {}, [](const OpEntry& op) { return std::pair(op.domain, op.type); });
  return all;
}

}  // namespace

std::span<const OpEntry> all_ops() {
  static const std::vector<OpEntry> ops = collect();  // made once, on first use, never changed
  return ops;
}

const OpEntry* find_op(std::string_view domain, std::string_view type) {
  const std::span<const OpEntry> ops = all_ops();
  const auto key = std::pair(domain, type);
  const auto found =
      std::ranges::lower_bound(ops, key, {}, [](const OpEntry& op) { return std::pair(op.domain, op.type); });
  if (found == ops.end() || std::pair(found->domain, found->type) != key) return nullptr;
  return &*found;
}

InputMask content_inputs(const Node& node) {
  const OpEntry* op = find_op(node);
  return op != nullptr ? op->content_inputs : 0;
}

}  // namespace overt
