#include "graph/dim.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "base/checked.h"
#include "base/error.h"

namespace overt {
namespace {

/// Larger expressions become unknowns, so that no file can make dims that take long to handle.
constexpr size_t kMaxTerms = 64;
constexpr size_t kMaxTextBytes = 4096;
constexpr int kMaxDivisionSteps = 256;
constexpr size_t kMaxShiftedTerms = 512;

/// An inclusive range; an end that is not there is not bounded.
struct Bounds {
  std::optional<int64_t> low;
  std::optional<int64_t> high;
};

enum class AtomKind : uint8_t { symbol, unknown, quotient, remainder, minimum, maximum };

/// A factor of a term: a symbol, or an operation on polynomials that is not + - *. Equal atoms have equal text.
struct Atom {
  AtomKind kind = AtomKind::symbol;
  std::string name;  ///< of a symbol or an unknown
  Dim a;             ///< operands of the other kinds
  Dim b;
  std::string text;
  Bounds bounds;
};

using AtomPtr = std::shared_ptr<const Atom>;  // shared by the terms that multiply by it

bool atom_before(const AtomPtr& a, const AtomPtr& b) {
  if (a == b) return false;
  return a->kind != b->kind ? a->kind < b->kind : a->text < b->text;
}

bool atom_equal(const AtomPtr& a, const AtomPtr& b) {
  return a == b || (a->kind == b->kind && a->text == b->text);
}

using Monomial = std::vector<AtomPtr>;  // sorted; a power is the same atom several times

struct Term {
  int64_t coefficient = 0;
  Monomial factors;
};

/// Graded lexicographic order, largest first: an admissible monomial order, which polynomial division needs.
bool monomial_before(const Monomial& a, const Monomial& b) {
  if (a.size() != b.size()) return a.size() > b.size();
  return std::ranges::lexicographical_compare(a, b, atom_before);
}

bool monomial_equal(const Monomial& a, const Monomial& b) {
  return std::ranges::equal(a, b, atom_equal);
}

/// Sorted by monomial_before, each monomial once, no zero coefficient. Empty is 0.
using Polynomial = std::vector<Term>;

std::optional<Polynomial> normalised(Polynomial terms) {
  std::ranges::sort(terms, [](const Term& a, const Term& b) { return monomial_before(a.factors, b.factors); });
  Polynomial result;
  for (Term& term : terms) {
    if (!result.empty() && monomial_equal(result.back().factors, term.factors)) {
      const auto sum = checked_add(result.back().coefficient, term.coefficient);
      if (!sum) return std::nullopt;
      result.back().coefficient = *sum;
      continue;
    }
    if (!result.empty() && result.back().coefficient == 0) result.pop_back();
    result.push_back(std::move(term));
  }
  if (!result.empty() && result.back().coefficient == 0) result.pop_back();
  return result;
}

std::optional<Polynomial> add(const Polynomial& a, const Polynomial& b) {
  Polynomial terms = a;
  terms.insert(terms.end(), b.begin(), b.end());
  return normalised(std::move(terms));
}

std::optional<Polynomial> multiply(const Polynomial& a, const Polynomial& b) {
  Polynomial terms;
  for (const Term& x : a) {
    for (const Term& y : b) {
      const auto coefficient = checked_mul(x.coefficient, y.coefficient);
      if (!coefficient) return std::nullopt;
      Monomial factors(x.factors.size() + y.factors.size());
      std::ranges::merge(x.factors, y.factors, factors.begin(), atom_before);
      terms.push_back({*coefficient, std::move(factors)});
    }
  }
  return normalised(std::move(terms));
}

Polynomial constant(int64_t value) {
  if (value == 0) return {};
  return {{value, {}}};
}

int64_t constant_term(const Polynomial& p) {
  return !p.empty() && p.back().factors.empty() ? p.back().coefficient : 0;
}

int64_t floor_quotient(int64_t a, int64_t b) {  // b > 0
  return a / b - (a % b < 0 ? 1 : 0);
}

/// x / y as monomials, or nothing where y does not divide x.
std::optional<Monomial> divide(const Monomial& x, const Monomial& y) {
  if (!std::ranges::includes(x, y, atom_before)) return std::nullopt;
  Monomial result;
  std::ranges::set_difference(x, y, std::back_inserter(result), atom_before);
  return result;
}

/// a / b where the division leaves no remainder, by leading terms.
std::optional<Polynomial> divide_exactly(Polynomial a, const Polynomial& b) {
  Polynomial quotient;
  for (int step = 0; !a.empty(); ++step) {
    const Term& lead = a.front();
    const auto factors = divide(lead.factors, b.front().factors);
    const int64_t divisor = b.front().coefficient;
    if (!factors || step == kMaxDivisionSteps || divisor == INT64_MIN || lead.coefficient == INT64_MIN ||
        lead.coefficient % divisor != 0) {
      return std::nullopt;
    }
    const Term term{lead.coefficient / divisor, *factors};
    const auto product = multiply({{-term.coefficient, term.factors}}, b);
    const auto rest = product ? add(a, *product) : std::nullopt;
    if (!rest || rest->size() > kMaxTerms) return std::nullopt;
    quotient.push_back(term);
    a = *rest;
  }
  return normalised(std::move(quotient));
}

/// A number that the polynomial is never below, if one is found: with each atom written as its lower bound plus
/// something not negative, the constant term is such a number when no other coefficient is negative.
std::optional<int64_t> lower_bound(const Polynomial& p) {
  Polynomial total;
  for (const Term& term : p) {
    Polynomial shifted = constant(term.coefficient);
    for (const AtomPtr& atom : term.factors) {
      Polynomial factor = {{1, {atom}}};
      if (atom->bounds.low) {
        factor.push_back({*atom->bounds.low, {}});
      } else if (atom->bounds.high) {
        factor = {{-1, {atom}}, {*atom->bounds.high, {}}};
      } else {
        return std::nullopt;
      }
      const auto product = multiply(shifted, factor);
      if (!product || product->size() > kMaxShiftedTerms) return std::nullopt;
      shifted = *product;
    }
    const auto sum = add(total, shifted);
    if (!sum || sum->size() > kMaxShiftedTerms) return std::nullopt;
    total = *sum;
  }
  // A negative linear term is still bounded where its atom is bounded from above.
  int64_t bound = constant_term(total);
  for (const Term& term : total) {
    if (term.factors.empty() || term.coefficient > 0) continue;
    const Bounds& bounds = term.factors.front()->bounds;
    if (term.factors.size() > 1 || !bounds.low || !bounds.high || *bounds.low == INT64_MIN) return std::nullopt;
    const auto range = checked_add(*bounds.high, -*bounds.low);
    const auto loss = range ? checked_mul(term.coefficient, *range) : std::nullopt;
    const auto sum = loss ? checked_add(bound, *loss) : std::nullopt;
    if (!sum) return std::nullopt;
    bound = *sum;
  }
  return bound;
}

std::optional<int64_t> upper_bound(const Polynomial& p) {
  const auto negative = multiply(p, constant(-1));
  const auto bound = negative ? lower_bound(*negative) : std::nullopt;
  if (!bound || *bound == INT64_MIN) return std::nullopt;
  return -*bound;
}

bool is_plain_name(std::string_view name) {
  return !name.empty() && !(name[0] >= '0' && name[0] <= '9') && std::ranges::all_of(name, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == '?' || c == ':' || c == '#';
  });
}

/// The name, in quotes where it could be read as something else.
std::string symbol_text(std::string_view name) {
  if (is_plain_name(name)) return std::string(name);
  std::string text = "'";
  for (const char c : name) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

std::string factor_text(const Atom& atom) {
  if (atom.kind == AtomKind::quotient || atom.kind == AtomKind::remainder) return "(" + atom.text + ")";
  return atom.text;
}

std::string polynomial_text(const Polynomial& p) {
  std::string text;
  for (const Term& term : p) {
    const bool negative = term.coefficient < 0;
    if (text.empty()) {
      if (negative) text += "-";
    } else {
      text += negative ? " - " : " + ";
    }
    const uint64_t magnitude =
        negative ? 0 - static_cast<uint64_t>(term.coefficient) : static_cast<uint64_t>(term.coefficient);
    if (term.factors.empty()) {
      text += std::to_string(magnitude);
      continue;
    }
    if (magnitude != 1) text += std::to_string(magnitude) + "*";
    const bool alone = magnitude == 1 && term.factors.size() == 1;
    for (size_t i = 0; i < term.factors.size(); ++i) {
      if (i > 0) text += "*";
      text += alone && p.size() == 1 && !negative ? term.factors[i]->text : factor_text(*term.factors[i]);
    }
  }
  return text.empty() ? "0" : text;
}

/// FNV-1a, so that the same unknown has the same name in each run.
uint64_t hash_text(std::string_view text, uint64_t hash = 0xcbf29ce484222325u) {
  for (const char c : text) hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3u;
  return hash;
}

}  // namespace

struct DimExpression {
  Polynomial polynomial;
  std::string text;

  static Polynomial of(const Dim& dim) {
    return dim.expression_ ? dim.expression_->polynomial : constant(dim.value_);
  }
  static const DimExpression* get(const Dim& dim) { return dim.expression_.get(); }

  /// Nothing where the polynomial is too large to keep.
  static std::optional<Dim> dim(Polynomial p) {
    if (p.empty()) return Dim(0);
    if (p.size() == 1 && p[0].factors.empty()) return Dim(p[0].coefficient);
    if (p.size() > kMaxTerms) return std::nullopt;
    std::string text = polynomial_text(p);
    const bool lone_symbol = p.size() == 1 && p[0].coefficient == 1 && p[0].factors.size() == 1 &&
                             p[0].factors[0]->kind <= AtomKind::unknown;
    if (text.size() > kMaxTextBytes && !lone_symbol) return std::nullopt;
    return Dim(std::make_shared<const DimExpression>(DimExpression{std::move(p), std::move(text)}));
  }

  static std::optional<Dim> dim(std::optional<Polynomial> p) { return p ? dim(*std::move(p)) : std::nullopt; }

  static Dim atom(Atom atom) { return *dim(Polynomial{{1, {std::make_shared<const Atom>(std::move(atom))}}}); }
};

namespace {

/// What an operation gives when its result cannot be kept. Named by the operation and its operands.
Dim unknown(std::string_view operation, const Dim& a, const Dim& b) {
  const uint64_t hash = hash_text(b.to_string(), hash_text(operation, hash_text(a.to_string())));
  Atom atom;
  atom.kind = AtomKind::unknown;
  atom.name = fmt::format("?{:016x}", hash);
  atom.text = atom.name;
  return DimExpression::atom(std::move(atom));
}

/// An operand of / or %, in parentheses unless it cannot be misread.
std::string operand_text(const Dim& dim) {
  const DimExpression* expression = DimExpression::get(dim);
  std::string text = dim.to_string();
  if (expression == nullptr) return dim.number() < 0 ? "(" + text + ")" : text;
  const Polynomial& p = expression->polynomial;
  const bool simple = p.size() == 1 && p[0].coefficient == 1 && p[0].factors.size() == 1 &&
                      p[0].factors[0]->kind != AtomKind::quotient && p[0].factors[0]->kind != AtomKind::remainder;
  return simple ? text : "(" + text + ")";
}

std::optional<int64_t> low(const Dim& dim) {
  return lower_bound(DimExpression::of(dim));
}
std::optional<int64_t> high(const Dim& dim) {
  return upper_bound(DimExpression::of(dim));
}

Bounds quotient_bounds(const Dim& a, const Dim& b) {
  const auto b_low = low(b);
  if (!b_low || *b_low < 0) return {};
  const int64_t smallest = std::max<int64_t>(*b_low, 1);
  const auto b_high = high(b);
  const auto a_low = low(a);
  const auto a_high = high(a);
  Bounds bounds;
  if (a_low && *a_low >= 0) bounds.low = b_high ? *a_low / std::max(*b_high, smallest) : 0;
  if (a_low && *a_low < 0) bounds.low = floor_quotient(*a_low, smallest);
  if (a_high && *a_high >= 0) bounds.high = *a_high / smallest;
  if (a_high && *a_high < 0) bounds.high = -1;
  return bounds;
}

std::optional<int64_t> smaller(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a && b ? std::optional(std::min(*a, *b)) : std::nullopt;
}

std::optional<int64_t> larger(std::optional<int64_t> a, std::optional<int64_t> b) {
  return a && b ? std::optional(std::max(*a, *b)) : std::nullopt;
}

Bounds extremum_bounds(AtomKind kind, const Dim& a, const Dim& b) {
  const Bounds x{low(a), high(a)};
  const Bounds y{low(b), high(b)};
  if (kind == AtomKind::minimum) {
    const auto either = x.high ? (y.high ? smaller(x.high, y.high) : x.high) : y.high;
    return {smaller(x.low, y.low), either};
  }
  const auto either = x.low ? (y.low ? larger(x.low, y.low) : x.low) : y.low;
  return {either, larger(x.high, y.high)};
}

/// The dim of one operation that stays as it is.
Dim operation(AtomKind kind, std::string_view symbol, const Dim& a, const Dim& b) {
  Atom atom;
  atom.kind = kind;
  atom.a = a;
  atom.b = b;
  switch (kind) {
    case AtomKind::quotient: atom.bounds = quotient_bounds(a, b); break;
    case AtomKind::remainder: {
      const auto b_low = low(b);
      const auto b_high = high(b);
      if (b_low && *b_low >= 0) atom.bounds.low = 0;
      if (b_low && *b_low >= 0 && b_high) atom.bounds.high = std::max<int64_t>(*b_high - 1, 0);
      break;
    }
    default: atom.bounds = extremum_bounds(kind, a, b); break;
  }
  if (kind == AtomKind::minimum || kind == AtomKind::maximum) {
    atom.text = fmt::format("{}({}, {})", symbol, a.to_string(), b.to_string());
  } else {
    atom.text = operand_text(a) + std::string(symbol) + operand_text(b);
  }
  if (atom.text.size() > kMaxTextBytes - 2) return unknown(symbol, a, b);
  return DimExpression::atom(std::move(atom));
}

struct QuotientParts {
  Polynomial whole;  ///< p = divisor*whole + rest
  Polynomial rest;   ///< each coefficient in [0, divisor)
};

QuotientParts split(const Polynomial& p, int64_t divisor) {
  QuotientParts parts;
  for (const Term& term : p) {
    const int64_t whole = floor_quotient(term.coefficient, divisor);
    const int64_t rest = term.coefficient - whole * divisor;
    if (whole != 0) parts.whole.push_back({whole, term.factors});
    if (rest != 0) parts.rest.push_back({rest, term.factors});
  }
  return parts;
}

/// floor(rest / divisor) for coefficients in [0, divisor).
Dim floor_of_rest(Polynomial rest, int64_t divisor) {
  int64_t common = divisor;
  for (const Term& term : rest) {
    if (!term.factors.empty()) common = std::gcd(common, term.coefficient);
  }
  // floor((g*p + k) / (g*d)) = floor((p + floor(k/g)) / d)
  for (Term& term : rest) term.coefficient /= common;
  std::erase_if(rest, [](const Term& term) { return term.coefficient == 0; });
  divisor /= common;
  if (rest.empty() || rest.front().factors.empty()) return Dim(0);
  const std::optional<Dim> numerator = DimExpression::dim(rest);
  if (!numerator) return unknown("/", Dim(divisor), Dim(0));
  if (divisor == 1) return *numerator;
  // floor((floor(a/n) + k) / d) = floor((a + k*n) / (n*d))
  const Term& lead = rest.front();
  if (lead.coefficient == 1 && lead.factors.size() == 1 && lead.factors[0]->kind == AtomKind::quotient &&
      lead.factors[0]->b.is_number() && (rest.size() == 1 || rest[1].factors.empty())) {
    const Dim& inner = lead.factors[0]->b;
    const Dim total = inner * Dim(divisor);
    if (inner.number() > 0 && total.is_number()) {
      return floor_div(lead.factors[0]->a + Dim(constant_term(rest)) * inner, total);
    }
  }
  return operation(AtomKind::quotient, "/", *numerator, Dim(divisor));
}

}  // namespace

Dim Dim::symbol(std::string_view name) {
  Atom atom;
  atom.name = std::string(name);
  atom.text = symbol_text(name);
  atom.bounds.low = !name.empty() && name[0] == '?' ? 0 : 1;
  return DimExpression::atom(std::move(atom));
}

std::string Dim::to_string() const {
  return is_number() ? std::to_string(value_) : expression_->text;
}

bool operator==(const Dim& a, const Dim& b) {
  if (a.is_number() || b.is_number()) return a.is_number() && b.is_number() && a.value_ == b.value_;
  if (a.expression_ == b.expression_) return true;
  const Polynomial& p = a.expression_->polynomial;
  const Polynomial& q = b.expression_->polynomial;
  return std::ranges::equal(p, q, [](const Term& x, const Term& y) {
    return x.coefficient == y.coefficient && monomial_equal(x.factors, y.factors);
  });
}

Dim operator+(const Dim& a, const Dim& b) {
  if (a == Dim(0)) return b;
  if (b == Dim(0)) return a;
  if (const auto sum = DimExpression::dim(add(DimExpression::of(a), DimExpression::of(b)))) return *sum;
  return unknown("+", a, b);
}

Dim operator-(const Dim& a, const Dim& b) {
  if (b == Dim(0)) return a;
  const auto negative = multiply(DimExpression::of(b), constant(-1));
  const auto sum = negative ? add(DimExpression::of(a), *negative) : std::nullopt;
  if (const auto difference = DimExpression::dim(sum)) return *difference;
  return unknown("-", a, b);
}

Dim operator*(const Dim& a, const Dim& b) {
  if (a == Dim(1)) return b;
  if (b == Dim(1)) return a;
  if (const auto product = DimExpression::dim(multiply(DimExpression::of(a), DimExpression::of(b)))) return *product;
  return unknown("*", a, b);
}

std::optional<Dim> exact_div(const Dim& a, const Dim& b) {
  if (b == Dim(0)) return std::nullopt;
  if (b == Dim(1)) return a;
  const auto quotient = divide_exactly(DimExpression::of(a), DimExpression::of(b));
  return DimExpression::dim(quotient);
}

Dim floor_div(const Dim& a, const Dim& b) {
  if (b == Dim(0)) fail(ErrorCode::internal, "the length {} was divided by 0", a.to_string());
  if (const auto exact = exact_div(a, b)) return *exact;
  if (!b.is_number()) return operation(AtomKind::quotient, "/", a, b);
  if (b.number() == INT64_MIN) return unknown("/", a, b);
  if (b.number() < 0) return floor_div(Dim(0) - a, Dim(-b.number()));
  const QuotientParts parts = split(DimExpression::of(a), b.number());
  const std::optional<Dim> whole = DimExpression::dim(parts.whole);
  return whole ? *whole + floor_of_rest(parts.rest, b.number()) : unknown("/", a, b);
}

Dim ceil_div(const Dim& a, const Dim& b) {
  return floor_div(a + b - Dim(1), b);
}

Dim modulo(const Dim& a, const Dim& b) {
  if (b == Dim(0)) fail(ErrorCode::internal, "the length {} was divided by 0", a.to_string());
  if (exact_div(a, b)) return Dim(0);
  if (!b.is_number()) return operation(AtomKind::remainder, "%", a, b);
  if (b.number() < 0) return a - b * floor_div(a, b);
  const std::optional<Dim> rest = DimExpression::dim(split(DimExpression::of(a), b.number()).rest);
  if (!rest) return unknown("%", a, b);
  return rest->is_number() ? *rest : operation(AtomKind::remainder, "%", *rest, b);
}

Dim minimum(const Dim& a, const Dim& b) {
  if (a == b) return a;
  if (const auto a_less = less(a, b)) return *a_less ? a : b;
  if (less(b, a) == true || less(b - Dim(1), a) == true) return b;
  if (less(a - Dim(1), b) == true) return a;
  const bool in_order = a.to_string() < b.to_string();
  return operation(AtomKind::minimum, "min", in_order ? a : b, in_order ? b : a);
}

Dim maximum(const Dim& a, const Dim& b) {
  if (a == b) return a;
  if (const auto a_less = less(a, b)) return *a_less ? b : a;
  if (less(a - Dim(1), b) == true) return b;
  if (less(b - Dim(1), a) == true) return a;
  const bool in_order = a.to_string() < b.to_string();
  return operation(AtomKind::maximum, "max", in_order ? a : b, in_order ? b : a);
}

std::optional<bool> less(const Dim& a, const Dim& b) {
  if (a.is_number() && b.is_number()) return a.value_ < b.value_;
  const Polynomial difference = DimExpression::of(b - a);
  if (const auto bound = lower_bound(difference); bound && *bound > 0) return true;
  if (const auto bound = upper_bound(difference); bound && *bound <= 0) return false;
  return std::nullopt;
}

namespace {

using Symbols = std::span<const std::pair<std::string, int64_t>>;

std::optional<int64_t> evaluate_atom(const Atom& atom, Symbols symbols) {
  if (atom.kind == AtomKind::unknown) return std::nullopt;
  if (atom.kind == AtomKind::symbol) {
    const auto found = std::ranges::find(symbols, atom.name, &std::pair<std::string, int64_t>::first);
    return found == symbols.end() ? std::nullopt : std::optional(found->second);
  }
  const auto a = atom.a.evaluate(symbols);
  const auto b = atom.b.evaluate(symbols);
  if (!a || !b) return std::nullopt;
  if (atom.kind == AtomKind::minimum) return std::min(*a, *b);
  if (atom.kind == AtomKind::maximum) return std::max(*a, *b);
  if (*b == 0) return std::nullopt;
  const Dim result = atom.kind == AtomKind::quotient ? floor_div(Dim(*a), Dim(*b)) : modulo(Dim(*a), Dim(*b));
  return result.number_if_known();
}

void collect_symbols(const Dim& dim, std::vector<std::string>& names) {
  const DimExpression* expression = DimExpression::get(dim);
  if (expression == nullptr) return;
  for (const Term& term : expression->polynomial) {
    for (const AtomPtr& atom : term.factors) {
      if (atom->kind <= AtomKind::unknown) names.push_back(atom->name);
      collect_symbols(atom->a, names);
      collect_symbols(atom->b, names);
    }
  }
}

}  // namespace

std::optional<int64_t> Dim::evaluate(Symbols symbols) const {
  if (is_number()) return value_;
  int64_t total = 0;
  for (const Term& term : expression_->polynomial) {
    std::optional<int64_t> value = term.coefficient;
    for (const AtomPtr& atom : term.factors) {
      const auto factor = evaluate_atom(*atom, symbols);
      value = factor ? checked_mul(*value, *factor) : std::nullopt;
      if (!value) return std::nullopt;
    }
    const auto sum = checked_add(total, *value);
    if (!sum) return std::nullopt;
    total = *sum;
  }
  return total;
}

std::vector<std::string> Dim::symbols() const {
  std::vector<std::string> names;
  collect_symbols(*this, names);
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

std::string to_string(std::span<const Dim> dims) {
  std::string text = "[";
  for (size_t i = 0; i < dims.size(); ++i) {
    if (i > 0) text += ", ";
    text += dims[i].to_string();
  }
  return text + "]";
}

Dim product(std::span<const Dim> dims) {
  if (std::ranges::find(dims, Dim(0)) != dims.end()) return Dim(0);
  Dim total(1);
  for (const Dim& dim : dims) total = total * dim;
  return total;
}

}  // namespace overt
