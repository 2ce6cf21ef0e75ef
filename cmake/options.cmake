# Language, warnings and the switches of the build. Each preset in CMakePresets.json sets these.
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

option(OVERT_BUILD_TESTS "Build the tests" ON)
set(OVERT_SANITIZE "" CACHE STRING "address (with undefined), thread, or empty")
set(OVERT_ONEDNN_ROOT "${CMAKE_SOURCE_DIR}/build/venv" CACHE PATH
    "Prefix that holds include/oneapi/dnnl and lib/libdnnl.so.3; scripts/setup fills it")

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

find_program(OVERT_CCACHE ccache)
if(OVERT_CCACHE)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${OVERT_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${OVERT_CCACHE})
endif()

add_library(overt_flags INTERFACE)
target_compile_options(overt_flags INTERFACE -Wall -Wextra -Werror -fno-math-errno -ffp-contract=off)
# GCC 12 reports a copy within std::string's own assignment; the rest of these depend on what each GCC version inlines.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(overt_flags INTERFACE -Wno-restrict -Wno-error=array-bounds -Wno-error=stringop-overflow
                                               -Wno-error=stringop-overread -Wno-error=maybe-uninitialized)
endif()
if(OVERT_SANITIZE STREQUAL "address")
  target_compile_options(overt_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
  target_link_options(overt_flags INTERFACE -fsanitize=address,undefined)
elseif(OVERT_SANITIZE STREQUAL "thread")
  target_compile_options(overt_flags INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(overt_flags INTERFACE -fsanitize=thread)
endif()
