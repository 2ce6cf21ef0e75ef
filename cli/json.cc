#include "json.h"

#include <cstdio>

namespace overt::cli {

void print_json(const Json& document) {
  const std::string text = document.dump(1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace) + "\n";
  std::fwrite(text.data(), 1, text.size(), stdout);
}

Json shape_json(std::span<const int64_t> dims) {
  Json out = Json::array();
  for (const int64_t dim : dims) out.push_back(dim);
  return out;
}

Json spec_json(const TensorSpec& spec) {
  Json out = {{"name", spec.name}};
  if (!spec.other_kind.empty()) {
    out["kind"] = spec.other_kind;
    return out;
  }
  out["type"] = data_type_name(spec.type);
  out["shape"] = nullptr;
  if (spec.rank_known) {
    out["shape"] = Json::array();
    for (size_t i = 0; i < spec.dims.size(); ++i) {
      if (spec.dims[i] >= 0) {
        out["shape"].push_back(spec.dims[i]);
      } else if (spec.symbols[i].empty() || spec.symbols[i].starts_with('?')) {
        out["shape"].push_back(nullptr);
      } else {
        out["shape"].push_back(spec.symbols[i]);
      }
    }
  }
  if (spec.optional) out["optional"] = true;
  return out;
}

Json memory_json(const MemoryReport& memory) {
  return {{"weights_bytes", memory.weight_bytes},
          {"activation_bytes", memory.activation_bytes},
          {"workspace_bytes", memory.workspace_bytes}};
}

Json providers_json(const Placement& placement) {
  Json out = Json::object();
  for (const auto& [provider, count] : placement.nodes_by_provider()) out[provider] = count;
  return out;
}

}  // namespace overt::cli
