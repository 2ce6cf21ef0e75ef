#ifndef OVERT_RUN_MODEL_INFO_H_
#define OVERT_RUN_MODEL_INFO_H_

#include <string>
#include <vector>

#include "graph/model.h"
#include "overt/session.h"

namespace overt {

/// What a model says of itself, for people and programs.
ModelInfo model_info(const Model& model);

/// One value's type and lengths as the public API has them.
TensorSpec tensor_spec(const std::string& name, const ValueInfo& info);
/// In the model's order; those with a default in the file are optional.
std::vector<TensorSpec> input_specs(const Model& model);
std::vector<TensorSpec> output_specs(const Model& model);

}  // namespace overt

#endif  // OVERT_RUN_MODEL_INFO_H_
