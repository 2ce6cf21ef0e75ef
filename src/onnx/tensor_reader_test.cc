#include "onnx/tensor_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "onnx/test_writer.h"

namespace overt {
namespace {

using test::Message;
using test::raw;
using test::raw_tensor;
using test::tensor_header;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int64_t kFloat = 1, kUint8 = 2, kInt8 = 3, kUint16 = 4, kInt64 = 7, kString = 8, kBool = 9, kFloat16 = 10,
                  kDouble = 11, kUint32 = 12, kUint64 = 13, kComplex64 = 14, kComplex128 = 15, kBfloat16 = 16,
                  kFloat8 = 17, kUint4 = 21, kInt4 = 22, kFloat4 = 23, kUint2 = 25, kInt2 = 26;
constexpr uint32_t kFloatData = 4, kInt32Data = 5, kStringData = 6, kInt64Data = 7, kDoubleData = 10,
                   kUint64Data = 11;

Tensor read(const Message& message) {
  const std::string& bytes = message.bytes();
  return read_tensor_proto(std::as_bytes(std::span(bytes.data(), bytes.size())));
}
std::string read_outcome(const Message& message) {
  return test::outcome([&] { read(message); });
}
std::vector<int> bytes_of(const Tensor& tensor) {
  const auto* bytes = static_cast<const unsigned char*>(tensor.data());
  return {bytes, bytes + tensor.bytes()};
}
template <typename T>
std::vector<T> values_of(const Tensor& tensor) {
  return {tensor.values<T>().begin(), tensor.values<T>().end()};
}

TEST(TensorProto, raw_data_is_taken_as_it_is) {
  const Tensor tensor = read(raw_tensor("w", kFloat, {2, 2}, raw<float>({1, 2, 3, 4.5})));
  EXPECT_EQ(tensor.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(tensor), ElementsAre(1, 2, 3, 4.5));
}

TEST(TensorProto, scalars_and_empty_tensors) {
  EXPECT_THAT(values_of<int64_t>(read(tensor_header("s", kInt64, {}).packed(kInt64Data, {-7}))), ElementsAre(-7));
  EXPECT_EQ(read(tensor_header("e", kFloat, {3, 0})).shape(), (Shape{3, 0}));
  EXPECT_EQ(read(tensor_header("e", kString, {0})).elements(), 0);
  EXPECT_EQ(read(raw_tensor("e", kFloat, {0}, "")).bytes(), 0u);
}

TEST(TensorProto, typed_fields_hold_each_type) {
  EXPECT_THAT(values_of<float>(read(tensor_header("", kFloat, {2}).real(kFloatData, 1.5f).real(kFloatData, -2))),
              ElementsAre(1.5f, -2));
  EXPECT_THAT(values_of<float>(read(tensor_header("", kFloat, {2}).text(kFloatData, raw<float>({3, 4})))),
              ElementsAre(3, 4));
  EXPECT_THAT(values_of<double>(read(tensor_header("", kDouble, {1}).text(kDoubleData, raw<double>({0.1})))),
              ElementsAre(0.1));
  EXPECT_THAT(values_of<int8_t>(read(tensor_header("", kInt8, {3}).packed(kInt32Data, {-128, 0, 127}))),
              ElementsAre(-128, 0, 127));
  EXPECT_THAT(values_of<uint8_t>(read(tensor_header("", kUint8, {1}).number(kInt32Data, 255))), ElementsAre(255));
  EXPECT_THAT(values_of<uint16_t>(read(tensor_header("", kUint16, {1}).packed(kInt32Data, {65535}))),
              ElementsAre(65535));
  EXPECT_THAT(values_of<bool>(read(tensor_header("", kBool, {2}).packed(kInt32Data, {1, 0}))),
              ElementsAre(true, false));
  EXPECT_THAT(values_of<uint32_t>(read(tensor_header("", kUint32, {1}).packed(kUint64Data, {4294967295}))),
              ElementsAre(4294967295u));
  EXPECT_THAT(values_of<uint64_t>(read(tensor_header("", kUint64, {1}).packed(kUint64Data, {-1}))),
              ElementsAre(UINT64_MAX));
  EXPECT_EQ(float(values_of<Float16>(read(tensor_header("", kFloat16, {1}).packed(kInt32Data, {0x3c00})))[0]), 1.0f);
  EXPECT_EQ(float(values_of<BFloat16>(read(tensor_header("", kBfloat16, {1}).packed(kInt32Data, {0xc000})))[0]),
            -2.0f);
  EXPECT_THAT(
      values_of<std::string>(read(tensor_header("", kString, {2}).text(kStringData, "a").text(kStringData, ""))),
      ElementsAre("a", ""));
}

TEST(TensorProto, complex_numbers_take_two_floats_each) {
  EXPECT_EQ(read(tensor_header("", kComplex64, {1}).text(kFloatData, raw<float>({1, 2}))).bytes(), 8u);
  EXPECT_EQ(read(tensor_header("", kComplex128, {1}).text(kDoubleData, raw<double>({1, 2}))).bytes(), 16u);
  EXPECT_THAT(read_outcome(tensor_header("c", kComplex64, {2}).text(kFloatData, raw<float>({1, 2}))),
              HasSubstr("has 2 values in float_data, expected 4 for complex64 [2]"));
}

TEST(TensorProto, packed_types_take_bytes_low_bits_first) {
  EXPECT_THAT(bytes_of(read(tensor_header("", kUint4, {3}).packed(kInt32Data, {0x21, 0x03}))),
              ElementsAre(0x21, 0x03));
  EXPECT_THAT(bytes_of(read(tensor_header("", kInt4, {2}).packed(kInt32Data, {0xf8}))), ElementsAre(0xf8));
  EXPECT_THAT(bytes_of(read(tensor_header("", kInt4, {2}).packed(kInt32Data, {-8}))), ElementsAre(0xf8));
  EXPECT_THAT(bytes_of(read(raw_tensor("", kFloat4, {3}, "\x21\x03"))), ElementsAre(0x21, 0x03));
  EXPECT_THAT(bytes_of(read(raw_tensor("", kUint2, {5}, "\x1b\x02"))), ElementsAre(0x1b, 0x02));
  EXPECT_THAT(bytes_of(read(tensor_header("", kInt2, {4}).packed(kInt32Data, {0x1b}))), ElementsAre(0x1b));
  EXPECT_THAT(bytes_of(read(tensor_header("", kFloat8, {2}).packed(kInt32Data, {0x38, 0xb8}))),
              ElementsAre(0x38, 0xb8));
}

TEST(TensorProto, packed_types_with_a_wrong_byte_count_are_refused) {
  EXPECT_EQ(read_outcome(raw_tensor("q", kInt4, {3}, "\x01")),
            "invalid_model: tensor 'q' has 1 bytes of raw_data at byte 0, expected 2 for int4 [3]");
  EXPECT_THAT(read_outcome(raw_tensor("q", kInt2, {5}, "\x01")), HasSubstr("expected 2 for int2 [5]"));
  EXPECT_THAT(read_outcome(tensor_header("q", kUint4, {3}).packed(kInt32Data, {1, 2, 3})),
              HasSubstr("has 3 values in int32_data, expected 2 for uint4 [3]"));
}

TEST(TensorProto, raw_data_of_a_wrong_size_is_refused) {
  EXPECT_THAT(read_outcome(raw_tensor("w", kFloat, {2}, raw<float>({1}))),
              HasSubstr("tensor 'w' has 4 bytes of raw_data at byte 0, expected 8 for float32 [2]"));
  EXPECT_THAT(read_outcome(raw_tensor("w", kFloat, {1}, raw<float>({1, 2}))), HasSubstr("8 bytes"));
  EXPECT_THAT(read_outcome(tensor_header("w", kFloat, {1})), HasSubstr("has 0 bytes of raw_data"));
}

TEST(TensorProto, data_in_two_places_is_refused) {
  EXPECT_EQ(read_outcome(raw_tensor("w", kFloat, {1}, raw<float>({1})).real(kFloatData, 1)),
            "invalid_model: tensor 'w' has data in several places: raw_data float_data");
  EXPECT_THAT(read_outcome(tensor_header("w", kInt64, {1}).number(kInt64Data, 1).number(kInt32Data, 1)),
              HasSubstr("data lies in both int64_data and int32_data"));
  EXPECT_THAT(read_outcome(test::external_tensor("w", kFloat, {1}, {{"location", "f"}}).text(9, raw<float>({1}))),
              HasSubstr("raw_data no field external_data"));
}

TEST(TensorProto, data_in_the_wrong_field_is_refused) {
  EXPECT_EQ(read_outcome(tensor_header("w", kInt64, {1}).real(kFloatData, 1)),
            "invalid_model: tensor 'w' of type int64 has its data in float_data, expected int64_data or raw_data");
  EXPECT_THAT(read_outcome(raw_tensor("s", kString, {1}, "abc")),
              HasSubstr("tensor 's' of type string and shape [1] has no string_data"));
}

TEST(TensorProto, values_that_do_not_fit_are_refused) {
  EXPECT_EQ(read_outcome(tensor_header("w", kUint8, {1}).packed(kInt32Data, {256})),
            "invalid_model: tensor 'w' has the value 256 in int32_data, which does not fit uint8");
  EXPECT_THAT(read_outcome(tensor_header("w", kBool, {1}).packed(kInt32Data, {2})), HasSubstr("does not fit bool"));
  EXPECT_THAT(read_outcome(raw_tensor("w", kBool, {2}, std::string_view("\x01\x02", 2))),
              HasSubstr("has the byte 2 at element 1, expected 0 or 1"));
}

TEST(TensorProto, unknown_types_are_refused) {
  EXPECT_EQ(read_outcome(raw_tensor("w", 0, {1}, "x")),
            "invalid_model: tensor 'w' has data type 0, expected a code from 1 to 26");
  EXPECT_THAT(read_outcome(raw_tensor("w", 99, {1}, "x")), HasSubstr("has data type 99"));
  EXPECT_EQ(read_outcome(raw_tensor("w", 27, {1}, "x")), "unsupported: tensor 'w' has 6-bit floats (data type 27)");
}

TEST(TensorProto, shapes_that_no_memory_holds_are_refused_without_allocating) {
  const int64_t before = test::peak_memory();
  EXPECT_EQ(read_outcome(tensor_header("w", kFloat, {int64_t{1} << 40, int64_t{1} << 40})),
            "invalid_model: tensor 'w' of type float32 and shape [1099511627776, 1099511627776] is larger than any "
            "memory");
  EXPECT_THAT(read_outcome(tensor_header("w", kFloat, {int64_t{1} << 32, int64_t{1} << 32})),
              HasSubstr("any memory"));
  EXPECT_EQ(read_outcome(tensor_header("w", kFloat, {2, -1})),
            "invalid_model: tensor 'w' has the dim -1, expected 0 or more");
  EXPECT_THAT(read_outcome(raw_tensor("w", kFloat, {int64_t{1} << 33}, raw<float>({1}))),
              HasSubstr("has 4 bytes of raw_data at byte 0, expected 34359738368"));
  EXPECT_THAT(read_outcome(tensor_header("w", kInt64, {int64_t{1} << 40}).packed(kInt64Data, {1, 2, 3})),
              HasSubstr("has 3 values in int64_data, expected 1099511627776"));
  EXPECT_EQ(read_outcome(tensor_header("w", kFloat, std::vector<int64_t>(10'000, 1))),
            "unsupported: a tensor at byte 0 has more than 64 dims");
  EXPECT_EQ(read_outcome(Message().packed(1, std::vector<int64_t>(65, 1)).number(2, kFloat)),
            "unsupported: a tensor at byte 0 has more than 64 dims");
  EXPECT_LT(test::peak_memory() - before, 64 << 20);
}

TEST(TensorProto, external_data_is_refused_without_a_directory) {
  EXPECT_THAT(read_outcome(test::external_tensor("w", kFloat, {1}, {{"location", "f"}})),
              HasSubstr("invalid_model: tensor 'w' lies in the file 'f', and the model was given as bytes"));
}

TEST(TensorProto, segments_and_unknown_locations_are_refused) {
  EXPECT_THAT(read_outcome(raw_tensor("w", kFloat, {1}, raw<float>({1})).add(3, Message())),
              HasSubstr("is a segment"));
  EXPECT_THAT(read_outcome(raw_tensor("w", kFloat, {1}, raw<float>({1})).number(14, 2)),
              HasSubstr("has data_location 2, expected 0 or 1"));
}

// Sparse tensors are read as initializers.
std::string sparse_outcome(const Message& sparse) {
  return test::load_outcome(test::model(
      test::TestGraph{.inputs = {test::value("x")}, .outputs = {test::value("x")}, .sparse_initializers = {sparse}}));
}
Message indices(const std::vector<int64_t>& numbers, const std::vector<int64_t>& dims) {
  return tensor_header("", kInt64, dims).packed(kInt64Data, numbers);
}
Message two_values() {
  return raw_tensor("w", kFloat, {2}, raw<float>({5, 6}));
}

TEST(SparseTensor, becomes_dense) {
  for (const Message& places : {indices({1, 5}, {2}), indices({0, 1, 1, 2}, {2, 2})}) {
    const Model model = test::load(
        test::model(test::TestGraph{.inputs = {test::value("x")},
                                    .outputs = {test::value("x")},
                                    .sparse_initializers = {test::sparse_tensor(two_values(), places, {2, 3})}}));
    const Tensor& dense = model.graph.value(model.graph.find_value("w")).constant;
    EXPECT_EQ(dense.shape(), (Shape{2, 3}));
    EXPECT_THAT(values_of<float>(dense), ElementsAre(0, 5, 0, 0, 0, 6));
  }
}

TEST(SparseTensor, many_indices_may_lie_at_any_place) {
  constexpr int64_t kCount = 10'000;
  std::string places(kCount * sizeof(int64_t), '\0');
  for (int64_t i = 0; i < kCount; ++i) std::memcpy(places.data() + i * 8, &i, sizeof(i));
  for (size_t padding = 0; padding < 8; ++padding) {
    const Message values = raw_tensor("w" + std::string(padding, '_'), kUint8, {kCount}, std::string(kCount, 'v'));
    EXPECT_EQ(sparse_outcome(test::sparse_tensor(values, raw_tensor("", kInt64, {kCount}, places), {kCount})),
              "loaded");
  }
}

TEST(SparseTensor, bad_indices_are_refused) {
  EXPECT_EQ(sparse_outcome(test::sparse_tensor(two_values(), indices({1, 6}, {2}), {2, 3})),
            "invalid_model: sparse tensor 'w' has an index out of range at value 1, for shape [2, 3]");
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), indices({-1, 2}, {2}), {2, 3})), HasSubstr("range"));
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), indices({0, 1, 0, 3}, {2, 2}), {2, 3})),
              HasSubstr("an index out of range at value 1"));
  EXPECT_EQ(sparse_outcome(test::sparse_tensor(two_values(), indices({4, 1}, {2}), {2, 3})),
            "invalid_model: sparse tensor 'w' has indices that do not ascend at value 1: 1 after 4");
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), indices({4, 4}, {2}), {2, 3})), HasSubstr("ascend"));
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), indices({1, 2, 3}, {3}), {2, 3})),
              HasSubstr("has indices of shape [3], expected [2] or [2, 2]"));
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), two_values(), {2, 3})),
              HasSubstr("has indices of type float32, expected int64"));
  EXPECT_THAT(sparse_outcome(Message().add(1, two_values())), HasSubstr("lacks its values or indices"));
}

TEST(SparseTensor, huge_dense_sizes_are_refused_without_allocating) {
  const int64_t before = test::peak_memory();
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), indices({1, 5}, {2}), {int64_t{1} << 33})),
              HasSubstr("out_of_memory: sparse tensor 'w' of shape [8589934592] takes 34359738368 bytes when made "
                        "dense, and 33"));
  EXPECT_THAT(sparse_outcome(test::sparse_tensor(two_values(), indices({1, 5}, {2}), {int64_t{1} << 62, 4})),
              HasSubstr("larger than any memory"));
  EXPECT_LT(test::peak_memory() - before, 64 << 20);
}

}  // namespace
}  // namespace overt
