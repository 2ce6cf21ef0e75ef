#include "ops/fused.h"

#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

constexpr std::array<std::string_view, 5> kLayoutNames = {"bhsd", "bshd", "bhds", "bsd", "bds"};

AttentionLayout parse_layout(const Node& node, std::string_view attribute) {
  const std::string_view name = node.string(attribute, kLayoutNames[0]);
  for (size_t i = 0; i < kLayoutNames.size(); ++i) {
    if (kLayoutNames[i] == name) return static_cast<AttentionLayout>(i);
  }
  fail_at(ErrorCode::internal, node.name, "{}: {} is '{}', which is no layout", display_name(node), attribute,
          escape_name(name));
}

}  // namespace

std::string_view attention_layout_name(AttentionLayout layout) {
  return kLayoutNames[static_cast<size_t>(layout)];
}

FusedAttentionAttributes parse_fused_attention(const Node& node) {
  FusedAttentionAttributes attributes;
  attributes.scale = node.real("scale", 1.0f);
  attributes.q = parse_layout(node, "q_layout");
  attributes.k = parse_layout(node, "k_layout");
  attributes.v = parse_layout(node, "v_layout");
  attributes.y = parse_layout(node, "y_layout");
  return attributes;
}

void set_fused_attention(Node& node, const FusedAttentionAttributes& attributes) {
  const auto set = [&](std::string name, AttentionLayout layout) {
    node.attributes.push_back(Attribute::of(std::move(name), std::string(attention_layout_name(layout))));
  };
  node.attributes.clear();
  node.attributes.push_back(Attribute::of("scale", attributes.scale));
  set("q_layout", attributes.q);
  set("k_layout", attributes.k);
  set("v_layout", attributes.v);
  set("y_layout", attributes.y);
}

FusedSpaceToDepthAttributes parse_fused_space_to_depth(const Node& node) {
  FusedSpaceToDepthAttributes attributes;
  attributes.block = node.integer("blocksize", 2);
  const std::span<const int64_t> offsets = node.integers("offsets");
  for (size_t i = 0; i + 1 < offsets.size(); i += 2) attributes.offsets.push_back({offsets[i], offsets[i + 1]});
  return attributes;
}

void set_fused_space_to_depth(Node& node, const FusedSpaceToDepthAttributes& attributes) {
  std::vector<int64_t> offsets;
  for (const auto& [row, column] : attributes.offsets) {
    offsets.push_back(row);
    offsets.push_back(column);
  }
  node.attributes.clear();
  node.attributes.push_back(Attribute::of("blocksize", attributes.block));
  node.attributes.push_back(Attribute::of("offsets", std::move(offsets)));
}

}  // namespace overt
