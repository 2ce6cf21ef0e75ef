include(${CMAKE_CURRENT_LIST_DIR}/overt-targets.cmake)
