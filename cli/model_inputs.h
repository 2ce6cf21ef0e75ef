#ifndef OVERT_CLI_MODEL_INPUTS_H_
#define OVERT_CLI_MODEL_INPUTS_H_

#include <CLI/App.hpp>
#include <map>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "overt/session.h"

namespace overt::cli {

/// What the inputs of a model shall be.
struct InputFlags {
  std::vector<std::string> inputs;  ///< "NAME=FILE.npy" or "NAME=random"
  std::vector<std::string> dims;    ///< "SYMBOL=N" or "INPUT.AXIS=N"
  int64_t batch = 0;                ///< first length of each input; 0: not given
  uint64_t seed = 1;
};

void add_dim_flags(CLI::App& app, InputFlags& flags);
void add_input_flags(CLI::App& app, InputFlags& flags);

/// Makes the inputs that the flags describe. Open lengths are taken from files, then from --dim, then they are 1,
/// which is logged.
class ModelInputs {
 public:
  /// Reads the files. Throws UsageError for an unknown input or dim, Error for a file. `log` may be empty.
  ModelInputs(std::span<const TensorSpec> specs, const InputFlags& flags, LogCallback log);

  /// By position. An input with a default in the file that was not named has an empty tensor.
  std::vector<Tensor> tensors();
  /// By position, also where an input has a default.
  std::vector<Shape> shapes();

 private:
  void read_files(const InputFlags& flags);
  void read_dims(const InputFlags& flags);
  void apply_batch(int64_t batch);
  void learn_symbols(const TensorSpec& spec, const Shape& shape);
  size_t index_of(const std::string& name) const;
  Shape shape_of(size_t input);
  int64_t length_of(size_t input, size_t axis);
  std::string axis_name(size_t input, size_t axis) const;  ///< "images.0"

  std::span<const TensorSpec> specs_;
  LogCallback log_;
  std::mt19937_64 generator_;
  std::vector<Tensor> given_;               ///< from files, by position; else empty
  std::vector<bool> wanted_;                ///< by position: named on the command line
  std::map<std::string, int64_t> lengths_;  ///< by symbol or axis_name
};

}  // namespace overt::cli

#endif  // OVERT_CLI_MODEL_INPUTS_H_
