#ifndef OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_H_
#define OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_H_

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "providers/cpu/convolution_spec.h"

namespace overt::cpu {

/// One step of an epilogue during a run.
struct EpilogueRunStep {
  EpilogueKind kind = EpilogueKind::relu;
  float alpha = 0.0f;
  float beta = 0.0f;
  const float* operand = nullptr;  ///< for add and multiply: a tensor of the destination's layout
};

/// At most this many steps, so that a run allocates nothing.
inline constexpr int kMaxEpilogueSteps = 4;

/// The steps of a run with their operands' addresses.
struct EpilogueRun {
  /// Operand of a first step that adds, in the destination's layout (it may lie there): kernels begin their sums
  /// with it instead of passing over the results once more. Null where there is none.
  const float* start = nullptr;
  EpilogueRunStep steps[kMaxEpilogueSteps];  ///< the other steps
  int count = 0;
};

/// Why kernels of our own do not compute an epilogue, or an empty text: they take at most kMaxEpilogueSteps steps
/// whose operands have the destination's layout.
std::string refuse_epilogue(const EpilogueSpec& epilogue, const Layout& destination);

/// Fills a run from a kernel's pointers: one for each step with an operand, in order, without the one in place.
/// Gives the number of pointers used.
size_t bind_epilogue(const EpilogueSpec& epilogue, std::span<void* const> pointers, const void* destination,
                     EpilogueRun& run);

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_KERNELS_EPILOGUE_H_
