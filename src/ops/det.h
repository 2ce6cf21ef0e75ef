#ifndef OVERT_OPS_DET_H_
#define OVERT_OPS_DET_H_

#include <cstdint>
#include <span>

#include "ops/infer_context.h"

namespace overt {

void infer_det(InferContext& context);

/// The determinant of a square matrix of `size` rows, row-major, which is used up.
///
/// Gaussian elimination with the largest element of each column as its pivot; 1 for size 0. Cannot fail.
double determinant(std::span<double> matrix, int64_t size);

}  // namespace overt

#endif  // OVERT_OPS_DET_H_
