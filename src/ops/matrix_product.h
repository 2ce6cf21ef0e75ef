#ifndef OVERT_OPS_MATRIX_PRODUCT_H_
#define OVERT_OPS_MATRIX_PRODUCT_H_

#include <cstdint>

namespace overt {

/// A matrix to read: element (r, c) lies at data[r*row_stride + c*column_stride], strides in elements, so that a
/// transposed matrix is another view of the same memory.
template <typename T>
struct MatrixView {
  const T* data = nullptr;
  int64_t rows = 0;
  int64_t columns = 0;
  int64_t row_stride = 0;
  int64_t column_stride = 1;

  MatrixView transposed() const { return {data, columns, rows, column_stride, row_stride}; }
};

/// A contiguous row-major matrix.
template <typename T>
MatrixView<T> dense_matrix(const T* data, int64_t rows, int64_t columns) {
  return {data, rows, columns, columns, 1};
}

/// c += a * b.
///
/// a: [M, K], b: [K, N]; c: [M, N] in rows of `c_stride` elements, overlapping neither. T is float, double,
/// uint32_t or uint64_t (signed integers have the same bits, modulo 2^32 or 2^64). Sums run over blocks of K
/// in order and are kept in T; the same arguments give the same bits. One thread, a few KB of stack.
template <typename T>
void add_matrix_product(const MatrixView<T>& a, const MatrixView<T>& b, T* c, int64_t c_stride);

}  // namespace overt

#endif  // OVERT_OPS_MATRIX_PRODUCT_H_
