# Installs the build, builds the program of this folder against it, and runs it.
# cmake -DBUILD=<build folder> -DWORK=<scratch folder> -P check.cmake
file(REMOVE_RECURSE ${WORK})
function(run_step)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${ARGN} failed:\n${output}")
  endif()
  set(step_output "${output}" PARENT_SCOPE)
endfunction()
run_step(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
run_step(${CMAKE_COMMAND} -S ${CMAKE_CURRENT_LIST_DIR} -B ${WORK}/user -DCMAKE_PREFIX_PATH=${WORK}/prefix
         -DCMAKE_BUILD_TYPE=Release)
run_step(${CMAKE_COMMAND} --build ${WORK}/user)
run_step(${WORK}/user/user ${CMAKE_CURRENT_LIST_DIR}/relu.onnx)
if(NOT step_output STREQUAL "0 0.5 2 relu: 1 nodes, 1 cpu, 0 copies, fp32\n")
  message(FATAL_ERROR "the program printed: ${step_output}")
endif()
