#ifndef OVERT_ONNX_LOAD_H_
#define OVERT_ONNX_LOAD_H_

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "graph/model.h"

namespace overt {

/// What a model file may ask for. A file over a limit is refused with Error(unsupported); over `dense_bytes`,
/// Error(out_of_memory).
struct LoadLimits {
  int32_t rank = 64;             ///< of any tensor
  int32_t subgraph_depth = 32;   ///< If in If in ..., functions expanded
  int32_t function_depth = 100;  ///< functions calling functions
  /// Nodes after model-local functions are expanded: at most the larger of the nodes in the file and
  /// min(expanded_nodes, 10,000 + expanded_per_node * nodes in the file). Counted before anything is expanded.
  int64_t expanded_nodes = 4'000'000;
  int64_t expanded_per_node = 1000;
  int64_t expanded_bytes = int64_t{256} << 20;  ///< of attributes and names, copied by that expansion
  /// Sparse tensors made dense, all together: dense_bytes + 100 times the file's size.
  int64_t dense_bytes = int64_t{32} << 20;

  // External data files. They lie in the model's directory or below it.
  bool allow_hard_links = false;
  /// Where content stores keep files apart from their names: symbolic links are followed as long as they stay
  /// below this directory, which contains the model's. Empty: no symbolic link is followed.
  std::filesystem::path symlink_root;
};

/// Reads an ONNX file (IR version 3 or later) into a Model.
///
/// What it does, in time and memory linear in the file (and in what functions expand to):
/// - The file is mapped; weights are views into the mapping, which the tensors keep alive. Copied are only
///   numbers that are stored as varints, weights of at most 64 KiB whose place in the file is not aligned for
///   their type (protobuf aligns nothing; larger ones stay views, see Tensor::is_aligned), strings, and sparse
///   tensors, which become dense.
/// - Model-local functions are expanded in place. A node that comes from one carries the source index of the
///   call; its name and its values' names start with the call's name.
/// - Initializers become constants. From IR 4 on, one with the name of a main graph's input is that input's
///   default instead (Model::input_defaults); before, such an input is no input.
/// - Subgraphs read outer values through captures; outer constants are shared with them instead.
/// - Every graph is sorted. Declared types and shapes are taken as they are; a length without a number or name
///   is a symbol of its own, "?value.axis".
/// - OpName::since_version is the opset version that the node's graph or function imports for the domain: the
///   file format knows no operators. `check_model` (src/ops) turns it into the schema's version.
///
/// Throws Error(invalid_model), naming node or tensor and the byte offset where that helps; Error(unsupported)
/// for what is legal and not read (limits, sparse inputs, graphs as function attributes); Error(invalid_argument)
/// where the path names no readable file.
Model load_onnx(const std::filesystem::path& path, const LoadLimits& limits = {});

/// The same from memory. `owner` keeps the bytes alive for as long as a weight is in use; where it is null the
/// bytes are copied once. External data is looked for in `external_data_directory`, and refused where there is
/// none.
Model load_onnx(std::span<const std::byte> bytes, std::shared_ptr<const void> owner,
                const std::optional<std::filesystem::path>& external_data_directory, const LoadLimits& limits = {});

/// Reads a serialised TensorProto, as test data comes in. The tensor has memory of its own; external data is
/// refused. Throws Error(invalid_model).
Tensor read_tensor_proto(std::span<const std::byte> bytes);

}  // namespace overt

#endif  // OVERT_ONNX_LOAD_H_
