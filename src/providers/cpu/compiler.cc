#include "providers/cpu/compiler.h"

#include <algorithm>
#include <exception>
#include <mutex>
#include <utility>

#include "base/error.h"
#include "base/escape.h"
#include "providers/cpu/concat_plan.h"
#include "providers/cpu/copy_kernel.h"
#include "providers/cpu/lowering.h"
#include "providers/cpu/program.h"
#include "providers/cpu/reference_kernel.h"

namespace overt::cpu {
namespace {

/// A tensor's form in memory: one value may have several (row-major and blocked).
struct Form {
  Layout layout;
  Operand place;
};

class Compiler {
 public:
  Compiler(const PartitionView& partition, Device& device)
      : partition_(partition),
        graph_(partition.graph),
        device_(device),
        concats_(plan_concats(partition, device.channel_block())) {
    const size_t values = graph_.value_count();
    forms_.resize(values);
    layouts_.resize(values);
    output_index_.assign(values, -1);
    last_reader_.assign(values, -1);
    for (size_t i = 0; i < partition.inputs.size(); ++i) {
      add_form(partition.inputs[i], plain(shape(partition.inputs[i])),
               {Operand::Kind::input, static_cast<int32_t>(i)});
    }
    for (size_t i = 0; i < partition.outputs.size(); ++i)
      output_index_[index_of(partition.outputs[i])] = static_cast<int32_t>(i);
    for (size_t i = 0; i < partition.nodes.size(); ++i) {
      for (const ValueId input : graph_.node(partition.nodes[i]).inputs) {
        if (input != ValueId::none) last_reader_[index_of(input)] = static_cast<int32_t>(i);
      }
    }
  }

  std::unique_ptr<Program> run() {
    for (size_t i = 0; i < partition_.nodes.size(); ++i) {
      position_ = static_cast<int32_t>(i);
      emit(graph_.node(partition_.nodes[i]));
    }
    generate_code();
    return std::make_unique<CpuProgram>(std::move(steps_), std::move(buffers_), std::move(choices_),
                                        std::move(copies_));
  }

 private:
  const Shape& shape(ValueId id) const { return partition_.values.shapes[index_of(id)]; }
  DataType type(ValueId id) const { return partition_.values.types[index_of(id)]; }

  int64_t bytes_of(ValueId id, const Layout& layout) const {
    return layout.blocked() ? layout.bytes() : tensor_bytes(type(id), layout.shape);
  }

  std::string name_of(ValueId id) const { return escape_name(graph_.value(id).name, 80); }

  void add_form(ValueId id, Layout layout, Operand place) {
    if (forms_[index_of(id)].empty()) layouts_[index_of(id)] = layout;
    forms_[index_of(id)].push_back({std::move(layout), place});
  }

  // Choice of a kernel.

  LoweredNode choose(const Node& node) {
    const LowerContext context{partition_, node, device_, layouts_};
    KernelChoice choice{node.id, {}, {}};
    for (const LoweringEntry& entry : lowerings(node)) {
      Lowered lowered = entry.lower(context);
      if (!lowered.node) {
        choice.refusals.push_back({std::string(entry.name), lowered.refusal});
        continue;
      }
      choice.kernel = lowered.node->kernel ? std::string(lowered.node->kernel->name()) : "view";
      choices_.push_back(std::move(choice));
      return std::move(*lowered.node);
    }
    std::string reasons;
    for (const RefusalReport& refusal : choice.refusals)
      reasons += fmt::format("; {}: {}", refusal.provider, refusal.reason);
    fail_at(ErrorCode::unsupported, node.name, "{}: no kernel of the cpu provider takes it{}", display_name(node),
            reasons);
  }

  void emit(const Node& node) {
    LoweredNode lowered = choose(node);
    if (!lowered.kernel) {
      emit_view(node, lowered);
      return;
    }
    if (node.op.is("Concat") && emit_adjacent_concat(node)) return;
    std::vector<Operand> operands;
    Operand taken_over;
    bool takes_over = false;
    for (size_t i = 0; i < lowered.reads.size(); ++i) {
      const TensorUse& use = lowered.reads[i];
      const Operand place = read(use.value, use.layout);
      if (lowered.in_place_read == static_cast<int32_t>(i)) {
        takes_over = can_take_over(use.value, place);
        taken_over = place;
        if (lowered.in_place_required) continue;
      }
      operands.push_back(place);
    }
    for (size_t i = 0; i < lowered.writes.size(); ++i) {
      const TensorUse& use = lowered.writes[i];
      if (i == 0 && takes_over && output_index_[index_of(use.value)] < 0) {
        operands.push_back(taken_over);
        buffer_values(taken_over).push_back(use.value);
        add_form(use.value, use.layout, taken_over);
        continue;
      }
      const Operand place = place_write(use.value, use.layout);
      if (i == 0 && lowered.in_place_required) {
        add_copy(node, taken_over, place, bytes_of(use.value, use.layout));
      }
      operands.push_back(place);
    }
    add_step(node, std::move(lowered.kernel), std::move(operands));
    for (const TensorUse& use : lowered.writes) finish_output(node, use);
  }

  // Reading.

  Operand read(ValueId id, const Layout& wanted) {
    const Tensor* constant = partition_.values.constants[index_of(id)];
    if (constant != nullptr && forms_[index_of(id)].empty()) {
      add_form(id, plain(constant->shape()), {Operand::Kind::constant, 0, 0, aligned_data(*constant)});
    }
    const std::vector<Form>& forms = forms_[index_of(id)];
    if (forms.empty()) fail(ErrorCode::internal, "value '{}' is read before it is made", name_of(id));
    for (const Form& form : forms) {
      if (form.layout.block == wanted.block) return form.place;
    }
    const Form source = forms[0];
    // A kernel may name a row-major tensor by other dims of the same elements; the reorder needs the value's own.
    const Layout target = wanted.blocked() ? wanted : plain(source.layout.shape);
    const Operand place = new_buffer(id, bytes_of(id, target), name_of(id) + " reordered");
    add_reorder(id, source, {target, place});
    add_form(id, target, place);
    return place;
  }

  /// The constant's memory, or that of a copy that the program keeps, for kernels that read it by type.
  const void* aligned_data(const Tensor& constant) {
    if (constant.is_aligned()) return constant.data();
    return copies_.emplace_back(constant.aligned()).data();
  }

  void add_reorder(ValueId id, const Form& source, const Form& target) {
    MadeKernel made = make_layout_change(device_, source.layout, target.layout);
    if (!made.kernel) {
      fail(ErrorCode::internal, "value '{}' cannot change its layout from {} to {}: {}", name_of(id),
           source.layout.to_string(), target.layout.to_string(), made.refusal);
    }
    CpuStep step;
    step.kernel = std::unique_ptr<const Kernel>(made.kernel.release());
    step.operands = {source.place, target.place};
    step.node = "reorder of '" + name_of(id) + "'";
    step.op = "reorder";
    push_step(std::move(step));
  }

  // Writing.

  Operand new_buffer(ValueId id, int64_t bytes, std::string what) {
    buffers_.push_back({bytes, static_cast<int32_t>(steps_.size()), static_cast<int32_t>(steps_.size()),
                        BufferUse::activation, std::move(what)});
    values_in_buffer_.push_back({id});
    return {Operand::Kind::buffer, static_cast<int32_t>(buffers_.size() - 1)};
  }

  std::vector<ValueId>& buffer_values(const Operand& place) {
    return values_in_buffer_[static_cast<size_t>(place.index)];
  }

  /// Where a value is written: the program's output, a part of a concatenation, or a buffer of its own.
  Operand place_write(ValueId id, const Layout& layout) {
    const int32_t output = output_index_[index_of(id)];
    Operand place;
    if (output >= 0 && !layout.blocked()) {
      place = {Operand::Kind::output, output};
    } else if (const ConcatTarget& target = concats_[index_of(id)];
               target.whole != ValueId::none && target.layout == layout) {
      place = part_of_whole(id, target);
    } else {
      place = new_buffer(id, bytes_of(id, layout), name_of(id));
    }
    add_form(id, layout, place);
    return place;
  }

  /// The part's place in the concatenation's result, whose memory is made when its first part is.
  Operand part_of_whole(ValueId id, const ConcatTarget& target) {
    std::vector<Form>& whole = forms_[index_of(target.whole)];
    const Layout layout{shape(target.whole), target.layout.block};
    if (whole.empty()) place_write(target.whole, layout);
    Operand place = forms_[index_of(target.whole)][0].place;
    place.offset_bytes += target.offset_bytes;
    if (place.kind == Operand::Kind::buffer) buffer_values(place).push_back(id);
    return place;
  }

  /// A value that the program gives away lies where the caller wants it, row-major.
  void finish_output(const Node& node, const TensorUse& use) {
    const int32_t output = output_index_[index_of(use.value)];
    if (output < 0) return;
    const Operand target{Operand::Kind::output, output};
    const Form first = forms_[index_of(use.value)][0];
    if (first.place.kind == Operand::Kind::output && first.place.index == output && first.place.offset_bytes == 0)
      return;
    if (!first.layout.blocked()) {
      add_copy(node, first.place, target, bytes_of(use.value, first.layout));
      return;
    }
    const Layout row_major = plain(use.layout.shape);
    add_reorder(use.value, first, {row_major, target});
    add_form(use.value, row_major, target);
  }

  /// Whether the memory of a value that this node reads is free for its result.
  bool can_take_over(ValueId id, const Operand& place) {
    if (place.kind != Operand::Kind::buffer || place.offset_bytes != 0) return false;
    for (const ValueId shared : buffer_values(place)) {
      if (last_reader_[index_of(shared)] > position_ || output_index_[index_of(shared)] >= 0) return false;
      if (shared != id && concats_[index_of(shared)].whole != ValueId::none) return false;
    }
    return concats_[index_of(id)].whole == ValueId::none &&
           graph_.node(partition_.nodes[static_cast<size_t>(position_)]).op.type != "Concat";
  }

  // Views and concatenations.

  void emit_view(const Node& node, const LoweredNode& view) {
    const TensorUse& source = view.reads[0];
    const Operand from = read(source.value, source.layout);
    for (size_t i = 0; i < view.writes.size(); ++i) {
      const TensorUse& use = view.writes[i];
      Operand place = from;
      const int64_t offset = view.view_offset_bytes[i];
      if (place.kind == Operand::Kind::constant) {
        place.constant = static_cast<const std::byte*>(place.constant) + offset;
      } else {
        place.offset_bytes += offset;
      }
      if (place.kind == Operand::Kind::buffer) {
        buffer_values(place).push_back(use.value);
        buffers_[static_cast<size_t>(place.index)].last_step =
            std::max(buffers_[static_cast<size_t>(place.index)].last_step, static_cast<int32_t>(steps_.size()));
      }
      add_form(use.value, use.layout, place);
      finish_output(node, use);
    }
  }

  /// Where the parts of a concatenation are in place already, only the missing ones are copied.
  bool emit_adjacent_concat(const Node& node) {
    const ValueId whole = node.outputs[0];
    const auto layout = adjacent_layout(partition_, node, device_.channel_block());
    if (!layout) return false;
    const bool any_in_place = std::ranges::any_of(node.inputs, [&](ValueId part) {
      return concats_[index_of(part)].whole == whole && !forms_[index_of(part)].empty() &&
             forms_[index_of(part)][0].layout.block == layout->block;
    });
    if (!any_in_place) return false;
    if (forms_[index_of(whole)].empty()) place_write(whole, *layout);
    const Operand base = forms_[index_of(whole)][0].place;
    int64_t offset = base.offset_bytes;
    bool copied = false;
    for (const ValueId part : node.inputs) {
      const Layout wanted{shape(part), layout->block};
      const Operand from = read(part, wanted);
      Operand to = base;
      to.offset_bytes = offset;
      if (from.kind != to.kind || from.index != to.index || from.offset_bytes != to.offset_bytes) {
        add_copy(node, from, to, bytes_of(part, wanted));
        copied = true;
      }
      offset += bytes_of(part, wanted);
    }
    choices_.back().kernel = copied ? "adjacent parts, some copied" : "adjacent parts, no copy";
    finish_output(node, {whole, *layout});
    return true;
  }

  /// Lets all threads generate kernels' code, which is most of the time of compiling.
  void generate_code() {
    std::mutex mutex;
    std::exception_ptr failure;
    parallel_for(device_.threads(), static_cast<int64_t>(steps_.size()), 1, [&](int64_t first, int64_t last) {
      for (int64_t s = first; s < last; ++s) {
        try {
          steps_[static_cast<size_t>(s)].kernel->prepare();
        } catch (...) {
          const std::lock_guard lock(mutex);
          failure = std::current_exception();
        }
      }
    });
    if (failure) std::rethrow_exception(failure);
  }

  // Steps.

  void add_copy(const Node& node, const Operand& from, const Operand& to, int64_t bytes) {
    CpuStep step;
    step.kernel = make_copy(device_, bytes);
    step.operands = {from, to};
    step.node = display_name(node);
    step.op = "copy";
    push_step(std::move(step));
  }

  void add_step(const Node& node, std::unique_ptr<const Kernel> kernel, std::vector<Operand> operands) {
    CpuStep step;
    step.kernel = std::move(kernel);
    step.operands = std::move(operands);
    step.node = display_name(node);
    step.op = node.op.type;
    push_step(std::move(step));
  }

  void push_step(CpuStep step) {
    const auto now = static_cast<int32_t>(steps_.size());
    for (const Operand& operand : step.operands) {
      if (operand.kind != Operand::Kind::buffer) continue;
      BufferRequest& buffer = buffers_[static_cast<size_t>(operand.index)];
      buffer.first_step = std::min(buffer.first_step, now);
      buffer.last_step = std::max(buffer.last_step, now);
    }
    if (const int64_t scratch = step.kernel->scratch_bytes(); scratch > 0) {
      step.scratch_buffer = static_cast<int32_t>(buffers_.size());
      buffers_.push_back({scratch, now, now, BufferUse::workspace, step.node + " workspace"});
      values_in_buffer_.emplace_back();
    }
    steps_.push_back(std::move(step));
  }

  const PartitionView& partition_;
  const Graph& graph_;
  Device& device_;
  std::vector<ConcatTarget> concats_;     // by value
  std::vector<std::vector<Form>> forms_;  // by value; the first is the one it was made in
  std::vector<Layout> layouts_;           // by value: of the first form
  std::vector<int32_t> output_index_;     // by value: position among the program's outputs, or -1
  std::vector<int32_t> last_reader_;      // by value: position of the last node that reads it
  std::vector<std::vector<ValueId>> values_in_buffer_;
  std::vector<CpuStep> steps_;
  std::vector<BufferRequest> buffers_;
  std::vector<KernelChoice> choices_;
  std::vector<Tensor> copies_;  // of constants, see aligned_data
  int32_t position_ = 0;
};

}  // namespace

std::unique_ptr<Program> compile(const PartitionView& partition, Device& device) {
  if (partition.dynamic_outputs) return make_dynamic_program(partition);
  return Compiler(partition, device).run();
}

}  // namespace overt::cpu
