#include "onnx/external_data.h"

#include <charconv>

#include "base/beneath.h"
#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

/// A decimal number >= 0, or an error.
uint64_t parse_number(std::string_view key, std::string_view text, std::string_view tensor_name) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) {
    fail_at(ErrorCode::invalid_model, tensor_name,
            "tensor '{}': external_data {} is '{}', expected a decimal number from 0 to 2^64 - 1",
            escape_name(tensor_name), key, escape_name(text));
  }
  return number;
}

struct Place {
  std::string_view location;
  uint64_t offset = 0;
  std::optional<uint64_t> length;
};

Place read_place(ExternalEntries entries, std::string_view tensor_name) {
  Place place;
  bool has_location = false;
  bool has_offset = false;
  const auto once = [&](bool& seen, std::string_view key) {
    if (seen) {
      fail_at(ErrorCode::invalid_model, tensor_name, "tensor '{}': external_data has {} twice",
              escape_name(tensor_name), key);
    }
    seen = true;
  };
  for (const auto& [key, value] : entries) {
    if (key == "location") {
      once(has_location, key);
      place.location = value;
    } else if (key == "offset") {
      once(has_offset, key);
      place.offset = parse_number(key, value, tensor_name);
    } else if (key == "length") {
      bool has_length = place.length.has_value();
      once(has_length, key);
      place.length = parse_number(key, value, tensor_name);
    }
  }
  if (!has_location) {
    fail_at(ErrorCode::invalid_model, tensor_name, "tensor '{}': external_data names no location",
            escape_name(tensor_name));
  }
  return place;
}

}  // namespace

ExternalFiles::ExternalFiles(std::optional<std::filesystem::path> directory, const LoadLimits& limits)
    : directory_(std::move(directory)),
      allow_hard_links_(limits.allow_hard_links),
      symlink_root_(limits.symlink_root) {}

std::shared_ptr<const MappedFile> ExternalFiles::open(std::string_view location, std::string_view tensor_name) {
  if (const auto known = files_.find(location); known != files_.end()) return known->second;
  if (!directory_) {
    fail_at(ErrorCode::invalid_model, tensor_name,
            "tensor '{}' lies in the file '{}', and the model was given as bytes without a directory: load it from "
            "its path, or name the directory of its data",
            escape_name(tensor_name), escape_name(location));
  }
  const BeneathRules rules{.allow_hard_links = allow_hard_links_, .follow_symlinks = false};
  std::shared_ptr<const MappedFile> file;
  if (symlink_root_.empty()) {
    file = std::make_shared<const MappedFile>(open_beneath(*directory_, location, rules), location);
  } else {
    // The model's directory as the root sees it, so that links may lead to the root's other folders.
    const auto root = std::filesystem::weakly_canonical(symlink_root_);
    const auto inside =
        std::filesystem::weakly_canonical(std::filesystem::absolute(*directory_)).lexically_relative(root);
    if (inside.empty() || *inside.begin() == "..") {
      fail_at(ErrorCode::invalid_argument, symlink_root_.native(),
              "the root for symbolic links '{}' does not contain the model's directory '{}'",
              escape_name(symlink_root_.native()), escape_name(directory_->native()));
    }
    BeneathRules following = rules;
    following.follow_symlinks = true;
    const std::string name = inside == "." ? std::string(location) : (inside / "").native() + std::string(location);
    if (location.empty() || location.front() == '/') open_beneath(*directory_, location, rules);  // refuses it
    file = std::make_shared<const MappedFile>(open_beneath(root, name, following), location);
  }
  files_.emplace(location, file);
  return file;
}

ExternalFiles::Piece ExternalFiles::find(ExternalEntries entries, size_t size, std::string_view tensor_name) {
  const Place place = read_place(entries, tensor_name);
  if (place.length && *place.length != size) {
    fail_at(ErrorCode::invalid_model, tensor_name,
            "tensor '{}': external_data length is {}, expected {} from its type and shape", escape_name(tensor_name),
            *place.length, size);
  }
  std::shared_ptr<const MappedFile> file = open(place.location, tensor_name);
  const size_t file_size = file->bytes().size();
  if (place.offset > file_size || size > file_size - place.offset) {
    fail_at(ErrorCode::invalid_model, tensor_name,
            "tensor '{}' needs {} bytes at offset {} of '{}', which has {} bytes", escape_name(tensor_name), size,
            place.offset, escape_name(place.location), file_size);
  }
  return {file->bytes().subspan(place.offset, size), std::move(file)};
}

std::vector<std::string> ExternalFiles::names() const {
  std::vector<std::string> names;
  names.reserve(files_.size());
  for (const auto& [name, file] : files_) names.push_back(name);
  return names;
}

}  // namespace overt
