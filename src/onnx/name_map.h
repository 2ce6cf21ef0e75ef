#ifndef OVERT_ONNX_NAME_MAP_H_
#define OVERT_ONNX_NAME_MAP_H_

#include <cstdint>
#include <cstring>
#include <random>
#include <string_view>
#include <unordered_map>

namespace overt {

/// A hash of names with a secret, so that a file cannot be made whose names all fall into one bucket: folds
/// 8 bytes at a time by 64 x 64 -> 128 bit multiplication with secret keys.
class NameHash {
 public:
  explicit NameHash(uint64_t key) : key_(key | 1) {}

  size_t operator()(std::string_view name) const {
    uint64_t hash = key_ ^ name.size();
    while (name.size() >= 8) {
      uint64_t word = 0;
      std::memcpy(&word, name.data(), 8);
      hash = fold(hash ^ word, key_);
      name.remove_prefix(8);
    }
    uint64_t last = 0;
    if (!name.empty()) std::memcpy(&last, name.data(), name.size());
    return fold(fold(hash ^ last, key_), 0x9e3779b97f4a7c15u);
  }

 private:
  static uint64_t fold(uint64_t a, uint64_t b) {
    __extension__ using Wide = unsigned __int128;
    const Wide product = static_cast<Wide>(a) * b;
    return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
  }

  uint64_t key_;
};

/// A key for the maps of one load.
inline uint64_t random_key() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

/// Names of the file to something; the names' bytes must outlive the map.
template <typename T>
class NameMap : public std::unordered_map<std::string_view, T, NameHash> {
 public:
  explicit NameMap(uint64_t key) : std::unordered_map<std::string_view, T, NameHash>(0, NameHash(key)) {}
};

}  // namespace overt

#endif  // OVERT_ONNX_NAME_MAP_H_
