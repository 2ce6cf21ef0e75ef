#include <algorithm>

#include "base/error.h"
#include "base/escape.h"
#include "base/nearest.h"
#include "ops/check_model.h"
#include "ops/infer_context.h"
#include "run/model_info.h"
#include "run/session_state.h"

namespace overt {
namespace {

void add_specs(SessionState& state, const Model& model) {
  for (size_t i = 0; i < model.graph.inputs().size(); ++i) {
    const ValueInfo& info = model.graph.value(model.graph.inputs()[i]).info;
    if (info.kind != ValueKind::tensor) {
      fail_at(ErrorCode::unsupported, model.input_names[i], "input '{}' is {}; inputs must be tensors",
              escape_name(model.input_names[i]), info.to_string());
    }
    state.input_dims.push_back(info.shape.value_or(Dims()));
  }
  state.inputs = input_specs(model);
  state.outputs = output_specs(model);
}

void check_options(const SessionOptions& options) {
  if (options.providers.empty()) {
    fail(ErrorCode::invalid_argument, "the list of providers is empty; name at least one of {}", provider_names()[0]);
  }
  if (options.threads < 0) {
    fail(ErrorCode::invalid_argument, "threads is {}, expected 0 (all that this process may use) or more",
         options.threads);
  }
  if (options.memory_limit < 0) {
    fail(ErrorCode::invalid_argument, "memory_limit is {} bytes, expected 0 (no limit) or more",
         options.memory_limit);
  }
  if (options.plan_cache_size < 1) {
    fail(ErrorCode::invalid_argument, "plan_cache_size is {}, expected 1 or more", options.plan_cache_size);
  }
}

void open_providers(SessionState& state) {
  for (const ProviderOptions& wanted : state.options.providers) {
    for (const OpenedProvider& earlier : state.opened) {
      if (earlier.provider->name() == wanted.name) {
        fail_at(ErrorCode::invalid_argument, wanted.name, "provider {} is named twice; name it once", wanted.name);
      }
    }
    state.opened.push_back(
        open_provider({wanted, state.options.precision, state.options.threads, state.options.log}));
    state.providers.push_back(state.opened.back().provider.get());
  }
}

/// Makes each value that a node makes an output of the model, after its own outputs.
void expose_values(SessionState& state, Graph& graph) {
  std::vector<bool> exposed(graph.value_count(), false);
  for (const ValueId output : graph.outputs()) exposed[index_of(output)] = true;
  for (const NodeId id : graph.order()) {
    for (const ValueId output : graph.node(id).outputs) {
      if (output == ValueId::none || exposed[index_of(output)]) continue;
      graph.add_output(output);
      state.outputs.push_back(tensor_spec(graph.value(output).name, graph.value(output).info));
    }
  }
}

}  // namespace

std::unique_ptr<SessionState> make_session(Model model, const SessionOptions& options) {
  check_options(options);
  auto state = std::make_unique<SessionState>();
  state->options = options;
  open_providers(*state);
  check_model(model);
  infer_graph(model.graph, &model.warnings);
  check_types(model.graph);
  add_specs(*state, model);
  state->info = model_info(model);
  for (const std::string& warning : model.warnings) {
    if (options.log) options.log(LogLevel::warning, warning);
  }
  Graph graph = std::move(model.graph);
  if (options.optimize) {
    PassOptions pass_options;
    pass_options.disabled = options.disabled_passes;
    state->passes = optimize(graph, pass_options);
    infer_graph(graph, nullptr);
  }
  if (options.expose_values) expose_values(*state, graph);
  for (size_t i = 0; i < graph.value_count(); ++i) {
    state->constant_bytes += static_cast<int64_t>(graph.value(static_cast<ValueId>(i)).constant.bytes());
  }
  state->budget = std::make_unique<MemoryBudget>(options.memory_limit);
  PlacedGraph placed = place(std::move(graph), state->providers, options.fallback);
  state->model = std::move(model);
  state->runner =
      std::make_unique<GraphRunner>(std::move(placed), state->providers, *state->budget, options.plan_cache_size);
  if (options.log) options.log(LogLevel::info, make_placement(*state).summary());
  return state;
}

size_t SessionState::input_index(std::string_view name) const {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].name == name) return i;
    names.push_back(inputs[i].name);
  }
  const auto nearest = nearest_name(name, names);
  fail_at(ErrorCode::invalid_argument, name, "the model has no input '{}'{}; it has {}", escape_name(name),
          nearest ? " (did you mean '" + escape_name(*nearest) + "'?)" : "",
          inputs.empty() ? "no inputs" : inputs[0].to_string() + (inputs.size() > 1 ? " and others" : ""));
}

size_t SessionState::output_index(std::string_view name) const {
  std::vector<std::string_view> names;
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (outputs[i].name == name) return i;
    names.push_back(outputs[i].name);
  }
  const auto nearest = nearest_name(name, names);
  fail_at(ErrorCode::invalid_argument, name, "the model has no output '{}'{}", escape_name(name),
          nearest ? "; did you mean '" + escape_name(*nearest) + "'?" : "");
}

void SessionState::check_inputs(std::span<const Tensor> tensors) const {
  if (tensors.size() != inputs.size()) {
    fail(ErrorCode::invalid_argument, "{} inputs were given, the model has {}", tensors.size(), inputs.size());
  }
  std::vector<std::pair<std::string_view, int64_t>> symbols;
  for (size_t i = 0; i < tensors.size(); ++i) {
    const TensorSpec& spec = inputs[i];
    const Tensor& tensor = tensors[i];
    if (tensor.empty()) {
      fail_at(ErrorCode::invalid_argument, spec.name, "input '{}' is missing; give {}", escape_name(spec.name),
              spec.to_string());
    }
    const auto reject = [&](const std::string& what) {
      fail_at(ErrorCode::invalid_argument, spec.name, "input '{}' is {} {}: {}; the model takes {}",
              escape_name(spec.name), data_type_name(tensor.type()), tensor.shape().to_string(), what,
              spec.to_string());
    };
    if (tensor.type() != spec.type) reject("another type than the model's");
    if (!spec.rank_known) continue;
    if (tensor.shape().rank() != static_cast<int64_t>(spec.dims.size())) reject("another rank than the model's");
    for (size_t axis = 0; axis < spec.dims.size(); ++axis) {
      const int64_t found = tensor.shape()[static_cast<int64_t>(axis)];
      if (spec.dims[axis] >= 0) {
        if (found != spec.dims[axis]) reject(fmt::format("dim {} is {}, expected {}", axis, found, spec.dims[axis]));
        continue;
      }
      const std::string& symbol = spec.symbols[axis];
      if (symbol.empty() || symbol.starts_with('?')) continue;
      const auto known = std::ranges::find(symbols, symbol, [](const auto& s) { return s.first; });
      if (known == symbols.end()) {
        symbols.emplace_back(symbol, found);
      } else if (known->second != found) {
        reject(fmt::format("dim {} ({}) is {}, and another input has {} for it", axis, symbol, found, known->second));
      }
    }
  }
}

void SessionState::run(std::span<const Tensor> tensors, std::span<RunOutput> results,
                       const RunOptions& run_options) const {
  check_inputs(tensors);
  RunControl control;
  control.deadline = run_options.deadline;
  control.cancel = run_options.cancel ? &*run_options.cancel : nullptr;
  if (!options.profile) {
    runner->run(tensors, results, control);
    return;
  }
  std::vector<KernelTime> times;
  control.profile = &times;
  runner->run(tensors, results, control);
  const std::lock_guard lock(profile_mutex);
  last_profile = std::move(times);
}

}  // namespace overt
