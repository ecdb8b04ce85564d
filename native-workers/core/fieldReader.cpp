// Strict reading: values are compared with their bounds, and names with those that were asked for.
#include "core/fieldReader.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr std::size_t maxFoundText = 60;

std::string foundText(const json& value) {
  if (value.is_array()) return "a list of " + std::to_string(value.size());
  if (value.is_object()) return "an object";
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  return text.size() <= maxFoundText ? text : text.substr(0, maxFoundText) + "…";
}

std::string numberText(double value) { return json(value).dump(); }

std::string expectedNumber(const NumberField& field) {
  std::string expected = "a number";
  if (field.min > -maxNumber) {
    expected += (field.isAboveMin ? " above " : " of at least ") + numberText(field.min);
  }
  if (field.max < maxNumber) {
    expected += field.min > -maxNumber ? " and" : "";
    expected += (field.isBelowMax ? " below " : " at most ") + numberText(field.max);
  }
  return expected;
}

bool isWithin(double value, const NumberField& field) {
  if (!std::isfinite(value)) return false;
  const bool isAbove = field.isAboveMin ? value > field.min : value >= field.min;
  return isAbove && (field.isBelowMax ? value < field.max : value <= field.max);
}

}  // namespace

FieldReader::FieldReader(const json& value, std::string_view name, const FieldReader* parent,
                         std::optional<std::size_t> index)
    : value_(value), name_(name), parent_(parent), index_(index) {
  if (value.is_object()) return;
  const std::string expected = "an object, found " + foundText(value);
  if (parent != nullptr) parent->refuse(name, expected, index);
  throwBadInput(name, "(document)", expected);
}

void FieldReader::done() const {
  if (readCount_ == value_.size()) return;
  const auto begin = read_.begin();
  const auto end = begin + static_cast<std::ptrdiff_t>(readCount_);
  for (const auto& [key, value] : value_.items()) {
    if (std::find(begin, end, key) != end) continue;
    std::string known;
    for (auto name = begin; name != end; ++name) {
      known += (known.empty() ? "" : ", ") + std::string(*name);
    }
    throwBadInput(document(), pathOf(key, {}), "no such field, only " + known, "unrecognized_keys");
  }
}

double FieldReader::number(const NumberField& field) {
  return checkedNumber(at(field.name), field, {});
}

double FieldReader::number(const NumberField& field, double leftOut) {
  return has(field) ? number(field) : leftOut;
}

bool FieldReader::flag(const FlagField& field) {
  const json& value = at(field.name);
  if (!value.is_boolean()) refuseFound(field.name, "true or false", value, {});
  return value.get<bool>();
}

std::string FieldReader::text(const TextField& field) {
  const json& value = at(field.name);
  if (!value.is_string()) refuseFound(field.name, "a text", value, {});
  return value.get<std::string>();
}

std::vector<std::string> FieldReader::texts(const TextsField& field) {
  std::vector<std::string> result;
  for (const json& item : listAt(field.name, 0, SIZE_MAX)) {
    if (!item.is_string()) refuseFound(field.name, "a text", item, result.size());
    result.push_back(item.get<std::string>());
  }
  return result;
}

std::vector<double> FieldReader::numberList(const NumbersField& field) {
  std::vector<double> result;
  for (const json& item : listAt(field.item.name, field.minItems, field.maxItems)) {
    result.push_back(checkedNumber(item, field.item, result.size()));
  }
  return result;
}

std::int64_t FieldReader::checkedIndex(std::int64_t index, std::size_t count,
                                       std::string_view items, std::string_view name) const {
  if (index >= 0 && static_cast<std::uint64_t>(index) < count) return index;
  refuse(name, "the index of one of " + std::to_string(count) + " " + std::string(items) +
                   ", found " + std::to_string(index));
}

std::size_t FieldReader::sizeOf(std::string_view list) const {
  for (const FieldReader* reader = this; reader != nullptr; reader = reader->parent_) {
    const auto found = reader->value_.find(list);
    if (found != reader->value_.end() && found->is_array()) return found->size();
  }
  return 0;
}

std::map<std::string, std::int64_t> FieldReader::indicesAt(std::string_view name,
                                                           std::string_view items) {
  const json& indices = at(name);
  const std::string expected = "indices of " + std::string(items) + " by name";
  if (!indices.is_object()) refuse(name, expected);
  std::map<std::string, std::int64_t> result;
  for (const auto& [key, index] : indices.items()) {
    if (!index.is_number_integer()) refuse(name, expected);
    result[key] = checkedIndex(index.get<std::int64_t>(), sizeOf(items), items, name);
  }
  return result;
}

void FieldReader::refuse(std::string_view name, const std::string& expected,
                         std::optional<std::size_t> index) const {
  throwBadInput(document(), pathOf(name, index), expected);
}

const json& FieldReader::at(std::string_view name) {
  const auto found = value_.find(name);
  if (found == value_.end()) refuse(name, "a value, found nothing");
  const auto end = read_.begin() + static_cast<std::ptrdiff_t>(readCount_);
  if (std::find(read_.begin(), end, name) == end) read_.at(readCount_++) = name;
  return *found;
}

const json& FieldReader::listAt(std::string_view name, std::size_t minItems, std::size_t maxItems) {
  const json& value = at(name);
  if (value.is_array() && value.size() >= minItems && value.size() <= maxItems) return value;
  std::string expected = "a list";
  if (minItems > 0) expected += " of at least " + std::to_string(minItems);
  if (maxItems < SIZE_MAX) expected += " of at most " + std::to_string(maxItems);
  refuseFound(name, expected, value, {});
}

double FieldReader::checkedNumber(const json& value, const NumberField& field,
                                  std::optional<std::size_t> index) const {
  if (value.is_number() && isWithin(value.get<double>(), field)) return value.get<double>();
  refuseFound(field.name, expectedNumber(field), value, index);
}

std::int64_t FieldReader::checkedInteger(const json& value, const IntegerField& field,
                                         std::optional<std::size_t> index) const {
  if (value.is_number()) {
    const double number = value.get<double>();
    const bool isWhole = value.is_number_integer() || number == std::floor(number);
    // Bounds are whole numbers below 2^53, which a double holds exactly.
    if (isWhole && number >= static_cast<double>(field.min) &&
        number <= static_cast<double>(field.max)) {
      const auto whole =
          value.is_number_integer() ? value.get<std::int64_t>() : static_cast<std::int64_t>(number);
      if (whole % field.multipleOf == 0) return whole;
      refuse(field.name, "a multiple of " + std::to_string(field.multipleOf), index);
    }
  }
  refuseFound(
      field.name,
      "a whole number from " + std::to_string(field.min) + " to " + std::to_string(field.max),
      value, index);
}

std::size_t FieldReader::wordIndex(const json& value, std::span<const std::string_view> words,
                                   std::string_view name, std::optional<std::size_t> index) const {
  if (value.is_string()) {
    const auto found = std::find(words.begin(), words.end(), value.get_ref<const std::string&>());
    if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  }
  std::string known;
  for (const std::string_view word : words) {
    known += (known.empty() ? "" : ", ") + std::string(word);
  }
  refuseFound(name, "one of " + known, value, index);
}

std::string FieldReader::pathOf(std::string_view name, std::optional<std::size_t> index) const {
  std::string path = parent_ == nullptr ? "" : parent_->pathOf(name_, index_) + ".";
  path += name;
  return index ? path + "[" + std::to_string(*index) + "]" : path;
}

std::string_view FieldReader::document() const {
  return parent_ == nullptr ? name_ : parent_->document();
}

void FieldReader::refuseFound(std::string_view name, const std::string& expected, const json& found,
                              std::optional<std::size_t> index) const {
  refuse(name, expected + ", found " + foundText(found), index);
}

}  // namespace understory
