# The repository's own checks, as tests: they need Python alone, and what needs the onnx package says so and skips.
set(OVERT_PYTHON ${CMAKE_SOURCE_DIR}/build/venv/bin/python)

# overt_check(NAME COMMAND...): a script under the source folder that exits with 0, or with 77 for "cannot run here".
function(overt_check name)
  add_test(NAME check.${name} COMMAND ${OVERT_PYTHON} ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(check.${name} PROPERTIES SKIP_RETURN_CODE 77 LABELS check)
endfunction()

function(overt_checks)
  overt_check(layering scripts/check_layering.py)
  overt_check(layering_self_test scripts/check_layering.py --self-test)
  overt_check(docs scripts/check_docs.py)
  overt_check(schemas scripts/generate_schemas.py --check)
endfunction()
