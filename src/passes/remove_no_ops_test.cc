#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

/// What is left of `Relu(op(x))` where the op reads x of [2, 3] first.
template <typename MakeOp>
std::vector<std::string> left_after(MakeOp&& make_op) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3});
  b.output(b.op("Relu-14", {make_op(b, x)}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &remove_no_ops);
  expect_same_results(before, graph, 0.0);
  return ops_of(graph);
}

TEST(RemoveNoOps, operators_that_give_what_they_are_given_go) {
  const auto only_relu = ElementsAre("Relu");
  const auto check = [&](auto&& make_op) { EXPECT_THAT(left_after(make_op), only_relu); };
  check([](auto& b, ValueId x) { return b.op("Identity-16", {x}); });
  check([](auto& b, ValueId x) { return b.op("Cast-13", {x}, attr("to", 1)); });
  check([](auto& b, ValueId x) { return b.op("Transpose-13", {x}, attr("perm", {0, 1})); });
  check([](auto& b, ValueId x) { return b.op("Reshape-14", {x, b.ints({-1, 3})}); });
  check([](auto& b, ValueId x) { return b.op("Flatten-13", {x}, attr("axis", 1)); });
  check([](auto& b, ValueId x) { return b.op("Expand-13", {x, b.ints({1, 3})}); });
  check([](auto& b, ValueId x) { return b.op("Tile-13", {x, b.ints({1, 1})}); });
  check([](auto& b, ValueId x) { return b.op("Concat-13", {x}, attr("axis", 0)); });
  check([](auto& b, ValueId x) { return b.op("Sum-13", {x}); });
  check([](auto& b, ValueId x) { return b.op("Mul-14", {b.scalar(1.0f), x}); });
  check([](auto& b, ValueId x) { return b.op("Div-14", {x, b.floats({3}, {1, 1, 1})}); });
  check([](auto& b, ValueId x) { return b.op("Sub-14", {x, b.scalar(0.0f)}); });
  check([](auto& b, ValueId x) { return b.op("Add-14", {x, b.scalar(-0.0f)}); });
}

TEST(RemoveNoOps, slice_and_pad_that_change_nothing_go) {
  EXPECT_THAT(left_after([](auto& b, ValueId x) {
                return b.op("Slice-13", {x, b.ints({0}), b.ints({99}), b.ints({1}), b.ints({1})});
              }),
              ElementsAre("Relu"));
  EXPECT_THAT(left_after([](auto& b, ValueId x) {
                return b.op("Pad-13", {x, b.ints({0, 0, 0, 0})});
              }),
              ElementsAre("Relu"));
}

TEST(RemoveNoOps, operators_that_change_something_stay) {
  const auto check = [](std::string_view op, auto&& make_op) {
    EXPECT_THAT(left_after(make_op), ElementsAre(std::string(op), "Relu"));
  };
  check("Add", [](auto& b, ValueId x) { return b.op("Add-14", {x, b.scalar(0.0f)}); });  // -0.0 + 0.0 is 0.0
  check("Mul", [](auto& b, ValueId x) { return b.op("Mul-14", {x, b.floats({1, 1, 1}, {1})}); });
  check("Sub", [](auto& b, ValueId x) { return b.op("Sub-14", {b.scalar(0.0f), x}); });
  check("Div", [](auto& b, ValueId x) { return b.op("Div-14", {x, b.floats({3}, {1, 2, 1})}); });
  check("Transpose", [](auto& b, ValueId x) { return b.op("Transpose-13", {x}); });
  check("Cast", [](auto& b, ValueId x) { return b.op("Cast-13", {x}, attr("to", 11)); });
}

TEST(RemoveNoOps, reversing_slice_and_shifting_pad_stay) {
  EXPECT_THAT(left_after([](auto& b, ValueId x) {
                return b.op("Slice-13", {x, b.ints({-1}), b.ints({-99}), b.ints({1}), b.ints({-1})});
              }),
              ElementsAre("Slice", "Relu"));
  EXPECT_THAT(left_after([](auto& b, ValueId x) {
                return b.op("Pad-13", {x, b.ints({0, 1, 0, -1})});
              }),
              ElementsAre("Pad", "Relu"));
}

TEST(RemoveNoOps, transposes_that_cancel_go_and_others_become_one) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 3, 4});
  const ValueId once = b.op("Transpose-13", {x}, attr("perm", {1, 2, 0}));
  b.output(b.op("Relu-14", {b.op("Transpose-13", {once}, attr("perm", {2, 0, 1}))}));
  b.output(b.op("Neg-13", {b.op("Transpose-13", {once}, attr("perm", {1, 2, 0}))}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &remove_no_ops);
  EXPECT_THAT(ops_of(graph), ElementsAre("Relu", "Transpose", "Neg"));
  EXPECT_THAT(node_at(graph, 1).integers("perm"), ElementsAre(2, 0, 1));
  EXPECT_THAT(node_at(graph, 1).sources, ElementsAre(0, 3));
  expect_same_results(before, graph, 0.0);
}

TEST(RemoveNoOps, reshape_of_a_reshape_reads_the_first_input) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 6});
  const ValueId flat = b.op("Reshape-14", {b.op("Unsqueeze-13", {x, b.ints({0})}), b.ints({12})});
  b.output(b.op("Relu-14", {b.op("Reshape-14", {flat, b.ints({3, -1})})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &remove_no_ops);
  EXPECT_THAT(ops_of(graph), ElementsAre("Reshape", "Relu"));
  EXPECT_EQ(node_at(graph, 0).inputs[0], x);
  EXPECT_THAT(node_at(graph, 0).sources, ElementsAre(0, 1, 2));
  expect_same_results(before, graph, 0.0);
}

TEST(RemoveNoOps, reshape_that_copies_a_length_of_its_input_stays_and_a_round_trip_goes) {
  GraphBuilder b;
  const Dim n = Dim::symbol("N");
  const ValueId x = b.input("x", {n, 2, 6});
  const ValueId flat = b.op("Reshape-14", {x, b.ints({0, -1})});
  b.output(b.op("Relu-14", {b.op("Reshape-14", {flat, b.ints({0, 3, 4})})}));
  const ValueId there = b.op("Unsqueeze-13", {x, b.ints({1})});
  b.output(b.op("Neg-13", {b.op("Squeeze-13", {there, b.ints({1})})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &remove_no_ops);
  run_pass(graph, &remove_dead_nodes);
  EXPECT_THAT(ops_of(graph), ElementsAre("Reshape", "Reshape", "Relu", "Neg"));
  expect_same_results(before, graph, 0.0);
}

TEST(RemoveNoOps, graph_output_stays_a_value_of_its_own) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  b.output(b.op("Identity-16", {x}));  // would make an input an output
  const ValueId y = b.op("Relu-14", {x});
  b.output(y);
  b.output(b.op("Identity-16", {y}));  // would make one value two outputs
  b.output(b.op("Identity-16", {b.op("Neg-13", {x})}));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &remove_no_ops);
  EXPECT_THAT(ops_of(graph), ElementsAre("Identity", "Relu", "Identity", "Neg"));
  expect_same_results(before, graph, 0.0);
}

}  // namespace
}  // namespace overt
