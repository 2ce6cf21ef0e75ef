#include "ops/fused.h"
#include "passes/test_support.h"

namespace overt {
namespace {

using testing::ElementsAre;

ValueId strided(GraphBuilder& b, ValueId x, std::initializer_list<int64_t> starts,
                std::initializer_list<int64_t> axes, int64_t end = 1000000) {
  const std::vector<int64_t> ends(starts.size(), end);
  const std::vector<int64_t> steps(starts.size(), 2);
  const Shape shape = {static_cast<int64_t>(starts.size())};
  return b.op("Slice-13", {x, b.ints(starts), b.constant(Tensor::of<int64_t>(shape, ends)), b.ints(axes),
                           b.constant(Tensor::of<int64_t>(shape, steps))});
}

TEST(RecogniseSpaceToDepth, four_slices_and_their_order) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 3, 4, 6});
  b.output(b.op("Concat-13",
                {strided(b, x, {0, 0}, {2, 3}), strided(b, x, {1, 0}, {2, 3}), strided(b, x, {0, 1}, {2, -1}),
                 strided(b, x, {1, 1}, {-2, 3})},
                attr("axis", 1)));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  EXPECT_TRUE(run_pass(graph, &recognise_space_to_depth).changed);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.SpaceToDepth"));
  const FusedSpaceToDepthAttributes attributes = parse_fused_space_to_depth(node_at(graph, 0));
  EXPECT_EQ(attributes.block, 2);
  EXPECT_THAT(attributes.offsets, ElementsAre(std::array<int64_t, 2>{0, 0}, std::array<int64_t, 2>{1, 0},
                                              std::array<int64_t, 2>{0, 1}, std::array<int64_t, 2>{1, 1}));
  expect_same_results(before, graph, 0.0);
}

TEST(RecogniseSpaceToDepth, rows_then_columns_with_shared_first_slices) {
  GraphBuilder b;
  const ValueId x = b.input("x", {1, 3, 4, 6});
  const ValueId even = strided(b, x, {0}, {2});
  const ValueId odd = strided(b, x, {1}, {2});
  b.output(b.op(
      "Concat-13",
      {strided(b, even, {0}, {3}), strided(b, odd, {0}, {3}), strided(b, even, {1}, {3}), strided(b, odd, {1}, {3})},
      attr("axis", 1)));
  Graph graph = inferred(b);
  const Graph before = graph.clone();
  run_pass(graph, &recognise_space_to_depth);
  EXPECT_THAT(ops_of(graph), ElementsAre("overt.SpaceToDepth"));
  EXPECT_EQ(node_at(graph, 0).sources.size(), 7u);
  expect_same_results(before, graph, 0.0);
}

TEST(RecogniseSpaceToDepth, repeated_pixels_short_slices_and_pieces_read_elsewhere_stay) {
  const auto pieces = [](GraphBuilder& b, int64_t last_row, int64_t end) {
    const ValueId x = b.input("x", {1, 3, 4, 4});
    return std::vector<ValueId>{strided(b, x, {0, 0}, {2, 3}, end), strided(b, x, {1, 0}, {2, 3}, end),
                                strided(b, x, {0, 1}, {2, 3}, end), strided(b, x, {last_row, 1}, {2, 3}, end)};
  };
  GraphBuilder repeated;
  repeated.output(repeated.op("Concat-13", pieces(repeated, 0, 4), attr("axis", 1)));
  GraphBuilder cut;
  cut.output(cut.op("Concat-13", pieces(cut, 1, 2), attr("axis", 1)));
  GraphBuilder shown;
  const std::vector<ValueId> shown_pieces = pieces(shown, 1, 4);
  shown.output(shown.op("Concat-13", shown_pieces, attr("axis", 1)));
  shown.output(shown_pieces[2]);
  for (GraphBuilder* b : {&repeated, &cut, &shown}) {
    Graph graph = inferred(*b);
    EXPECT_FALSE(run_pass(graph, &recognise_space_to_depth).changed);
  }
}

}  // namespace
}  // namespace overt
