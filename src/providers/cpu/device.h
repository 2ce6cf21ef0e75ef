#ifndef OVERT_PROVIDERS_CPU_DEVICE_H_
#define OVERT_PROVIDERS_CPU_DEVICE_H_

#include <memory>
#include <string>

#include "base/threads.h"
#include "overt/options.h"
#include "providers/cpu/onednn/library.h"
#include "providers/cpu/onednn/packed_weights.h"
#include "providers/cpu/packed_constants.h"

namespace overt::cpu {

/// What the kernels of one session share: threads, oneDNN where it is there, packed weights.
struct Device {
  Precision precision = Precision::fp32;
  std::unique_ptr<onednn::Library> onednn;        ///< null: see `onednn_refusal`
  std::string onednn_refusal;                     ///< why there is no oneDNN, in words
  std::unique_ptr<onednn::PackedWeights> packed;  ///< null where there is no oneDNN
  PackedConstants own_packed;                     ///< weights of our own kernels
  std::unique_ptr<Threads> own_threads;           ///< null where oneDNN's threads are used

  Threads& threads() const { return own_threads ? *own_threads : onednn->threads(); }
  /// Channels in a group of the blocked layouts, 1 where kernels work on row-major tensors only.
  int64_t channel_block() const { return onednn ? onednn->channel_block() : 1; }
};

}  // namespace overt::cpu

#endif  // OVERT_PROVIDERS_CPU_DEVICE_H_
