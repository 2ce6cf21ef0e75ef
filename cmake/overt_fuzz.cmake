# Fuzz targets: programs that feed made-up bytes to a part of the library, built by Clang with libFuzzer and the
# address and undefined-behaviour sanitizers. `cmake --preset fuzz && ninja -C build/fuzz fuzz`.
option(OVERT_FUZZ "Define the fuzz targets (Clang only)" OFF)

# The reader needs no operator but the schemas, so only what it uses is instrumented.
function(overt_fuzz_targets)
  if(NOT OVERT_FUZZ)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "fuzz targets need Clang; this is ${CMAKE_CXX_COMPILER_ID}: use the preset fuzz")
  endif()
  overt_sources(sources src/base src/tensor src/graph src/onnx)
  add_executable(load_onnx_fuzz EXCLUDE_FROM_ALL tests/fuzz/load_onnx_fuzz.cc ${sources} src/ops/check_model.cc
                                                 src/ops/schema.cc src/ops/schema_table.cc)
  target_include_directories(load_onnx_fuzz PRIVATE include src)
  target_compile_options(load_onnx_fuzz PRIVATE -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined)
  target_link_options(load_onnx_fuzz PRIVATE -fsanitize=fuzzer,address,undefined)
  target_link_libraries(load_onnx_fuzz PRIVATE fmt::fmt-header-only Threads::Threads ${CMAKE_DL_LIBS})
  add_custom_target(fuzz DEPENDS load_onnx_fuzz)
endfunction()
