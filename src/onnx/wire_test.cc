#include "onnx/wire.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "onnx/test_writer.h"

namespace overt {
namespace {

using test::Message;
using testing::AnyOf;
using testing::HasSubstr;
using testing::StartsWith;

Message small_model() {
  return test::model(test::TestGraph{.inputs = {test::value("x")},
                                     .outputs = {test::value("y")},
                                     .nodes = {test::node("Add", {"x", "w"}, {"y"})},
                                     .initializers = {test::scalar("w")}});
}

std::string load_bytes(std::string_view bytes) {
  return test::outcome([&] { load_onnx(std::as_bytes(std::span(bytes.data(), bytes.size())), nullptr, {}); });
}

TEST(Wire, empty_file_is_refused) {
  EXPECT_EQ(load_bytes(""), "invalid_model: truncated: the file is empty, at byte 0");
}

TEST(Wire, truncation_at_every_byte_is_refused) {
  // The operator sets come last; those of the test's writer are two, so the graph's own end is the earliest place
  // where what is left is a whole message, and it lacks its operator set.
  Message whole;
  whole.number(1, 8).add(7, test::TestGraph{.inputs = {test::value("x")},
                                            .outputs = {test::value("y")},
                                            .nodes = {test::node("Add", {"x", "w"}, {"y"})},
                                            .initializers = {test::scalar("w")}});
  whole.add(8, test::opset("", 17));
  ASSERT_EQ(load_bytes(whole.bytes()), "loaded");
  for (size_t size = 0; size < whole.bytes().size(); ++size) {
    const std::string result = load_bytes(std::string_view(whole.bytes()).substr(0, size));
    EXPECT_THAT(result, StartsWith("invalid_model: ")) << "at " << size;
    EXPECT_THAT(result, AnyOf(HasSubstr("truncated"), HasSubstr("no graph"), HasSubstr("no operator set"))) << size;
  }
}

TEST(Wire, truncation_names_the_byte) {
  EXPECT_EQ(load_bytes(std::string_view("\x08\x08\x3a\x10\x0a\x03", 6)),
            "invalid_model: truncated: 16 bytes are announced and 2 are left, in field 7 of a ModelProto at byte 2");
}

TEST(Wire, noise_is_refused) {
  std::mt19937 random(7);
  for (int round = 0; round < 200; ++round) {
    std::string noise(4096, '\0');
    for (char& byte : noise) byte = static_cast<char>(random());
    EXPECT_THAT(load_bytes(noise), StartsWith("invalid_model: "));
  }
}

TEST(Wire, one_changed_byte_never_gives_anything_but_success_or_a_typed_error) {
  const std::string good = small_model().bytes();
  for (size_t i = 0; i < good.size(); ++i) {
    for (const int change : {0x01, 0x04, 0x80, 0xff}) {
      std::string bad = good;
      bad[i] = static_cast<char>(bad[i] ^ change);
      EXPECT_THAT(load_bytes(bad), AnyOf("loaded", StartsWith("invalid_model: "), StartsWith("unsupported: ")))
          << i << " " << change;
    }
  }
}

TEST(Wire, unterminated_varint_is_refused) {
  EXPECT_EQ(load_bytes("\x08\xff\xff\xff"),
            "invalid_model: truncated: a number runs over the end of a ModelProto at byte 4");
  EXPECT_EQ(load_bytes("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
            "invalid_model: a number of a ModelProto at byte 1 does not end within 10 bytes");
}

TEST(Wire, length_beyond_the_buffer_is_refused_without_allocating) {
  const int64_t before = test::peak_memory();
  Message bytes;
  bytes.varint(7 << 3 | 2).varint(uint64_t{1} << 62);
  EXPECT_THAT(load_bytes(bytes.bytes()),
              HasSubstr("truncated: 4611686018427387904 bytes are announced and 0 are left"));
  EXPECT_LT(test::peak_memory() - before, 64 << 20);
}

TEST(Wire, unknown_fields_and_groups_are_passed_over) {
  Message bytes = small_model();
  bytes.number(500, 1).text(501, "future").real(502, 1.0f);
  bytes.varint(503 << 3 | 3).number(1, 5).varint(504 << 3 | 3).varint(504 << 3 | 4).varint(503 << 3 | 4);
  EXPECT_EQ(load_bytes(bytes.bytes()), "loaded");
}

TEST(Wire, broken_groups_are_refused) {
  const auto after_model = [](uint64_t first, uint64_t second) {
    Message bytes = small_model();
    bytes.varint(first);
    if (second != 0) bytes.varint(second);
    return load_bytes(bytes.bytes());
  };
  EXPECT_THAT(after_model(500 << 3 | 3, 0), HasSubstr("truncated: a group does not end"));
  EXPECT_THAT(after_model(500 << 3 | 4, 0), HasSubstr("a group ends that did not start"));
  EXPECT_THAT(after_model(500 << 3 | 3, 501 << 3 | 4), HasSubstr("group 500 ends as another one"));
  Message deep = small_model();
  for (int i = 0; i < 100'000; ++i) deep.varint(500 << 3 | 3);
  EXPECT_THAT(load_bytes(deep.bytes()), HasSubstr("groups are nested more than 32 deep"));
}

TEST(Wire, wrong_wire_types_are_refused) {
  EXPECT_THAT(load_bytes(Message().text(1, "8").bytes()),
              HasSubstr("wire type is length-delimited, expected varint"));
  EXPECT_THAT(load_bytes(Message().number(7, 1).bytes()),
              HasSubstr("wire type is varint, expected length-delimited"));
  EXPECT_THAT(load_bytes(Message().varint(1 << 3 | 7).bytes()), HasSubstr("wire type 7 does not exist"));
  EXPECT_THAT(load_bytes(Message().varint(0).bytes() + "x"), HasSubstr("field number 0"));
}

TEST(Wire, repeated_numbers_may_be_packed_or_not_or_both) {
  std::vector<int64_t> integers;
  const Message message = Message().packed(1, {1, 300}).number(1, -5).packed(1, {}).packed(1, {7});
  WireReader reader(message.bytes(), FileOrigin{message.bytes().data()}, "Test");
  while (reader.next()) reader.append_integers(integers);
  EXPECT_THAT(integers, testing::ElementsAre(1, 300, -5, 7));
  EXPECT_EQ(count_varints(std::string_view("\x01\xac\x02\x80", 4)), 2u);
  const std::string_view unfinished("\x80", 1);
  EXPECT_THROW(decode_varints(unfinished, FileOrigin{unfinished.data()}, {}), Error);
}

}  // namespace
}  // namespace overt
