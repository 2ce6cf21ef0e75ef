#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

TEST(RemoveDeadNodes, chain_that_nobody_reads_goes_with_a_reason) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  b.op("Neg-13", {b.op("Abs-13", {x})});
  b.output(b.op("Relu-14", {x}));
  Graph graph = inferred(b);
  const PassResult result = run_pass(graph, &remove_dead_nodes);
  EXPECT_TRUE(result.changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("Relu"));
  EXPECT_THAT(result.notes.lines(), ElementsAre("Abs 'Abs_0' is gone: nobody reads its results",
                                                "Neg 'Neg_1' is gone: nobody reads its results"));
  EXPECT_EQ(graph.removed[0].reason, "its results are not read");
}

TEST(RemoveDeadNodes, node_with_one_output_that_is_read_stays) {
  GraphBuilder b;
  const ValueId x = b.input("x", {4});
  b.output(b.ops("TopK-11", {x, b.ints({2})}, 2)[1]);
  Graph graph = inferred(b);
  EXPECT_FALSE(run_pass(graph, &remove_dead_nodes).changed);
}

TEST(RemoveDeadNodes, memory_of_constants_that_nobody_reads_is_released) {
  GraphBuilder b;
  const ValueId x = b.input("x", {2});
  const ValueId used = b.scalar(1.0f);
  const ValueId unused = b.scalar(2.0f);
  b.op("Add-14", {x, unused});
  b.output(b.op("Add-14", {x, used}));
  Graph graph = inferred(b);
  run_pass(graph, &remove_dead_nodes);
  EXPECT_TRUE(graph.value(used).is_constant());
  EXPECT_TRUE(graph.value(unused).constant.empty());
}

}  // namespace
}  // namespace overt
