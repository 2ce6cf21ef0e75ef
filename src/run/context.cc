#include "run/context.h"

#include <algorithm>

#include "base/error.h"
#include "base/escape.h"

namespace overt {

ExecutionContext::ExecutionContext(const PlacedGraph& placed, std::span<Provider* const> providers,
                                   MemoryBudget& budget)
    : placed_(placed),
      providers_(providers),
      budget_(budget),
      slabs_(1 + providers.size()),
      instances_(placed.segments.size()),
      carried_(placed.graph.value_count()) {}

DeviceMemory& ExecutionContext::memory(int32_t index) const {
  if (index != kHostMemory) return providers_[static_cast<size_t>(index)]->memory();
  for (Provider* provider : providers_) {
    if (provider->memory().host_accessible()) return provider->memory();
  }
  fail(ErrorCode::internal, "no provider of the session offers host memory");
}

PlanInstance* ExecutionContext::find(size_t segment, std::span<const int64_t> wanted) {
  std::vector<PlanInstance>& known = instances_[segment];
  for (size_t i = 0; i < known.size(); ++i) {
    if (!std::ranges::equal(known[i].plan->key, wanted)) continue;
    if (i > 0)
      std::rotate(known.begin(), known.begin() + static_cast<ptrdiff_t>(i),
                  known.begin() + static_cast<ptrdiff_t>(i) + 1);
    return &known.front();
  }
  return nullptr;
}

PlanInstance& ExecutionContext::add(size_t segment, std::shared_ptr<const SegmentPlan> plan, int keep) {
  for (size_t m = 0; m < slabs_.size(); ++m) {
    const int64_t needed = plan->slab_bytes[m];
    if (needed <= slabs_[m].bytes()) continue;
    for (auto& bound : instances_) bound.clear();  // they hold addresses in the old slab
    slabs_[m] = DeviceBlock();
    slabs_[m] =
        DeviceBlock(memory(static_cast<int32_t>(m) - 1), budget_, needed, "the plan's activations and workspaces");
  }
  PlanInstance instance;
  for (size_t p = 0; p < plan->programs.size(); ++p) {
    auto addresses = std::make_unique<ProgramAddresses>();
    auto* slab = static_cast<std::byte*>(slabs_[static_cast<size_t>(plan->program_memory[p] + 1)].data());
    for (const int64_t offset : plan->buffer_offsets[p]) addresses->buffers.push_back(slab + offset);
    instance.addresses.push_back(std::move(addresses));
  }
  for (const PlanStep& step : plan->steps) {
    if (step.kind != PlanStep::Kind::run) continue;
    ProgramAddresses& addresses = *instance.addresses[static_cast<size_t>(step.program)];
    addresses.inputs.assign(step.inputs.size(), nullptr);
    addresses.outputs.assign(step.outputs.size(), nullptr);
  }
  for (size_t p = 0; p < plan->programs.size(); ++p) {
    instance.programs.push_back(plan->programs[p]->instantiate(*instance.addresses[p]));
  }
  instance.plan = std::move(plan);
  std::vector<PlanInstance>& known = instances_[segment];
  if (known.size() >= static_cast<size_t>(std::max(keep, 1))) known.pop_back();
  known.insert(known.begin(), std::move(instance));
  return known.front();
}

void* ExecutionContext::make_carried(ValueId id, int32_t memory_index, DataType type, const Shape& shape) {
  CarriedValue& value = carried_[index_of(id)];
  const int64_t bytes = tensor_bytes(type, shape);
  if (value.memory != memory_index || value.block.bytes() < bytes) {
    value.block = DeviceBlock();
    value.block = DeviceBlock(memory(memory_index), budget_, bytes, "a tensor whose size depends on data");
  }
  value.memory = memory_index;
  value.type = type;
  value.shape = shape;
  value.data = value.block.data();
  return value.block.data();
}

void ExecutionContext::prepare_output(const SegmentPlan& plan, const ValuePlace& place, const Call& call) {
  auto& [output, bound] = call.outputs[static_cast<size_t>(place.index)];
  const DataType type = plan.values.types[index_of(place.value)];
  const Shape& shape = plan.values.shapes[index_of(place.value)];
  if (output.type() == type && output.shape() == shape) return;
  if (!bound) {
    output = Tensor::uninitialised(type, shape);
    return;
  }
  fail(ErrorCode::invalid_argument,
       "the bound output '{}' is {} {}, and the run gives {} {}; bind a tensor of that shape",
       escape_name(placed_.graph.value(place.value).name), data_type_name(output.type()), output.shape().to_string(),
       data_type_name(type), shape.to_string());
}

void ExecutionContext::prepare(PlanInstance& instance, const Call& call) {
  const SegmentPlan& plan = *instance.plan;
  for (const PlanStep& step : plan.steps) {
    for (const int32_t output : step.outputs) {
      const ValuePlace& place = plan.places[static_cast<size_t>(output)];
      if (place.kind == ValuePlace::Kind::graph_output) prepare_output(plan, place, call);
      const size_t v = index_of(place.value);
      if (place.kind == ValuePlace::Kind::carried && !place.dynamic) {
        make_carried(place.value, place.memory, plan.values.types[v], plan.values.shapes[v]);
      }
    }
  }
}

void* ExecutionContext::address(const SegmentPlan& plan, int32_t index, const Call& call) const {
  const ValuePlace& place = plan.places[static_cast<size_t>(index)];
  switch (place.kind) {
    // Inputs are only read; one function gives both kinds of address.
    case ValuePlace::Kind::graph_input:
      return const_cast<void*>(call.inputs[static_cast<size_t>(place.index)].data());
    case ValuePlace::Kind::graph_output: return call.outputs[static_cast<size_t>(place.index)].tensor.mutable_data();
    case ValuePlace::Kind::slab:
      return static_cast<std::byte*>(slabs_[static_cast<size_t>(place.memory + 1)].data()) + place.offset;
    case ValuePlace::Kind::carried: return const_cast<void*>(carried_[index_of(place.value)].data);
  }
  return nullptr;
}

}  // namespace overt
