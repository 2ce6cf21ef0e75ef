#include "providers/cpu/onednn/primitive_kernel.h"

#include <cassert>

namespace overt::cpu::onednn {
namespace {

/// Sets the pointers of a run, those of constants being set once.
class PrimitiveInstance final : public KernelInstance {
 public:
  PrimitiveInstance(PrimitiveRun run, std::vector<size_t> pointer_arguments)
      : run_(std::move(run)), pointer_arguments_(std::move(pointer_arguments)) {}

  void run(std::span<void* const> pointers) override {
    assert(pointers.size() >= pointer_arguments_.size() && "every pointer that the maker names is given");
    for (size_t i = 0; i < pointer_arguments_.size(); ++i) run_.set(pointer_arguments_[i], pointers[i]);
    run_.run();
  }

 private:
  PrimitiveRun run_;
  std::vector<size_t> pointer_arguments_;
};

}  // namespace

Primitive make_primitive(const Library& library, const_dnnl_primitive_desc_t desc) {
  dnnl_primitive_t primitive = nullptr;
  library.check(library.functions().primitive_create(&primitive, desc), "compiling a primitive");
  return {primitive, {library.functions().primitive_destroy}};
}

PrimitiveRun::PrimitiveRun(const Library& library, Primitive primitive, std::vector<Argument> arguments)
    : PrimitiveRun(library, primitive.get(), std::move(arguments)) {
  owned_ = std::move(primitive);
}

PrimitiveRun::PrimitiveRun(const Library& library, const_dnnl_primitive_t primitive, std::vector<Argument> arguments)
    : library_(library),
      owned_(nullptr, {library.functions().primitive_destroy}),
      primitive_(primitive),
      stream_(library.stream()) {
  for (const Argument& argument : arguments) {
    memories_.push_back(library.memory(argument.desc, argument.data));
    addresses_.push_back(argument.data);
    arguments_.push_back({argument.number, memories_.back().get()});
  }
}

void PrimitiveRun::set(size_t index, void* data) {
  if (addresses_[index] == data) return;
  library_.check(library_.functions().memory_set_data_handle(memories_[index].get(), data), "moving an argument");
  addresses_[index] = data;
}

void PrimitiveRun::run() {
  library_.prepare_caller();
  library_.check(library_.functions().primitive_execute(primitive_, stream_.get(),
                                                        static_cast<int>(arguments_.size()), arguments_.data()),
                 "running a primitive");
}

PrimitiveKernel::PrimitiveKernel(const Library& library, std::string_view what, PrimitiveDesc desc)
    : library_(library), desc_(std::move(desc)), primitive_(nullptr, {library.functions().primitive_destroy}) {
  const char* implementation = "";
  library.check(library.functions().primitive_desc_query(desc_.get(), dnnl_query_impl_info_str, 0, &implementation),
                "naming an implementation");
  name_ = "onednn " + std::string(what) + " " + implementation;
  if (const_dnnl_memory_desc_t scratch = query(dnnl_query_scratchpad_md)) scratch_bytes_ = library.bytes(scratch);
}

const_dnnl_memory_desc_t PrimitiveKernel::query(dnnl_query_t query, int index) const {
  return library_.functions().primitive_desc_query_md(desc_.get(), query, index);
}

void PrimitiveKernel::add_pointer(int number, const_dnnl_memory_desc_t desc) {
  bound_.push_back({number, library_.clone(desc), Tensor()});
}

void PrimitiveKernel::add_constant(int number, const_dnnl_memory_desc_t desc, Tensor constant) {
  bound_.push_back({number, library_.clone(desc), std::move(constant)});
}

void PrimitiveKernel::add_scratch() {
  if (scratch_bytes_ > 0) add_pointer(DNNL_ARG_SCRATCHPAD, query(dnnl_query_scratchpad_md));
}

void PrimitiveKernel::prepare() const {
  std::call_once(compiled_, [this] { primitive_ = make_primitive(library_, desc_.get()); });
}

std::unique_ptr<KernelInstance> PrimitiveKernel::instantiate() const {
  prepare();
  std::vector<Argument> arguments;
  std::vector<size_t> pointer_arguments;
  for (const Bound& bound : bound_) {
    // A copy of the tensor shares its memory, which oneDNN reads only.
    Tensor constant = bound.constant;
    if (constant.empty()) pointer_arguments.push_back(arguments.size());
    arguments.push_back({bound.number, bound.desc.get(), constant.empty() ? nullptr : constant.mutable_data()});
  }
  return std::make_unique<PrimitiveInstance>(PrimitiveRun(library_, primitive_.get(), std::move(arguments)),
                                             std::move(pointer_arguments));
}

}  // namespace overt::cpu::onednn
