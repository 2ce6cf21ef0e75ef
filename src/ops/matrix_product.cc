#include "ops/matrix_product.h"

#include <algorithm>

namespace overt {
namespace {

// A tile of c is kept in registers while a block of K is summed; b's panel for it is packed and stays in L1.
constexpr int64_t kTileRows = 4;
constexpr int64_t kTileColumns = 8;
constexpr int64_t kBlock = 256;

/// panel[k][j] = b(first_row + k, first_column + j), zero past the last column.
template <typename T>
void pack_panel(const MatrixView<T>& b, int64_t first_row, int64_t rows, int64_t first_column, int64_t columns,
                T* panel) {
  for (int64_t k = 0; k < rows; ++k) {
    const T* row = b.data + (first_row + k) * b.row_stride + first_column * b.column_stride;
    T* packed = panel + k * kTileColumns;
    for (int64_t j = 0; j < columns; ++j) packed[j] = row[j * b.column_stride];
    for (int64_t j = columns; j < kTileColumns; ++j) packed[j] = T{};
  }
}

/// sums[r*kTileColumns + j] = sum over k of a[r*row_stride + k*column_stride] * panel[k][j], for Rows rows.
template <int64_t Rows, typename T>
void sum_tile(const T* a, int64_t row_stride, int64_t column_stride, int64_t length, const T* panel, T* sums) {
  T local[Rows][kTileColumns] = {};
  for (int64_t k = 0; k < length; ++k) {
    for (int64_t r = 0; r < Rows; ++r) {
      const T factor = a[r * row_stride + k * column_stride];
      for (int64_t j = 0; j < kTileColumns; ++j) local[r][j] += factor * panel[k * kTileColumns + j];
    }
  }
  for (int64_t r = 0; r < Rows; ++r) {
    for (int64_t j = 0; j < kTileColumns; ++j) sums[r * kTileColumns + j] = local[r][j];
  }
}

}  // namespace

template <typename T>
void add_matrix_product(const MatrixView<T>& a, const MatrixView<T>& b, T* c, int64_t c_stride) {
  alignas(64) T panel[kBlock * kTileColumns];
  T sums[kTileRows * kTileColumns];
  for (int64_t k = 0; k < a.columns; k += kBlock) {
    const int64_t length = std::min(kBlock, a.columns - k);
    for (int64_t column = 0; column < b.columns; column += kTileColumns) {
      const int64_t columns = std::min(kTileColumns, b.columns - column);
      pack_panel(b, k, length, column, columns, panel);
      for (int64_t row = 0; row < a.rows; row += kTileRows) {
        const int64_t rows = std::min(kTileRows, a.rows - row);
        const T* first = a.data + row * a.row_stride + k * a.column_stride;
        if (rows == kTileRows) {
          sum_tile<kTileRows>(first, a.row_stride, a.column_stride, length, panel, sums);
        } else {
          for (int64_t r = 0; r < rows; ++r) {
            sum_tile<1>(first + r * a.row_stride, 0, a.column_stride, length, panel, sums + r * kTileColumns);
          }
        }
        for (int64_t r = 0; r < rows; ++r) {
          T* target = c + (row + r) * c_stride + column;
          for (int64_t j = 0; j < columns; ++j) target[j] += sums[r * kTileColumns + j];
        }
      }
    }
  }
}

template void add_matrix_product(const MatrixView<float>&, const MatrixView<float>&, float*, int64_t);
template void add_matrix_product(const MatrixView<double>&, const MatrixView<double>&, double*, int64_t);
template void add_matrix_product(const MatrixView<uint32_t>&, const MatrixView<uint32_t>&, uint32_t*, int64_t);
template void add_matrix_product(const MatrixView<uint64_t>&, const MatrixView<uint64_t>&, uint64_t*, int64_t);

}  // namespace overt
