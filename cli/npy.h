#ifndef OVERT_CLI_NPY_H_
#define OVERT_CLI_NPY_H_

#include <filesystem>

#include "overt/tensor.h"

namespace overt::cli {

/// The array in a .npy file (formats 1 to 3, C or Fortran order, either byte order).
///
/// `wanted` is the type that the model takes, for those that numpy has no word for: elements without a type of the
/// right size (as the ml_dtypes package saves bfloat16, 8- and 4-bit types) and, for int4, uint4, int2 and uint2,
/// int8 or uint8 within their range. Any other array comes back in its own type, also where that is not `wanted`.
/// Throws Error(invalid_argument) for a missing or damaged file, too few or too many bytes, and elements that no
/// tensor can hold; Error(out_of_memory).
Tensor read_npy(const std::filesystem::path& path, DataType wanted = DataType::undefined);

/// Writes to a temporary name and renames. bfloat16 and 8- and 4-bit floats become elements without a type ('V'),
/// 4- and 2-bit integers int8 or uint8, strings 'U', or 'S' where one is not UTF-8.
void write_npy(const std::filesystem::path& path, const Tensor& tensor);

}  // namespace overt::cli

#endif  // OVERT_CLI_NPY_H_
