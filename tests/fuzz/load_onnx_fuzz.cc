// libFuzzer target: any bytes are a model, or a typed error; what loads is a consistent graph.
//
//   build/fuzz/bin/load_onnx_fuzz -rss_limit_mb=2048 CORPUS build/conformance/1.23.2/...
#include <cstddef>
#include <cstdint>
#include <span>

#include "graph/graph.h"
#include "onnx/load.h"
#include "ops/check_model.h"
#include "overt/error.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  try {
    overt::Model model = overt::load_onnx(std::as_bytes(std::span(data, size)), nullptr, std::nullopt);
    overt::verify(model.graph, "load");
    overt::check_model(model);
    overt::verify(model.graph, "check_model");
  } catch (const overt::Error& error) {
    if (error.code() == overt::ErrorCode::internal) __builtin_trap();
  }
  return 0;
}
