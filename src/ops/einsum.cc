#include "ops/einsum.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/checked.h"
#include "base/escape.h"
#include "ops/broadcast.h"
#include "ops/checks.h"
#include "ops/families.h"
#include "ops/product_types.h"

namespace overt {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

[[noreturn]] void reject_equation(const Node& node, std::string_view why) {
  reject_node(node, "equation \"{}\" {}", escape_name(node.string("equation", "")), why);
}

/// One term without spaces: letters, and at most one "..." which becomes '.'.
std::string parse_term(const Node& node, std::string_view text) {
  std::string term;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text.substr(i, 3) == "...") {
      if (term.find('.') != std::string::npos) reject_equation(node, "has two ellipses in one term");
      term += '.';
      i += 2;
    } else if (is_letter(text[i])) {
      term += text[i];
    } else {
      reject_equation(node, "has a character that is no letter, comma, arrow or ellipsis");
    }
  }
  return term;
}

std::string implicit_output(const std::vector<std::string>& inputs) {
  std::map<char, int> uses;  // '.' sorts before the letters
  for (const std::string& term : inputs) {
    for (const char label : term) ++uses[label];
  }
  std::string output;
  for (const auto& [label, count] : uses) {
    if (label == '.' || count == 1) output += label;
  }
  return output;
}

void check_output(const Node& node, const EinsumAttributes& attributes) {
  for (const char label : attributes.output) {
    if (std::ranges::count(attributes.output, label) > 1) reject_equation(node, "repeats a letter in its result");
    const bool known = std::ranges::any_of(
        attributes.inputs, [&](const std::string& term) { return term.find(label) != std::string::npos; });
    if (!known && label != '.') reject_equation(node, "has a letter in its result that no input has");
  }
}

}  // namespace

EinsumAttributes parse_einsum(const Node& node) {
  std::string text(node.string("equation", ""));
  std::erase(text, ' ');
  const size_t arrow = text.find("->");
  const std::string_view left = std::string_view(text).substr(0, arrow);
  EinsumAttributes attributes;
  for (size_t begin = 0; begin <= left.size();) {
    const size_t end = std::min(left.find(',', begin), left.size());
    attributes.inputs.push_back(parse_term(node, left.substr(begin, end - begin)));
    begin = end + 1;
  }
  attributes.output = arrow == std::string::npos ? implicit_output(attributes.inputs)
                                                 : parse_term(node, std::string_view(text).substr(arrow + 2));
  check_output(node, attributes);
  return attributes;
}

EinsumTerms resolve_einsum(const Node& node, const EinsumAttributes& attributes, std::span<const Dims> shapes) {
  if (shapes.size() != attributes.inputs.size()) {
    reject_equation(node, fmt::format("has {} terms for {} inputs", attributes.inputs.size(), shapes.size()));
  }
  size_t ellipsis_rank = 0;
  for (size_t i = 0; i < shapes.size(); ++i) {
    const std::string& term = attributes.inputs[i];
    const bool open = term.find('.') != std::string::npos;
    const size_t letters = term.size() - (open ? 1 : 0);
    if (shapes[i].size() < letters || (!open && shapes[i].size() != letters)) {
      reject_equation(node, fmt::format("does not fit input {} of shape {}", i, to_string(shapes[i])));
    }
    if (open) ellipsis_rank = std::max(ellipsis_rank, shapes[i].size() - letters);
  }
  // Labels 0 to ellipsis_rank - 1 are the ellipsis' axes, aligned at their ends; letters follow.
  EinsumTerms terms;
  terms.lengths.assign(ellipsis_rank, Dim(1));
  std::map<char, int> letters;
  const auto label_of = [&](char letter) {
    const auto [entry, is_new] = letters.try_emplace(letter, static_cast<int>(terms.lengths.size()));
    if (is_new) terms.lengths.emplace_back(1);
    return entry->second;
  };
  const auto spell_out = [&](const std::string& term, size_t own_ellipsis_rank) {
    std::vector<int> labels;
    for (const char c : term) {
      if (c != '.') {
        labels.push_back(label_of(c));
        continue;
      }
      for (size_t i = ellipsis_rank - own_ellipsis_rank; i < ellipsis_rank; ++i)
        labels.push_back(static_cast<int>(i));
    }
    return labels;
  };
  for (size_t i = 0; i < shapes.size(); ++i) {
    const std::string& term = attributes.inputs[i];
    const std::vector<int> labels = spell_out(term, shapes[i].size() + 1 - std::max<size_t>(term.size(), 1));
    for (size_t axis = 0; axis < labels.size(); ++axis) {
      Dim& length = terms.lengths[static_cast<size_t>(labels[axis])];
      const std::optional<Dims> both = broadcast(Dims{length}, Dims{shapes[i][axis]});
      if (!both) {
        reject_equation(node, fmt::format("gives one letter the lengths {} and {}", length.to_string(),
                                          shapes[i][axis].to_string()));
      }
      length = both->front();
    }
    terms.inputs.push_back(labels);
  }
  terms.output = spell_out(attributes.output, ellipsis_rank);
  return terms;
}

namespace {

Dims output_dims(const EinsumTerms& terms) {
  Dims output;
  for (const int label : terms.output) output.push_back(terms.lengths[static_cast<size_t>(label)]);
  return output;
}

}  // namespace

void infer_einsum(InferContext& context) {
  const EinsumAttributes attributes = parse_einsum(context.node());
  std::vector<Dims> shapes;
  for (size_t i = 0; i < context.input_count(); ++i) {
    if (context.input(i).shape) shapes.push_back(*context.shape(i));
  }
  if (shapes.size() < context.input_count()) return context.set_output_type(0, context.type(0));
  const EinsumTerms terms = resolve_einsum(context.node(), attributes, shapes);
  context.set_output(0, ValueInfo::tensor(context.type(0), output_dims(terms)));
}

namespace {

using Labels = std::vector<int>;

bool contains(const Labels& labels, int label) {
  return std::ranges::find(labels, label) != labels.end();
}

/// Elements of an intermediate result above which the equation is refused instead of computed: some multiple of
/// the inputs' and the output's, so that an outer product of many inputs cannot take all memory and time.
int64_t intermediate_limit(const KernelContext& context, int64_t output_elements) {
  int64_t elements = output_elements;
  for (size_t i = 0; i < context.input_count(); ++i) elements += context.input(i).elements();
  return std::max(int64_t{1} << 24, checked_mul(elements, 64).value_or(INT64_MAX));
}

/// A tensor with one label per axis, read through strides: an input, or a dense intermediate result.
template <typename C>
struct Operand {
  const C* data = nullptr;
  Labels labels;                 ///< each once
  std::vector<int64_t> strides;  ///< in elements
  std::vector<C> storage;        ///< of an intermediate result
};

/// Contracts operands pair by pair.
template <typename C>
class Contraction {
 public:
  Contraction(const Node& node, std::vector<int64_t> lengths, int64_t limit)
      : node_(node), lengths_(std::move(lengths)), limit_(limit) {}

  /// An input with its axes' labels: a repeated label walks the diagonal, an axis that broadcasts is left out.
  Operand<C> input(const C* data, std::span<const int64_t> dims, const Labels& labels) const {
    Operand<C> operand;
    operand.data = data;
    const std::vector<int64_t> strides = row_major_strides(dims);
    for (size_t axis = 0; axis < labels.size(); ++axis) {
      if (dims[axis] != length(labels[axis])) continue;
      const auto found = std::ranges::find(operand.labels, labels[axis]);
      if (found != operand.labels.end()) {
        operand.strides[static_cast<size_t>(found - operand.labels.begin())] += strides[axis];
      } else {
        operand.labels.push_back(labels[axis]);
        operand.strides.push_back(strides[axis]);
      }
    }
    return operand;
  }

  /// The product of a and b, summed over the labels that are not in `kept`.
  Operand<C> multiply(const Operand<C>& a, const Operand<C>& b, const Labels& kept) const {
    Labels batch, summed, rows, columns;
    for (const int label : a.labels) {
      if (contains(b.labels, label)) {
        (contains(kept, label) ? batch : summed).push_back(label);
      } else if (contains(kept, label)) {
        rows.push_back(label);
      }
    }
    for (const int label : b.labels) {
      if (!contains(a.labels, label) && contains(kept, label)) columns.push_back(label);
    }
    const std::vector<C> left = arrange(a, joined({batch, rows, summed}));
    const std::vector<C> right = arrange(b, joined({batch, summed, columns}));
    Operand<C> result = dense(joined({batch, rows, columns}));
    const int64_t m = count(rows), k = count(summed), n = count(columns);
    for (int64_t i = 0; i < count(batch); ++i) {
      add_matrix_product(dense_matrix(left.data() + i * m * k, m, k), dense_matrix(right.data() + i * k * n, k, n),
                         result.storage.data() + i * m * n, n);
    }
    result.data = result.storage.data();
    return result;
  }

  /// The operand's elements with its axes in this order, summed over its other axes. Labels of length 1 that the
  /// operand lacks may be in the order.
  std::vector<C> arrange(const Operand<C>& operand, const Labels& order) const {
    std::vector<C> result(static_cast<size_t>(count(order)));
    std::vector<int64_t> dims, from, to;
    const std::vector<int64_t> result_strides = strides_of(order);
    for (size_t i = 0; i < operand.labels.size(); ++i) {
      const auto found = std::ranges::find(order, operand.labels[i]);
      dims.push_back(length(operand.labels[i]));
      from.push_back(operand.strides[i]);
      to.push_back(found != order.end() ? result_strides[static_cast<size_t>(found - order.begin())] : 0);
    }
    for (StridedWalk walk(dims, {from, to}); !walk.done(); walk.next()) {
      result[static_cast<size_t>(walk.offset(1))] += operand.data[walk.offset(0)];
    }
    return result;
  }

 private:
  int64_t length(int label) const { return lengths_[static_cast<size_t>(label)]; }

  int64_t count(const Labels& labels) const {
    int64_t product = 1;
    for (const int label : labels) {
      const auto larger = checked_mul(product, length(label));
      if (!larger || *larger > limit_) {
        fail_at(ErrorCode::out_of_memory, node_.name, "{}: an intermediate result has more than {} elements",
                display_name(node_), limit_);
      }
      product = *larger;
    }
    return product;
  }

  std::vector<int64_t> strides_of(const Labels& labels) const {
    std::vector<int64_t> dims;
    for (const int label : labels) dims.push_back(length(label));
    return row_major_strides(dims);
  }

  Operand<C> dense(const Labels& labels) const {
    Operand<C> operand;
    operand.labels = labels;
    operand.strides = strides_of(labels);
    operand.storage.resize(static_cast<size_t>(count(labels)));
    return operand;
  }

  static Labels joined(std::initializer_list<Labels> parts) {
    Labels all;
    for (const Labels& part : parts) all.insert(all.end(), part.begin(), part.end());
    return all;
  }

  const Node& node_;
  std::vector<int64_t> lengths_;
  int64_t limit_;
};

/// Labels that the result or an input after `done` inputs still needs.
Labels labels_needed(const EinsumTerms& terms, size_t done) {
  Labels needed = terms.output;
  for (size_t i = done; i < terms.inputs.size(); ++i) {
    needed.insert(needed.end(), terms.inputs[i].begin(), terms.inputs[i].end());
  }
  return needed;
}

template <typename C>
void einsum(KernelContext& context, const EinsumTerms& terms, const MutableTensorView& y) {
  const Shape lengths = to_shape(context.node(), terms.lengths);
  const Contraction<C> contraction(context.node(), {lengths.begin(), lengths.end()},
                                   intermediate_limit(context, y.elements()));
  const ProductInput<C> first(context.input(0));
  Operand<C> result = contraction.input(first.data(), context.input(0).dims, terms.inputs[0]);
  for (size_t i = 1; i < terms.inputs.size(); ++i) {
    const ProductInput<C> values(context.input(i));
    const Operand<C> next = contraction.input(values.data(), context.input(i).dims, terms.inputs[i]);
    result = contraction.multiply(result, next, labels_needed(terms, i + 1));
  }
  const ProductOutput<C> out(y);
  std::ranges::copy(contraction.arrange(result, terms.output), out.data());
  out.store();
}

ReferenceKernel make_einsum(const Node& node) {
  return [attributes = parse_einsum(node)](KernelContext& context) {
    std::vector<Dims> shapes;
    for (size_t i = 0; i < context.input_count(); ++i) shapes.push_back(to_dims(context.input(i).dims));
    const EinsumTerms terms = resolve_einsum(context.node(), attributes, shapes);
    const DataType type = context.input(0).type;
    const MutableTensorView y = context.output(0, type, to_shape(context.node(), output_dims(terms)));
    if (y.elements() == 0) return;
    visit_product_type(type, "Einsum", [&]<typename C>() { einsum<C>(context, terms, y); });
  };
}

constexpr std::array kEinsumOps = {
    OpEntry{"", "Einsum", infer_einsum, make_einsum},
};

}  // namespace

std::span<const OpEntry> einsum_ops() {
  return kEinsumOps;
}

}  // namespace overt
