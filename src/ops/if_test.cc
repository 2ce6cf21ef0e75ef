#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A branch that gives its one captured value as a list of `length` copies.
std::unique_ptr<Graph> copies(int64_t length) {
  auto graph = std::make_unique<Graph>();
  const ValueId input = graph->add_value("captured", ValueInfo{});
  graph->add_input(input);
  graph->captures.push_back({1, input});
  const ValueId shape = graph->add_constant("shape", int64_list({length}));
  const ValueId output = graph->add_value("copies", ValueInfo{});
  Node node;
  node.op = {"", "Expand", 13};
  node.inputs = {input, shape};
  node.outputs = {output};
  graph->add_node(std::move(node));
  graph->add_output(output);
  return graph;
}

Node if_node(int64_t then_length, int64_t else_length) {
  Node node = test_node("If", 16,
                        attribute_list(Attribute::of("then_branch", copies(then_length)),
                                       Attribute::of("else_branch", copies(else_length))),
                        2);
  node.explicit_inputs = 1;
  return node;
}

TEST(If, runs_the_chosen_branch_on_captured_values) {
  const Node node = if_node(2, 3);
  const Tensor value = Tensor::of<float>({1}, {7.0f});
  EXPECT_THAT(values_of<float>(run_node(node, {Tensor::of<bool>({}, {true}), value})), ElementsAre(7, 7));
  EXPECT_THAT(values_of<float>(run_node(node, {Tensor::of<bool>({1}, {false}), value})), ElementsAre(7, 7, 7));
  EXPECT_THAT(error_of([&] {
                run_node(node, {Tensor::of<bool>({2}, {true, true}), value});
              }),
              HasSubstr("the condition has 2 elements, expected 1"));
}

TEST(If, keeps_what_both_branches_agree_on) {
  const ValueInfo condition = ValueInfo::tensor(DataType::boolean, {});
  const ValueInfo value = ValueInfo::tensor(DataType::float32, {1});
  const auto differing = infer(if_node(2, 3), {condition, value});
  EXPECT_EQ(differing[0].rank(), 1);
  EXPECT_FALSE((*differing[0].shape)[0].is_number());
  EXPECT_EQ(shape_of(infer(if_node(2, 2), {condition, value})[0]), "[2]");
  EXPECT_EQ(shape_of(infer(if_node(2, 3), {Tensor::of<bool>({}, {false}), value})[0]), "[3]");
}

TEST(If, needs_both_branches) {
  Node node = if_node(2, 3);
  node.attributes.pop_back();
  EXPECT_THAT(error_of([&] {
                run_node(node, {Tensor::of<bool>({}, {false}), counted({1})});
              }),
              HasSubstr("attribute else_branch is missing"));
}

}  // namespace
}  // namespace overt
