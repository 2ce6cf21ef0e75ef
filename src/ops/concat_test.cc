#include "ops/concat.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node concat_node(int64_t axis, int inputs) {
  return test_node("Concat", 13, attribute_list(Attribute::of("axis", axis)), inputs);
}

Node split_node(int version, int outputs, std::vector<Attribute> attributes = {}) {
  return test_node("Split", version, std::move(attributes), version >= 13 ? 2 : 1, outputs);
}

TEST(Concat, joins_along_the_axis) {
  const Tensor out = run_node(concat_node(-1, 2), {counted({2, 2}), counted({2, 1})});
  EXPECT_EQ(out.shape(), (Shape{2, 3}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 1, 0, 2, 3, 1));
  EXPECT_THAT(values_of<float>(run_node(concat_node(0, 2), {counted({1, 2}), counted({2, 2})})),
              ElementsAre(0, 1, 0, 1, 2, 3));
  EXPECT_THAT(values_of<float>(run_node(concat_node(0, 3), {counted({1}), counted({0}), counted({2})})),
              ElementsAre(0, 0, 1));
}

TEST(Concat, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  const Dim m = Dim::symbol("M");
  const auto out = infer(concat_node(1, 2), {ValueInfo::tensor(DataType::float32, {n, m}),
                                             ValueInfo::tensor(DataType::float32, {2, 3})});
  EXPECT_EQ(shape_of(out[0]), "[2, M + 3]");
  EXPECT_EQ(contents_of(infer(concat_node(0, 2), {known_vector({n, 1}), int64_list({-1})})[0]), "[N, 1, -1]");
}

TEST(Concat, inputs_must_fit) {
  const auto error = [](Tensor b, int64_t axis) {
    return error_of([&] { run_node(concat_node(axis, 2), {counted({2, 2}), b}); });
  };
  EXPECT_EQ(error(counted({3, 2}), 1),
            "invalid_argument: Concat #-1: axis 0 of input 1 has length 3, expected 2 as in the inputs before it");
  EXPECT_THAT(error(counted({2}), 0), HasSubstr("input 1 has rank 1, expected 2"));
  EXPECT_THAT(error(int64_list({1}), 0), HasSubstr("input 1 is int64, expected float32"));
  EXPECT_THAT(error(counted({2, 2}), 2), HasSubstr("axis 2 is out of range for rank 2"));
  EXPECT_THAT(error_of([] { run_node(test_node("Concat", 13), {counted({1})}); }),
              HasSubstr("attribute axis is missing"));
}

TEST(Split, sizes_are_an_attribute_before_opset_13_and_an_input_later) {
  const auto old =
      evaluate_node(split_node(11, 2, attribute_list(integers("split", {1, 2}))), std::vector{counted({3})});
  EXPECT_THAT(values_of<float>(old[0]), ElementsAre(0));
  EXPECT_THAT(values_of<float>(old[1]), ElementsAre(1, 2));
  const Node node = split_node(13, 2, attribute_list(Attribute::of("axis", int64_t{1})));
  const auto now = evaluate_node(node, std::vector{counted({2, 3}), int64_list({2, 1})});
  EXPECT_THAT(values_of<float>(now[0]), ElementsAre(0, 1, 3, 4));
  EXPECT_THAT(values_of<float>(now[1]), ElementsAre(2, 5));
}

TEST(Split, without_sizes_the_parts_are_equal) {
  const auto out = evaluate_node(split_node(11, 2), std::vector{counted({4})});
  EXPECT_THAT(values_of<float>(out[1]), ElementsAre(2, 3));
  EXPECT_THAT(error_of([] { run_node(split_node(11, 2), {counted({3})}); }),
              HasSubstr("the length 3 cannot be split into 2 equal parts"));
}

TEST(Split, num_outputs_makes_the_last_part_smaller) {
  const Node node = split_node(18, 3, attribute_list(Attribute::of("num_outputs", int64_t{3})));
  const auto out = evaluate_node(node, std::vector{counted({7}), Tensor()});
  EXPECT_THAT(values_of<float>(out[1]), ElementsAre(3, 4, 5));
  EXPECT_THAT(values_of<float>(out[2]), ElementsAre(6));
  const auto symbolic = infer(node, {ValueInfo::tensor(DataType::float32, {Dim::symbol("N")}), ValueInfo{}});
  EXPECT_EQ(shape_of(symbolic[0]), "[(N + 2)/3]");
  EXPECT_EQ(shape_of(symbolic[2]), "[N - 2*((N + 2)/3)]");
  EXPECT_THAT(error_of([&] { run_node(node, {counted({1}), Tensor()}); }), HasSubstr("too short for 3 parts"));
  const Node none = split_node(18, 1, attribute_list(Attribute::of("num_outputs", int64_t{0})));
  EXPECT_THAT(error_of([&] { run_node(none, {counted({1}), Tensor()}); }), HasSubstr("num_outputs is 0"));
}

TEST(Split, an_unwanted_part_is_passed_over) {
  Node node = split_node(13, 2);
  node.outputs[0] = ValueId::none;
  const auto out = evaluate_node(node, std::vector{counted({3}), int64_list({1, 2})});
  EXPECT_TRUE(out[0].empty());
  EXPECT_THAT(values_of<float>(out[1]), ElementsAre(1, 2));
}

TEST(Split, sizes_must_add_up) {
  const auto error = [](std::vector<int64_t> sizes) {
    return error_of([&] { run_node(split_node(13, 2), {counted({3}), int64_list(sizes)}); });
  };
  EXPECT_THAT(error({1, 1}), HasSubstr("split adds up to 2, expected 3"));
  EXPECT_THAT(error({-1, 4}), HasSubstr("split has the size -1"));
  EXPECT_THAT(error({3}), HasSubstr("split has 1 sizes, and the node has 2 outputs"));
}

TEST(Split, contents_stay_known) {
  const Dim n = Dim::symbol("N");
  const auto out = infer(split_node(13, 2), {known_vector({n, 1, 2}), int64_list({2, 1})});
  EXPECT_EQ(contents_of(out[0]), "[N, 1]");
  EXPECT_EQ(contents_of(out[1]), "[2]");
}

}  // namespace
}  // namespace overt
