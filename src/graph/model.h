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

/// A node as the file has it, for reports: passes may fuse it, fold it or take it out.
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
  std::vector<SourceNode> source_nodes;   ///< main graph first, then functions' and subgraphs' nodes
  std::vector<OpsetImport> opsets;
  std::vector<std::pair<std::string, std::string>> metadata;
  std::vector<std::string> external_files;  ///< names of external data files, as in the file
  std::vector<std::string> warnings;        ///< what was odd and accepted, in words
  /// Initializers that are also graph inputs (IR 3): (input position, default). The caller may override them.
  std::vector<std::pair<size_t, Tensor>> input_defaults;
  std::string producer_name, producer_version, domain, description, graph_name;
  int64_t ir_version = 0;
  int64_t model_version = 0;
  int64_t file_bytes = 0;
};

}  // namespace overt

#endif  // OVERT_GRAPH_MODEL_H_
