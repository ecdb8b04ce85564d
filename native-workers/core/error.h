// The one exception thrown on purpose. Its codes are those of src-main/contract/errors.ts; it becomes an
// `error` frame at the protocol boundary and never crosses it as an exception.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

#include "contract/contract.h"

namespace understory {

class UnderstoryError : public std::runtime_error {
 public:
  // `message` is a sentence for a person; `details` a JSON object.
  UnderstoryError(ErrorCode errorCode, const std::string& message,
                  nlohmann::json detailsObject = nlohmann::json::object())
      : std::runtime_error(message), code(errorCode), details(std::move(detailsObject)) {}

  ErrorCode code;
  nlohmann::json details;
};

// Thrown by long work whose caller has cancelled it.
inline UnderstoryError cancelledError() {
  return UnderstoryError(ErrorCode::cancelled, "the work was cancelled");
}

// 'document: path: expected …', with path and message as a problem in the details
// (src-main/contract/documents/problems.ts).
[[noreturn]] inline void throwBadInput(std::string_view document, const std::string& path,
                                       const std::string& expected,
                                       const char* problemCode = "custom") {
  const std::string message = "expected " + expected;
  throw UnderstoryError(
      ErrorCode::badInput, std::string(document) + ": " + path + ": " + message,
      {{"problems", {{{"path", path}, {"code", problemCode}, {"message", message}}}}});
}

}  // namespace understory
