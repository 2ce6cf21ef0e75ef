#ifndef OVERT_CLI_JSON_H_
#define OVERT_CLI_JSON_H_

#include <nlohmann/json.hpp>
#include <span>

#include "overt/report.h"
#include "overt/session.h"

namespace overt::cli {

/// Keys stay in the order in which they were added.
using Json = nlohmann::ordered_json;

/// Writes the document and a newline to standard output. Bytes that are not UTF-8 become U+FFFD; NaN and
/// infinities become null, as JSON has no word for them.
void print_json(const Json& document);

Json spec_json(const TensorSpec& spec);
Json shape_json(std::span<const int64_t> dims);
Json memory_json(const MemoryReport& memory);
Json providers_json(const Placement& placement);  ///< {"cpu": 369}

}  // namespace overt::cli

#endif  // OVERT_CLI_JSON_H_
