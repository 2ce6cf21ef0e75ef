#ifndef OVERT_CLI_NPY_HEADER_H_
#define OVERT_CLI_NPY_HEADER_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "overt/tensor.h"

namespace overt::cli {

/// What stands in front of the numbers of a .npy file.
struct NpyHeader {
  char kind = 0;           ///< b, i, u, f, c, S (bytes), U (UTF-32) or V (bits without a type)
  int64_t item_bytes = 0;  ///< of one element; for U four times its letters
  bool big_endian = false;
  bool fortran_order = false;  ///< the first axis runs fastest
  Shape shape;
  size_t data_offset = 0;  ///< of the first element in the file

  /// "<f4".
  std::string descr() const;
};

/// Reads the header of format 1.0, 2.0 or 3.0 at the start of a file's bytes. Throws Error(invalid_argument) for
/// anything that is no such header, and for arrays of Python objects and of structs.
/// Source: numpy's NEP 1 and numpy.lib.format.
NpyHeader parse_npy_header(std::string_view file);

/// A header of format 1.0, padded so that the data starts at a multiple of 64.
std::string make_npy_header(std::string_view descr, const Shape& shape);

}  // namespace overt::cli

#endif  // OVERT_CLI_NPY_HEADER_H_
