#include <algorithm>
#include <cstring>

#include "base/error.h"
#include "base/escape.h"
#include "ops/infer_context.h"
#include "ops/kernel_context.h"
#include "ops/op.h"
#include "plan/memory_plan.h"
#include "plan/plan.h"

namespace overt {
namespace {

/// Most bytes that shape arithmetic may make for one plan.
constexpr int64_t kPlanningLimit = int64_t{64} << 20;

class Specialiser {
 public:
  Specialiser(const PlacedGraph& placed, size_t segment, std::span<Provider* const> providers)
      : placed_(placed),
        graph_(placed.graph),
        segment_(placed.segments[segment]),
        providers_(providers),
        plan_(std::make_unique<SegmentPlan>()) {
    const size_t values = graph_.value_count();
    infos_.resize(values);
    plan_->values.types.assign(values, DataType::undefined);
    plan_->values.shapes.resize(values);
    plan_->values.constants.assign(values, nullptr);
    carried_.assign(values, false);
    for (const ValueId value : segment_.carried_out) carried_[index_of(value)] = true;
  }

  std::unique_ptr<SegmentPlan> run(std::span<const KnownValue> known) {
    for (const KnownValue& value : known) bind(value);
    for (const NodeId id : segment_.order) infer(graph_.node(id));
    place_graph_edges();
    for (const PlacedPartition& partition : segment_.partitions) compile(partition);
    copy_outputs_from_devices();
    plan_slabs();
    return std::move(plan_);
  }

 private:
  PlannedValues& values() { return plan_->values; }

  void set_concrete(ValueId id, DataType type, Shape shape) {
    const size_t v = index_of(id);
    Dims dims;
    for (const int64_t dim : shape) dims.emplace_back(dim);
    infos_[v] = ValueInfo::tensor(type, std::move(dims));
    values().types[v] = type;
    values().shapes[v] = std::move(shape);
  }

  void set_constant(ValueId id, const Tensor* constant) {
    set_concrete(id, constant->type(), constant->shape());
    values().constants[index_of(id)] = constant;
  }

  void bind(const KnownValue& known) {
    set_concrete(known.value, known.view.type, known.view.shape());
    if (known.view.data == nullptr) return;
    Tensor copy(known.view.type, known.view.shape());
    if (copy.bytes() > 0) std::memcpy(copy.mutable_data(), known.view.data, copy.bytes());
    set_constant(known.value, &plan_->planned_constants.emplace_back(std::move(copy)));
  }

  /// Constants of the model enter the plan when a node first reads them.
  void touch(ValueId id) {
    const Value& value = graph_.value(id);
    if (values().types[index_of(id)] == DataType::undefined && value.is_constant()) set_constant(id, &value.constant);
  }

  void infer(const Node& node) {
    std::vector<InferInput> inputs;
    for (const ValueId input : node.inputs) {
      if (input == ValueId::none) {
        inputs.push_back({});
        continue;
      }
      touch(input);
      inputs.push_back({&infos_[index_of(input)], values().constants[index_of(input)]});
    }
    const int32_t provider = placed_.provider_of[index_of(node.id)];
    if (provider == kPlanning) {
      evaluate(node, inputs);
      return;
    }
    if (provider == kControl) return;  // the branch that runs tells
    const std::vector<ValueInfo> outputs = infer_node(node, inputs);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (!node.has_output(i)) continue;
      if (const auto shape = outputs[i].concrete_shape()) {
        set_concrete(node.outputs[i], outputs[i].type, *shape);
        tensor_bytes(outputs[i].type, *shape);  // throws where it fits no memory
        continue;
      }
      if (!is_dynamic(node)) {
        fail_at(ErrorCode::unsupported, node.name, "{}: the shape of output {} cannot be worked out from its inputs ({})",
                display_name(node), i, outputs[i].to_string());
      }
      values().types[index_of(node.outputs[i])] = outputs[i].type;  // known after the node ran
      infos_[index_of(node.outputs[i])] = outputs[i];
    }
  }

  static bool is_dynamic(const Node& node) {
    const OpEntry* op = node.parts ? nullptr : find_op(node);
    return op != nullptr && op->output_shapes == OutputShapes::from_data;
  }

  void evaluate(const Node& node, std::span<const InferInput> inputs) {
    infer_node(node, inputs);  // the checks of attributes and shapes are there
    std::vector<Tensor> tensors;
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      if (!node.has_input(i)) {
        tensors.emplace_back();
      } else if (inputs[i].constant != nullptr) {
        tensors.push_back(*inputs[i].constant);
      } else {  // Shape and Size look at the shape alone
        const size_t v = index_of(node.inputs[i]);
        static const char kNoData = 0;
        const Shape& shape = values().shapes[v];
        tensors.push_back(Tensor::share(values().types[v], shape, &kNoData,
                                        static_cast<size_t>(tensor_bytes(values().types[v], shape)), nullptr));
      }
    }
    std::vector<Tensor> outputs = evaluate_node(node, tensors, kPlanningLimit);
    for (size_t i = 0; i < outputs.size(); ++i) {
      if (node.has_output(i))
        set_constant(node.outputs[i], &plan_->planned_constants.emplace_back(std::move(outputs[i])));
    }
  }

  // Places.

  int32_t memory_of(int32_t provider) const {
    if (provider < 0) return kHostMemory;
    return providers_[static_cast<size_t>(provider)]->memory().host_accessible() ? kHostMemory : provider;
  }

  int32_t add_place(ValuePlace place) {
    plan_->places.push_back(place);
    plan_->slab_bytes.resize(1 + providers_.size(), 0);
    return static_cast<int32_t>(plan_->places.size() - 1);
  }

  int32_t& place_slot(ValueId id, int32_t memory) {
    auto& places = place_of_[static_cast<size_t>(memory + 1)];
    if (places.empty()) places.assign(graph_.value_count(), -1);
    return places[index_of(id)];
  }

  void place_graph_edges() {
    place_of_.resize(1 + providers_.size());
    for (size_t i = 0; i < graph_.inputs().size(); ++i) {
      const ValueId id = graph_.inputs()[i];
      place_slot(id, kHostMemory) =
          add_place({id, ValuePlace::Kind::graph_input, kHostMemory, static_cast<int32_t>(i)});
    }
    for (const ValueId id : segment_.known_shapes) {
      const Node* producer = graph_.producer(id);
      if (producer == nullptr) continue;  // a graph input
      const int32_t memory = memory_of(placed_.provider_of[index_of(producer->id)]);
      place_slot(id, memory) = add_place({id, ValuePlace::Kind::carried, memory});
    }
    output_of_.assign(graph_.value_count(), -1);
    for (size_t i = graph_.outputs().size(); i-- > 0;)
      output_of_[index_of(graph_.outputs()[i])] = static_cast<int32_t>(i);
  }

  int64_t bytes_of(ValueId id) const {
    return tensor_bytes(plan_->values.types[index_of(id)], plan_->values.shapes[index_of(id)]);
  }

  int32_t place_output(ValueId id, int32_t memory, bool dynamic, int32_t step) {
    ValuePlace place{id, ValuePlace::Kind::slab, memory};
    const int32_t output = output_of_[index_of(id)];
    if (dynamic || carried_[index_of(id)]) {
      place.kind = ValuePlace::Kind::carried;
    } else if (output >= 0 && memory == kHostMemory) {
      place.kind = ValuePlace::Kind::graph_output;
      place.index = output;
    }
    place.dynamic = dynamic;
    if (!dynamic) place.bytes = bytes_of(id);
    const int32_t slot = add_place(place);
    place_slot(id, memory) = slot;
    if (place.kind == ValuePlace::Kind::slab) start_life(slot, place.bytes, step);
    return slot;
  }

  /// The value's place in `memory`, with a copy step where it is elsewhere.
  int32_t place_input(ValueId id, int32_t memory) {
    int32_t slot = place_slot(id, memory);
    if (slot < 0) {
      int32_t source = -1;
      for (int32_t m = kHostMemory; m < static_cast<int32_t>(providers_.size()) && source < 0; ++m)
        source = place_slot(id, m);
      if (source < 0) {
        fail(ErrorCode::internal, "value '{}' has no place when it is read", escape_name(graph_.value(id).name));
      }
      const int32_t step = next_step_++;
      use(source, step);
      slot = add_place({id, ValuePlace::Kind::slab, memory, 0, 0, bytes_of(id)});
      place_slot(id, memory) = slot;
      start_life(slot, bytes_of(id), step);
      plan_->steps.push_back({PlanStep::Kind::copy, false, -1, NodeId::none, {source}, {slot}});
    }
    return slot;
  }

  // Lives in the slabs.

  struct Life {
    int32_t place = -1;  // or a program's buffer
    int32_t program = -1;
    int32_t buffer = -1;
    int32_t memory = kHostMemory;
    Lifetime span;
  };

  void start_life(int32_t place, int64_t bytes, int32_t step) {
    life_of_place_.resize(plan_->places.size(), -1);
    life_of_place_[static_cast<size_t>(place)] = static_cast<int32_t>(lives_.size());
    lives_.push_back({place, -1, -1, plan_->places[static_cast<size_t>(place)].memory, {bytes, step, step}});
  }

  void use(int32_t place, int32_t step) {
    if (static_cast<size_t>(place) >= life_of_place_.size()) return;
    const int32_t life = life_of_place_[static_cast<size_t>(place)];
    if (life >= 0)
      lives_[static_cast<size_t>(life)].span.last = std::max(lives_[static_cast<size_t>(life)].span.last, step);
  }

  void compile(const PlacedPartition& partition) {
    std::vector<ValueId> inputs;
    for (const ValueId input : partition.inputs) {
      if (values().constants[index_of(input)] == nullptr) inputs.push_back(input);
    }
    const int32_t memory = memory_of(partition.provider);
    PlanStep step;
    step.node = partition.nodes[0];
    step.dynamic = partition.dynamic;
    for (const ValueId input : inputs) step.inputs.push_back(place_input(input, memory));
    const int32_t first = next_step_;
    int32_t last = first;
    if (partition.provider == kControl) {
      step.kind = PlanStep::Kind::control;
      step.inputs.clear();
      for (const ValueId input : graph_.node(partition.nodes[0]).inputs) {
        const bool constant = input == ValueId::none || values().constants[index_of(input)] != nullptr;
        step.inputs.push_back(constant ? -1 : place_input(input, kHostMemory));
      }
    } else {
      auto program = providers_[static_cast<size_t>(partition.provider)]->compile(
          {graph_, partition.nodes, inputs, partition.outputs, values(), partition.dynamic});
      step.program = static_cast<int32_t>(plan_->programs.size());
      last = first + std::max(program->step_count(), 1) - 1;
      add_buffers(*program, step.program, memory, first);
      plan_->program_memory.push_back(memory);
      plan_->programs.push_back(std::move(program));
    }
    next_step_ = last + 1;
    for (const int32_t input : step.inputs) {
      if (input >= 0) use(input, last);
    }
    for (const ValueId output : partition.outputs) {
      step.outputs.push_back(place_output(output, memory, partition.dynamic, first));
      use(step.outputs.back(), last);
    }
    plan_->steps.push_back(std::move(step));
  }

  void add_buffers(const Program& program, int32_t index, int32_t memory, int32_t first) {
    const auto buffers = program.buffers();
    for (size_t b = 0; b < buffers.size(); ++b) {
      lives_.push_back({-1,
                        index,
                        static_cast<int32_t>(b),
                        memory,
                        {buffers[b].bytes, first + buffers[b].first_step, first + buffers[b].last_step}});
      plan_->largest.push_back({buffers[b].what, buffers[b].bytes});
      if (buffers[b].use == BufferUse::workspace) {
        plan_->workspace_bytes = std::max(plan_->workspace_bytes, buffers[b].bytes);
      }
    }
    plan_->buffer_offsets.emplace_back(buffers.size(), 0);
  }

  /// A graph output that a device made is copied to the caller's memory at the end.
  void copy_outputs_from_devices() {
    for (const ValueId id : graph_.outputs()) {
      for (int32_t m = 0; m < static_cast<int32_t>(providers_.size()); ++m) {
        const int32_t slot = place_slot(id, m);
        if (slot < 0 || place_slot(id, kHostMemory) >= 0) continue;
        const int32_t step = next_step_++;
        use(slot, step);
        const int32_t target = add_place({id, ValuePlace::Kind::graph_output, kHostMemory, output_of_[index_of(id)],
                                          0, plan_->places[static_cast<size_t>(slot)].bytes});
        place_slot(id, kHostMemory) = target;
        plan_->steps.push_back({PlanStep::Kind::copy, false, -1, NodeId::none, {slot}, {target}});
      }
    }
  }

  void plan_slabs() {
    plan_->slab_bytes.assign(1 + providers_.size(), 0);
    for (int32_t memory = kHostMemory; memory < static_cast<int32_t>(providers_.size()); ++memory) {
      std::vector<size_t> mine;
      std::vector<Lifetime> spans;
      for (size_t i = 0; i < lives_.size(); ++i) {
        if (lives_[i].memory != memory) continue;
        mine.push_back(i);
        spans.push_back(lives_[i].span);
      }
      if (mine.empty()) continue;
      const int64_t alignment =
          memory == kHostMemory ? 64 : providers_[static_cast<size_t>(memory)]->memory().alignment();
      const MemoryPlan slab = plan_memory(spans, alignment);
      plan_->slab_bytes[static_cast<size_t>(memory + 1)] = slab.slab_bytes;
      for (size_t i = 0; i < mine.size(); ++i) {
        const Life& life = lives_[mine[i]];
        if (life.place >= 0) {
          plan_->places[static_cast<size_t>(life.place)].offset = slab.offsets[i];
        } else {
          plan_->buffer_offsets[static_cast<size_t>(life.program)][static_cast<size_t>(life.buffer)] =
              slab.offsets[i];
        }
      }
    }
    int64_t total = 0;
    for (const int64_t bytes : plan_->slab_bytes) total += bytes;
    plan_->activation_bytes = std::max<int64_t>(total - plan_->workspace_bytes, 0);
    std::ranges::stable_sort(plan_->largest, std::greater<>(), &MemoryReport::Part::bytes);
    if (plan_->largest.size() > 10) plan_->largest.resize(10);
  }

  const PlacedGraph& placed_;
  const Graph& graph_;
  const Segment& segment_;
  std::span<Provider* const> providers_;
  std::unique_ptr<SegmentPlan> plan_;
  std::vector<ValueInfo> infos_;
  std::vector<bool> carried_;
  std::vector<std::vector<int32_t>> place_of_;  // [memory + 1][value]
  std::vector<int32_t> output_of_;              // by value: first position among the graph outputs
  std::vector<Life> lives_;
  std::vector<int32_t> life_of_place_;
  int32_t next_step_ = 0;
};

}  // namespace

std::unique_ptr<SegmentPlan> specialise(const PlacedGraph& placed, size_t segment, std::span<const KnownValue> known,
                                        std::span<Provider* const> providers) {
  auto plan = Specialiser(placed, segment, providers).run(known);
  for (const KnownValue& value : known) append_key(plan->key, value);
  return plan;
}

void append_key(std::vector<int64_t>& key, const KnownValue& known) {
  key.push_back(static_cast<int64_t>(known.view.type));
  key.push_back(known.view.rank());
  key.insert(key.end(), known.view.dims.begin(), known.view.dims.end());
  if (known.view.data == nullptr) return;
  const auto bytes = static_cast<size_t>(known.view.elements() * data_type_bits(known.view.type) / 8);
  const size_t at = key.size();
  key.resize(at + (bytes + 7) / 8, 0);
  if (bytes > 0) std::memcpy(key.data() + at, known.view.data, bytes);
}

}  // namespace overt
