# Every target of the project. Sources are found by folder, so that adding a file needs no edit here;
# a file named *_test.cc belongs to the folder's test program.
find_package(fmt REQUIRED)
find_package(Threads REQUIRED)

function(overt_sources out)
  set(all "")
  foreach(folder ${ARGN})
    file(GLOB found CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*.cc)
    list(FILTER found EXCLUDE REGEX "_test\\.cc$")
    list(APPEND all ${found})
  endforeach()
  set(${out} ${all} PARENT_SCOPE)
endfunction()

# libovert.so: from a model file to an answer, without any device code.
function(overt_library)
  overt_sources(sources src/base src/tensor src/graph src/onnx src/ops src/passes src/provider_api
                src/placement src/plan src/run src)
  add_library(overt SHARED ${sources})
  add_library(overt::overt ALIAS overt)
  target_include_directories(overt PUBLIC $<BUILD_INTERFACE:${CMAKE_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>
                                   PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_compile_features(overt PUBLIC cxx_std_20)
  target_link_libraries(overt PRIVATE overt_flags fmt::fmt-header-only Threads::Threads ${CMAKE_DL_LIBS})
  set_target_properties(overt PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
endfunction()

# libovert_vision.so: pictures in, boxes and marked pictures out.
function(overt_vision_library)
  find_package(JPEG REQUIRED)
  find_package(PNG REQUIRED)
  overt_sources(sources src/vision)
  if(NOT sources)
    return()
  endif()
  add_library(overt_vision SHARED ${sources})
  # -O2 leaves loops over pixels scalar in GCC 12.
  set_source_files_properties(src/vision/letterbox.cc src/vision/resize.cc PROPERTIES
                              COMPILE_OPTIONS "$<$<CONFIG:Release>:-O3>")
  target_include_directories(overt_vision PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_link_libraries(overt_vision PUBLIC overt PRIVATE overt_flags fmt::fmt-header-only JPEG::JPEG PNG::PNG)
  set_target_properties(overt_vision PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR})
endfunction()

# libovert_cpu.so: opened at run time by the core, like every provider.
function(overt_cpu_provider)
  overt_sources(sources src/providers/cpu src/providers/cpu/kernels src/providers/cpu/onednn)
  if(NOT sources)
    return()
  endif()
  add_library(overt_cpu SHARED ${sources})
  target_include_directories(overt_cpu PRIVATE ${CMAKE_SOURCE_DIR}/src)
  target_include_directories(overt_cpu SYSTEM PRIVATE ${OVERT_ONEDNN_ROOT}/include)
  target_link_libraries(overt_cpu PRIVATE overt overt_flags fmt::fmt-header-only hwy Threads::Threads ${CMAKE_DL_LIBS})
endfunction()

function(overt_programs)
  overt_sources(sources cli)
  if(NOT sources)
    return()
  endif()
  find_package(CLI11 REQUIRED)
  find_package(nlohmann_json REQUIRED)
  find_package(spdlog REQUIRED)
  add_executable(overt_cli ${sources})
  set_target_properties(overt_cli PROPERTIES OUTPUT_NAME overt)
  target_link_libraries(overt_cli PRIVATE overt overt_vision overt_flags fmt::fmt-header-only CLI11::CLI11
                        nlohmann_json::nlohmann_json spdlog::spdlog_header_only)
endfunction()

# One test program per folder: overt_<folder>_test.
function(overt_folder_tests name folder)
  file(GLOB tests CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/${folder}/*_test.cc)
  if(NOT tests)
    return()
  endif()
  add_executable(overt_${name}_test ${tests})
  target_include_directories(overt_${name}_test PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR}/tests)
  target_link_libraries(overt_${name}_test PRIVATE overt overt_flags fmt::fmt-header-only GTest::gmock_main ${ARGN})
  target_compile_definitions(overt_${name}_test PRIVATE OVERT_SOURCE_DIR="${CMAKE_SOURCE_DIR}")
  gtest_discover_tests(overt_${name}_test DISCOVERY_MODE PRE_TEST)
endfunction()

function(overt_tests)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  foreach(folder base tensor graph onnx ops passes provider_api placement plan run)
    overt_folder_tests(${folder} src/${folder})
  endforeach()
  if(TARGET overt_vision)
    overt_folder_tests(vision src/vision overt_vision JPEG::JPEG PNG::PNG)
  endif()
endfunction()

function(overt_install)
endfunction()
