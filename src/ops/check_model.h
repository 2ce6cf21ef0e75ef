#ifndef OVERT_OPS_CHECK_MODEL_H_
#define OVERT_OPS_CHECK_MODEL_H_

#include "graph/model.h"

namespace overt {

/// Holds every node of a model, subgraphs included, against the standard's operator schemas, and turns each
/// OpName::since_version from the opset version that the file imports into the version of the operator's schema.
/// May be called again on its own result.
///
/// Checked: number of inputs and outputs, required ones that are left out, attributes (unknown, missing, of
/// another type; names that start with "__" are passed over, as the standard says), and types as `check_types`.
/// Throws Error(invalid_model) for the first node that breaks its schema, naming it; Error(unsupported) for an
/// opset newer than the table, and for operators that the table does not have, all of them at once. Deprecated
/// operators are accepted with a line in Model::warnings.
void check_model(Model& model);

/// Checks the types of inputs and outputs that are known by now against the schemas: allowed, and equal where
/// the schema has one letter for them. Operators without a schema are passed over. Throws Error(invalid_model).
void check_types(const Graph& graph);

}  // namespace overt

#endif  // OVERT_OPS_CHECK_MODEL_H_
