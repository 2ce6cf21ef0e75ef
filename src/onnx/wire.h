#ifndef OVERT_ONNX_WIRE_H_
#define OVERT_ONNX_WIRE_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace overt {

/// The start of the file's bytes: what byte offsets in messages are counted from. Every view below lies in them.
struct FileOrigin {
  const char* start = nullptr;
  size_t offset_of(std::string_view part) const { return static_cast<size_t>(part.data() - start); }
};

/// The fields of one protobuf message, one after another.
///
/// Every accessor checks that the field has the wire type that it needs. Unknown fields are the caller's to pass
/// over; groups, which ONNX does not use, are passed over here. Throws Error(invalid_model) with the byte offset
/// where the bytes are no protobuf message: truncated, a length beyond the end, a varint of more than 10 bytes.
class WireReader {
 public:
  /// `message_name` is for error texts ("TensorProto") and must outlive the reader.
  WireReader(std::string_view message, FileOrigin origin, std::string_view message_name)
      : at_(message.data()), end_(message.data() + message.size()), origin_(origin), message_name_(message_name) {}

  /// Goes to the next field; false at the end of the message.
  bool next();

  uint32_t field() const { return field_; }
  size_t offset() const { return offset_; }  ///< of the field in the file

  std::string_view bytes() const;  ///< of a string, bytes or embedded message field
  int64_t integer() const;         ///< of an int32, int64, bool or enum field
  float real() const;

  // Repeated numbers, packed or not: adds the field's one or many.
  void append_integers(std::vector<int64_t>& numbers) const;
  void append_reals(std::vector<float>& numbers) const;
  // Repeated numbers as they lie in the file: the packed run, or one number's encoding, which looks the same.
  std::string_view varint_run() const { return run_of(Type::varint); }
  std::string_view fixed32_run() const { return run_of(Type::fixed32); }
  std::string_view fixed64_run() const { return run_of(Type::fixed64); }

  [[noreturn]] void fail_here(std::string_view what) const;

 private:
  enum class Type : uint8_t {
    varint = 0,
    fixed64 = 1,
    length_delimited = 2,
    start_group = 3,
    end_group = 4,
    fixed32 = 5
  };

  void read_tag();
  void read_payload();
  void skip_group();
  void require(Type wanted) const;
  std::string_view run_of(Type single) const;
  uint64_t varint();

  const char* at_;
  const char* end_;
  FileOrigin origin_;
  std::string_view message_name_;
  uint32_t field_ = 0;
  Type type_ = Type::varint;
  size_t offset_ = 0;
  uint64_t number_ = 0;       ///< of a varint field
  std::string_view payload_;  ///< the value's bytes, without tag and length
};

/// How many varints a packed run holds; counts without decoding.
size_t count_varints(std::string_view packed);

/// Decodes all varints of a packed run, in order; `out` has `count_varints(packed)` places. Unsigned numbers come
/// as the signed ones with the same bits. Throws Error(invalid_model) where the last one does not end.
void decode_varints(std::string_view packed, FileOrigin origin, std::span<int64_t> out);

}  // namespace overt

#endif  // OVERT_ONNX_WIRE_H_
