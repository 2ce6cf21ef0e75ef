#include "overt/session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <fstream>
#include <thread>

#include "graph/test_builder.h"
#include "ops/kernel_context.h"
#include "run/session_state.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A model around a graph, as the reader would give it.
Model model_of(Graph graph) {
  Model model;
  model.opsets = {{"", 17}};
  model.ir_version = 8;
  for (const ValueId id : graph.inputs()) model.input_names.push_back(graph.value(id).name);
  for (const ValueId id : graph.outputs()) model.output_names.push_back(graph.value(id).name);
  for (const NodeId id : graph.order()) {
    model.source_nodes.push_back({graph.node(id).name, graph.node(id).op.type, graph.node(id).op.domain});
  }
  model.graph = std::move(graph);
  return model;
}

Graph residual_block() {
  GraphBuilder b;
  const ValueId x = b.input("x", {Dim::symbol("N"), 32, 9, 7});
  const ValueId y =
      b.op("Conv-11", {x, b.weights({32, 32, 3, 3}, 0.2f), b.weights({32})}, attr("pads", {1, 1, 1, 1}));
  const ValueId sum = b.op("Add-14", {y, x});
  const ValueId a = b.op("Relu-14", {sum});
  const ValueId c = b.op("Conv-11", {a, b.weights({16, 32, 1, 1}, 0.3f)});
  const ValueId silu = b.op("Mul-14", {c, b.op("Sigmoid-13", {c})});
  b.output(b.op("Concat-13", {silu, a}, attr("axis", 1)));
  b.output(b.op("Softmax-13", {b.op("Flatten-13", {silu})}));
  return b.take();
}

Tensor ramp(Shape shape) {
  Tensor tensor(DataType::float32, std::move(shape));
  int64_t i = 0;
  for (float& value : tensor.mutable_values<float>()) value = static_cast<float>(i++ % 97 - 48) / 50.0f;
  return tensor;
}

std::vector<Tensor> run(const SessionState& state, std::vector<Tensor> inputs, const RunOptions& options = {}) {
  std::vector<RunOutput> outputs(state.outputs.size());
  state.run(inputs, outputs, options);
  std::vector<Tensor> tensors;
  for (RunOutput& output : outputs) tensors.push_back(std::move(output.tensor));
  return tensors;
}

void expect_near(const Tensor& found, const Tensor& expected, float tolerance) {
  ASSERT_EQ(found.shape(), expected.shape());
  const auto a = found.values<float>();
  const auto b = expected.values<float>();
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

template <typename Call>
Error error_of(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error;
  }
  ADD_FAILURE() << "no error";
  return Error(ErrorCode::internal, "");
}

TEST(Session, the_compiled_graph_gives_what_the_reference_kernels_give) {
  const Graph graph = residual_block();
  for (const bool use_onednn : {true, false}) {
    for (const bool optimize : {true, false}) {
      SessionOptions options;
      options.optimize = optimize;
      options.providers[0].use_onednn = use_onednn;
      const auto state = make_session(model_of(graph.clone()), options);
      for (const int64_t batch : {1, 3}) {
        const Tensor x = ramp({batch, 32, 9, 7});
        const std::vector<Tensor> found = run(*state, {x});
        const std::vector<Tensor> expected = evaluate_graph(graph, std::vector{x});
        // Sums of 288 products of float32 in another order.
        expect_near(found[0], expected[0], 2e-5f);
        expect_near(found[1], expected[1], 2e-5f);
      }
    }
  }
}

TEST(Session, every_node_of_the_file_has_a_place) {
  SessionOptions options;
  options.model_name = "block";
  const auto state = make_session(model_of(residual_block()), options);
  const Placement placement = make_placement(*state);
  ASSERT_EQ(placement.nodes.size(), 9u);
  EXPECT_EQ(placement.summary(), "block: 9 nodes, 9 cpu, 0 copies, fp32");
  EXPECT_THAT(placement.nodes[1].fused_into, HasSubstr("overt.Conv"));
}

TEST(Session, wrong_inputs_are_named_with_what_was_expected) {
  GraphBuilder b;
  const ValueId x = b.input("images", {Dim::symbol("batch"), 4});
  const ValueId y = b.input("mask", {Dim::symbol("batch"), 4});
  b.output(b.op("Add-14", {x, y}));
  const auto state = make_session(model_of(b.take()), {});
  const auto error = [&](std::vector<Tensor> inputs) {
    const Error found = error_of([&] { run(*state, std::move(inputs)); });
    EXPECT_EQ(found.code(), ErrorCode::invalid_argument);
    return found.message();
  };
  EXPECT_THAT(error({ramp({2, 4})}), HasSubstr("1 inputs were given, the model has 2"));
  EXPECT_THAT(error({ramp({2, 4}), Tensor()}), HasSubstr("input 'mask' is missing; give mask float32 [batch, 4]"));
  EXPECT_THAT(error({Tensor(DataType::int64, {2, 4}), ramp({2, 4})}), HasSubstr("input 'images' is int64 [2, 4]"));
  EXPECT_THAT(error({ramp({2, 5}), ramp({2, 4})}), HasSubstr("dim 1 is 5, expected 4"));
  EXPECT_THAT(error({ramp({2, 4, 1}), ramp({2, 4})}), HasSubstr("another rank"));
  EXPECT_THAT(error({ramp({2, 4}), ramp({3, 4})}), HasSubstr("dim 0 (batch) is 3, and another input has 2 for it"));
  EXPECT_THAT(error_of([&] { state->input_index("image"); }).message(), HasSubstr("did you mean 'images'?"));
}

TEST(Session, empty_batches_work) {
  const auto state = make_session(model_of(residual_block()), {});
  const std::vector<Tensor> outputs = run(*state, {Tensor(DataType::float32, {0, 32, 9, 7})});
  EXPECT_EQ(outputs[0].shape(), (Shape{0, 48, 9, 7}));
}

TEST(Session, unknown_options_name_the_nearest_valid_one) {
  SessionOptions options;
  options.providers[0].name = "cpi";
  Error error = error_of([&] { make_session(model_of(residual_block()), options); });
  EXPECT_EQ(error.code(), ErrorCode::invalid_argument);
  EXPECT_THAT(error.message(), HasSubstr("provider 'cpi' is not known; this build has cpu"));
  options = {};
  options.disabled_passes = {"fold_constant"};
  error = error_of([&] { make_session(model_of(residual_block()), options); });
  EXPECT_THAT(error.message(), HasSubstr("fold_constants"));
}

TEST(Session, a_provider_whose_library_is_missing_is_an_error_with_the_place) {
  SessionOptions options;
  options.providers[0].library = "/nowhere/libovert_cpu.so";
  const Error error = error_of([&] { make_session(model_of(residual_block()), options); });
  EXPECT_EQ(error.code(), ErrorCode::provider_unavailable);
  EXPECT_THAT(error.message(), HasSubstr("looked for /nowhere/libovert_cpu.so"));
}

TEST(Session, over_the_memory_limit_says_how_much_is_missing) {
  SessionOptions options;
  options.memory_limit = 60'000;
  const Error error = error_of([&] {
    const auto state = make_session(model_of(residual_block()), options);
    run(*state, {ramp({16, 32, 9, 7})});
  });
  EXPECT_EQ(error.code(), ErrorCode::out_of_memory);
  EXPECT_THAT(error.message(), HasSubstr("memory_limit is 60000 bytes"));
  EXPECT_THAT(error.message(), HasSubstr("raise memory_limit to at least"));
}

TEST(Session, a_deadline_in_the_past_ends_the_run) {
  const auto state = make_session(model_of(residual_block()), {});
  RunOptions options;
  options.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
  const Error error = error_of([&] { run(*state, {ramp({1, 32, 9, 7})}, options); });
  EXPECT_EQ(error.code(), ErrorCode::cancelled);
}

TEST(Session, many_threads_share_one_session) {
  const Graph graph = residual_block();
  const auto state = make_session(model_of(graph.clone()), {});
  std::vector<std::thread> threads;
  std::atomic<int> wrong{0};
  for (int64_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const Tensor x = ramp({1 + t % 2, 32, 9, 7});
      const Tensor expected = evaluate_graph(graph, std::vector{x})[0];
      for (int i = 0; i < 10; ++i) {
        const Tensor found = run(*state, {x})[0];
        const auto a = found.values<float>();
        const auto b = expected.values<float>();
        for (size_t e = 0; e < a.size(); ++e) wrong += std::abs(a[e] - b[e]) > 2e-5f ? 1 : 0;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong.load(), 0);
}

int64_t resident_bytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0;
  int64_t resident = 0;
  file >> total >> resident;
  return resident * 4096;
}

TEST(Session, a_thousand_sessions_leave_the_memory_where_it_was) {
  const Graph graph = residual_block();
  const auto open_and_run = [&] {
    const auto state = make_session(model_of(graph.clone()), {});
    run(*state, {ramp({1, 32, 9, 7})});
  };
  for (int i = 0; i < 100; ++i) open_and_run();
  const int64_t before = resident_bytes();
  for (int i = 0; i < 1000; ++i) open_and_run();
  // A leak of one packed weight (36 KB) per session would be 36 MB.
  EXPECT_LT(resident_bytes() - before, int64_t{8} << 20);
}

TEST(Session, the_profile_lists_each_kernel) {
  SessionOptions options;
  options.profile = true;
  const auto state = make_session(model_of(residual_block()), options);
  run(*state, {ramp({1, 32, 9, 7})});
  std::vector<std::string> ops;
  for (const KernelTime& time : state->last_profile) ops.push_back(time.op);
  EXPECT_THAT(ops, testing::IsSupersetOf({"Conv", "Conv", "Softmax"}));
}

}  // namespace
}  // namespace overt
