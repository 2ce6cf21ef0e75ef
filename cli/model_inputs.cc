#include "model_inputs.h"

#include <algorithm>

#include "errors.h"
#include "flags.h"
#include "npy.h"
#include "overt/text.h"
#include "random_tensor.h"

namespace overt::cli {
namespace {

bool has_name(const std::string& symbol) {
  return !symbol.empty() && !symbol.starts_with('?');
}

}  // namespace

void add_dim_flags(CLI::App& app, InputFlags& flags) {
  app.add_option("--dim", flags.dims, "an open length by its symbol, or by INPUT.AXIS [1]")
      ->allow_extra_args(false)
      ->option_text("NAME=N ...");
}

void add_input_flags(CLI::App& app, InputFlags& flags) {
  app.add_option("--input", flags.inputs, "an input's values from a file; inputs that are not named are random")
      ->allow_extra_args(false)
      ->option_text("NAME=FILE.npy|random ...");
  add_dim_flags(app, flags);
  app.add_option("--seed", flags.seed, "of random inputs [1]")->option_text("N");
}

ModelInputs::ModelInputs(std::span<const TensorSpec> specs, const InputFlags& flags, LogCallback log)
    : specs_(specs),
      log_(std::move(log)),
      generator_(flags.seed),
      given_(specs.size()),
      wanted_(specs.size(), false) {
  read_files(flags);
  read_dims(flags);
  if (flags.batch > 0) apply_batch(flags.batch);
}

size_t ModelInputs::index_of(const std::string& name) const {
  std::vector<std::string> names;
  for (size_t i = 0; i < specs_.size(); ++i) {
    if (specs_[i].name == name) return i;
    names.push_back(specs_[i].name);
  }
  fail_usage("--input: the model has no input '{}'{}", escape_name(name), suggestion(name, names));
}

void ModelInputs::read_files(const InputFlags& flags) {
  for (const std::string& text : flags.inputs) {
    const auto [name, file] = parse_assignment(text, "--input");
    const size_t i = index_of(name);
    if (wanted_[i]) fail_usage("--input: '{}' is given twice; give it once", escape_name(name));
    wanted_[i] = true;
    if (file == "random") continue;
    given_[i] = read_npy(file, specs_[i].type);
    learn_symbols(specs_[i], given_[i].shape());
  }
}

void ModelInputs::learn_symbols(const TensorSpec& spec, const Shape& shape) {
  if (!spec.rank_known || shape.rank() != static_cast<int64_t>(spec.dims.size())) return;  // the session says so
  for (size_t axis = 0; axis < spec.dims.size(); ++axis) {
    if (has_name(spec.symbols[axis])) lengths_.emplace(spec.symbols[axis], shape[static_cast<int64_t>(axis)]);
  }
}

std::string ModelInputs::axis_name(size_t input, size_t axis) const {
  return fmt::format("{}.{}", specs_[input].name, axis);
}

void ModelInputs::read_dims(const InputFlags& flags) {
  std::vector<std::string> known;
  std::map<std::string, int64_t> fixed;
  for (size_t i = 0; i < specs_.size(); ++i) {
    for (size_t axis = 0; axis < specs_[i].dims.size(); ++axis) {
      if (specs_[i].dims[axis] >= 0) {
        fixed.emplace(axis_name(i, axis), specs_[i].dims[axis]);
        continue;
      }
      const std::string& symbol = specs_[i].symbols[axis];
      if (has_name(symbol) && std::ranges::find(known, symbol) == known.end()) known.push_back(symbol);
      if (!has_name(symbol)) known.push_back(axis_name(i, axis));
    }
  }
  for (size_t i = 0; i < specs_.size(); ++i) {  // a symbol may also be named by its place
    for (size_t axis = 0; axis < specs_[i].dims.size(); ++axis) {
      if (specs_[i].dims[axis] < 0 && has_name(specs_[i].symbols[axis])) known.push_back(axis_name(i, axis));
    }
  }
  for (const std::string& text : flags.dims) {
    const auto [name, value] = parse_assignment(text, "--dim");
    const int64_t length = parse_whole(value, 0, "--dim");
    if (const auto place = fixed.find(name); place != fixed.end()) {
      if (place->second == length) continue;
      fail_usage("--dim: the model fixes '{}' at {}; leave it out", escape_name(name), place->second);
    }
    if (std::ranges::find(known, name) == known.end()) {
      fail_usage("--dim: no input has an open length '{}'{}", escape_name(name), suggestion(name, known));
    }
    const auto [entry, is_new] = lengths_.emplace(name, length);
    if (!is_new && entry->second != length) {
      fail_usage("--dim: '{}' is {} and also {}; give one length", escape_name(name), entry->second, length);
    }
  }
}

void ModelInputs::apply_batch(int64_t batch) {
  for (size_t i = 0; i < specs_.size(); ++i) {
    if (!specs_[i].rank_known || specs_[i].dims.empty()) continue;
    const int64_t length = specs_[i].dims[0];
    if (length >= 0 && length != batch) {
      fail_usage("--batch: the model fixes the first length of input {} at {}; leave --batch out",
                 specs_[i].to_string(), length);
    }
    if (length < 0) lengths_.emplace(has_name(specs_[i].symbols[0]) ? specs_[i].symbols[0] : axis_name(i, 0), batch);
  }
}

int64_t ModelInputs::length_of(size_t input, size_t axis) {
  const TensorSpec& spec = specs_[input];
  if (spec.dims[axis] >= 0) return spec.dims[axis];
  const std::string& symbol = spec.symbols[axis];
  const std::string place = axis_name(input, axis);
  for (const std::string& name : {place, symbol}) {
    if (const auto known = lengths_.find(name); known != lengths_.end()) return known->second;
  }
  const std::string& name = has_name(symbol) ? symbol : place;
  if (log_) {
    log_(LogLevel::info, fmt::format("the length '{}' of input {} is open: 1 is taken; --dim {}=N sets it",
                                     escape_name(name), spec.to_string(), escape_name(name)));
  }
  return lengths_[name] = 1;
}

Shape ModelInputs::shape_of(size_t input) {
  const TensorSpec& spec = specs_[input];
  if (!spec.rank_known) {
    fail_usage("the rank of input '{}' is open; give its values with --input {}=FILE.npy", escape_name(spec.name),
               escape_name(spec.name));
  }
  Shape shape;
  for (size_t axis = 0; axis < spec.dims.size(); ++axis) shape.push_back(length_of(input, axis));
  return shape;
}

std::vector<Tensor> ModelInputs::tensors() {
  std::vector<Tensor> tensors = given_;
  for (size_t i = 0; i < specs_.size(); ++i) {
    if (!tensors[i].empty() || (specs_[i].optional && !wanted_[i])) continue;
    tensors[i] = random_tensor(specs_[i].type, shape_of(i), generator_);
  }
  return tensors;
}

std::vector<Shape> ModelInputs::shapes() {
  std::vector<Shape> shapes;
  for (size_t i = 0; i < specs_.size(); ++i) shapes.push_back(given_[i].empty() ? shape_of(i) : given_[i].shape());
  return shapes;
}

}  // namespace overt::cli
