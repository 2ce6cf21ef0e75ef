#include <cmath>

#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

/// Runs the pass over a graph of one input of [2, 5] and expects one node of that operator, and equal results.
void expect_recognised(GraphBuilder& b, ValueId y, const std::string& op, double tolerance = 1e-5) {
  b.output(y);
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  const size_t nodes = graph.order().size();
  EXPECT_TRUE(run_pass(graph, &recognise_activations).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre(op)) << dump(graph);
  EXPECT_EQ(node_at(graph, 0).sources.size(), nodes);
  EXPECT_EQ(node_at(graph, 0).parts, nullptr);
  expect_same_results(before, graph, tolerance);
}

TEST(RecogniseActivations, product_with_its_sigmoid_is_swish) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  expect_recognised(b, b.op("Mul-14", {b.op("Sigmoid-13", {x}), x}), "Swish");
}

TEST(RecogniseActivations, sigmoid_of_a_multiple_gives_swish_its_alpha) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  const ValueId s = b.op("Sigmoid-13", {b.op("Mul-14", {b.scalar(1.702f), x})});
  expect_recognised(b, b.op("Mul-14", {x, s}), "Swish");
}

TEST(RecogniseActivations, hard_swish_from_hard_sigmoid) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  const ValueId h = b.op("HardSigmoid-6", {x}, attr("alpha", 1.0 / 6.0), attr("beta", 0.5));
  expect_recognised(b, b.op("Mul-14", {x, h}), "HardSwish");
}

TEST(RecogniseActivations, hard_swish_from_clip_in_its_orders) {
  for (int order = 0; order < 4; ++order) {
    GraphBuilder b;
    const ValueId x = b.input("x", {2, 5});
    const ValueId sum = b.op("Add-14", {b.scalar(3.0f), x});
    const ValueId clip = order == 3 ? b.op("Clip-6", {sum}, attr("min", 0.0), attr("max", 6.0))
                                    : b.op("Clip-13", {sum, b.scalar(0.0f), b.scalar(6.0f)});
    ValueId y = ValueId::none;
    if (order == 0) y = b.op("Div-14", {b.op("Mul-14", {x, clip}), b.scalar(6.0f)});
    if (order == 1) y = b.op("Mul-14", {b.op("Div-14", {clip, b.scalar(6.0f)}), x});
    if (order >= 2) y = b.op("Mul-14", {b.op("Mul-14", {clip, b.scalar(1.0f / 6.0f)}), x});
    expect_recognised(b, y, "HardSwish");
  }
}

TEST(RecogniseActivations, gelu_with_erf_in_its_orders) {
  for (int order = 0; order < 5; ++order) {
    GraphBuilder b;
    const ValueId x = b.input("x", {2, 5});
    const ValueId half = b.scalar(0.5f);
    const ValueId u =
        order % 2 == 0 ? b.op("Div-14", {x, b.scalar(1.41421354f)}) : b.op("Mul-14", {x, b.scalar(0.70710677f)});
    const ValueId s = b.op("Add-14", {b.op("Erf-13", {u}), b.scalar(1.0f)});
    ValueId y = ValueId::none;
    if (order == 0) y = b.op("Mul-14", {b.op("Mul-14", {x, s}), half});
    if (order == 1) y = b.op("Mul-14", {b.op("Mul-14", {half, x}), s});
    if (order == 2) y = b.op("Mul-14", {x, b.op("Mul-14", {s, half})});
    if (order == 3) y = b.op("Div-14", {b.op("Mul-14", {s, x}), b.scalar(2.0f)});
    if (order == 4) y = b.op("Mul-14", {s, b.op("Div-14", {x, b.scalar(2.0f)})});
    expect_recognised(b, y, "Gelu");
  }
}

TEST(RecogniseActivations, gelu_with_tanh_in_its_forms) {
  for (int form = 0; form < 3; ++form) {
    GraphBuilder b;
    const ValueId x = b.input("x", {2, 5});
    const ValueId c = b.scalar(0.044715f);
    ValueId sum = ValueId::none;
    if (form == 0) sum = b.op("Add-14", {x, b.op("Mul-14", {c, b.op("Pow-15", {x, b.scalar(3.0f)})})});
    if (form == 1) {
      sum = b.op("Add-14", {b.op("Mul-14", {b.op("Mul-14", {b.op("Mul-14", {x, x}), x}), c}), x});
    }
    if (form == 2) {
      const ValueId factor = b.op("Add-14", {b.scalar(1.0f), b.op("Mul-14", {b.op("Mul-14", {x, c}), x})});
      sum = b.op("Mul-14", {x, factor});
    }
    const ValueId t = b.op("Tanh-13", {b.op("Mul-14", {b.scalar(0.7978845608f), sum})});
    const ValueId s = b.op("Add-14", {b.scalar(1.0f), t});
    b.output(b.op("Mul-14", {b.op("Mul-14", {b.scalar(0.5f), x}), s}));
    Graph graph = inferred(b);
    const Graph before = graph.clone();
    run_pass(graph, &recognise_activations);
    EXPECT_THAT(ops_of(graph), ElementsAre("Gelu")) << dump(graph);
    EXPECT_EQ(node_at(graph, 0).string("approximate", "none"), "tanh");
    expect_same_results(before, graph);
  }
}

TEST(RecogniseActivations, constants_of_float16_are_close_enough) {
  GraphBuilder b;
  const ValueId x = b.input("x", DataType::float16, {2, 5});
  const auto half = [&](float value) { return b.constant(Tensor::of<Float16>({}, {Float16(value)})); };
  const ValueId s = b.op("Add-14", {b.op("Erf-13", {b.op("Div-14", {x, half(1.4142135f)})}), half(1.0f)});
  expect_recognised(b, b.op("Mul-14", {b.op("Mul-14", {x, s}), half(0.5f)}), "Gelu", 4e-3);
}

/// Nothing may be recognised in the graph.
void expect_untouched(GraphBuilder& b) {
  Graph graph = inferred(b);
  const std::string before = dump(graph);
  EXPECT_FALSE(run_pass(graph, &recognise_activations).changed);
  EXPECT_EQ(dump(graph), before);
}

TEST(RecogniseActivations, sigmoid_that_is_read_elsewhere_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  const ValueId s = b.op("Sigmoid-13", {x});
  b.output(b.op("Mul-14", {x, s}));
  b.output(b.op("Neg-13", {s}));
  expect_untouched(b);
}

TEST(RecogniseActivations, sigmoid_that_is_a_graph_output_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  const ValueId s = b.op("Sigmoid-13", {x});
  b.output(b.op("Mul-14", {x, s}));
  b.output(s);
  expect_untouched(b);
}

TEST(RecogniseActivations, gate_by_another_value_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  const ValueId gate = b.input("gate", {2, 5});
  b.output(b.op("Mul-14", {x, b.op("Sigmoid-13", {gate})}));
  expect_untouched(b);
}

TEST(RecogniseActivations, other_constants_stay) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2, 5});
  const ValueId s = b.op("Add-14", {b.op("Erf-13", {b.op("Div-14", {x, b.scalar(1.5f)})}), b.scalar(1.0f)});
  b.output(b.op("Mul-14", {b.op("Mul-14", {x, s}), b.scalar(0.5f)}));
  b.output(b.op("Mul-14", {x, b.op("HardSigmoid-6", {x})}));
  expect_untouched(b);
}

TEST(RecogniseActivations, constant_that_grows_the_rank_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {5});
  const ValueId s = b.op("Add-14", {b.op("Erf-13", {b.op("Div-14", {x, b.scalar(1.4142135f)})}), b.scalar(1.0f)});
  b.output(b.op("Mul-14", {b.op("Mul-14", {x, s}), b.floats({1, 1}, {0.5f})}));
  expect_untouched(b);
}

}  // namespace
}  // namespace overt
