#include "graph/dim.h"

#include <gtest/gtest.h>

#include "overt/error.h"

namespace overt {
namespace {

const auto symbol = [](const char* name) { return Dim::symbol(name); };

TEST(Dim, sums_and_products_are_canonical) {
  const Dim n = symbol("N");
  const Dim m = symbol("M");
  EXPECT_EQ((n * 2 + 1).to_string(), "2*N + 1");
  EXPECT_EQ(n * 2, n + n);
  EXPECT_EQ((n + m) * (n - m), n * n - m * m);
  EXPECT_EQ(n - n, Dim(0));
  EXPECT_TRUE((n - n).is_number());
  EXPECT_EQ((m * n).to_string(), "M*N");
  EXPECT_EQ((Dim(0) - n * 3 - 2).to_string(), "-3*N - 2");
  EXPECT_NE(n, m);
  EXPECT_NE(n, Dim(1));
}

TEST(Dim, division_is_exact_where_the_divisor_is_a_factor) {
  const Dim n = symbol("N");
  const Dim m = symbol("M");
  EXPECT_EQ(exact_div(n * 10, 10), n);
  EXPECT_EQ(exact_div(n * m * 6, m * 2), n * 3);
  EXPECT_EQ(exact_div(n * n - m * m, n + m), n - m);
  EXPECT_EQ(exact_div(n * 10 + 1, 10), std::nullopt);
  EXPECT_EQ(exact_div(n, m), std::nullopt);
  EXPECT_EQ(exact_div(Dim(12), 4), Dim(3));
  EXPECT_EQ(exact_div(n, 0), std::nullopt);
  EXPECT_EQ(floor_div(n * 10, 10), n);
}

TEST(Dim, floor_division_has_one_form) {
  const Dim h = symbol("H");
  EXPECT_EQ(floor_div(h + 3, 2), floor_div(h + 1, 2) + 1);
  EXPECT_EQ(floor_div(h + 1, 2).to_string(), "(H + 1)/2");
  EXPECT_EQ(floor_div(h - 1, 2) + 1, floor_div(h + 1, 2));
  EXPECT_EQ(floor_div(h * 2 + 1, 4), floor_div(h, 2));
  EXPECT_EQ(floor_div(floor_div(h, 2), 4), floor_div(h, 8));
  EXPECT_EQ(floor_div(floor_div(h + 1, 2) + 1, 2), floor_div(h + 3, 4));
  EXPECT_EQ((floor_div(h, 2) * 2 + 1).to_string(), "2*(H/2) + 1");
  EXPECT_EQ(floor_div(Dim(-7), 2), Dim(-4));
  EXPECT_EQ(floor_div(Dim(7), -2), Dim(-4));
  EXPECT_EQ(ceil_div(h, 2), floor_div(h + 1, 2));
  EXPECT_EQ(modulo(Dim(-7), 3), Dim(2));
  EXPECT_EQ(modulo(h * 4 + 5, 4), Dim(1));
  EXPECT_EQ(modulo(h * 5 + 6, 4).to_string(), "(H + 2)%4");
}

TEST(Dim, division_by_zero_is_the_callers_error) {
  try {
    floor_div(symbol("N"), 0);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::internal);
    EXPECT_STREQ(error.what(), "the length N was divided by 0");
  }
}

TEST(Dim, overflow_gives_an_unknown_that_equals_itself_only) {
  const Dim big = Dim(int64_t{1} << 62);
  const Dim over = big * 4;
  EXPECT_FALSE(over.is_number());
  EXPECT_EQ(over, big * 4);
  EXPECT_NE(over, big * 8);
  EXPECT_EQ(over.evaluate({}), std::nullopt);
  EXPECT_FALSE((Dim(INT64_MAX) + 1).is_number());
  EXPECT_FALSE((Dim(0) - Dim(INT64_MIN)).is_number());
  EXPECT_EQ(less(over, 0), std::nullopt);
  EXPECT_EQ(over * 0, Dim(0));
  EXPECT_FALSE(floor_div(Dim(INT64_MIN), -1).is_number());
}

TEST(Dim, evaluates_with_values_for_the_symbols) {
  const Dim h = symbol("H");
  const Dim n = symbol("N");
  const std::vector<std::pair<std::string, int64_t>> values = {{"H", 5}, {"N", 3}};
  EXPECT_EQ((floor_div(h + 3, 2) * n + 1).evaluate(values), 13);
  EXPECT_EQ(minimum(h, n).evaluate(values), 3);
  EXPECT_EQ(maximum(h, n).evaluate(values), 5);
  EXPECT_EQ(floor_div(h, n - 3).evaluate(values), std::nullopt);
  EXPECT_EQ((h + symbol("W")).evaluate(values), std::nullopt);
  EXPECT_EQ((h * INT64_MAX).evaluate(values), std::nullopt);
}

TEST(Dim, order_is_known_where_it_does_not_depend_on_the_symbols) {
  const Dim n = symbol("N");
  const Dim m = symbol("M");
  EXPECT_EQ(less(0, n), true);
  EXPECT_EQ(less(n, 1), false);
  EXPECT_EQ(less(n, n + 1), true);
  EXPECT_EQ(less(n, n), false);
  EXPECT_EQ(less(n, 2), std::nullopt);
  EXPECT_EQ(less(n, m), std::nullopt);
  EXPECT_EQ(less(n * m, n), false);
  EXPECT_EQ(less(symbol("?x"), 0), false);
  EXPECT_EQ(less(0, symbol("?x")), std::nullopt);
  EXPECT_EQ(less(floor_div(n, 2), 0), false);
  EXPECT_EQ(less(modulo(n, 4), 4), true);
  EXPECT_EQ(less(minimum(n, 7), 8), true);
}

TEST(Dim, minimum_and_maximum_choose_where_they_can) {
  const Dim n = symbol("N");
  EXPECT_EQ(minimum(n, n + 2), n);
  EXPECT_EQ(maximum(n, 1), n);
  EXPECT_EQ(minimum(n, 1), Dim(1));
  EXPECT_EQ(minimum(n, 5).to_string(), "min(5, N)");
  EXPECT_EQ(minimum(5, n), minimum(n, 5));
}

TEST(Dim, names_that_look_like_expressions_stay_names) {
  EXPECT_NE(symbol("H/2"), floor_div(symbol("H"), 2));
  EXPECT_EQ(symbol("H/2").to_string(), "'H/2'");
  EXPECT_EQ(symbol("batch size").symbols(), std::vector<std::string>{"batch size"});
}

TEST(Dim, symbols_are_listed_once) {
  const Dim dim = floor_div(symbol("W") + symbol("H"), 3) * symbol("W");
  EXPECT_EQ(dim.symbols(), (std::vector<std::string>{"H", "W"}));
}

TEST(Dim, large_expressions_become_unknowns) {
  Dim sum = 0;
  for (int i = 0; i < 200; ++i) sum = sum + Dim::symbol("s" + std::to_string(i));
  EXPECT_LT(sum.to_string().size(), 4096u);
  Dim power = symbol("a") + 1;
  for (int i = 0; i < 100; ++i) power = power * power;
  EXPECT_LT(power.to_string().size(), 4200u);
  Dim nested = symbol("b");
  for (int i = 0; i < 1000; ++i) nested = maximum(nested, symbol("c") * nested - 5);
  EXPECT_LT(nested.to_string().size(), 4200u);
}

TEST(Dim, product_of_dims) {
  const Dims dims = {symbol("N"), 3, 4};
  EXPECT_EQ(product(dims).to_string(), "12*N");
  EXPECT_EQ(to_string(dims), "[N, 3, 4]");
  EXPECT_EQ(product(Dims{int64_t{1} << 62, 4, 0}), Dim(0));
}

}  // namespace
}  // namespace overt
