// The error that bad input is refused with.
#pragma once

#include <doctest/doctest.h>

#include <string>

#include "core/error.h"

namespace understory {

// The message of the 'bad-input' that `read` ends with; "was accepted" where it does not.
template <typename Read>
std::string refusalOf(const Read& read) {
  try {
    read();
  } catch (const UnderstoryError& error) {
    CHECK(error.code == ErrorCode::badInput);
    return error.what();
  }
  return "was accepted";
}

inline bool mentions(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace understory
