#include "base/nearest.h"

#include <algorithm>
#include <array>

namespace overt {
namespace {

constexpr size_t kMaxBytes = 64;
constexpr size_t kMaxCandidates = 4096;

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// Optimal string alignment distance, row by row. Both at most kMaxBytes long.
size_t edit_distance(std::string_view a, std::string_view b) {
  using Row = std::array<size_t, kMaxBytes + 1>;
  Row before_last{}, last{}, current{};
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool equal = lower(a[i - 1]) == lower(b[j - 1]);
      current[j] = std::min({last[j] + 1, current[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1])) {
        current[j] = std::min(current[j], before_last[j - 2] + 1);
      }
    }
    before_last = last;
    last = current;
  }
  return last[b.size()];
}

}  // namespace

std::optional<std::string> nearest_name(std::string_view name, std::span<const std::string_view> candidates) {
  if (name.size() > kMaxBytes) return std::nullopt;
  std::optional<std::string> nearest;
  size_t fewest = std::max<size_t>(1, name.size() / 3) + 1;
  for (const std::string_view candidate : candidates.first(std::min(candidates.size(), kMaxCandidates))) {
    if (candidate.empty() || candidate.size() > kMaxBytes) continue;
    const size_t edits = edit_distance(name, candidate);
    if (edits >= fewest) continue;
    fewest = edits;
    nearest = std::string(candidate);
  }
  return nearest;
}

}  // namespace overt
