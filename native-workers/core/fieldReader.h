// Reads JSON objects strictly: every field by its entry in contract.h, with its bounds. Whatever is missing, out of
// bounds or unknown is refused as UnderstoryError 'bad-input' with its path and what was expected, so that no field
// is dropped without a word.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "contract/contract.h"

namespace understory {

class FieldReader {
 public:
  // `value` and `parent` must outlive the reader. Throws unless the value is an object.
  FieldReader(const nlohmann::json& value, std::string_view name,
              const FieldReader* parent = nullptr, std::optional<std::size_t> index = {});
  FieldReader(const FieldReader&) = delete;
  FieldReader& operator=(const FieldReader&) = delete;
  ~FieldReader() = default;

  // Refuses fields that have not been read. readObject(), object(), list() … call it.
  void done() const;

  template <typename AnyField>
  bool has(const AnyField& field) const {
    if constexpr (requires { field.item; })
      return value_.contains(field.item.name);
    else
      return value_.contains(field.name);
  }

  double number(const NumberField& field);
  double number(const NumberField& field, double leftOut);
  template <typename Value = std::int64_t>
  Value integer(const IntegerField& field) {
    return static_cast<Value>(checkedInteger(at(field.name), field, {}));
  }
  template <typename Value>
  Value integer(const IntegerField& field, Value leftOut) {
    return has(field) ? integer<Value>(field) : leftOut;
  }
  bool flag(const FlagField& field);
  std::string text(const TextField& field);
  std::vector<std::string> texts(const TextsField& field);

  // The index of an entry of the list `items` ("materials"): that of the nearest object around this one that has such
  // a list.
  template <typename Value>
  Value index(const IntegerField& field, std::string_view items) {
    return index<Value>(field, sizeOf(items), items);
  }
  // Such indices by name.
  template <typename Value>
  std::map<std::string, Value> indices(const Field& field, std::string_view items) {
    std::map<std::string, Value> result;
    for (const auto& [name, index] : indicesAt(field.name, items)) {
      result[name] = static_cast<Value>(index);
    }
    return result;
  }
  // The index of one of `count` `items`.
  template <typename Value = std::size_t>
  Value index(const IntegerField& field, std::size_t count, std::string_view items) {
    return static_cast<Value>(
        checkedIndex(checkedInteger(at(field.name), field, {}), count, items, field.name));
  }
  // The same for a number that has been read.
  std::int64_t checkedIndex(std::int64_t index, std::size_t count, std::string_view items,
                            std::string_view name) const;

  template <typename Word>
  Word word(const WordField<Word>& field) {
    return static_cast<Word>(wordIndex(at(field.name), WordsOf<Word>::words, field.name, {}));
  }
  template <typename Word>
  Word word(const WordField<Word>& field, Word leftOut) {
    return has(field) ? word(field) : leftOut;
  }
  // A field that says what kind of object this is.
  template <typename Word>
  Word kind(const TextField& field) {
    return word(WordField<Word>{field.name});
  }
  template <typename Word>
  std::vector<Word> words(const WordsField<Word>& field) {
    std::vector<Word> result;
    for (const nlohmann::json& item : listAt(field.name, 0, SIZE_MAX)) {
      result.push_back(
          static_cast<Word>(wordIndex(item, WordsOf<Word>::words, field.name, result.size())));
    }
    return result;
  }

  // As many numbers as the field has, which must be N.
  template <std::size_t N>
  std::array<double, N> numbers(const NumbersField& field) {
    return numbersOf<N>(at(field.item.name), field.item, {});
  }
  std::vector<double> numberList(const NumbersField& field);
  // N numbers in each item of a list.
  template <std::size_t N>
  std::vector<std::array<double, N>> rows(const ListField& field) {
    std::vector<std::array<double, N>> result;
    const NumberField item{field.name, -maxNumber, maxNumber, false, false};
    for (const nlohmann::json& row : listAt(field.name, field.minItems, field.maxItems)) {
      result.push_back(numbersOf<N>(row, item, result.size()));
    }
    return result;
  }
  template <typename Value>
  std::vector<Value> integerList(const IntegersField& field) {
    std::vector<Value> result;
    for (const nlohmann::json& item : listAt(field.item.name, field.minItems, field.maxItems)) {
      result.push_back(static_cast<Value>(checkedInteger(item, field.item, result.size())));
    }
    return result;
  }

  // `parse` takes the object's reader and may return nothing; whatever it leaves unread is refused.
  template <typename Parse>
  auto object(const Field& field, Parse&& parse) {
    return parsed(at(field.name), field.name, {}, parse);
  }
  // nullopt where the field is left out.
  template <typename Parse>
  auto optionalObject(const Field& field, Parse&& parse) {
    std::optional<std::invoke_result_t<Parse, FieldReader&>> result;
    if (has(field)) result.emplace(object(field, parse));
    return result;
  }
  template <typename Parse>
  auto list(const ListField& field, Parse&& parse) {
    std::vector<std::invoke_result_t<Parse, FieldReader&>> result;
    const nlohmann::json& items = listAt(field.name, field.minItems, field.maxItems);
    result.reserve(items.size());
    for (const nlohmann::json& item : items) {
      result.push_back(parsed(item, field.name, result.size(), parse));
    }
    return result;
  }

  // Items of a list, whatever they hold.
  std::size_t countOf(const ListField& field) {
    return listAt(field.name, field.minItems, field.maxItems).size();
  }

  // The value itself, for what is one of several types; it counts as read.
  const nlohmann::json& any(const Field& field) { return at(field.name); }
  // Counts as read, whatever it holds.
  template <typename AnyField>
  void skip(const AnyField& field) {
    at(field.name);
  }

  // The result of `parse` for an object in which it leaves nothing unread.
  template <typename Parse>
  static auto readAll(FieldReader& reader, Parse&& parse) {
    if constexpr (std::is_void_v<std::invoke_result_t<Parse, FieldReader&>>) {
      parse(reader);
      reader.done();
    } else {
      auto result = parse(reader);
      reader.done();
      return result;
    }
  }

  // 'materials[2].reflectance: expected …', for checks across fields.
  [[noreturn]] void refuse(std::string_view name, const std::string& expected,
                           std::optional<std::size_t> index = {}) const;
  double checkedNumber(const nlohmann::json& value, const NumberField& field,
                       std::optional<std::size_t> index) const;

 private:
  const nlohmann::json& at(std::string_view name);
  std::size_t sizeOf(std::string_view list) const;
  std::map<std::string, std::int64_t> indicesAt(std::string_view name, std::string_view items);
  const nlohmann::json& listAt(std::string_view name, std::size_t minItems, std::size_t maxItems);
  std::int64_t checkedInteger(const nlohmann::json& value, const IntegerField& field,
                              std::optional<std::size_t> index) const;
  std::size_t wordIndex(const nlohmann::json& value, std::span<const std::string_view> words,
                        std::string_view name, std::optional<std::size_t> index) const;
  std::string_view document() const;
  std::string pathOf(std::string_view name, std::optional<std::size_t> index) const;
  [[noreturn]] void refuseFound(std::string_view name, const std::string& expected,
                                const nlohmann::json& found,
                                std::optional<std::size_t> index) const;

  template <std::size_t N>
  std::array<double, N> numbersOf(const nlohmann::json& value, const NumberField& field,
                                  std::optional<std::size_t> index) const {
    if (!value.is_array() || value.size() != N) {
      refuseFound(field.name, std::to_string(N) + " numbers", value, index);
    }
    std::array<double, N> result{};
    for (std::size_t item = 0; item < N; ++item) {
      result[item] = checkedNumber(value[item], field, index ? index : std::optional(item));
    }
    return result;
  }

  template <typename Parse>
  auto parsed(const nlohmann::json& value, std::string_view name, std::optional<std::size_t> index,
              Parse&& parse) const {
    FieldReader reader(value, name, this, index);
    return readAll(reader, parse);
  }

  const nlohmann::json& value_;
  std::string_view name_;
  const FieldReader* parent_;
  std::optional<std::size_t> index_;
  std::array<std::string_view, bounds::maxFields> read_{};
  std::size_t readCount_ = 0;
};

// A whole document: `name` is what messages call it; paths begin inside it.
template <typename Parse>
auto readObject(const nlohmann::json& value, std::string_view name, Parse&& parse) {
  FieldReader reader(value, name);
  return FieldReader::readAll(reader, parse);
}

}  // namespace understory
