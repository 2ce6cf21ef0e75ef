#include "run/graph_runner.h"

#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/escape.h"

namespace overt {
namespace {

/// Address for contents of no bytes: not null, as null means that contents are not known.
constexpr char kNoBytes = 0;

/// Outputs of a node whose shapes follow from data: memory of the context, by the node's outputs.
class CarriedOutputs final : public OutputAllocator {
 public:
  CarriedOutputs(ExecutionContext& context, const Node& node, int32_t memory)
      : context_(context), node_(node), memory_(memory) {}

  MutableTensorView allocate(size_t output, DataType type, const Shape& shape) override {
    const ValueId id = node_.outputs[output];
    void* data = context_.make_carried(id, memory_, type, shape);
    return {type, context_.carried(id).shape.dims(), data};
  }

 private:
  ExecutionContext& context_;
  const Node& node_;
  int32_t memory_;
};

}  // namespace

/// A context for one call, given back when the call ends.
class GraphRunner::Lease {
 public:
  explicit Lease(GraphRunner& runner) : runner_(runner), context_(runner.hot_context_.exchange(nullptr)) {
    if (context_ != nullptr) return;
    const std::lock_guard lock(runner.contexts_mutex_);
    if (!runner.idle_.empty()) {
      context_ = runner.idle_.back();
      runner.idle_.pop_back();
      return;
    }
    runner.contexts_.push_back(std::make_unique<ExecutionContext>(runner.placed_, runner.providers_, runner.budget_));
    context_ = runner.contexts_.back().get();
  }
  ~Lease() {
    ExecutionContext* none = nullptr;
    if (runner_.hot_context_.compare_exchange_strong(none, context_)) return;
    const std::lock_guard lock(runner_.contexts_mutex_);
    runner_.idle_.push_back(context_);
  }
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ExecutionContext& context() { return *context_; }

 private:
  GraphRunner& runner_;
  ExecutionContext* context_;
};

GraphRunner::GraphRunner(PlacedGraph placed, std::span<Provider* const> providers, MemoryBudget& budget,
                         int plans_kept)
    : placed_(std::move(placed)),
      providers_(providers.begin(), providers.end()),
      budget_(budget),
      plans_kept_(std::max(plans_kept, 1)),
      plans_(placed_.segments.size()) {
  for (const Segment& segment : placed_.segments) {
    std::vector<KnownSource>& sources = known_sources_.emplace_back();
    const auto inputs = placed_.graph.inputs();
    for (const ValueId id : segment.known_shapes) {
      const auto input = std::ranges::find(inputs, id);
      sources.push_back({id, input == inputs.end() ? -1 : static_cast<int32_t>(input - inputs.begin()),
                         std::ranges::find(segment.known_contents, id) != segment.known_contents.end()});
    }
  }
  for (size_t slot = 0; slot < placed_.branches.size(); ++slot) {
    for (auto& branch : placed_.branches[slot]) {
      branches_[static_cast<NodeId>(slot)].push_back(
          std::make_unique<GraphRunner>(std::move(*branch), providers_, budget, plans_kept));
    }
    placed_.branches[slot].clear();
  }
}

GraphRunner::~GraphRunner() = default;

const std::vector<std::unique_ptr<GraphRunner>>* GraphRunner::branches(NodeId id) const {
  const auto found = branches_.find(id);
  return found == branches_.end() ? nullptr : &found->second;
}

void GraphRunner::run(std::span<const Tensor> inputs, std::span<RunOutput> outputs, const RunControl& control) {
  control.check();
  Lease lease(*this);
  const ExecutionContext::Call call{inputs, outputs, &control};
  for (size_t s = 0; s < placed_.segments.size(); ++s) run_segment(lease.context(), s, call);
  finish_outputs(lease.context(), call);
}

void GraphRunner::prepare(std::span<const Tensor> inputs) {
  Lease lease(*this);
  std::vector<RunOutput> outputs(placed_.graph.outputs().size());
  const RunControl control;
  const ExecutionContext::Call call{inputs, outputs, &control};
  ExecutionContext& context = lease.context();
  find_plan(context, 0, call);
}

void GraphRunner::gather_known(ExecutionContext& context, size_t s, const ExecutionContext::Call& call) {
  context.known.clear();
  context.staged.clear();
  for (const KnownSource& source : known_sources_[s]) {
    KnownValue known{source.value, {}};
    if (source.input >= 0) {
      known.view = view_of(call.inputs[static_cast<size_t>(source.input)]);
    } else {
      const CarriedValue& carried = context.carried(source.value);
      known.view = {carried.type, carried.shape.dims(), carried.data};
      if (source.contents && carried.memory != kHostMemory) {
        Tensor& copy = context.staged.emplace_back(Tensor::uninitialised(carried.type, carried.shape));
        const auto bytes = static_cast<int64_t>(copy.bytes());
        context.memory(carried.memory).copy_to_host(copy.mutable_data(), carried.data, bytes);
        known.view.data = copy.data();
      }
    }
    if (!source.contents) known.view.data = nullptr;
    if (source.contents && known.view.data == nullptr) known.view.data = &kNoBytes;
    context.known.push_back(known);
  }
}

std::shared_ptr<const SegmentPlan> GraphRunner::plan_for(size_t s, std::span<const KnownValue> known,
                                                         std::span<const int64_t> key) {
  const std::lock_guard lock(plans_mutex_);
  std::vector<CachedPlan>& plans = plans_[s];
  for (CachedPlan& cached : plans) {
    if (!std::ranges::equal(cached.plan->key, key)) continue;
    cached.last_used = ++clock_;
    return cached.plan;
  }
  std::shared_ptr<const SegmentPlan> plan = specialise(placed_, s, known, providers_);
  int64_t packed = 0;
  for (const Provider* provider : providers_) packed += provider->packed_weight_bytes();
  budget_.set_weights(packed);
  if (plans.size() >= static_cast<size_t>(plans_kept_)) {
    plans.erase(std::ranges::min_element(plans, {}, &CachedPlan::last_used));
  }
  plans.push_back({plan, ++clock_});
  return plan;
}

std::vector<std::shared_ptr<const SegmentPlan>> GraphRunner::latest_plans() const {
  const std::lock_guard lock(plans_mutex_);
  std::vector<std::shared_ptr<const SegmentPlan>> latest;
  for (const auto& plans : plans_) {
    if (!plans.empty()) latest.push_back(std::ranges::max_element(plans, {}, &CachedPlan::last_used)->plan);
  }
  return latest;
}

PlanInstance& GraphRunner::find_plan(ExecutionContext& context, size_t s, const ExecutionContext::Call& call) {
  gather_known(context, s, call);
  context.key.clear();
  for (const KnownValue& value : context.known) append_key(context.key, value);
  if (PlanInstance* instance = context.find(s, context.key)) return *instance;
  return context.add(s, plan_for(s, context.known, context.key), plans_kept_);
}

void GraphRunner::run_segment(ExecutionContext& context, size_t s, const ExecutionContext::Call& call) {
  PlanInstance& instance = find_plan(context, s, call);
  context.prepare(instance, call);
  run_steps(context, instance, call);
  keep_planned(context, *instance.plan, s);
}

void GraphRunner::run_steps(ExecutionContext& context, PlanInstance& instance, const ExecutionContext::Call& call) {
  const SegmentPlan& plan = *instance.plan;
  for (const PlanStep& step : plan.steps) {
    call.control->check();
    switch (step.kind) {
      case PlanStep::Kind::control: run_control(context, plan, step, call); break;
      case PlanStep::Kind::copy: {
        const ValuePlace& from = plan.places[static_cast<size_t>(step.inputs[0])];
        const ValuePlace& to = plan.places[static_cast<size_t>(step.outputs[0])];
        void* source = context.address(plan, step.inputs[0], call);
        void* target = context.address(plan, step.outputs[0], call);
        if (from.memory == kHostMemory) {
          context.memory(to.memory).copy_from_host(target, source, to.bytes);
        } else {
          context.memory(from.memory).copy_to_host(target, source, to.bytes);
        }
        break;
      }
      case PlanStep::Kind::run: {
        ProgramAddresses& addresses = *instance.addresses[static_cast<size_t>(step.program)];
        for (size_t i = 0; i < step.inputs.size(); ++i)
          addresses.inputs[i] = context.address(plan, step.inputs[i], call);
        if (!step.dynamic) {
          for (size_t i = 0; i < step.outputs.size(); ++i) {
            addresses.outputs[i] = context.address(plan, step.outputs[i], call);
          }
          instance.programs[static_cast<size_t>(step.program)]->run(*call.control);
          break;
        }
        RunControl control = *call.control;
        CarriedOutputs outputs(context, placed_.graph.node(step.node),
                               plan.program_memory[static_cast<size_t>(step.program)]);
        control.dynamic_outputs = &outputs;
        instance.programs[static_cast<size_t>(step.program)]->run(control);
        break;
      }
    }
  }
}

void GraphRunner::run_control(ExecutionContext& context, const SegmentPlan& plan, const PlanStep& step,
                              const ExecutionContext::Call& call) {
  const Node& node = placed_.graph.node(step.node);
  std::vector<Tensor> inputs(node.inputs.size());
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    if (!node.has_input(i)) continue;
    const size_t v = index_of(node.inputs[i]);
    if (plan.values.constants[v] != nullptr) {
      inputs[i] = *plan.values.constants[v];
      continue;
    }
    const DataType type = plan.values.types[v];
    const Shape& shape = plan.values.shapes[v];
    inputs[i] = Tensor::borrow(type, shape, context.address(plan, step.inputs[i], call),
                               static_cast<size_t>(tensor_bytes(type, shape)));
  }
  const Tensor& condition = inputs[0];
  if (condition.type() != DataType::boolean || condition.elements() != 1) {
    fail_at(ErrorCode::invalid_argument, node.name, "{}: the condition is {} {}, expected one bool",
            display_name(node), data_type_name(condition.type()), condition.shape().to_string());
  }
  const std::string_view wanted = condition.values<bool>()[0] ? "then_branch" : "else_branch";
  size_t branch = 0;  // subgraphs are placed in attribute order
  for (const Attribute& attribute : node.attributes) {
    if (attribute.name == wanted) break;
    if (attribute.type == AttributeType::graph) ++branch;
  }
  GraphRunner& runner = *branches_.at(node.id).at(branch);
  const Graph& subgraph = runner.placed_.graph;
  std::vector<Tensor> captured(subgraph.inputs().size());
  for (const Capture& capture : subgraph.captures) {
    const auto at = std::ranges::find(subgraph.inputs(), capture.inner);
    captured[static_cast<size_t>(at - subgraph.inputs().begin())] = inputs[static_cast<size_t>(capture.node_input)];
  }
  std::vector<RunOutput> outputs(subgraph.outputs().size());
  runner.run(captured, outputs, *call.control);
  for (size_t i = 0; i < outputs.size() && i < node.outputs.size(); ++i) {
    if (!node.has_output(i)) continue;
    const Tensor& result = outputs[i].tensor;
    void* data = context.make_carried(node.outputs[i], kHostMemory, result.type(), result.shape());
    if (result.bytes() > 0) std::memcpy(data, result.data(), result.bytes());
  }
}

void GraphRunner::keep_planned(ExecutionContext& context, const SegmentPlan& plan, size_t s) {
  for (const ValueId id : placed_.segments[s].carried_out) {
    const Tensor* constant = plan.values.constants[index_of(id)];
    if (constant == nullptr) continue;
    CarriedValue& value = context.carried(id);
    value.type = constant->type();
    value.shape = constant->shape();
    value.memory = kHostMemory;
    value.data = constant->data();
  }
}

void GraphRunner::finish_outputs(ExecutionContext& context, const ExecutionContext::Call& call) {
  const auto ids = placed_.graph.outputs();
  const auto inputs = placed_.graph.inputs();
  for (size_t i = 0; i < ids.size(); ++i) {
    const ValueId id = ids[i];
    const auto first = static_cast<size_t>(std::ranges::find(ids, id) - ids.begin());
    const Value& value = placed_.graph.value(id);
    const Tensor* source = nullptr;
    Tensor borrowed;
    if (const auto input = std::ranges::find(inputs, id); input != inputs.end()) {
      source = &call.inputs[static_cast<size_t>(input - inputs.begin())];
    } else if (value.is_constant()) {
      source = &value.constant;
    } else if (const CarriedValue& carried = context.carried(id);
               carried.data != nullptr || carried.type != DataType::undefined) {
      borrowed = Tensor::uninitialised(carried.type, carried.shape);
      if (borrowed.bytes() > 0) {
        context.memory(carried.memory)
            .copy_to_host(borrowed.mutable_data(), carried.data, static_cast<int64_t>(borrowed.bytes()));
      }
      source = &borrowed;
    } else if (first < i) {
      source = &call.outputs[first].tensor;
    }
    if (source == nullptr) continue;  // written in place
    auto& [output, bound] = call.outputs[i];
    if (!bound) {
      output = source == &borrowed ? std::move(borrowed) : source->clone();
      continue;
    }
    if (output.type() != source->type() || output.shape() != source->shape()) {
      fail(ErrorCode::invalid_argument, "the bound output '{}' is {} {}, and the run gives {} {}",
           escape_name(value.name), data_type_name(output.type()), output.shape().to_string(),
           data_type_name(source->type()), source->shape().to_string());
    }
    if (output.bytes() > 0) std::memcpy(output.mutable_data(), source->data(), output.bytes());
  }
}

}  // namespace overt
