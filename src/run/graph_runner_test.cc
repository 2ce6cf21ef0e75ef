#include "run/graph_runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <condition_variable>
#include <thread>

#include "graph/test_builder.h"
#include "ops/infer_context.h"
#include "overt/error.h"
#include "run/test_provider.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A graph, its runner and the providers below it.
struct Fixture {
  TestProvider device{"device:0", /*host_memory=*/false};
  TestProvider host{"host", /*host_memory=*/true};
  std::vector<Provider*> providers{&device, &host};
  MemoryBudget budget{0};
  std::unique_ptr<GraphRunner> runner;

  void make(Graph graph, int plans_kept = 4) {
    infer_graph(graph, nullptr);
    runner = std::make_unique<GraphRunner>(place(std::move(graph), providers, Fallback::allow), providers, budget,
                                           plans_kept);
  }
  std::vector<Tensor> run(std::vector<Tensor> inputs) {
    std::vector<RunOutput> outputs(runner->placed().graph.outputs().size());
    runner->run(inputs, outputs, {});
    std::vector<Tensor> tensors;
    for (RunOutput& output : outputs) tensors.push_back(output.tensor);
    return tensors;
  }
};

Tensor floats(std::initializer_list<float> values) {
  return Tensor::of<float>(Shape{static_cast<int64_t>(values.size())}, values);
}

Graph relu_then_neg() {
  GraphBuilder b;
  const ValueId x = b.input("x", {Dim::symbol("N")});
  b.output(b.op("Neg-13", {b.op("Relu-14", {x})}));
  return b.take();
}

TEST(GraphRunner, copies_between_memories_are_steps_of_the_plan) {
  Fixture f;
  f.device.takes = [](const Node& node) { return node.op.type == "Relu"; };
  f.make(relu_then_neg());
  ASSERT_EQ(f.runner->placed().copies.size(), 1u);
  EXPECT_EQ(f.runner->placed().graph.value(f.runner->placed().copies[0].value).name, "Relu_0");
  const std::vector<Tensor> outputs = f.run({floats({-1, 2, 3})});
  EXPECT_THAT(outputs[0].values<float>(), ElementsAre(0, -2, -3));
  EXPECT_EQ(f.device.memory().copied_in, 12);   // x
  EXPECT_EQ(f.device.memory().copied_out, 12);  // the edge between the two
}

TEST(GraphRunner, one_device_takes_all_and_only_edges_of_the_graph_are_copied) {
  Fixture f;
  f.make(relu_then_neg());
  EXPECT_TRUE(f.runner->placed().copies.empty());
  EXPECT_THAT(f.run({floats({-1, 4})})[0].values<float>(), ElementsAre(0, -4));
  EXPECT_EQ(f.device.compiled, 1);
}

TEST(Placement, without_fallback_every_refused_node_is_listed_at_once) {
  Fixture f;
  f.device.takes = [](const Node&) { return false; };
  Graph graph = relu_then_neg();
  infer_graph(graph, nullptr);
  try {
    place(std::move(graph), f.providers, Fallback::error);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::unsupported);
    EXPECT_THAT(error.message(), HasSubstr("2 node(s) cannot run on device:0"));
    EXPECT_THAT(error.message(), HasSubstr("Relu 'Relu_0'; device:0: device:0 has no kernel for Relu"));
    EXPECT_THAT(error.message(), HasSubstr("Neg 'Neg_1'"));
  }
}

TEST(GraphRunner, a_shape_is_planned_once_and_the_oldest_plan_goes) {
  Fixture f;
  f.make(relu_then_neg(), /*plans_kept=*/2);
  f.run({floats({1})});
  f.run({floats({1, 2})});
  f.run({floats({3})});
  EXPECT_EQ(f.device.compiled, 2);
  f.run({floats({1, 2, 3})});  // a third shape takes the place of one of the two
  EXPECT_EQ(f.device.compiled, 3);
  f.run({floats({1, 2, 4})});
  EXPECT_EQ(f.device.compiled, 3);
  f.run({floats({1, 2, 3, 4})});
  EXPECT_EQ(f.device.compiled, 4);
  EXPECT_THAT(f.run({floats({1})})[0].values<float>(), ElementsAre(-1));
  EXPECT_EQ(f.device.compiled, 5);
}

TEST(GraphRunner, shape_arithmetic_belongs_to_no_provider) {
  GraphBuilder b;
  const ValueId x = b.input("x", {Dim::symbol("N"), 6});
  const ValueId rows = b.op("Gather-13", {b.op("Shape-15", {x}), b.constant(Tensor::of<int64_t>({}, {0}))});
  const ValueId shape =
      b.op("Concat-13", {b.op("Unsqueeze-13", {rows, b.ints({0})}), b.ints({3, 2})}, attr("axis", 0));
  b.output(b.op("Reshape-14", {x, shape}));
  Fixture f;
  f.make(b.take());
  int planning = 0;
  for (const int32_t provider : f.runner->placed().provider_of) planning += provider == kPlanning ? 1 : 0;
  EXPECT_EQ(planning, 4);
  EXPECT_EQ(f.run({Tensor(DataType::float32, {5, 6})})[0].shape(), (Shape{5, 3, 2}));
  EXPECT_EQ(f.run({Tensor(DataType::float32, {1, 6})})[0].shape(), (Shape{1, 3, 2}));
}

TEST(GraphRunner, what_follows_a_data_dependent_shape_is_a_segment_of_its_own) {
  GraphBuilder b;
  const ValueId x = b.input("x", {Dim::symbol("N")});
  const ValueId found = b.op("NonZero-13", {x});
  b.output(b.op("Transpose-13", {found}, attr("perm", {1, 0})));
  Fixture f;
  f.make(b.take());
  ASSERT_EQ(f.runner->placed().segments.size(), 2u);
  const Tensor three = f.run({floats({0, 1, 0, 2, 3})})[0];
  EXPECT_EQ(three.shape(), (Shape{3, 1}));
  EXPECT_THAT(three.values<int64_t>(), ElementsAre(1, 3, 4));
  EXPECT_EQ(f.run({floats({0, 0})})[0].shape(), (Shape{0, 1}));
}

TEST(GraphRunner, a_shape_that_is_computed_from_data_is_read_before_the_plan) {
  GraphBuilder b;
  const ValueId x = b.input("x", {6});
  const ValueId wanted = b.input("wanted", DataType::int64, {2});
  b.output(b.op("Reshape-14", {x, b.op("Neg-13", {wanted})}));
  Fixture f;
  f.make(b.take());
  const Tensor x_value = floats({1, 2, 3, 4, 5, 6});
  EXPECT_EQ(f.run({x_value, Tensor::of<int64_t>({2}, {-2, -3})})[0].shape(), (Shape{2, 3}));
  EXPECT_EQ(f.run({x_value, Tensor::of<int64_t>({2}, {-3, -2})})[0].shape(), (Shape{3, 2}));
}

TEST(GraphRunner, if_runs_the_branch_that_its_condition_chooses) {
  const auto branch = [](const char* op) {
    GraphBuilder inner;
    const ValueId captured = inner.input("captured", {Dim::symbol("N")});
    inner.output(inner.op(op, {captured}));
    inner.graph().captures.push_back({1, captured});
    return inner.take();
  };
  GraphBuilder b;
  const ValueId condition = b.input("condition", DataType::boolean, {});
  const ValueId x = b.input("x", {Dim::symbol("N")});
  const ValueId chosen =
      b.op("If-13", {condition, x}, attr("then_branch", branch("Neg-13")), attr("else_branch", branch("Relu-14")));
  for (const NodeId id : b.graph().order()) b.graph().edit_node(id).explicit_inputs = 1;
  b.output(b.op("Abs-13", {chosen}));
  b.output(chosen);
  Fixture f;
  f.make(b.take());
  const auto with = [&](bool value) { return f.run({Tensor::of<bool>({}, {value}), floats({-1, 2})}); };
  EXPECT_THAT(with(true)[1].values<float>(), ElementsAre(1, -2));
  EXPECT_THAT(with(false)[1].values<float>(), ElementsAre(0, 2));
  EXPECT_THAT(with(true)[0].values<float>(), ElementsAre(1, 2));
}

TEST(GraphRunner, two_threads_are_in_run_at_once) {
  std::mutex mutex;
  std::condition_variable both_are_here;
  int inside = 0;
  bool overlapped = true;
  Fixture f;
  f.device.on_run = [&] {
    std::unique_lock lock(mutex);
    ++inside;
    both_are_here.notify_all();
    overlapped = both_are_here.wait_for(lock, std::chrono::seconds(60), [&] { return inside >= 2; }) && overlapped;
  };
  f.make(relu_then_neg());
  std::thread other([&] { EXPECT_THAT(f.run({floats({7})})[0].values<float>(), ElementsAre(-7)); });
  EXPECT_THAT(f.run({floats({8})})[0].values<float>(), ElementsAre(-8));
  other.join();
  EXPECT_TRUE(overlapped);
}

TEST(GraphRunner, a_cancelled_run_stops) {
  Fixture f;
  f.make(relu_then_neg());
  CancelToken token;
  token.cancel();
  RunControl control;
  control.cancel = &token;
  std::vector<RunOutput> outputs(1);
  const std::vector<Tensor> inputs{floats({1})};
  try {
    f.runner->run(inputs, outputs, control);
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::cancelled);
  }
}

TEST(GraphRunner, closing_gives_back_all_memory) {
  Fixture f;
  f.device.takes = [](const Node& node) { return node.op.type == "Relu"; };
  f.make(relu_then_neg());
  f.run({floats({1, 2, 3})});
  EXPECT_GT(f.device.memory().allocated, 0);
  f.runner.reset();
  EXPECT_EQ(f.device.memory().allocated, 0);
  EXPECT_EQ(f.host.memory().allocated, 0);
  EXPECT_EQ(f.budget.used(), 0);
}

TEST(MemoryBudget, says_how_much_is_missing_and_for_what) {
  MemoryBudget budget(1000);
  budget.set_weights(600);
  try {
    budget.reserve(500, "the plan's activations and workspaces");
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
    EXPECT_THAT(error.message(),
                HasSubstr("memory_limit is 1000 bytes and the plan's activations and workspaces needs "
                          "100 more than it allows"));
    EXPECT_THAT(error.message(), HasSubstr("raise memory_limit to at least 1100"));
  }
  budget.reserve(400, "fits");
  EXPECT_EQ(budget.used(), 1000);
}

}  // namespace
}  // namespace overt
