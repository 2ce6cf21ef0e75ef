#ifndef OVERT_CLI_TEXT_H_
#define OVERT_CLI_TEXT_H_

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace overt::cli {

std::string count_text(int64_t count);                           ///< "904,467"
std::string plural(int64_t count, std::string_view noun);        ///< "1 node", "369 nodes"
std::string bytes_text(int64_t bytes);                           ///< "3.49 MiB"
std::string ms_text(double ms);                                  ///< "12.3 ms", "1.20 s"
std::string number_text(double value);                           ///< six digits; "nan", "-inf"
std::string first_line(std::string_view text, size_t max = 80);  ///< printable, cut with "..."

/// Lines of aligned columns. Cells are printable already.
class Table {
 public:
  /// Columns whose letter is 'r' are aligned to the right: "lrr". Missing letters are 'l'.
  explicit Table(std::string alignment) : alignment_(std::move(alignment)) {}

  void row(std::vector<std::string> cells) { rows_.push_back(std::move(cells)); }
  /// A line that keeps to no columns.
  void line(std::string text) { rows_.push_back({std::move(text)}); }
  bool empty() const { return rows_.empty(); }
  /// Each line with `indent` spaces in front and a newline behind.
  std::string to_string(size_t indent = 0) const;

 private:
  std::string alignment_;
  std::vector<std::vector<std::string>> rows_;  ///< one cell: a line
};

}  // namespace overt::cli

#endif  // OVERT_CLI_TEXT_H_
