#include "providers/cpu/kernels/strided_copy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "base/thread_pool.h"
#include "providers/cpu/kernels/resize.h"

namespace overt::cpu {
namespace {

/// Copies elements one by one.
template <typename T>
void copy_plainly(const std::vector<int64_t>& dims, const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                  const T* source, T* destination, size_t axis = 0) {
  if (axis == dims.size()) {
    *destination = *source;
    return;
  }
  for (int64_t i = 0; i < dims[axis]; ++i) {
    copy_plainly(dims, from, to, source + i * from[axis], destination + i * to[axis], axis + 1);
  }
}

std::vector<int64_t> row_major(const std::vector<int64_t>& dims) {
  std::vector<int64_t> strides(dims.size(), 1);
  for (size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

template <typename T>
void expect_same(const std::vector<int64_t>& dims, const std::vector<int64_t>& from, const std::vector<int64_t>& to,
                 size_t source_size, size_t destination_size) {
  ThreadPool threads(2);
  std::vector<T> source(source_size);
  std::iota(source.begin(), source.end(), T(1));
  std::vector<T> expected(destination_size, T(0));
  std::vector<T> found = expected;
  copy_plainly(dims, from, to, source.data(), expected.data());
  StridedCopy(dims, from, to, sizeof(T)).run(source.data(), found.data(), threads);
  EXPECT_EQ(found, expected);
}

TEST(StridedCopy, transposes_by_every_permutation_of_three_axes) {
  for (const std::vector<int64_t>& dims : std::vector<std::vector<int64_t>>{{3, 4, 5}, {40, 33, 17}, {1, 7, 1}}) {
    std::vector<int64_t> order = {0, 1, 2};
    do {
      std::vector<int64_t> out_dims;
      std::vector<int64_t> from;
      for (const int64_t axis : order) {
        out_dims.push_back(dims[static_cast<size_t>(axis)]);
        from.push_back(row_major(dims)[static_cast<size_t>(axis)]);
      }
      const size_t size = static_cast<size_t>(dims[0] * dims[1] * dims[2]);
      expect_same<uint8_t>(out_dims, from, row_major(out_dims), size, size);
      expect_same<uint16_t>(out_dims, from, row_major(out_dims), size, size);
      expect_same<float>(out_dims, from, row_major(out_dims), size, size);
      expect_same<double>(out_dims, from, row_major(out_dims), size, size);
    } while (std::next_permutation(order.begin(), order.end()));
  }
}

TEST(StridedCopy, a_large_matrix_is_cut_for_the_threads) {
  expect_same<float>({700, 300}, {1, 700}, {300, 1}, 210000, 210000);
  expect_same<float>({210000}, {1}, {1}, 210000, 210000);
  expect_same<float>({100000}, {2}, {1}, 200000, 100000);
}

TEST(StridedCopy, slices_with_steps_and_writes_into_a_wider_tensor) {
  expect_same<float>({3, 4}, {20, 2}, {9, 1}, 60, 30);
  expect_same<float>({2, 3, 4}, {30, 10, 2}, {24, 4, 1}, 60, 48);
}

TEST(StridedCopy, a_stride_of_zero_repeats) {
  expect_same<float>({3, 4, 2}, {0, 1, 0}, {8, 2, 1}, 4, 24);
}

TEST(StridedCopy, a_negative_stride_reverses) {
  ThreadPool threads(1);
  const std::vector<int32_t> source = {1, 2, 3};
  std::vector<int32_t> found(3);
  const std::vector<int64_t> dims = {3}, back = {-1}, forth = {1};
  StridedCopy(dims, back, forth, 4).run(source.data() + 2, found.data(), threads);
  EXPECT_EQ(found, (std::vector<int32_t>{3, 2, 1}));
}

TEST(StridedCopy, one_element_no_axes_and_empty_axes) {
  expect_same<float>({}, {}, {}, 1, 1);
  expect_same<float>({1, 1}, {5, 7}, {2, 3}, 1, 1);
  expect_same<float>({3, 0}, {1, 1}, {1, 1}, 3, 3);
}

TEST(StridedCopy, elements_of_other_sizes_are_runs_of_bytes) {
  ThreadPool threads(1);
  const std::string source = "abcdefghijkl";
  std::string found(12, '.');
  const std::vector<int64_t> dims = {2, 2}, from = {1, 2}, to = {2, 1};
  StridedCopy(dims, from, to, 3).run(source.data(), found.data(), threads);
  EXPECT_EQ(found, "abcghidefjkl");
}

TEST(ResizeNearest, doubles_rows_and_columns_of_plain_and_blocked_pictures) {
  ThreadPool threads(2);
  for (const int64_t lanes : {1, 3, 8, 16}) {
    NearestResize resize{2, lanes, 2, 3, {0, 0, 1, 1}, {0, 0, 1, 1, 2, 2}};
    std::vector<float> x(static_cast<size_t>(2 * 2 * 3 * lanes));
    std::iota(x.begin(), x.end(), 0.0f);
    std::vector<float> y(static_cast<size_t>(2 * 4 * 6 * lanes));
    resize_nearest(resize, x.data(), y.data(), threads);
    size_t at = 0;
    for (int64_t p = 0; p < 2; ++p) {
      for (int64_t i = 0; i < 4; ++i) {
        for (int64_t j = 0; j < 6; ++j) {
          for (int64_t lane = 0; lane < lanes; ++lane) {
            ASSERT_EQ(y[at++], x[static_cast<size_t>(((p * 2 + i / 2) * 3 + j / 2) * lanes + lane)]);
          }
        }
      }
    }
  }
}

TEST(ResizeNearest, tables_may_reverse_and_skip) {
  ThreadPool threads(1);
  const std::vector<float> x = {1, 2, 3, 4, 5, 6};
  std::vector<float> y(2);
  resize_nearest({1, 1, 2, 3, {1}, {2, 0}}, x.data(), y.data(), threads);
  EXPECT_EQ(y, (std::vector<float>{6, 4}));
}

}  // namespace
}  // namespace overt::cpu
