#include "ops/narrow.h"

#include <gmock/gmock.h>

#include <cmath>
#include <vector>

namespace overt {
namespace {

using testing::ElementsAre;

std::vector<int> bits_of(DataType type, std::vector<double> numbers, NarrowRounding rounding = {}) {
  std::vector<int> bits;
  for (const double number : numbers) bits.push_back(narrow_bits(type, number, rounding));
  return bits;
}

constexpr NarrowRounding kOverflow{.saturate = false};
const std::vector<double> numbers = {464,  465,  -1e6,  INFINITY, std::nan(""), -std::nan(""),
                                     -0.0, 1e-9, -1e-9, 240,      247.9,        248};

TEST(Narrow, eight_bit_floats_saturate) {
  EXPECT_THAT(bits_of(DataType::float8e4m3fn, numbers),
              ElementsAre(126, 126, 254, 126, 127, 255, 128, 0, 128, 119, 119, 120));
  EXPECT_THAT(bits_of(DataType::float8e4m3fnuz, numbers),
              ElementsAre(127, 127, 255, 127, 128, 128, 0, 0, 0, 127, 127, 127));
  EXPECT_THAT(bits_of(DataType::float8e5m2, numbers),
              ElementsAre(95, 95, 251, 123, 126, 254, 128, 0, 128, 92, 92, 92));
  EXPECT_THAT(bits_of(DataType::float8e5m2fnuz, numbers),
              ElementsAre(99, 99, 255, 127, 128, 128, 0, 0, 0, 96, 96, 96));
}

TEST(Narrow, eight_bit_floats_overflow) {
  EXPECT_THAT(bits_of(DataType::float8e4m3fn, numbers, kOverflow),
              ElementsAre(126, 127, 255, 127, 127, 255, 128, 0, 128, 119, 119, 120));
  EXPECT_THAT(bits_of(DataType::float8e4m3fnuz, numbers, kOverflow),
              ElementsAre(128, 128, 128, 128, 128, 128, 0, 0, 0, 127, 127, 128));
  EXPECT_THAT(bits_of(DataType::float8e5m2, {1e6, 61440, 61439, -INFINITY}, kOverflow),
              ElementsAre(124, 124, 123, 252));
  EXPECT_THAT(bits_of(DataType::float8e5m2fnuz, {61440, 61439}, kOverflow), ElementsAre(128, 127));
}

TEST(Narrow, each_code_comes_back) {
  for (const DataType type : {DataType::float8e4m3fn, DataType::float8e4m3fnuz, DataType::float8e5m2,
                              DataType::float8e5m2fnuz, DataType::float8e8m0, DataType::float4e2m1, DataType::int4,
                              DataType::uint4, DataType::int2, DataType::uint2}) {
    for (int code = 0; code < 1 << data_type_bits(type); ++code) {
      const float value = narrow_value(type, static_cast<uint8_t>(code));
      if (std::isnan(value)) continue;
      EXPECT_EQ(narrow_bits(type, value, kOverflow), code) << data_type_name(type) << " " << value;
    }
  }
}

TEST(Narrow, values) {
  EXPECT_EQ(narrow_value(DataType::float8e4m3fn, 0x7e), 448.0f);
  EXPECT_EQ(narrow_value(DataType::float8e4m3fn, 0x01), 0x1p-9f);
  EXPECT_EQ(narrow_value(DataType::float8e5m2, 0xfc), -INFINITY);
  EXPECT_EQ(narrow_value(DataType::float8e5m2fnuz, 0x7f), 57344.0f);
  EXPECT_TRUE(std::isnan(narrow_value(DataType::float8e4m3fnuz, 0x80)));
  EXPECT_EQ(narrow_value(DataType::float8e8m0, 0), 0x1p-127f);
  EXPECT_EQ(narrow_value(DataType::int4, 0x8), -8.0f);
  EXPECT_EQ(narrow_value(DataType::int2, 0x3), -1.0f);
}

TEST(Narrow, four_bit_floats) {
  EXPECT_THAT(
      bits_of(DataType::float4e2m1, {0.48, 0.25, 1.05, -3.5, -8, 9, 1e-7, std::nan(""), -INFINITY, -0.0, 0.75, 5}),
      ElementsAre(1, 0, 2, 14, 15, 7, 0, 8, 15, 8, 2, 6));
}

TEST(Narrow, integers_keep_the_low_bits) {
  EXPECT_THAT(bits_of(DataType::int4, {-9, 8, 15, -1.7, std::nan("")}), ElementsAre(7, 8, 15, 15, 0));
  EXPECT_THAT(bits_of(DataType::uint2, {-3, 3.9, 4}), ElementsAre(1, 3, 0));
}

TEST(Narrow, powers_of_two) {
  EXPECT_THAT(bits_of(DataType::float8e8m0, {0, 0.124, 0.25, 1.1, 2, INFINITY, std::nan(""), 3e38}),
              ElementsAre(0, 124, 125, 128, 128, 254, 255, 254));
  EXPECT_THAT(bits_of(DataType::float8e8m0, {1.1, 1.5, 1.6}, {true, PowerRounding::nearest}),
              ElementsAre(127, 128, 128));
  EXPECT_THAT(bits_of(DataType::float8e8m0, {1.1, 1.9}, {true, PowerRounding::down}), ElementsAre(127, 127));
  EXPECT_THAT(bits_of(DataType::float8e8m0, {INFINITY, 3e38}, kOverflow), ElementsAre(255, 255));
}

TEST(Narrow, elements_share_bytes_from_the_low_bits_up) {
  uint8_t bytes[2] = {0, 0xf0};
  write_narrow(DataType::int4, bytes, 0, 0x3);
  write_narrow(DataType::int4, bytes, 1, 0xa);
  write_narrow(DataType::int4, bytes, 2, 0x7);
  EXPECT_EQ(bytes[0], 0xa3);
  EXPECT_EQ(bytes[1], 0xf7);
  EXPECT_EQ(read_narrow(DataType::int4, bytes, 1), 0xa);
  EXPECT_EQ(read_narrow(DataType::uint2, bytes, 1), 0x0);
  EXPECT_EQ(read_narrow(DataType::uint2, bytes, 3), 0x2);
}

}  // namespace
}  // namespace overt
