#ifndef OVERT_TESTS_CONFORMANCE_CASE_H_
#define OVERT_TESTS_CONFORMANCE_CASE_H_

#include <filesystem>
#include <string>
#include <vector>

#include "overt/options.h"

namespace overt::conformance {

/// One test of the suite: a folder with model.onnx and test_data_set_<k>/{input,output}_<i>.pb.
struct Case {
  std::string name;
  std::filesystem::path folder;
};

/// Every case below the folder, by name.
std::vector<Case> find_cases(const std::filesystem::path& root);

/// What is wrong with the case's results, or an empty text. Never throws.
std::string run_case(const Case& test, const SessionOptions& options);

}  // namespace overt::conformance

#endif  // OVERT_TESTS_CONFORMANCE_CASE_H_
