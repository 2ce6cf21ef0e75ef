#ifndef OVERT_ERROR_H_
#define OVERT_ERROR_H_

#include <cstdint>
#include <exception>
#include <string>
#include <string_view>

namespace overt {

/// What kind of failure it was, and so who can mend it.
enum class ErrorCode : uint8_t {
  invalid_model,         ///< the file breaks the ONNX standard: mend the model
  invalid_argument,      ///< the caller passed something wrong: mend the call
  unsupported,           ///< legal, but nothing here runs it: see `overt explain`
  provider_unavailable,  ///< the device that was asked for cannot be used: see `overt doctor`
  out_of_memory,         ///< over `memory_limit`, or the system refused the memory
  device_error,          ///< the device failed during the work
  cancelled,             ///< the caller cancelled the run, or its deadline passed
  internal,              ///< a defect of Overt: please report it
};

/// The code's name as written in messages, JSON and Python ("invalid_model").
std::string_view error_code_name(ErrorCode code);

/// The one exception type of the library.
///
/// The message is lower case without a final period and says what was found, what was expected and the
/// way out. `subject` names the node, tensor, file or option at fault, and may be empty.
class Error : public std::exception {
 public:
  Error(ErrorCode code, std::string message, std::string subject = {});

  ErrorCode code() const noexcept { return code_; }
  const std::string& message() const noexcept { return message_; }
  const std::string& subject() const noexcept { return subject_; }
  const char* what() const noexcept override { return message_.c_str(); }

 private:
  ErrorCode code_;
  std::string message_;
  std::string subject_;
};

}  // namespace overt

#endif  // OVERT_ERROR_H_
