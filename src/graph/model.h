#ifndef OVERT_GRAPH_MODEL_H_
#define OVERT_GRAPH_MODEL_H_

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "graph/graph.h"

namespace overt {

struct OpsetImport {
  std::string domain;  ///< "" is ai.onnx
  int64_t version = 0;
};

/// A node as the file has it, for reports: passes may fuse it, fold it or take it out. The call of a model-local
/// function is one source node, which all nodes of its expansion name.
struct SourceNode {
  std::string name;  ///< may be empty
  std::string op_type;
  std::string domain;
};

/// A model file as read: its graph, and what the file says about itself.
struct Model {
  Graph graph;
  std::vector<std::string> input_names;   ///< of graph.inputs(), as in the file
  std::vector<std::string> output_names;  ///< of graph.outputs(), as in the file
  std::vector<SourceNode> source_nodes;   ///< the main graph's in file order, then those of subgraphs, outer first
  std::vector<OpsetImport> opsets;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<std::string> external_files;  ///< names of external data files, as in the file
  std::vector<std::string> warnings;        ///< what was odd and accepted, in words
  /// Initializers that are also graph inputs (IR 4 and later; before, they are constants and no inputs): (input
  /// position, default). The caller may override them.
  std::vector<std::pair<size_t, Tensor>> input_defaults;
  std::string producer_name, producer_version, domain, description, graph_name;
  int64_t ir_version = 0;
  int64_t model_version = 0;
  int64_t file_bytes = 0;
};

}  // namespace overt

#endif  // OVERT_GRAPH_MODEL_H_
