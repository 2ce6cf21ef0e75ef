#ifndef OVERT_REPORT_H_
#define OVERT_REPORT_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace overt {

/// Why a provider earlier in the list does not run a node, or why a faster kernel is not used.
struct RefusalReport {
  std::string provider;
  std::string reason;
};

/// Where one node of the file runs.
struct NodePlacement {
  std::string name;        ///< as in the file, may be empty
  std::string op;          ///< "Conv"
  std::string provider;    ///< "cpu"; "planning" where it is worked out before a run (shape arithmetic, folding)
  std::string kernel;      ///< "onednn jit:avx512_core", "reference"; known once a plan exists, else empty
  std::string fused_into;  ///< the fused node that does its work, or empty
  std::string note;        ///< for "planning": what became of it ("folded into a constant")
  std::vector<RefusalReport> refusals;
};

/// A copy between devices that the plan makes.
struct CopyReport {
  std::string tensor;
  int64_t bytes = 0;  ///< 0 while the shape is not known
  std::string from;
  std::string to;
  std::string reason;
};

/// Where every node runs. A value: made with the session, kernels filled in by the first plan.
struct Placement {
  std::string model;
  std::vector<NodePlacement> nodes;  ///< one for each node of the file, in the file's order
  std::vector<CopyReport> copies;
  std::string precision;

  /// Nodes by provider, in the providers' order, "planning" last where there is any.
  std::vector<std::pair<std::string, int64_t>> nodes_by_provider() const;
  /// "yolox_nano: 369 nodes, 369 cpu, 0 copies, fp32".
  std::string summary() const;
};

/// Bytes on the session's first device.
struct MemoryReport {
  int64_t weight_bytes = 0;      ///< constants, and the copies that providers keep in a form of their own
  int64_t activation_bytes = 0;  ///< values of one execution context
  int64_t workspace_bytes = 0;   ///< kernels' scratch memory of one execution context
  int64_t packed_bytes = 0;      ///< of the weights, what providers keep in a form of their own
  struct Part {
    std::string what;
    int64_t bytes = 0;
  };
  std::vector<Part> largest;  ///< the largest buffers, for `overt explain`
};

/// What a graph pass did.
struct PassReportEntry {
  std::string pass;
  bool changed = false;
  double ms = 0;
  int64_t nodes_before = 0;
  int64_t nodes_after = 0;
  std::vector<std::string> notes;
};

/// Time of one kernel in one run.
struct KernelTime {
  std::string node;
  std::string op;
  std::string kernel;
  double ms = 0;
};

}  // namespace overt

#endif  // OVERT_REPORT_H_
