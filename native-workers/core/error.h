// The one exception thrown on purpose. Codes are those of src-main/contract/errors.ts; it becomes an
// `error` frame at the protocol boundary and never crosses it as an exception.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>

namespace understory {

class UnderstoryError : public std::runtime_error {
 public:
  // `message` is a sentence for a person; `details` a JSON object.
  UnderstoryError(std::string codeName, const std::string& message,
                  nlohmann::json detailsObject = nlohmann::json::object())
      : std::runtime_error(message),
        code(std::move(codeName)),
        details(std::move(detailsObject)) {}

  std::string code;
  nlohmann::json details;
};

// Thrown by long work whose caller has cancelled it.
inline UnderstoryError cancelledError() {
  return UnderstoryError("cancelled", "the work was cancelled");
}

}  // namespace understory
