#include "npy_header.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "errors.h"
#include "overt/text.h"

namespace overt::cli {
namespace {

constexpr std::string_view kMagic = "\x93NUMPY";
constexpr size_t kLongestHeader = 1 << 20;
constexpr size_t kMostAxes = 64;

[[noreturn]] void reject(std::string_view why) {
  fail(ErrorCode::invalid_argument, "the file's .npy header is damaged: {}; save the array again with numpy.save",
       why);
}

/// Reads the Python dictionary of a header: string keys; strings, booleans and tuples of integers as values.
class DictionaryReader {
 public:
  explicit DictionaryReader(std::string_view text) : rest_(text) {}

  NpyHeader read() {
    expect('{');
    while (!take('}')) {
      read_item();
      if (!take(',') && peek() != '}') reject("an item of its dictionary does not end");
    }
    if (peek() != '\0') reject("there is text behind its dictionary");
    if (!has_descr_ || !has_order_ || !has_shape_) reject("descr, fortran_order or shape is missing");
    return header_;
  }

 private:
  char peek() {
    while (!rest_.empty() && (rest_[0] == ' ' || rest_[0] == '\n' || rest_[0] == '\t')) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_[0];
  }
  bool take(char c) {
    if (peek() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  void expect(char c) {
    if (!take(c)) reject(fmt::format("'{}' is missing", c));
  }

  std::string_view read_string() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') reject("a string is missing");
    const size_t end = rest_.find(quote, 1);
    if (end == std::string_view::npos) reject("a string does not end");
    const std::string_view text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    return text;
  }

  void read_item() {
    const std::string_view key = read_string();
    expect(':');
    if (key == "descr") {
      read_descr();
      has_descr_ = true;
    } else if (key == "fortran_order") {
      header_.fortran_order = read_boolean();
      has_order_ = true;
    } else if (key == "shape") {
      read_shape();
      has_shape_ = true;
    } else {
      reject(fmt::format("it has the unknown key '{}'", escape_name(key, 40)));
    }
  }

  bool read_boolean() {
    peek();
    for (const std::string_view word : {"True", "False"}) {
      if (!rest_.starts_with(word)) continue;
      rest_.remove_prefix(word.size());
      return word == "True";
    }
    reject("fortran_order is neither True nor False");
  }

  void read_shape() {
    expect('(');
    std::vector<int64_t> dims;
    while (!take(')')) {
      peek();
      int64_t dim = 0;
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), dim);
      if (error != std::errc() || dim < 0) reject("its shape holds something that is no length");
      rest_.remove_prefix(static_cast<size_t>(end - rest_.data()));
      take('L');  // as Python 2 wrote it
      dims.push_back(dim);
      if (dims.size() > kMostAxes) reject(fmt::format("its shape has more than {} axes", kMostAxes));
      if (!take(',') && peek() != ')') reject("its shape does not end");
    }
    header_.shape = Shape(std::move(dims));
  }

  void read_descr() {
    if (peek() == '[') {
      fail(ErrorCode::invalid_argument,
           "the .npy file holds structs; save one array of plain numbers for each field");
    }
    const std::string_view descr = read_string();
    const bool ordered = !descr.empty() && std::string_view("<>=|").find(descr[0]) != std::string_view::npos;
    const std::string_view type = descr.substr(ordered ? 1 : 0);
    header_.big_endian = descr.starts_with('>');
    if (type.starts_with('O')) {
      fail(ErrorCode::invalid_argument,
           "the .npy file holds Python objects; save texts as array.astype('U') and numbers as a numeric type");
    }
    int64_t size = 0;
    const auto [end, error] =
        std::from_chars(type.data() + std::min<size_t>(1, type.size()), type.data() + type.size(), size);
    const bool known = !type.empty() && std::string_view("biufcSUV").find(type[0]) != std::string_view::npos;
    if (!known || error != std::errc() || end != type.data() + type.size() || size < 0 || size > (int64_t{1} << 40)) {
      fail(ErrorCode::invalid_argument,
           "the .npy file holds elements of type '{}', which no model takes; convert the array",
           escape_name(descr, 40));
    }
    header_.kind = type[0];
    header_.item_bytes = type[0] == 'U' ? 4 * size : size;
  }

  std::string_view rest_;
  NpyHeader header_;
  bool has_descr_ = false;
  bool has_order_ = false;
  bool has_shape_ = false;
};

}  // namespace

std::string NpyHeader::descr() const {
  const char order = item_bytes == 1 || kind == 'S' ? '|' : big_endian ? '>' : '<';
  return fmt::format("{}{}{}", order, kind, kind == 'U' ? item_bytes / 4 : item_bytes);
}

NpyHeader parse_npy_header(std::string_view file) {
  if (!file.starts_with(kMagic)) {
    fail(ErrorCode::invalid_argument, "the file is no .npy file; write it with numpy.save");
  }
  if (file.size() < 10) reject("the file ends within it");
  const int version = static_cast<unsigned char>(file[6]);
  if (version < 1 || version > 3) {
    fail(ErrorCode::invalid_argument, "the .npy file has format {}, known are 1 to 3; write it with numpy.save",
         version);
  }
  const size_t length_bytes = version == 1 ? 2 : 4;
  const size_t start = 8 + length_bytes;
  if (file.size() < start) reject("the file ends within it");
  size_t length = 0;
  for (size_t i = 0; i < length_bytes; ++i) length |= size_t{static_cast<unsigned char>(file[8 + i])} << (8 * i);
  if (length > kLongestHeader)
    reject(fmt::format("it is {} bytes long, at most {} make sense", length, kLongestHeader));
  if (file.size() - start < length) reject("the file ends within it");
  NpyHeader header = DictionaryReader(file.substr(start, length)).read();
  header.data_offset = start + length;
  return header;
}

std::string make_npy_header(std::string_view descr, const Shape& shape) {
  std::string tuple;
  for (const int64_t dim : shape) tuple += fmt::format("{}, ", dim);
  if (shape.rank() > 1) tuple.resize(tuple.size() - 2);
  std::string text = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': ({}), }}", descr, tuple);
  constexpr size_t kPrefix = 10;  // magic, version, length
  text.append((64 - (kPrefix + text.size() + 1) % 64) % 64, ' ');
  text += '\n';
  std::string header(kMagic);
  header += '\x01';
  header += '\0';
  header += static_cast<char>(text.size() & 0xFF);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace overt::cli
