#include "ops/schema.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "ops/schema_table.h"

namespace overt {
namespace {

std::string_view canonical_domain(std::string_view domain) {
  return domain == "ai.onnx" ? "" : domain;
}

}  // namespace

const AttributeSchema* OpSchema::find_attribute(std::string_view attribute) const {
  const auto found = std::ranges::find(attributes, attribute, &AttributeSchema::name);
  return found == attributes.end() ? nullptr : &*found;
}

const OpSchema* find_schema(std::string_view domain, std::string_view name, int opset_version) {
  const auto key = std::tuple(canonical_domain(domain), name, static_cast<int32_t>(opset_version));
  const auto key_of = [](const OpSchema& s) { return std::tuple(s.domain, s.name, s.since_version); };
  const auto schemas = all_schemas();
  const auto after = std::ranges::upper_bound(schemas, key, {}, key_of);
  if (after == schemas.begin()) return nullptr;
  const OpSchema& newest = *std::prev(after);
  return newest.domain == std::get<0>(key) && newest.name == name ? &newest : nullptr;
}

std::span<const OpSchema> all_schemas() {
  return schema_table().schemas;
}

int latest_opset(std::string_view domain) {
  const auto domains = schema_table().domains;
  const auto found = std::ranges::find(domains, canonical_domain(domain), &DomainVersion::domain);
  return found == domains.end() ? 0 : found->latest_opset;
}

}  // namespace overt
