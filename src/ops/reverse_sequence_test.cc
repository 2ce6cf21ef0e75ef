#include "ops/reverse_sequence.h"

#include <gmock/gmock.h>

#include "ops/test_node.h"

namespace overt {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Node reverse_node(int64_t batch_axis, int64_t time_axis) {
  return test_node("ReverseSequence", 10,
                   attribute_list(Attribute::of("batch_axis", batch_axis), Attribute::of("time_axis", time_axis)), 2);
}

TEST(ReverseSequence, each_item_has_its_own_length) {
  const Tensor by_row = run_node(reverse_node(0, 1), {counted({2, 3}), int64_list({2, 3})});
  EXPECT_THAT(values_of<float>(by_row), ElementsAre(1, 0, 2, 5, 4, 3));
  const Tensor by_column = run_node(reverse_node(1, 0), {counted({3, 2}), int64_list({3, 1})});
  EXPECT_THAT(values_of<float>(by_column), ElementsAre(4, 1, 2, 3, 0, 5));
}

TEST(ReverseSequence, lengths_and_axes_must_fit) {
  const auto error = [](std::vector<int64_t> lengths, int64_t batch_axis = 0) {
    return error_of([&] { run_node(reverse_node(batch_axis, 1), {counted({2, 3}), int64_list(lengths)}); });
  };
  EXPECT_THAT(error({4, 0}), HasSubstr("sequence_lens has 4, expected 0 to 3"));
  EXPECT_THAT(error({-1, 0}), HasSubstr("sequence_lens has -1, expected 0 to 3"));
  EXPECT_THAT(error({1}), HasSubstr("sequence_lens has 1 entries, expected 2, the batch size"));
  EXPECT_THAT(error({1, 1}, 1), HasSubstr("expected one 0 and one 1"));
}

}  // namespace
}  // namespace overt
