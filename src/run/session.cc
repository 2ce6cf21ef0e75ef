#include "overt/session.h"

#include <algorithm>

#include "base/error.h"
#include "base/escape.h"
#include "run/session_state.h"

namespace overt {

/// Tensors by position; an output that the caller did not bind is made by the run and kept for the next.
class BindingState {
 public:
  explicit BindingState(const SessionState& session)
      : session(session), inputs(session.inputs.size()), outputs(session.outputs.size()) {}

  const SessionState& session;
  std::vector<Tensor> inputs;
  std::vector<RunOutput> outputs;
};

namespace {

void fill_defaults(const SessionState& state, std::vector<Tensor>& tensors) {
  for (const auto& [position, value] : state.model.input_defaults) {
    if (tensors[position].empty()) tensors[position] = value;
  }
}

}  // namespace

std::string TensorSpec::to_string() const {
  std::string text = escape_name(name) + " " + std::string(data_type_name(type));
  if (!other_kind.empty()) return escape_name(name) + " " + other_kind;
  if (!rank_known) return text + " of any rank";
  text += " [";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    const bool anonymous = symbols[i].empty() || symbols[i].starts_with('?');
    text += dims[i] >= 0 ? std::to_string(dims[i]) : anonymous ? "?" : escape_name(symbols[i]);
  }
  return text + "]";
}

Session::Session(std::unique_ptr<SessionState> state) : state_(std::move(state)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

std::span<const TensorSpec> Session::inputs() const {
  return state_->inputs;
}
std::span<const TensorSpec> Session::outputs() const {
  return state_->outputs;
}
const ModelInfo& Session::model_info() const {
  return state_->info;
}

std::vector<Tensor> Session::run(std::span<const NamedTensor> inputs, const RunOptions& options) const {
  std::vector<Tensor> by_position(state_->inputs.size());
  for (const NamedTensor& input : inputs) {
    const size_t i = state_->input_index(input.name);
    if (!by_position[i].empty()) {
      fail_at(ErrorCode::invalid_argument, input.name, "input '{}' is given twice", escape_name(input.name));
    }
    by_position[i] = input.tensor;
  }
  return run(by_position, options);
}

std::vector<Tensor> Session::run(std::span<const Tensor> inputs, const RunOptions& options) const {
  std::vector<RunOutput> outputs(state_->outputs.size());
  if (state_->model.input_defaults.empty()) {
    state_->run(inputs, outputs, options);
  } else {
    std::vector<Tensor> filled(inputs.begin(), inputs.end());
    filled.resize(std::max(filled.size(), state_->inputs.size()));
    fill_defaults(*state_, filled);
    state_->run(filled, outputs, options);
  }
  std::vector<Tensor> results;
  for (RunOutput& output : outputs) results.push_back(std::move(output.tensor));
  return results;
}

Binding Session::bind() const {
  auto state = std::make_unique<BindingState>(*state_);
  fill_defaults(*state_, state->inputs);
  return Binding(std::move(state));
}

void Session::run(Binding& binding, const RunOptions& options) const {
  BindingState& state = *binding.state_;
  if (&state.session != state_.get()) {
    fail(ErrorCode::invalid_argument, "the binding belongs to another session; make one with this session's bind()");
  }
  state_->run(state.inputs, state.outputs, options);
}

Placement Session::placement() const {
  return make_placement(*state_);
}

void Session::prepare(std::span<const Shape> input_shapes) const {
  if (input_shapes.size() != state_->inputs.size()) {
    fail(ErrorCode::invalid_argument, "{} shapes were given, the model has {} inputs", input_shapes.size(),
         state_->inputs.size());
  }
  std::vector<Tensor> tensors;
  for (size_t i = 0; i < input_shapes.size(); ++i) tensors.emplace_back(state_->inputs[i].type, input_shapes[i]);
  state_->check_inputs(tensors);
  state_->runner->prepare(tensors);
}

MemoryReport Session::memory() const {
  MemoryReport report;
  for (const Provider* provider : state_->providers) report.packed_bytes += provider->packed_weight_bytes();
  report.weight_bytes = state_->constant_bytes + report.packed_bytes;
  for (const auto& plan : state_->runner->latest_plans()) {
    report.activation_bytes = std::max(report.activation_bytes, plan->activation_bytes);
    report.workspace_bytes = std::max(report.workspace_bytes, plan->workspace_bytes);
    report.largest.insert(report.largest.end(), plan->largest.begin(), plan->largest.end());
  }
  return report;
}

std::vector<PassReportEntry> Session::passes() const {
  std::vector<PassReportEntry> entries;
  for (const PassEntry& pass : state_->passes.passes) {
    entries.push_back({std::string(pass.name), pass.changed, pass.milliseconds, pass.nodes_before, pass.nodes_after,
                       pass.notes.lines()});
  }
  return entries;
}

std::vector<KernelTime> Session::profile() const {
  const std::lock_guard lock(state_->profile_mutex);
  return state_->last_profile;
}

std::string Session::dump(std::string_view stage) const {
  const PlacedGraph& placed = state_->runner->placed();
  if (stage == "optimized") return overt::dump(placed.graph);
  if (stage == "placed") return overt::dump(placed);
  if (stage == "plan") {
    std::string text;
    for (const auto& plan : state_->runner->latest_plans()) text += overt::dump(placed, *plan);
    return text;
  }
  fail(ErrorCode::invalid_argument, "stage '{}' is not known; the stages are optimized, placed and plan",
       escape_name(stage));
}

Binding::Binding(std::unique_ptr<BindingState> state) : state_(std::move(state)) {}
Binding::Binding(Binding&&) noexcept = default;
Binding& Binding::operator=(Binding&&) noexcept = default;
Binding::~Binding() = default;

void Binding::bind_input(std::string_view name, Tensor tensor) {
  state_->inputs[state_->session.input_index(name)] = std::move(tensor);
}

void Binding::bind_output(std::string_view name, Tensor tensor) {
  const size_t i = state_->session.output_index(name);
  state_->outputs[i] = {std::move(tensor), /*bound=*/true};
}

const Tensor& Binding::output(std::string_view name) const {
  return state_->outputs[state_->session.output_index(name)].tensor;
}

std::vector<std::string> provider_names() {
  std::vector<std::string> names;
  for (const BuiltinProvider& provider : builtin_providers()) names.emplace_back(provider.name);
  return names;
}

std::string_view version() {
  return "0.1.0";
}

std::string_view precision_name(Precision precision) {
  switch (precision) {
    case Precision::fp32: return "fp32";
    case Precision::tf32: return "tf32";
    case Precision::fp16: return "fp16";
    case Precision::bf16: return "bf16";
  }
  return "fp32";
}

}  // namespace overt
