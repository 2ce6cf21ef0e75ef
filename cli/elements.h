#ifndef OVERT_CLI_ELEMENTS_H_
#define OVERT_CLI_ELEMENTS_H_

#include <complex>
#include <cstdint>
#include <optional>
#include <string>

#include "json.h"
#include "overt/tensor.h"

namespace overt::cli {

/// Element `i` (row-major) as a number: a bool is 0 or 1, an int64 over 2^53 is rounded, a complex number is its real
/// part. For any type but string.
double element_as_double(const Tensor& tensor, int64_t i);
/// For complex64 and complex128.
std::complex<double> element_as_complex(const Tensor& tensor, int64_t i);
/// As a person reads it: exact for integers; strings in quotes and cut; complex as "1+2i".
std::string element_text(const Tensor& tensor, int64_t i);
Json element_json(const Tensor& tensor, int64_t i);

/// Of the elements that are numbers; `not_finite` counts NaN and infinities, which the others leave out.
struct Statistics {
  double min = 0;
  double max = 0;
  double mean = 0;
  int64_t not_finite = 0;
};
/// Nothing for strings, complex numbers and tensors without a finite element.
std::optional<Statistics> statistics_of(const Tensor& tensor);
int64_t count_not_finite(const Tensor& tensor);

}  // namespace overt::cli

#endif  // OVERT_CLI_ELEMENTS_H_
