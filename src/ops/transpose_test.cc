#include "ops/transpose.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node transpose_node(std::vector<int64_t> permutation) {
  return test_node("Transpose", 13, attribute_list(integers("perm", std::move(permutation))));
}

TEST(Transpose, without_perm_the_axes_are_reversed) {
  const Tensor out = run_node(test_node("Transpose", 13), {counted({2, 3})});
  EXPECT_EQ(out.shape(), (Shape{3, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 3, 1, 4, 2, 5));
}

TEST(Transpose, moves_any_axis) {
  const Tensor out = run_node(transpose_node({2, 0, 1}), {counted({2, 1, 3})});
  EXPECT_EQ(out.shape(), (Shape{3, 2, 1}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 3, 1, 4, 2, 5));
  const Tensor inner = run_node(transpose_node({1, 0, 2}), {counted({2, 2, 2})});
  EXPECT_THAT(values_of<float>(inner), ElementsAre(0, 1, 4, 5, 2, 3, 6, 7));
}

TEST(Transpose, strings_scalars_and_empty_tensors) {
  const Tensor text = Tensor::of<std::string>({1, 2}, {std::string("a"), std::string("b")});
  EXPECT_THAT(values_of<std::string>(run_node(test_node("Transpose", 13), {text})), ElementsAre("a", "b"));
  EXPECT_THAT(values_of<float>(run_node(test_node("Transpose", 13), {counted({})})), ElementsAre(0));
  EXPECT_EQ(run_node(transpose_node({1, 0}), {counted({0, 5})}).shape(), (Shape{5, 0}));
}

TEST(Transpose, packed_types_are_moved_by_element) {
  Tensor packed(DataType::uint4, {3, 2});
  for (uint8_t i = 0; i < 3; ++i)
    static_cast<uint8_t*>(packed.mutable_data())[i] = static_cast<uint8_t>(0x10 + 0x22 * i);
  const Tensor out = run_node(transpose_node({1, 0}), {packed});  // 0 1 / 2 3 / 4 5
  EXPECT_EQ(static_cast<const uint8_t*>(out.data())[0], 0x20);
  EXPECT_EQ(static_cast<const uint8_t*>(out.data())[1], 0x14);
  EXPECT_EQ(static_cast<const uint8_t*>(out.data())[2], 0x53);
}

TEST(Transpose, shapes_and_contents_are_symbolic) {
  const Dim n = Dim::symbol("N");
  EXPECT_EQ(shape_of(infer(transpose_node({0, 2, 1}), {ValueInfo::tensor(DataType::float32, {n, 3, 4})})[0]),
            "[N, 4, 3]");
  const ValueInfo table{DataType::int64, Dims{2, 2}, Dims{n, 1, 2, 3}};
  EXPECT_EQ(contents_of(infer(transpose_node({1, 0}), {table})[0]), "[N, 2, 1, 3]");
}

TEST(Transpose, perm_must_be_a_permutation) {
  const auto error = [](std::vector<int64_t> permutation) {
    return error_of([&] { infer(transpose_node(permutation), {counted({2, 3})}); });
  };
  EXPECT_EQ(error({0, 0}), "invalid_model: Transpose #-1: perm has the axis 0 twice");
  EXPECT_THAT(error({0, 2}), HasSubstr("perm has the axis 2, expected 0 to 1"));
  EXPECT_THAT(error({0}), HasSubstr("perm has 1 entries, expected 2"));
}

Node block_node(const char* type, int64_t block, std::string mode) {
  return test_node(type, 13, attribute_list(Attribute::of("blocksize", block), Attribute::of("mode", mode)));
}

TEST(DepthToSpace, dcr_and_crd_differ_in_where_the_block_is) {
  const Tensor input = counted({1, 8, 1, 1});
  const Tensor dcr = run_node(block_node("DepthToSpace", 2, "DCR"), {input});
  EXPECT_EQ(dcr.shape(), (Shape{1, 2, 2, 2}));
  EXPECT_THAT(values_of<float>(dcr), ElementsAre(0, 2, 4, 6, 1, 3, 5, 7));
  EXPECT_THAT(values_of<float>(run_node(block_node("DepthToSpace", 2, "CRD"), {input})),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
}

TEST(DepthToSpace, block_must_fit) {
  const auto error = [](int64_t block, std::string mode) {
    return error_of([&] { run_node(block_node("DepthToSpace", block, mode), {counted({1, 8, 1, 1})}); });
  };
  EXPECT_THAT(error(3, "DCR"), HasSubstr("the channel count 8 is no multiple of 9"));
  EXPECT_THAT(error(0, "DCR"), HasSubstr("blocksize is 0, expected 1 to"));
  EXPECT_THAT(error(INT64_MAX, "DCR"), HasSubstr("blocksize is 9223372036854775807"));
  EXPECT_THAT(error(2, "RCD"), HasSubstr("mode is neither DCR nor CRD"));
}

TEST(SpaceToDepth, crd_has_the_block_inside_the_channel) {
  const Tensor input = counted({1, 2, 2, 2});
  const Tensor crd = run_node(block_node("SpaceToDepth", 2, "CRD"), {input});
  EXPECT_THAT(values_of<float>(crd), ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  const Tensor dcr = run_node(block_node("SpaceToDepth", 2, "DCR"), {input});
  EXPECT_THAT(values_of<float>(dcr), ElementsAre(0, 4, 1, 5, 2, 6, 3, 7));
}

TEST(SpaceToDepth, is_the_inverse_of_dcr) {
  const Node node = test_node("SpaceToDepth", 13, attribute_list(Attribute::of("blocksize", int64_t{2})));
  const Tensor out = run_node(node, {counted({1, 1, 2, 4})});
  EXPECT_EQ(out.shape(), (Shape{1, 4, 1, 2}));
  EXPECT_THAT(values_of<float>(out), ElementsAre(0, 2, 1, 3, 4, 6, 5, 7));
  EXPECT_THAT(values_of<float>(run_node(block_node("DepthToSpace", 2, "DCR"), {out})),
              ElementsAre(0, 1, 2, 3, 4, 5, 6, 7));
  const auto symbolic =
      infer(node, {ValueInfo::tensor(DataType::float32, {Dim::symbol("N"), 3, Dim::symbol("H"), 8})});
  EXPECT_EQ(shape_of(symbolic[0]), "[N, 12, H/2, 4]");
  EXPECT_THAT(error_of([&] {
                run_node(node, {counted({1, 1, 3, 4})});
              }),
              HasSubstr("the height 3 is no multiple of 2"));
}

}  // namespace
}  // namespace overt
