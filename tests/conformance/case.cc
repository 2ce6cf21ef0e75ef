#include "conformance/case.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "onnx/load.h"
#include "overt/session.h"

namespace overt::conformance {
namespace {

namespace fs = std::filesystem;

struct Tolerance {
  double relative = 1e-3;
  double absolute = 1e-7;
};

std::vector<std::byte> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(chars.size());
  std::ranges::transform(chars, bytes.begin(), [](char c) { return static_cast<std::byte>(c); });
  return bytes;
}

Tolerance read_tolerance(const fs::path& folder) {
  Tolerance tolerance;
  std::ifstream file(folder / "data.json");
  if (!file) return tolerance;
  const nlohmann::json json = nlohmann::json::parse(file);
  tolerance.relative = json.value("rtol", tolerance.relative);
  tolerance.absolute = json.value("atol", tolerance.absolute);
  return tolerance;
}

template <typename T>
std::string compare_values(const Tensor& found, const Tensor& expected, const Tolerance& tolerance) {
  const auto a = found.values<T>();
  const auto b = expected.values<T>();
  for (size_t i = 0; i < a.size(); ++i) {
    if constexpr (std::is_same_v<T, std::string>) {
      if (a[i] != b[i]) return fmt::format("element {} is '{}', expected '{}'", i, a[i], b[i]);
    } else {
      const auto x = static_cast<double>(
          static_cast<std::conditional_t<sizeof(T) == 2 && !std::is_integral_v<T>, float, T>>(a[i]));
      const auto y = static_cast<double>(
          static_cast<std::conditional_t<sizeof(T) == 2 && !std::is_integral_v<T>, float, T>>(b[i]));
      if (std::isnan(x) && std::isnan(y)) continue;
      if (x == y) continue;
      if (std::isinf(y) || !(std::abs(x - y) <= tolerance.absolute + tolerance.relative * std::abs(y))) {
        return fmt::format("element {} is {}, expected {}", i, x, y);
      }
    }
  }
  return {};
}

std::string compare_bytes(const Tensor& found, const Tensor& expected) {
  const auto* a = static_cast<const std::byte*>(found.data());
  const auto* b = static_cast<const std::byte*>(expected.data());
  return std::equal(a, a + found.bytes(), b) ? "" : "the bytes differ";
}

/// One bfloat16 has eight bits of precision: results that are rounded at other places differ in the last two.
constexpr double kBfloat16Relative = 1.0 / 64;

std::string compare(const Tensor& found, const Tensor& expected, Tolerance tolerance) {
  if (found.type() != expected.type() || found.shape() != expected.shape()) {
    return fmt::format("is {} {}, expected {} {}", data_type_name(found.type()), found.shape().to_string(),
                       data_type_name(expected.type()), expected.shape().to_string());
  }
  if (found.type() == DataType::bfloat16) tolerance.relative = std::max(tolerance.relative, kBfloat16Relative);
  switch (found.type()) {
    case DataType::float32: return compare_values<float>(found, expected, tolerance);
    case DataType::float64: return compare_values<double>(found, expected, tolerance);
    case DataType::float16: return compare_values<Float16>(found, expected, tolerance);
    case DataType::bfloat16: return compare_values<BFloat16>(found, expected, tolerance);
    case DataType::int8: return compare_values<int8_t>(found, expected, tolerance);
    case DataType::int16: return compare_values<int16_t>(found, expected, tolerance);
    case DataType::int32: return compare_values<int32_t>(found, expected, tolerance);
    case DataType::int64: return compare_values<int64_t>(found, expected, tolerance);
    case DataType::uint8: return compare_values<uint8_t>(found, expected, tolerance);
    case DataType::uint16: return compare_values<uint16_t>(found, expected, tolerance);
    case DataType::uint32: return compare_values<uint32_t>(found, expected, tolerance);
    case DataType::uint64: return compare_values<uint64_t>(found, expected, tolerance);
    case DataType::string: return compare_values<std::string>(found, expected, tolerance);
    default: return compare_bytes(found, expected);
  }
}

std::string run_data_set(const Session& session, const fs::path& folder, const Tolerance& tolerance) {
  std::vector<Tensor> inputs;
  for (size_t i = 0; i < session.inputs().size(); ++i) {
    const fs::path file = folder / fmt::format("input_{}.pb", i);
    inputs.push_back(fs::exists(file) ? read_tensor_proto(read_file(file)) : Tensor());
  }
  const std::vector<Tensor> outputs = session.run(inputs);
  for (size_t i = 0; i < outputs.size(); ++i) {
    const Tensor expected = read_tensor_proto(read_file(folder / fmt::format("output_{}.pb", i)));
    if (std::string wrong = compare(outputs[i], expected, tolerance); !wrong.empty()) {
      return fmt::format("{}, output {}: {}", folder.filename().string(), i, wrong);
    }
  }
  return {};
}

}  // namespace

std::vector<Case> find_cases(const fs::path& root) {
  std::vector<Case> cases;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().filename() != "model.onnx") continue;
    const fs::path folder = entry.path().parent_path();
    cases.push_back({folder.filename().string(), folder});
  }
  std::ranges::sort(cases, {}, &Case::name);
  return cases;
}

std::string run_case(const Case& test, const SessionOptions& options) {
  try {
    const Session session = Session::open(test.folder / "model.onnx", options);
    const Tolerance tolerance = read_tolerance(test.folder);
    int data_sets = 0;
    while (fs::exists(test.folder / fmt::format("test_data_set_{}", data_sets))) {
      const std::string wrong =
          run_data_set(session, test.folder / fmt::format("test_data_set_{}", data_sets), tolerance);
      if (!wrong.empty()) return "wrong: " + wrong;
      ++data_sets;
    }
    return data_sets > 0 ? "" : "the folder has no data set";
  } catch (const Error& error) {
    return fmt::format("{}: {}", error_code_name(error.code()), error.message());
  } catch (const std::exception& error) {
    return fmt::format("exception: {}", error.what());
  }
}

}  // namespace overt::conformance
