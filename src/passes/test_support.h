#ifndef OVERT_PASSES_TEST_SUPPORT_H_
#define OVERT_PASSES_TEST_SUPPORT_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "graph/test_builder.h"
#include "ops/infer_context.h"
#include "ops/kernel_context.h"
#include "passes/numbers.h"
#include "passes/pass.h"
#include "passes/passes.h"

namespace overt {

inline Graph inferred(GraphBuilder& builder) {
  Graph graph = builder.take();
  infer_graph(graph, nullptr);
  verify(graph, "building the test");
  return graph;
}

struct PassResult {
  bool changed = false;
  PassNotes notes;
};

inline PassResult run_pass(Graph& graph, bool (*pass)(PassContext&), bool is_subgraph = false) {
  PassResult result;
  PassContext context{graph, result.notes, is_subgraph};
  result.changed = pass(context);
  verify(graph, "the pass under test");
  return result;
}

/// "Conv", "overt.Conv", in order.
inline std::vector<std::string> ops_of(const Graph& graph) {
  std::vector<std::string> ops;
  for (const NodeId id : graph.order()) {
    const OpName& op = graph.node(id).op;
    ops.push_back(op.domain.empty() ? op.type : op.domain + "." + op.type);
  }
  return ops;
}

inline const Node& node_at(const Graph& graph, size_t position) {
  return graph.node(graph.order()[position]);
}

/// Values between -2 and 2 that differ from element to element; named lengths are 4.
inline Tensor test_input(const ValueInfo& info, int64_t salt) {
  Shape shape;
  for (const Dim& dim : *info.shape) {
    std::vector<std::pair<std::string, int64_t>> symbols;
    for (const std::string& symbol : dim.symbols()) symbols.emplace_back(symbol, 4);
    shape.push_back(*dim.evaluate(symbols));
  }
  if (!is_arithmetic_float(info.type)) return Tensor(info.type, shape);
  std::vector<double> values;
  for (int64_t i = 0; i < shape.elements(); ++i)
    values.push_back(std::sin(static_cast<double>(i * 13 + salt * 7 + 1)) * 2);
  return from_doubles(info.type, shape, values);
}

inline void expect_near(const Tensor& found, const Tensor& wanted, double tolerance) {
  ASSERT_EQ(found.type(), wanted.type());
  ASSERT_EQ(found.shape().to_string(), wanted.shape().to_string());
  const std::vector<double> a = to_doubles(found);
  const std::vector<double> b = to_doubles(wanted);
  for (size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << "element " << i;
}

/// Runs both graphs on the same inputs. The tolerance is absolute: values are of the order of 1.
inline void expect_same_results(const Graph& before, const Graph& after, double tolerance = 1e-5) {
  std::vector<Tensor> inputs;
  for (const ValueId input : before.inputs()) {
    inputs.push_back(test_input(before.value(input).info, static_cast<int64_t>(inputs.size())));
  }
  const std::vector<Tensor> wanted = evaluate_graph(before, inputs);
  const std::vector<Tensor> found = evaluate_graph(after, inputs);
  ASSERT_EQ(found.size(), wanted.size());
  for (size_t i = 0; i < found.size(); ++i) expect_near(found[i], wanted[i], tolerance);
}

}  // namespace overt

#endif  // OVERT_PASSES_TEST_SUPPORT_H_
