#ifndef OVERT_GRAPH_DIM_H_
#define OVERT_GRAPH_DIM_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace overt {

struct DimExpression;

/// A length or an index: a number, or an integer expression over named lengths ("N", "2*N + 1", "(H + 3)/2").
///
/// Sums and products are kept as one canonical polynomial with integer coefficients whose factors are symbols
/// or quotients, remainders, minima and maxima of polynomials, so that equal expressions compare equal
/// wherever only + - * were used. Arithmetic that would overflow 63 bits gives an unknown that equals itself
/// only. Immutable and cheap to copy (a number needs no memory); safe to share between threads.
class Dim {
 public:
  Dim() : Dim(int64_t{0}) {}
  Dim(int64_t value) : value_(value) {}  // NOLINT: a number is a dim
  /// A named length. The same name is the same length throughout a graph.
  static Dim symbol(std::string_view name);

  bool is_number() const { return expression_ == nullptr; }
  /// The number. Only where `is_number()`.
  int64_t number() const { return value_; }
  std::optional<int64_t> number_if_known() const { return is_number() ? std::optional(value_) : std::nullopt; }

  std::string to_string() const;
  /// The value when each symbol has one; nothing where a symbol is not in the list or a division by 0 turns up.
  std::optional<int64_t> evaluate(std::span<const std::pair<std::string, int64_t>> symbols) const;
  /// Names of the symbols in the expression, sorted, each once.
  std::vector<std::string> symbols() const;

  friend bool operator==(const Dim& a, const Dim& b);
  friend Dim operator+(const Dim& a, const Dim& b);
  friend Dim operator-(const Dim& a, const Dim& b);
  friend Dim operator*(const Dim& a, const Dim& b);
  /// floor(a / b); exact where b is a factor of a. With a number b > 0 the form is canonical: whole multiples of
  /// b leave the quotient, so (H + 3)/2 is (H + 1)/2 + 1, and (H/2)/2 is H/4. b == 0 as a number is a caller's
  /// error (Error internal).
  friend Dim floor_div(const Dim& a, const Dim& b);
  /// ceil(a / b), as floor((a + b - 1) / b).
  friend Dim ceil_div(const Dim& a, const Dim& b);
  /// a / b when it is certain that b divides a (polynomial division without remainder), else nothing.
  friend std::optional<Dim> exact_div(const Dim& a, const Dim& b);
  friend Dim modulo(const Dim& a, const Dim& b);  ///< a - b*floor(a/b)
  friend Dim minimum(const Dim& a, const Dim& b);
  friend Dim maximum(const Dim& a, const Dim& b);
  /// True, false, or nothing where it depends on the symbols (which are all >= 1 except where named "?...").
  friend std::optional<bool> less(const Dim& a, const Dim& b);

 private:
  explicit Dim(std::shared_ptr<const DimExpression> expression) : expression_(std::move(expression)) {}
  friend struct DimExpression;

  int64_t value_ = 0;
  std::shared_ptr<const DimExpression> expression_;  ///< shared by the copies of a dim; null for a number
};

using Dims = std::vector<Dim>;

/// "[N, 3, 224, 224]".
std::string to_string(std::span<const Dim> dims);
/// The product.
Dim product(std::span<const Dim> dims);

}  // namespace overt

#endif  // OVERT_GRAPH_DIM_H_
