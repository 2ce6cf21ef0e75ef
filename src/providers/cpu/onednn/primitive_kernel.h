#ifndef OVERT_PROVIDERS_CPU_ONEDNN_PRIMITIVE_KERNEL_H_
#define OVERT_PROVIDERS_CPU_ONEDNN_PRIMITIVE_KERNEL_H_

#include <mutex>
#include <string>
#include <vector>

#include "overt/tensor.h"
#include "providers/cpu/kernel.h"
#include "providers/cpu/onednn/library.h"

namespace overt::cpu::onednn {

/// One argument of a primitive: oneDNN's number, the layout, and the memory if it is already known.
struct Argument {
  int number = 0;
  const_dnnl_memory_desc_t desc = nullptr;
  void* data = nullptr;
};

/// Compiles `desc`. Throws as Library::check.
Primitive make_primitive(const Library& library, const_dnnl_primitive_desc_t desc);

/// A primitive with its memory handles. One run at a time.
class PrimitiveRun {
 public:
  PrimitiveRun(const Library& library, Primitive primitive, std::vector<Argument> arguments);
  /// The primitive is borrowed and outlives the run.
  PrimitiveRun(const Library& library, const_dnnl_primitive_t primitive, std::vector<Argument> arguments);

  /// Argument `index` of the constructor's list is at `data` from now on.
  void set(size_t index, void* data);
  void run();

 private:
  const Library& library_;
  Primitive owned_;  ///< may be null
  const_dnnl_primitive_t primitive_;
  Stream stream_;
  std::vector<Memory> memories_;
  std::vector<void*> addresses_;
  std::vector<dnnl_exec_arg_t> arguments_;
};

/// A kernel that is one primitive: constants bound, the other arguments given in order at each run.
class PrimitiveKernel final : public Kernel {
 public:
  /// Of `desc`, whose attributes have user-managed scratch memory. `what` leads the name ("convolution").
  PrimitiveKernel(const Library& library, std::string_view what, PrimitiveDesc desc);

  /// The next pointer of a run is this argument. An argument may be named under several numbers by several calls.
  void add_pointer(int number, const_dnnl_memory_desc_t desc);
  /// The argument is always this constant, which the kernel keeps alive.
  void add_constant(int number, const_dnnl_memory_desc_t desc, Tensor constant);
  /// Called last: the scratch memory's pointer follows the others.
  void add_scratch();

  const_dnnl_memory_desc_t query(dnnl_query_t query, int index = 0) const;

  std::string_view name() const override { return name_; }
  int64_t scratch_bytes() const override { return scratch_bytes_; }
  void prepare() const override;
  std::unique_ptr<KernelInstance> instantiate() const override;

 private:
  struct Bound {
    int number;
    MemoryDesc desc;
    Tensor constant;  ///< empty: a pointer of the run
  };

  const Library& library_;
  PrimitiveDesc desc_;
  mutable std::once_flag compiled_;
  mutable Primitive primitive_;  ///< made by prepare()
  std::string name_;
  int64_t scratch_bytes_ = 0;
  std::vector<Bound> bound_;
};

}  // namespace overt::cpu::onednn

#endif  // OVERT_PROVIDERS_CPU_ONEDNN_PRIMITIVE_KERNEL_H_
