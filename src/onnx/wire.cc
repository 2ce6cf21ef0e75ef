#include "onnx/wire.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <protozero/exception.hpp>
#include <protozero/varint.hpp>

#include "base/error.h"

namespace overt {
namespace {

static_assert(std::endian::native == std::endian::little, "weights are used as they lie in the file");

constexpr size_t kMaxGroupDepth = 32;

std::string_view wire_type_name(uint32_t type) {
  constexpr std::array<std::string_view, 8> kNames = {
      "varint", "64-bit", "length-delimited", "start of group", "end of group", "32-bit", "6", "7"};
  return kNames[type & 7];
}

}  // namespace

void WireReader::fail_here(std::string_view what) const {
  fail(ErrorCode::invalid_model, "{}, in field {} of a {} at byte {}", what, field_, message_name_, offset_);
}

uint64_t WireReader::varint() {
  try {
    return protozero::decode_varint(&at_, end_);
  } catch (const protozero::end_of_buffer_exception&) {
    fail(ErrorCode::invalid_model, "truncated: a number runs over the end of a {} at byte {}", message_name_,
         origin_.offset_of({end_, 0}));
  } catch (const protozero::varint_too_long_exception&) {
    fail(ErrorCode::invalid_model, "a number of a {} at byte {} does not end within 10 bytes", message_name_,
         origin_.offset_of({at_, 0}));
  }
}

void WireReader::read_tag() {
  offset_ = origin_.offset_of({at_, 0});
  const uint64_t tag = varint();
  const uint64_t field = tag >> 3;
  if (field == 0 || field >= (uint64_t{1} << 29)) {
    fail(ErrorCode::invalid_model, "field number {} of a {} at byte {} is not one of protobuf", field, message_name_,
         offset_);
  }
  field_ = static_cast<uint32_t>(field);
  const auto type = static_cast<uint32_t>(tag & 7);
  if (type > 5) fail_here(fmt::format("wire type {} does not exist", type));
  type_ = static_cast<Type>(type);
}

void WireReader::read_payload() {
  uint64_t size = 0;
  switch (type_) {
    case Type::varint: {
      const char* start = at_;
      number_ = varint();
      payload_ = {start, static_cast<size_t>(at_ - start)};
      return;
    }
    case Type::fixed64: size = 8; break;
    case Type::fixed32: size = 4; break;
    case Type::length_delimited: size = varint(); break;
    case Type::start_group:
    case Type::end_group: return;
  }
  const auto remaining = static_cast<size_t>(end_ - at_);
  if (size > remaining) {
    fail_here(fmt::format("truncated: {} bytes are announced and {} are left", size, remaining));
  }
  payload_ = {at_, static_cast<size_t>(size)};
  at_ += size;
}

void WireReader::skip_group() {
  std::array<uint32_t, kMaxGroupDepth> open{};
  size_t depth = 0;
  open[depth++] = field_;
  while (depth > 0) {
    if (at_ == end_) fail_here("truncated: a group does not end");
    read_tag();
    if (type_ == Type::start_group) {
      if (depth == kMaxGroupDepth) fail_here("groups are nested more than 32 deep");
      open[depth++] = field_;
    } else if (type_ == Type::end_group) {
      if (open[--depth] != field_) fail_here(fmt::format("group {} ends as another one", open[depth]));
    } else {
      read_payload();
    }
  }
}

bool WireReader::next() {
  while (at_ != end_) {
    read_tag();
    if (type_ == Type::end_group) fail_here("a group ends that did not start");
    if (type_ != Type::start_group) {
      read_payload();
      return true;
    }
    skip_group();
  }
  return false;
}

void WireReader::require(Type wanted) const {
  if (type_ == wanted) return;
  fail_here(fmt::format("wire type is {}, expected {}", wire_type_name(static_cast<uint32_t>(type_)),
                        wire_type_name(static_cast<uint32_t>(wanted))));
}

std::string_view WireReader::run_of(Type single) const {
  if (type_ != Type::length_delimited) require(single);
  return payload_;
}

std::string_view WireReader::bytes() const {
  require(Type::length_delimited);
  return payload_;
}

int64_t WireReader::integer() const {
  require(Type::varint);
  return static_cast<int64_t>(number_);
}

float WireReader::real() const {
  require(Type::fixed32);
  float value = 0;
  std::memcpy(&value, payload_.data(), sizeof(value));
  return value;
}

void WireReader::append_integers(std::vector<int64_t>& numbers) const {
  if (type_ == Type::varint) {
    numbers.push_back(static_cast<int64_t>(number_));
    return;
  }
  require(Type::length_delimited);
  const size_t old_size = numbers.size();
  numbers.resize(old_size + count_varints(payload_));
  decode_varints(payload_, origin_, std::span(numbers).subspan(old_size));
}

void WireReader::append_reals(std::vector<float>& numbers) const {
  if (type_ == Type::fixed32) {
    numbers.push_back(real());
    return;
  }
  require(Type::length_delimited);
  if (payload_.size() % sizeof(float) != 0) fail_here("a packed run of floats is no multiple of 4 bytes long");
  const size_t old_size = numbers.size();
  numbers.resize(old_size + payload_.size() / sizeof(float));
  if (!payload_.empty()) std::memcpy(numbers.data() + old_size, payload_.data(), payload_.size());
}

size_t count_varints(std::string_view packed) {
  return static_cast<size_t>(
      std::ranges::count_if(packed, [](char byte) { return (static_cast<unsigned char>(byte) & 0x80) == 0; }));
}

void decode_varints(std::string_view packed, FileOrigin origin, std::span<int64_t> out) {
  const char* at = packed.data();
  const char* end = at + packed.size();
  size_t count = 0;
  try {
    while (at != end) {
      const uint64_t number = protozero::decode_varint(&at, end);  // ends with one byte that count_varints counts
      out[count++] = static_cast<int64_t>(number);
    }
  } catch (const protozero::exception&) {
    fail(ErrorCode::invalid_model, "a packed number at byte {} does not end", origin.offset_of({at, 0}));
  }
}

}  // namespace overt
