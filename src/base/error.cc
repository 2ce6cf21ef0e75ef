#include "overt/error.h"

#include <utility>

namespace overt {

std::string_view error_code_name(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_model: return "invalid_model";
    case ErrorCode::invalid_argument: return "invalid_argument";
    case ErrorCode::unsupported: return "unsupported";
    case ErrorCode::provider_unavailable: return "provider_unavailable";
    case ErrorCode::out_of_memory: return "out_of_memory";
    case ErrorCode::device_error: return "device_error";
    case ErrorCode::cancelled: return "cancelled";
    case ErrorCode::internal: return "internal";
  }
  return "internal";
}

Error::Error(ErrorCode code, std::string message, std::string subject)
    : code_(code), message_(std::move(message)), subject_(std::move(subject)) {}

}  // namespace overt
