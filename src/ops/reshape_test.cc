#include "ops/reshape.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::StartsWith;

const auto symbol = [](const char* name) { return Dim::symbol(name); };

Node reshape_node(int64_t allow_zero = 0) {
  return test_node("Reshape", 14, attribute_list(Attribute::of("allowzero", allow_zero)), 2);
}

std::string reshaped(Dims dims, Dims target) {
  return shape_of(infer(reshape_node(),
                        {ValueInfo::tensor(DataType::float32, std::move(dims)), known_vector(std::move(target))})[0]);
}

TEST(Reshape, minus_one_is_solved_over_symbols) {
  const Dim n = symbol("N");
  const Dim s = symbol("S");
  EXPECT_EQ(reshaped({n, 3, 8, 8}, {0, -1}), "[N, 192]");
  EXPECT_EQ(reshaped({n * 10}, {-1, 10}), "[N, 10]");
  EXPECT_EQ(reshaped({n, s, 64}, {0, 0, 4, 16}), "[N, S, 4, 16]");
  EXPECT_EQ(reshaped({n, s, 64}, {-1, 64}), "[N*S, 64]");
  EXPECT_EQ(reshaped({n, s, 64}, {n, -1}), "[N, 64*S]");
  EXPECT_EQ(reshaped({n, 7}, {-1, 2}), "[3*N + (N/2), 2]");
}

TEST(Reshape, unknown_target_contents_keep_the_rank) {
  const std::vector<ValueInfo> out = infer(
      reshape_node(), {ValueInfo::tensor(DataType::float32, {symbol("N")}), ValueInfo::tensor(DataType::int64, {3})});
  EXPECT_EQ(out[0].rank(), 3);
  EXPECT_EQ(out[0].type, DataType::float32);
}

TEST(Reshape, gives_the_elements_under_the_new_shape) {
  const Tensor out = run_node(reshape_node(), {counted({2, 3}), int64_list({3, -1})});
  EXPECT_EQ(out.shape(), (Shape{3, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 1, 2, 3, 4, 5));
}

TEST(Reshape, zero_is_a_length_where_allowzero_is_set) {
  EXPECT_EQ(run_node(reshape_node(1), {counted({0, 3}), int64_list({3, 0})}).shape(), (Shape{3, 0}));
  EXPECT_EQ(run_node(reshape_node(0), {counted({0, 3}), int64_list({0, 3})}).shape(), (Shape{0, 3}));
}

TEST(Reshape, strings_and_packed_types_are_moved_whole) {
  const Tensor text = Tensor::of<std::string>({2}, {std::string("a"), std::string(100, 'b')});
  EXPECT_THAT(values_of<std::string>(run_node(reshape_node(), {text, int64_list({2, 1})})),
              ElementsAre("a", std::string(100, 'b')));
  Tensor packed(DataType::int4, {3});
  static_cast<uint8_t*>(packed.mutable_data())[1] = 5;
  const Tensor out = run_node(reshape_node(), {packed, int64_list({1, 3})});
  EXPECT_EQ(out.bytes(), 2u);
  EXPECT_EQ(static_cast<const uint8_t*>(out.data())[1], 5);
}

TEST(Reshape, hostile_shapes_are_refused) {
  const auto error = [](Shape shape, std::vector<int64_t> target, int64_t allow_zero = 0) {
    return error_of([&] { run_node(reshape_node(allow_zero), {counted(shape), int64_list(target)}); });
  };
  EXPECT_EQ(error({2, 3}, {-1, -1}), "invalid_argument: Reshape #-1: the shape [-1, -1] has more than one -1");
  EXPECT_THAT(error({2, 3}, {4, -1}),
              HasSubstr("the input of shape [2, 3] cannot be divided into rows of 4 elements"));
  EXPECT_THAT(error({2, 3}, {5}), HasSubstr("the input of shape [2, 3] has 6 elements, and the shape [5] has 5"));
  EXPECT_THAT(error({2, 3}, {-2}), HasSubstr("has a length below -1"));
  EXPECT_THAT(error({2, 3}, {6, 1, 0}), HasSubstr("copies a dim of the input, and the input has rank 2"));
  EXPECT_THAT(error({0, 3}, {0, -1}), HasSubstr("-1 in the shape has no single meaning"));
  EXPECT_THAT(error({0, 3}, {0, -1}, 1), HasSubstr("has both 0 and -1"));
  EXPECT_THAT(error({2}, {int64_t{1} << 62, int64_t{1} << 62}), StartsWith("invalid_argument: "));
  const auto constant = [] { infer(reshape_node(), {counted({2, 3}), int64_list({-1, -1})}); };
  EXPECT_THAT(error_of(constant), StartsWith("invalid_model: "));
}

TEST(Reshape, contents_stay_known) {
  const auto out = infer(reshape_node(), {known_vector({symbol("N"), 2}), known_vector({2, 1})});
  EXPECT_EQ(contents_of(out[0]), "[N, 2]");
}

TEST(Flatten, axis_splits_the_dims) {
  const auto flat = [](int64_t axis) {
    const Node node = test_node("Flatten", 13, attribute_list(Attribute::of("axis", axis)));
    return shape_of(infer(node, {ValueInfo::tensor(DataType::float32, {symbol("N"), 3, 4})})[0]);
  };
  EXPECT_EQ(flat(0), "[1, 12*N]");
  EXPECT_EQ(flat(1), "[N, 12]");
  EXPECT_EQ(flat(-1), "[3*N, 4]");
  EXPECT_EQ(flat(3), "[12*N, 1]");
  EXPECT_THAT(error_of([&] { flat(4); }), HasSubstr("axis 4 is out of range for rank 3, expected -3 to 3"));
}

TEST(Flatten, gives_the_elements) {
  const Tensor out = run_node(test_node("Flatten", 9), {counted({2, 2, 1})});
  EXPECT_EQ(out.shape(), (Shape{2, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 1, 2, 3));
}

TEST(Squeeze, axes_are_an_attribute_before_opset_13_and_an_input_later) {
  const Node old = test_node("Squeeze", 11, attribute_list(integers("axes", {0, -1})));
  EXPECT_EQ(run_node(old, {counted({1, 3, 1})}).shape(), (Shape{3}));
  const Node now = test_node("Squeeze", 13, {}, 2);
  EXPECT_EQ(run_node(now, {counted({1, 3, 1}), int64_list({2})}).shape(), (Shape{1, 3}));
  EXPECT_EQ(run_node(now, {counted({1, 3, 1}), Tensor()}).shape(), (Shape{3}));
}

TEST(Squeeze, without_axes_the_rank_of_a_symbolic_shape_is_not_known) {
  const Node node = test_node("Squeeze", 13);
  EXPECT_EQ(shape_of(infer(node, {ValueInfo::tensor(DataType::float32, {symbol("N"), 1})})[0]), "?");
  const Node with_axes = test_node("Squeeze", 13, {}, 2);
  const ValueInfo input = ValueInfo::tensor(DataType::float32, {symbol("N"), 1});
  EXPECT_EQ(shape_of(infer(with_axes, {input, int64_list({1})})[0]), "[N]");
}

TEST(Squeeze, refuses_other_lengths_and_repeats) {
  const Node node = test_node("Squeeze", 13, {}, 2);
  const auto error = [&](std::vector<int64_t> axes) {
    return error_of([&] { run_node(node, {counted({1, 3}), int64_list(axes)}); });
  };
  EXPECT_THAT(error({1}), HasSubstr("axis 1 of length 3 cannot be taken out"));
  EXPECT_THAT(error({0, -2}), HasSubstr("axis -2 is named twice"));
  EXPECT_THAT(error({2}), HasSubstr("axes entry 2 is out of range for rank 2"));
}

TEST(Unsqueeze, axes_are_positions_in_the_result) {
  const Node node = test_node("Unsqueeze", 13, {}, 2);
  EXPECT_EQ(run_node(node, {counted({2, 3}), int64_list({0, -1})}).shape(), (Shape{1, 2, 3, 1}));
  const Node old = test_node("Unsqueeze", 11, attribute_list(integers("axes", {1})));
  EXPECT_EQ(shape_of(infer(old, {ValueInfo::tensor(DataType::float32, {symbol("N"), 2})})[0]), "[N, 1, 2]");
  EXPECT_EQ(contents_of(infer(node, {ValueInfo{DataType::int64, Dims{}, Dims{symbol("N")}}, int64_list({0})})[0]),
            "[N]");
  EXPECT_THAT(error_of([&] {
                run_node(node, {counted({2}), int64_list({3})});
              }),
              HasSubstr("out of range for rank 2"));
}

TEST(Identity, keeps_everything_that_is_known) {
  const auto out = infer(test_node("Identity", 16), {known_vector({symbol("N"), 1})});
  EXPECT_EQ(contents_of(out[0]), "[N, 1]");
  EXPECT_THAT(values_of<float>(run_node(test_node("Identity", 16), {counted({2})})), ElementsAre(0, 1));
}

}  // namespace
}  // namespace overt
