#include "errors.h"

#include <filesystem>
#include <new>
#include <vector>

#include "overt/text.h"

namespace overt::cli {
namespace {

std::string way_out(ErrorCode code, std::string_view command) {
  switch (code) {
    case ErrorCode::invalid_model:
      return "mend the model or export it again; 'overt inspect MODEL' shows what it says of itself";
    case ErrorCode::invalid_argument: return fmt::format("change the call; see '{} --help'", command);
    case ErrorCode::unsupported: return "add a --provider that runs it, or export the model in another way";
    case ErrorCode::provider_unavailable: return "mend what is named above, or ask for another --provider";
    case ErrorCode::out_of_memory: return "take smaller shapes, or raise --memory-limit where one was given";
    case ErrorCode::device_error: return "run again; where it stays, ask for another --provider";
    case ErrorCode::cancelled: return "run again with more time";
    case ErrorCode::internal: break;
  }
  return "this is a defect of Overt: please report it with the command line and the model";
}

Failure describe(ErrorCode code, std::string_view subject, const std::string& message, std::string_view command) {
  std::string text;
  const std::string printable = escape_name(subject);
  if (!printable.empty() && message.find(printable) == std::string::npos) text = printable + ": ";
  text += fmt::format("{}\ncode: {}; {}", message, error_code_name(code), way_out(code, command));
  return {std::move(text), kExitError};
}

}  // namespace

std::string suggestion(std::string_view name, std::span<const std::string> known) {
  const std::vector<std::string_view> candidates(known.begin(), known.end());
  if (const auto nearest = nearest_name(name, candidates)) {
    return fmt::format("; did you mean '{}'?", escape_name(*nearest));
  }
  constexpr size_t kMostNamed = 12;
  std::string text = known.empty() ? "; there are none" : known.size() == 1 ? "; there is " : "; there are ";
  for (size_t i = 0; i < known.size() && i < kMostNamed; ++i) {
    if (i > 0) text += i + 1 == known.size() ? " and " : ", ";
    text += escape_name(known[i]);
  }
  return known.size() > kMostNamed ? text + fmt::format(" and {} more", known.size() - kMostNamed) : text;
}

Failure describe_current_exception(std::string_view command) {
  try {
    throw;
  } catch (const UsageError& error) {
    return {error.what(), kExitUsage};
  } catch (const Error& error) {
    return describe(error.code(), error.subject(), error.message(), command);
  } catch (const std::bad_alloc&) {
    return describe(ErrorCode::out_of_memory, "", "the system has no more memory", command);
  } catch (const std::filesystem::filesystem_error& error) {
    return describe(ErrorCode::invalid_argument, error.path1().string(), error.code().message(), command);
  } catch (const std::exception& error) {
    return describe(ErrorCode::internal, "", escape_name(error.what()), command);
  }
}

}  // namespace overt::cli
