#ifndef OVERT_GRAPH_EPILOGUE_H_
#define OVERT_GRAPH_EPILOGUE_H_

#include <cstdint>
#include <string>
#include <vector>

namespace overt {

/// One step on the result of a fused operator, in order, element by element.
enum class EpilogueKind : uint8_t {
  add,         ///< + input `operand` of the node: same shape as the result (residual), or broadcast to it
  multiply,    ///< * input `operand`
  relu,        ///< max(x, 0)
  clip,        ///< min(max(x, alpha), beta)
  leaky_relu,  ///< x < 0 ? alpha*x : x
  sigmoid,
  tanh,
  silu,          ///< x * sigmoid(alpha*x)
  hard_sigmoid,  ///< max(0, min(1, alpha*x + beta))
  hard_swish,    ///< x * max(0, min(1, x/6 + 1/2))
  gelu_erf,
  gelu_tanh,
  elu,  ///< x < 0 ? alpha*(exp(x) - 1) : x
};

struct EpilogueStep {
  EpilogueKind kind = EpilogueKind::relu;
  float alpha = 0.0f;
  float beta = 0.0f;
  int32_t operand = -1;  ///< index into the node's inputs for add and multiply, else -1
  friend bool operator==(const EpilogueStep&, const EpilogueStep&) = default;
};

using Epilogue = std::vector<EpilogueStep>;

/// "add(input 3), silu".
std::string to_string(const Epilogue& epilogue);

}  // namespace overt

#endif  // OVERT_GRAPH_EPILOGUE_H_
