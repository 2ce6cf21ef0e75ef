#ifndef OVERT_ONNX_EXTERNAL_DATA_H_
#define OVERT_ONNX_EXTERNAL_DATA_H_

#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mapped_file.h"
#include "onnx/load.h"

namespace overt {

/// TensorProto.external_data: pairs of key and value.
using ExternalEntries = std::span<const std::pair<std::string_view, std::string_view>>;

/// The files beside a model that hold its weights, each mapped once.
class ExternalFiles {
 public:
  struct Piece {
    std::span<const std::byte> bytes;
    std::shared_ptr<const MappedFile> file;  ///< shared by all tensors that lie in the file
  };

  /// Without a directory every piece is refused.
  ExternalFiles(std::optional<std::filesystem::path> directory, const LoadLimits& limits);

  /// The place that the entries describe, which must be `size` bytes. Keys other than location, offset and length
  /// are passed over. Throws Error(invalid_model) with `tensor_name` as the subject.
  Piece find(ExternalEntries entries, size_t size, std::string_view tensor_name);

  /// The locations used so far, sorted.
  std::vector<std::string> names() const;

 private:
  std::shared_ptr<const MappedFile> open(std::string_view location, std::string_view tensor_name);

  std::optional<std::filesystem::path> directory_;
  bool allow_hard_links_;
  std::filesystem::path symlink_root_;
  std::map<std::string, std::shared_ptr<const MappedFile>, std::less<>> files_;  ///< shared with the tensors
};

}  // namespace overt

#endif  // OVERT_ONNX_EXTERNAL_DATA_H_
