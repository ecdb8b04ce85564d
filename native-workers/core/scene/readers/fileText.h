// Walks the text of a mesh file, by lines and by words, and says where something is wrong in it.
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <string>
#include <string_view>
#include <system_error>

#include "core/error.h"

namespace understory {

// 'bad-input' for a mesh file: "FILE, line N: expected …".
inline UnderstoryError badLine(const std::string& file, std::size_t line,
                               const std::string& expected) {
  return UnderstoryError(ErrorCode::badInput,
                         file + ", line " + std::to_string(line) + ": expected " + expected,
                         {{"file", file}, {"line", line}, {"expected", expected}});
}

// The same for a place in binary data.
inline UnderstoryError badByte(const std::string& file, std::size_t byte,
                               const std::string& expected) {
  return UnderstoryError(ErrorCode::badInput,
                         file + ", byte " + std::to_string(byte) + ": expected " + expected,
                         {{"file", file}, {"byte", byte}, {"expected", expected}});
}

// Words of a text, over lines. `line` is that of the last word taken, from 1.
struct TextWords {
  std::string_view text;
  std::size_t at = 0;
  std::size_t line = 1;

  static bool isBlank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f';
  }

  // The next word, or an empty one at the end of the line (`isWithinLine`) or text.
  std::string_view next(bool isWithinLine = false) {
    while (at < text.size()) {
      if (text[at] == '\n') {
        if (isWithinLine) return {};
        ++line;
      } else if (!isBlank(text[at])) {
        break;
      }
      ++at;
    }
    const std::size_t from = at;
    while (at < text.size() && text[at] != '\n' && !isBlank(text[at])) ++at;
    return text.substr(from, at - from);
  }

  // The rest of the line, without blanks at either end; moves to the next line.
  std::string_view restOfLine() {
    std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos) end = text.size();
    std::size_t from = at;
    std::size_t to = end;
    while (from < to && isBlank(text[from])) ++from;
    while (to > from && isBlank(text[to - 1])) --to;
    at = end;
    if (at < text.size()) {
      ++at;
      ++line;
    }
    return text.substr(from, to - from);
  }
};

// A whole word as a number; false for anything else. "nan" and "inf" are numbers: readers refuse them as coordinates.
template <typename T>
bool parseWord(std::string_view word, T& value) {
  if (!word.empty() && word.front() == '+') word.remove_prefix(1);
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  return error == std::errc() && end == word.data() + word.size() && !word.empty();
}

}  // namespace understory
