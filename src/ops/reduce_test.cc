#include "ops/reduce.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "ops/test_node.h"

namespace overt {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::IsNan;

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

Node reduction(const char* type, int64_t keepdims = 1, int version = 18) {
  return test_node(type, version, attribute_list(Attribute::of("keepdims", keepdims)), 2);
}

Tensor axes_of(std::initializer_list<int64_t> axes) {
  return Tensor::of<int64_t>({static_cast<int64_t>(axes.size())}, axes);
}

Tensor one_to_twelve() {
  return Tensor::of<float>({3, 2, 2}, {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
}

TEST(Reduce, values_along_the_last_axis) {
  const Tensor x = Tensor::of<float>({2, 2}, {1, -2, 3, 4});
  struct Case {
    const char* type;
    float first, second;
  };
  constexpr Case kCases[] = {
      {"ReduceSum", -1, 7},        {"ReduceMean", -0.5f, 3.5f}, {"ReduceMax", 1, 4},
      {"ReduceMin", -2, 3},        {"ReduceProd", -2, 12},      {"ReduceL1", 3, 7},
      {"ReduceL2", 2.2360680f, 5}, {"ReduceSumSquare", 5, 25},  {"ReduceLogSumExp", 1.0485873f, 4.3132617f},
  };
  for (const Case& one : kCases) {
    const Tensor y = run_node(reduction(one.type, 0), {x, axes_of({-1})});
    EXPECT_EQ(y.shape(), Shape{2}) << one.type;
    EXPECT_THAT(values_of<float>(y), ElementsAre(FloatNear(one.first, 1e-6f), FloatNear(one.second, 1e-6f)))
        << one.type;
  }
  EXPECT_THAT(values_of<float>(run_node(reduction("ReduceLogSum"), {Tensor::of<float>({2}, {2, 3}), axes_of({0})})),
              ElementsAre(FloatNear(1.6094379f, 1e-6f)));
}

TEST(Reduce, axes_in_the_middle_and_apart) {
  const Tensor middle = run_node(reduction("ReduceSum", 0), {one_to_twelve(), axes_of({1})});
  EXPECT_EQ(middle.shape(), (Shape{3, 2}));
  EXPECT_THAT(values_of<float>(middle), ElementsAre(4, 6, 12, 14, 20, 22));
  const Tensor apart = run_node(reduction("ReduceSum"), {one_to_twelve(), axes_of({0, 2})});
  EXPECT_EQ(apart.shape(), (Shape{1, 2, 1}));
  EXPECT_THAT(values_of<float>(apart), ElementsAre(33, 45));
}

TEST(Reduce, no_axes_reduce_all_or_none) {
  const Tensor x = Tensor::of<float>({2}, {-3, 4});
  const Tensor all = run_node(reduction("ReduceSum", 0), {x, axes_of({})});
  EXPECT_EQ(all.shape(), Shape{});
  EXPECT_THAT(values_of<float>(all), ElementsAre(1));
  EXPECT_EQ(run_node(reduction("ReduceSum", 1), {one_to_twelve()}).shape(), (Shape{1, 1, 1}));
  const Node none =
      test_node("ReduceSumSquare", 18, attribute_list(Attribute::of("noop_with_empty_axes", int64_t{1})));
  EXPECT_THAT(values_of<float>(run_node(none, {x})), ElementsAre(9, 16));
}

TEST(Reduce, axes_are_an_attribute_in_older_opsets) {
  const auto attributes = [] {
    return attribute_list(Attribute::of("axes", std::vector<int64_t>{-1}), Attribute::of("keepdims", int64_t{0}));
  };
  const Tensor x = Tensor::of<float>({2, 2}, {1, 2, 3, 4});
  EXPECT_THAT(values_of<float>(run_node(test_node("ReduceMean", 13, attributes()), {x})), ElementsAre(1.5f, 3.5f));
  EXPECT_THAT(values_of<float>(run_node(test_node("ReduceSum", 11, attributes()), {x})), ElementsAre(3, 7));
  EXPECT_EQ(*infer(test_node("ReduceMean", 13, attributes()), {x})[0].shape, Dims{Dim(2)});
}

TEST(Reduce, nothing_reduced_gives_the_neutral_element) {
  const Tensor x(DataType::float32, {2, 0});
  const auto run = [&](const char* type) { return values_of<float>(run_node(reduction(type), {x, axes_of({1})})); };
  EXPECT_THAT(run("ReduceSum"), ElementsAre(0, 0));
  EXPECT_THAT(run("ReduceProd"), ElementsAre(1, 1));
  EXPECT_THAT(run("ReduceMax"), ElementsAre(-kInfinity, -kInfinity));
  EXPECT_THAT(run("ReduceMin"), ElementsAre(kInfinity, kInfinity));
  EXPECT_THAT(run("ReduceMean"), ElementsAre(IsNan(), IsNan()));
  EXPECT_THAT(run("ReduceLogSum"), ElementsAre(-kInfinity, -kInfinity));
  EXPECT_THAT(run("ReduceLogSumExp"), ElementsAre(-kInfinity, -kInfinity));
  EXPECT_THAT(run("ReduceL2"), ElementsAre(0, 0));
  EXPECT_EQ(run_node(reduction("ReduceSum"), {x, axes_of({0})}).shape(), (Shape{1, 0}));
  const Tensor integers(DataType::int32, {0});
  EXPECT_THAT(values_of<int32_t>(run_node(reduction("ReduceMax"), {integers, axes_of({0})})), ElementsAre(INT32_MIN));
  EXPECT_THAT(values_of<int32_t>(run_node(reduction("ReduceMean"), {integers, axes_of({0})})), ElementsAre(0));
  const Tensor truths(DataType::boolean, {0});
  EXPECT_THAT(values_of<bool>(run_node(reduction("ReduceMax", 1, 20), {truths, axes_of({0})})), ElementsAre(false));
  EXPECT_THAT(values_of<bool>(run_node(reduction("ReduceMin", 1, 20), {truths, axes_of({0})})), ElementsAre(true));
}

TEST(Reduce, integers_wrap_and_means_truncate) {
  const Tensor big = Tensor::of<int32_t>({2}, {INT32_MAX, 1});
  EXPECT_THAT(values_of<int32_t>(run_node(reduction("ReduceSum"), {big, axes_of({0})})), ElementsAre(INT32_MIN));
  EXPECT_THAT(
      values_of<int64_t>(run_node(reduction("ReduceMean"), {Tensor::of<int64_t>({2}, {-4, -3}), axes_of({0})})),
      ElementsAre(-3));
  EXPECT_THAT(values_of<uint32_t>(run_node(reduction("ReduceL1"), {Tensor::of<uint32_t>({2}, {4, 3}), axes_of({0})})),
              ElementsAre(7));
  EXPECT_THAT(values_of<int64_t>(run_node(reduction("ReduceL1"), {Tensor::of<int64_t>({2}, {-4, 3}), axes_of({0})})),
              ElementsAre(7));
}

TEST(Reduce, bools_and_bytes_of_max_and_min) {
  const Tensor truths = Tensor::of<bool>({2, 2}, {true, false, false, false});
  EXPECT_THAT(values_of<bool>(run_node(reduction("ReduceMax", 0, 20), {truths, axes_of({1})})),
              ElementsAre(true, false));
  EXPECT_THAT(values_of<int8_t>(run_node(reduction("ReduceMin"), {Tensor::of<int8_t>({2}, {-128, 3}), axes_of({0})})),
              ElementsAre(-128));
}

TEST(Reduce, long_sums_of_floats_do_not_lose_digits) {
  const std::vector<float> tenths(100000, 0.1f);
  const Tensor x = Tensor::of<float>({100000}, std::span<const float>(tenths));
  EXPECT_FLOAT_EQ(run_node(reduction("ReduceSum"), {x, axes_of({0})}).values<float>()[0], 10000.0f);
  const std::vector<Float16> halves(4096, Float16(1.0f));
  const Tensor h = Tensor::of<Float16>({4096}, std::span<const Float16>(halves));
  EXPECT_THAT(floats_of<Float16>(run_node(reduction("ReduceSum"), {h, axes_of({0})})), ElementsAre(4096));
}

TEST(Reduce, nan_and_infinity) {
  const Tensor x = Tensor::of<float>({3, 2}, {1, kNan, kInfinity, 1, -kInfinity, -kInfinity});
  const auto run = [&](const char* type) { return values_of<float>(run_node(reduction(type), {x, axes_of({1})})); };
  EXPECT_THAT(run("ReduceMax"), ElementsAre(IsNan(), kInfinity, -kInfinity));
  EXPECT_THAT(run("ReduceMin"), ElementsAre(IsNan(), 1, -kInfinity));
  EXPECT_THAT(run("ReduceLogSumExp"), ElementsAre(IsNan(), kInfinity, -kInfinity));
  const Tensor large = Tensor::of<float>({2}, {1000, 1000});
  EXPECT_THAT(values_of<float>(run_node(reduction("ReduceLogSumExp"), {large, axes_of({0})})),
              ElementsAre(FloatNear(1000.6931f, 1e-3f)));
}

TEST(Reduce, wrong_axes_are_rejected) {
  const Tensor x = one_to_twelve();
  const Node node = reduction("ReduceSum");
  EXPECT_THAT(message_of([&] {
                infer(node, {x, axes_of({3})});
              }),
              HasSubstr("axis 3 is out of range for an input of rank 3, expected -3 to 2"));
  EXPECT_THAT(message_of([&] { infer(node, {x, axes_of({1, -2})}); }), HasSubstr("axis -2 is named twice in axes"));
  EXPECT_THAT(message_of([&] { run_node(node, {x, axes_of({-4})}); }), HasSubstr("axis -4 is out of range"));
}

TEST(Reduce, inference_over_symbols) {
  const Dim n = Dim::symbol("N");
  const ValueInfo x = ValueInfo::tensor(DataType::float32, {n, Dim(3), Dim(4)});
  EXPECT_EQ(*infer(reduction("ReduceMean"), {x, axes_of({-1})})[0].shape, (Dims{n, Dim(3), Dim(1)}));
  EXPECT_EQ(*infer(reduction("ReduceMean", 0), {x, axes_of({1, 2})})[0].shape, Dims{n});
  const ValueInfo unknown_axes = ValueInfo::tensor(DataType::int64, {Dim(2)});
  EXPECT_EQ(infer(reduction("ReduceMean"), {x, unknown_axes})[0].rank(), 3);
  EXPECT_EQ(infer(reduction("ReduceMean", 0), {x, unknown_axes})[0].rank(), 1);
}

TEST(Reduce, contents_are_tracked) {
  const Dim n = Dim::symbol("N");
  const ValueInfo x = known_vector({n, Dim(3), Dim(4)});
  const auto elements = [&](const char* type) { return infer(reduction(type, 0), {x, axes_of({0})})[0].elements; };
  EXPECT_EQ(elements("ReduceProd"), Dims{Dim(12) * n});
  EXPECT_EQ(elements("ReduceSum"), Dims{n + Dim(7)});
  EXPECT_EQ(elements("ReduceMean"), std::nullopt);
  const Tensor matrix = Tensor::of<int64_t>({2, 2}, {1, 5, 7, 2});
  EXPECT_EQ(infer(reduction("ReduceMax"), {matrix, axes_of({0})})[0].elements, (Dims{Dim(7), Dim(5)}));
  EXPECT_EQ(infer(reduction("ReduceMin"), {matrix, axes_of({1})})[0].elements, (Dims{Dim(1), Dim(2)}));
  EXPECT_EQ(infer(reduction("ReduceProd", 0), {known_vector({}), axes_of({0})})[0].elements, Dims{Dim(1)});
  ValueInfo wide = ValueInfo::tensor(DataType::int64, {Dim(int64_t{1} << 40), Dim(0)});
  wide.elements = Dims{};
  EXPECT_EQ(infer(reduction("ReduceSum"), {wide, axes_of({1})})[0].elements, std::nullopt);
}

}  // namespace
}  // namespace overt
