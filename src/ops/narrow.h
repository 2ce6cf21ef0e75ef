#ifndef OVERT_OPS_NARROW_H_
#define OVERT_OPS_NARROW_H_

#include <cstdint>

#include "ops/kernel_context.h"

namespace overt {

/// The types of 8 bits and less that have no C++ type of their own: the 8-bit floats, float4e2m1, and the integers of
/// 4 and 2 bits. An element is handled as its bits, in the low bits of a byte.
bool is_narrow(DataType type);
/// uint4, int4, uint2, int2.
bool is_narrow_integer(DataType type);

/// The bits of element i of a narrow tensor's data, and how to write them. Elements that share a byte lie from its
/// low bits up; `write_narrow` leaves the others of the byte as they are.
uint8_t read_narrow(DataType type, const void* data, int64_t i);
void write_narrow(DataType type, void* data, int64_t i, uint8_t bits);

/// Whether several elements share a byte; those are moved as bytes, one an element: `unpacked` gives their bits as
/// uint8, `pack` puts them together in `output`, which has as many elements.
inline bool is_packed(DataType type) {
  return data_type_bits(type) < 8;
}
Tensor unpacked(const TensorView& view);
void pack(const Tensor& bytes, const MutableTensorView& output);

/// The number that the bits stand for.
float narrow_value(DataType type, uint8_t bits);

/// Rounding to float8e8m0, which is a power of two.
enum class PowerRounding : uint8_t { up, down, nearest };

struct NarrowRounding {
  /// 8-bit floats: beyond the largest number comes that number; else infinity, or NaN in types without one.
  bool saturate = true;
  PowerRounding power = PowerRounding::up;
};

/// The bits nearest to x, ties to even, by the tables of ONNX Cast. What these leave open: float4e2m1 always
/// saturates and makes -0 of NaN; float8e8m0 takes the magnitude; the integers keep the low bits of x cut to an
/// integer.
uint8_t narrow_bits(DataType type, double x, NarrowRounding rounding = {});

}  // namespace overt

#endif  // OVERT_OPS_NARROW_H_
