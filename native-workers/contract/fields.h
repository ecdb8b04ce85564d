// Types of the generated contract.h: columns, and the fields of requests and recipes with their bounds.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace understory {

// A column of a message by its name, with elements of type Value.
template <typename Value>
struct TypedColumn {
  std::string_view name;
};

// The words of an enumeration, in its order. Specialised by contract.h.
template <typename Word>
struct WordsOf;

// The column type whose elements are Values. Specialised by contract.h.
template <typename Value>
struct TypeOf;

template <typename Word>
constexpr std::string_view wordOf(Word word) {
  return WordsOf<Word>::words[static_cast<std::size_t>(word)];
}

// A method of the worker, with the columns that a request for it may have.
struct Method {
  std::string_view name;
  std::span<const std::string_view> columns;
};

// The bound of a number that has none: it is finite.
inline constexpr double maxNumber = 1.7976931348623157e+308;

// Fields of objects. A number is finite and within [min, max], or above min where `isAboveMin`, below max where
// `isBelowMax`; a whole number is a
// multiple of multipleOf; a list has minItems to maxItems.
struct Field {
  std::string_view name;  // an object, a list of objects, or one of several types
};
struct FlagField {
  std::string_view name;
};
struct TextField {
  std::string_view name;
};
struct TextsField {
  std::string_view name;
};
template <typename Word>
struct WordField {
  std::string_view name;
};
template <typename Word>
struct WordsField {
  std::string_view name;
};
struct NumberField {
  std::string_view name;
  double min;
  double max;
  bool isAboveMin;
  bool isBelowMax;
};
struct IntegerField {
  std::string_view name;
  std::int64_t min;
  std::int64_t max;
  std::int64_t multipleOf = 1;
};
struct NumbersField {
  NumberField item;
  std::size_t minItems;
  std::size_t maxItems;
};
struct IntegersField {
  IntegerField item;
  std::size_t minItems;
  std::size_t maxItems;
};
struct ListField {
  std::string_view name;  // of objects or lists
  std::size_t minItems;
  std::size_t maxItems;
};

}  // namespace understory
