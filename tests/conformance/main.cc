#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "conformance/case.h"
#include "overt/error.h"

namespace {

using overt::conformance::Case;

/// Names of tests that are known to fail, each with its reason: "test_name: reason" lines, # for comments.
std::map<std::string, std::string> read_gaps(const std::string& path) {
  std::map<std::string, std::string> gaps;
  std::ifstream file(path);
  if (!file) throw CLI::FileError::Missing(path);
  std::string line;
  while (std::getline(file, line)) {
    if (line.empty() || line[0] == '#') continue;
    const size_t colon = line.find(": ");
    if (colon == std::string::npos) throw CLI::ConversionError("a gap without a reason: " + line);
    gaps[line.substr(0, colon)] = line.substr(colon + 2);
  }
  return gaps;
}

struct Results {
  int64_t passed = 0;
  std::vector<std::pair<std::string, std::string>> failed;
  std::vector<std::pair<std::string, std::string>> known_gaps;
  std::vector<std::string> unexpected_passes;
};

void print_text(const Results& results, bool verbose) {
  for (const auto& [name, wrong] : results.failed) fmt::print("FAILED {}: {}\n", name, wrong);
  for (const std::string& name : results.unexpected_passes) {
    fmt::print("UNEXPECTED PASS {}: take it off the list of gaps\n", name);
  }
  if (verbose) {
    for (const auto& [name, wrong] : results.known_gaps) fmt::print("known gap {}: {}\n", name, wrong);
  }
  fmt::print("{} known gaps, {} unexpected passes\n", results.known_gaps.size(), results.unexpected_passes.size());
  fmt::print("{} passed, {} failed\n", results.passed, results.failed.size() + results.unexpected_passes.size());
}

void print_json(const Results& results) {
  nlohmann::json json = {{"passed", results.passed}, {"unexpected_passes", results.unexpected_passes}};
  json["failed"] = nlohmann::json::array();
  for (const auto& [name, wrong] : results.failed) json["failed"].push_back({{"name", name}, {"why", wrong}});
  json["known_gaps"] = nlohmann::json::array();
  for (const auto& [name, wrong] : results.known_gaps) json["known_gaps"].push_back({{"name", name}, {"why", wrong}});
  fmt::print("{}\n", json.dump(1, ' ', false, nlohmann::json::error_handler_t::replace));
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("Runs the ONNX backend suite, dumped to files, and compares every output");
  std::string root;
  std::string provider = "cpu";
  std::string gaps_file;
  std::string only;
  bool as_json = false;
  bool verbose = false;
  bool no_optimize = false;
  bool no_onednn = false;
  app.add_option("dir", root, "folder of test folders")->required()->check(CLI::ExistingDirectory);
  app.add_option("--provider", provider, "provider that runs them");
  app.add_option("--gaps", gaps_file, "known failures, one 'name: reason' per line");
  app.add_option("--only", only, "run the tests whose name contains this");
  app.add_flag("--json", as_json, "machine-readable results");
  app.add_flag("--verbose", verbose, "name each test before it runs, and list the known gaps");
  app.add_flag("--no-optimize", no_optimize, "run without graph passes");
  app.add_flag("--no-onednn", no_onednn, "run on reference kernels");
  CLI11_PARSE(app, argc, argv);
  try {
    const std::map<std::string, std::string> gaps =
        gaps_file.empty() ? std::map<std::string, std::string>() : read_gaps(gaps_file);
    overt::SessionOptions options;
    options.optimize = !no_optimize;
    options.providers[0].name = provider;
    options.providers[0].use_onednn = !no_onednn;
    Results results;
    std::set<std::string> seen;
    for (const Case& test : overt::conformance::find_cases(root)) {
      if (test.name.find(only) == std::string::npos) continue;
      if (verbose) fmt::print(stderr, "{}\n", test.name);
      seen.insert(test.name);
      const std::string wrong = overt::conformance::run_case(test, options);
      const bool gap = gaps.contains(test.name);
      if (wrong.empty()) {
        ++results.passed;
        if (gap) results.unexpected_passes.push_back(test.name);
      } else if (gap) {
        results.known_gaps.emplace_back(test.name, wrong);
      } else {
        results.failed.emplace_back(test.name, wrong);
      }
    }
    for (const auto& [name, reason] : gaps) {
      if (only.empty() && !seen.contains(name))
        results.failed.emplace_back(name, "is on the list of gaps and not in the suite");
    }
    if (as_json) {
      print_json(results);
    } else {
      print_text(results, verbose);
    }
    return results.failed.empty() && results.unexpected_passes.empty() ? 0 : 1;
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 1;
  }
}
