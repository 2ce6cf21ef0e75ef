#include "npy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <limits>
#include <vector>

#include "errors.h"
#include "files.h"
#include "npy_header.h"
#include "overt/text.h"
#include "packed.h"
#include "utf8.h"

namespace overt::cli {
namespace {

struct NumericType {
  char kind;
  int64_t item_bytes;
  DataType type;
};

constexpr NumericType kNumericTypes[] = {
    {'b', 1, DataType::boolean},   {'i', 1, DataType::int8},        {'i', 2, DataType::int16},
    {'i', 4, DataType::int32},     {'i', 8, DataType::int64},       {'u', 1, DataType::uint8},
    {'u', 2, DataType::uint16},    {'u', 4, DataType::uint32},      {'u', 8, DataType::uint64},
    {'f', 2, DataType::float16},   {'f', 4, DataType::float32},     {'f', 8, DataType::float64},
    {'c', 8, DataType::complex64}, {'c', 16, DataType::complex128},
};

/// Reads the whole of a regular file.
std::string read_bytes(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    fail(ErrorCode::invalid_argument, "there is no such file");
  }
  const uintmax_t size = std::filesystem::file_size(path, error);
  std::ifstream stream(path, std::ios::binary);
  if (error || !stream) fail(ErrorCode::invalid_argument, "the file cannot be read");
  std::string bytes(size, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(size));
  bytes.resize(static_cast<size_t>(stream.gcount()));
  return bytes;
}

/// The file's elements in C order, as they stand in the file.
class Elements {
 public:
  Elements(const NpyHeader& header, std::string_view file) : header_(header), data_(file.substr(header.data_offset)) {
    int64_t total = 0;
    count_ = header.shape.elements();
    const bool fits = !__builtin_mul_overflow(count_, header.item_bytes, &total);
    if (!fits || static_cast<uint64_t>(total) != data_.size()) {
      fail(ErrorCode::invalid_argument,
           "the file's shape {} of '{}' takes {} bytes, and {} follow its header; the file is {}",
           header.shape.to_string(), header.descr(), fits ? std::to_string(total) : "more than 2^63", data_.size(),
           fits && static_cast<uint64_t>(total) < data_.size() ? "too long" : "cut off");
    }
  }

  int64_t count() const { return count_; }

  /// Calls use(i, bytes of the i-th element in C order), little endian within parts of `swap_bytes` bytes.
  template <typename Use>
  void for_each(int64_t swap_bytes, Use use) const {
    const auto rank = static_cast<size_t>(header_.shape.rank());
    std::vector<int64_t> index(rank, 0), strides(rank, 1);
    for (size_t axis = 1; axis < rank; ++axis) {
      const auto before = static_cast<int64_t>(axis) - 1;
      strides[axis] = strides[axis - 1] * header_.shape[before];
    }
    std::string swapped;
    int64_t at = 0;
    for (int64_t i = 0; i < count_; ++i) {
      const int64_t source = header_.fortran_order ? at : i;
      std::string_view item =
          data_.substr(static_cast<size_t>(source * header_.item_bytes), static_cast<size_t>(header_.item_bytes));
      if (header_.big_endian && swap_bytes > 1) {
        swapped = item;
        for (size_t part = 0; part < swapped.size(); part += static_cast<size_t>(swap_bytes)) {
          std::reverse(swapped.data() + part, swapped.data() + part + swap_bytes);
        }
        item = swapped;
      }
      use(i, item);
      if (!header_.fortran_order) continue;
      for (size_t axis = rank; axis-- > 0;) {
        const int64_t length = header_.shape[static_cast<int64_t>(axis)];
        at += strides[axis];
        if (++index[axis] < length) break;
        at -= strides[axis] * length;
        index[axis] = 0;
      }
    }
  }

 private:
  const NpyHeader& header_;
  std::string_view data_;
  int64_t count_ = 0;
};

Tensor read_numbers(const NpyHeader& header, const Elements& elements, DataType type) {
  Tensor tensor(type, header.shape);
  auto* out = static_cast<char*>(tensor.mutable_data());
  const int64_t swap_bytes = header.kind == 'c' ? header.item_bytes / 2 : header.item_bytes;
  elements.for_each(swap_bytes, [&](int64_t i, std::string_view item) {
    std::memcpy(out + i * header.item_bytes, item.data(), item.size());
    if (type == DataType::boolean) out[i] = out[i] != 0 ? 1 : 0;
  });
  return tensor;
}

/// int8 or uint8 elements as a type that shares bytes.
Tensor read_packed(const NpyHeader& header, const Elements& elements, DataType type) {
  const int width = data_type_bits(type);
  Tensor tensor(type, header.shape);
  elements.for_each(1, [&](int64_t i, std::string_view item) {
    const auto bits = static_cast<uint8_t>(item[0]);
    const int value = header.kind == 'i' ? static_cast<int8_t>(bits) : bits;
    const auto low = static_cast<uint8_t>(bits & ((1 << width) - 1));
    if (header.kind != 'V' && packed_integer(type, low) != value) {
      fail(ErrorCode::invalid_argument, "element {} is {}, which {} cannot hold; clip the array first", i, value,
           data_type_name(type));
    }
    set_packed_bits(tensor, i, low);
  });
  return tensor;
}

Tensor read_strings(const NpyHeader& header, const Elements& elements) {
  constexpr int64_t kMostStrings = 100'000'000;  // of no bytes each: nothing in the file bounds them
  if (header.item_bytes == 0 && elements.count() > kMostStrings) {
    fail(ErrorCode::invalid_argument, "the file's shape {} has more than {} empty strings", header.shape.to_string(),
         kMostStrings);
  }
  Tensor tensor(DataType::string, header.shape);
  const std::span<std::string> out = tensor.mutable_values<std::string>();
  elements.for_each(header.kind == 'U' ? 4 : 1, [&](int64_t i, std::string_view item) {
    std::string& text = out[static_cast<size_t>(i)];
    if (header.kind == 'S') {
      text = item.substr(0, item.find_last_not_of('\0') + 1);
      return;
    }
    std::u32string points(item.size() / 4, U'\0');
    if (!item.empty()) std::memcpy(points.data(), item.data(), item.size());
    points.resize(points.find_last_not_of(U'\0') + 1);
    for (const char32_t point : points) {
      if (append_utf8(text, point)) continue;
      fail(ErrorCode::invalid_argument, "string {} holds 0x{:x}, which is no Unicode character", i,
           static_cast<uint32_t>(point));
    }
  });
  return tensor;
}

Tensor parse_npy(std::string_view file, DataType wanted) {
  const NpyHeader header = parse_npy_header(file);
  const Elements elements(header, file);
  if (header.kind == 'S' || header.kind == 'U') return read_strings(header, elements);
  const bool byte = header.item_bytes == 1 && header.kind != 'b';
  if (is_packed(wanted) && byte && (header.kind == 'V' || wanted != DataType::float4e2m1)) {
    return read_packed(header, elements, wanted);
  }
  const bool typed = wanted != DataType::undefined && wanted != DataType::string;
  const bool bits = header.kind == 'V' || (header.kind == 'f' && header.item_bytes == 1);  // ml_dtypes has an f1
  if (bits && typed && data_type_bits(wanted) == 8 * header.item_bytes) {
    return read_numbers(header, elements, wanted);
  }
  for (const NumericType& known : kNumericTypes) {
    if (known.kind == header.kind && known.item_bytes == header.item_bytes) {
      return read_numbers(header, elements, known.type);
    }
  }
  fail(ErrorCode::invalid_argument, "the file holds elements of type '{}'{}; convert the array", header.descr(),
       wanted == DataType::undefined ? "" : fmt::format(", and {} is wanted", data_type_name(wanted)));
}

std::string_view bytes_of(const Tensor& tensor) {
  return {static_cast<const char*>(tensor.data()), tensor.bytes()};
}

/// Strings as descr and data.
std::pair<std::string, std::string> string_elements(const Tensor& tensor) {
  constexpr size_t kMostBytes = size_t{4} << 30;
  const auto strings = tensor.values<std::string>();
  std::vector<std::u32string> points;
  bool utf8 = true;
  for (const std::string& text : strings) {
    auto decoded = decode_utf8(text);
    utf8 = utf8 && decoded.has_value();
    if (!utf8) break;
    points.push_back(std::move(*decoded));
  }
  size_t length = 1;
  for (const std::string& text : strings) length = utf8 ? length : std::max(length, text.size());
  for (const std::u32string& text : points) length = utf8 ? std::max(length, text.size()) : length;
  const size_t item = utf8 ? 4 * length : length;
  if (!strings.empty() && item > kMostBytes / strings.size()) {
    fail(ErrorCode::invalid_argument, "strings of up to {} characters in {} elements make a .npy file over 4 GiB",
         length, strings.size());
  }
  std::string data(item * strings.size(), '\0');
  for (size_t i = 0; i < strings.size(); ++i) {
    const void* source = utf8 ? static_cast<const void*>(points[i].data()) : strings[i].data();
    const size_t bytes = utf8 ? 4 * points[i].size() : strings[i].size();
    if (bytes > 0) std::memcpy(data.data() + i * item, source, bytes);
  }
  return {fmt::format("{}{}{}", utf8 ? '<' : '|', utf8 ? 'U' : 'S', length), std::move(data)};
}

std::string unpacked_elements(const Tensor& tensor) {
  std::string data;
  const int64_t count = tensor.elements();
  data.reserve(static_cast<size_t>(count));
  for (int64_t i = 0; i < count; ++i) {
    const uint8_t bits = packed_bits(tensor, i);
    const bool number = tensor.type() != DataType::float4e2m1;
    data += static_cast<char>(number ? packed_integer(tensor.type(), bits) : bits);
  }
  return data;
}

std::string descr_of(DataType type) {
  for (const NumericType& known : kNumericTypes) {
    if (known.type == type) {
      return fmt::format("{}{}{}", known.item_bytes == 1 ? '|' : '<', known.kind, known.item_bytes);
    }
  }
  if (type == DataType::int4 || type == DataType::int2) return "|i1";
  if (type == DataType::uint4 || type == DataType::uint2) return "|u1";
  return type == DataType::bfloat16 ? "<V2" : "|V1";
}

}  // namespace

Tensor read_npy(const std::filesystem::path& path, DataType wanted) {
  try {
    return parse_npy(read_bytes(path), wanted);
  } catch (const Error& error) {
    const std::string name = escape_name(path.string());
    throw Error(error.code(), fmt::format("{}: {}", name, error.message()), name);
  }
}

void write_npy(const std::filesystem::path& path, const Tensor& tensor) {
  std::string descr = descr_of(tensor.type());
  std::string made;
  if (tensor.type() == DataType::string) {
    std::tie(descr, made) = string_elements(tensor);
  } else if (is_packed(tensor.type())) {
    made = unpacked_elements(tensor);
  }
  const bool as_it_is = tensor.type() != DataType::string && !is_packed(tensor.type());
  const std::string header = make_npy_header(descr, tensor.shape());
  const std::array<std::string_view, 2> pieces = {header, as_it_is ? bytes_of(tensor) : std::string_view(made)};
  write_file(path, pieces);
}

}  // namespace overt::cli
