#include "ops/cast.h"

#include <gmock/gmock.h>

#include <limits>

#include "ops/convert.h"
#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node cast_node(DataType to) {
  return test_node("Cast", 13, attribute_list(Attribute::of("to", static_cast<int64_t>(to))));
}

template <typename T>
Tensor list(std::vector<T> values) {
  return Tensor::of<T>(Shape{static_cast<int64_t>(values.size())}, std::span<const T>(values));
}

Tensor texts(std::vector<std::string> values) {
  return list<std::string>(std::move(values));
}

TEST(Cast, floats_to_integers_are_cut) {
  EXPECT_THAT(values_of<int32_t>(run_node(cast_node(DataType::int32), {list<float>({1.9f, -1.9f})})),
              ElementsAre(1, -1));
  EXPECT_THAT(values_of<uint8_t>(run_node(cast_node(DataType::uint8), {list<float>({255.5f, -1.0f, 256.0f})})),
              ElementsAre(255, 255, 0));
}

TEST(Cast, out_of_range_and_nan_are_defined) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const Tensor input = list<float>({1e30f, -1e30f, nan});
  EXPECT_THAT(values_of<int32_t>(run_node(cast_node(DataType::int32), {input})),
              ElementsAre(INT32_MAX, INT32_MIN, 0));
  EXPECT_THAT(values_of<int64_t>(run_node(cast_node(DataType::int64), {input})),
              ElementsAre(INT64_MAX, INT64_MIN, 0));
  EXPECT_THAT(values_of<uint64_t>(run_node(cast_node(DataType::uint64), {list<double>({1e30, 1e19})})),
              ElementsAre(UINT64_MAX, 10000000000000000000u));
}

TEST(Cast, integers_keep_the_low_bits) {
  EXPECT_THAT(values_of<int8_t>(run_node(cast_node(DataType::int8), {list<int16_t>({200, -1})})),
              ElementsAre(-56, -1));
}

TEST(Cast, bools_are_0_and_1) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_THAT(values_of<bool>(run_node(cast_node(DataType::boolean), {list<float>({0.0f, -0.0f, 0.5f, nan})})),
              ElementsAre(false, false, true, true));
  EXPECT_THAT(values_of<float>(run_node(cast_node(DataType::float32), {Tensor::of<bool>({2}, {true, false})})),
              ElementsAre(1.0f, 0.0f));
}

TEST(Cast, halves_round_once) {
  // Half way between two halves, but for a bit that a float does not hold.
  const double x = 1.0 + 0x1p-11 + 0x1p-40;
  EXPECT_EQ(float(convert<Float16>(x)), 1.0f + 0x1p-10f);
  EXPECT_EQ(float(convert<Float16>(1.0 + 0x1p-11)), 1.0f);
  EXPECT_EQ(convert<Float16>(1e6f).bits, 0x7c00);
  EXPECT_THAT(floats_of<BFloat16>(run_node(cast_node(DataType::bfloat16), {list<float>({1.0f, 3.0f})})),
              ElementsAre(1.0f, 3.0f));
}

TEST(Cast, texts_to_numbers) {
  const Tensor input = texts({"3.14", "1e-5", "+8", "-INF", "nan", "1e999"});
  const std::vector<float> out = values_of<float>(run_node(cast_node(DataType::float32), {input}));
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(out, ElementsAre(3.14f, 1e-5f, 8.0f, -infinity, testing::IsNan(), infinity));
  EXPECT_THAT(values_of<int64_t>(run_node(cast_node(DataType::int64), {texts({"9007199254740993", "100.5"})})),
              ElementsAre(9007199254740993, 100));
  EXPECT_THAT(error_of([] { run_node(cast_node(DataType::float32), {texts({"Hello"})}); }),
              HasSubstr("the text 'Hello' is no number"));
  EXPECT_THAT(error_of([] { run_node(cast_node(DataType::float32), {texts({""})}); }),
              HasSubstr("the text '' is no number"));
}

TEST(Cast, numbers_to_texts) {
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(
      values_of<std::string>(run_node(cast_node(DataType::string), {list<float>({0.1f, 314.15926f, -infinity})})),
      ElementsAre("0.1", "314.15927", "-INF"));
  EXPECT_THAT(values_of<std::string>(run_node(cast_node(DataType::string), {list<int8_t>({-5})})), ElementsAre("-5"));
}

TEST(Cast, contents_stay_known_among_integers) {
  const Dim n = Dim::symbol("N");
  EXPECT_EQ(contents_of(infer(cast_node(DataType::int32), {known_vector({n, 3})})[0]), "[N, 3]");
  EXPECT_EQ(contents_of(infer(cast_node(DataType::boolean), {known_vector({n, 0})})[0]), "[1, 0]");
  EXPECT_EQ(contents_of(infer(cast_node(DataType::int8), {known_vector({200})})[0]), "[-56]");
  EXPECT_EQ(contents_of(infer(cast_node(DataType::float32), {known_vector({n})})[0]), "?");
}

TEST(Cast, the_target_must_be_a_type) {
  EXPECT_THAT(error_of([] { run_node(test_node("Cast", 13), {counted({1})}); }),
              HasSubstr("attribute to is missing"));
  EXPECT_THAT(error_of([] { run_node(cast_node(static_cast<DataType>(99)), {counted({1})}); }),
              HasSubstr("to is 99, which is no element type"));
}

TEST(Cast, narrow_types) {
  const Tensor packed = run_node(cast_node(DataType::int4), {list<float>({-1.0f, 7.0f, 8.0f})});
  EXPECT_EQ(packed.bytes(), 2u);
  EXPECT_EQ(static_cast<const uint8_t*>(packed.data())[0], 0x7f);
  EXPECT_EQ(static_cast<const uint8_t*>(packed.data())[1], 0x08);
  EXPECT_THAT(values_of<int8_t>(run_node(cast_node(DataType::int8), {packed})), ElementsAre(-1, 7, -8));
  const Tensor small =
      run_node(cast_node(DataType::float8e4m3fn), {list<Float16>({Float16(0.4f), Float16(1000.0f)})});
  EXPECT_THAT(values_of<float>(run_node(cast_node(DataType::float32), {small})), ElementsAre(0.40625f, 448.0f));
  EXPECT_THAT(values_of<float>(run_node(cast_node(DataType::float32),
                                        {run_node(cast_node(DataType::uint2), {list<int64_t>({6})})})),
              ElementsAre(2.0f));
}

TEST(CastLike, takes_the_type_of_input_1) {
  const Node node = test_node("CastLike", 15, {}, 2);
  EXPECT_THAT(values_of<int64_t>(run_node(node, {list<float>({2.5f}), int64_list({0, 0})})), ElementsAre(2));
}

}  // namespace
}  // namespace overt
