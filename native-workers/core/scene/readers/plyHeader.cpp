// Lines of the header, one after another.
#include "core/scene/readers/plyHeader.h"

#include <array>
#include <utility>

#include "core/scene/readers/fileText.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

std::optional<PlyType> typeNamed(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, PlyType>, 16> names{{{"char", PlyType::i8},
                                                                        {"int8", PlyType::i8},
                                                                        {"uchar", PlyType::u8},
                                                                        {"uint8", PlyType::u8},
                                                                        {"short", PlyType::i16},
                                                                        {"int16", PlyType::i16},
                                                                        {"ushort", PlyType::u16},
                                                                        {"uint16", PlyType::u16},
                                                                        {"int", PlyType::i32},
                                                                        {"int32", PlyType::i32},
                                                                        {"uint", PlyType::u32},
                                                                        {"uint32", PlyType::u32},
                                                                        {"float", PlyType::f32},
                                                                        {"float32", PlyType::f32},
                                                                        {"double", PlyType::f64},
                                                                        {"float64", PlyType::f64}}};
  for (const auto& [known, type] : names) {
    if (known == name) return type;
  }
  return std::nullopt;
}

PlyRole roleNamed(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, PlyRole>, 10> names{
      {{"x", PlyRole::x},
       {"y", PlyRole::y},
       {"z", PlyRole::z},
       {"s", PlyRole::u},
       {"t", PlyRole::v},
       {"u", PlyRole::u},
       {"v", PlyRole::v},
       {"texture_u", PlyRole::u},
       {"texture_v", PlyRole::v},
       {"texnumber", PlyRole::image}}};
  for (const auto& [known, role] : names) {
    if (known == name) return role;
  }
  return PlyRole::other;
}

PlyType expectType(std::string_view word, const std::string& file, std::size_t line) {
  const std::optional<PlyType> type = typeNamed(word);
  if (!type) {
    throw badLine(file, line, "a PLY type, found '" + std::string(word.substr(0, 40)) + "'");
  }
  return *type;
}

PlyProperty parseProperty(TextWords& words, const std::string& file) {
  PlyProperty property;
  std::string_view word = words.next(true);
  if (word == "list") {
    property.countType = expectType(words.next(true), file, words.line);
    word = words.next(true);
  }
  property.type = expectType(word, file, words.line);
  property.name = std::string(words.next(true));
  if (property.name.empty()) throw badLine(file, words.line, "the name of a property");
  if (!property.countType) property.role = roleNamed(property.name);
  return property;
}

}  // namespace

std::size_t sizeOf(PlyType type) {
  constexpr std::array<std::size_t, 8> sizes{1, 1, 2, 2, 4, 4, 4, 8};
  return sizes[static_cast<std::size_t>(type)];
}

PlyHeader parsePlyHeader(std::string_view text, const std::string& file) {
  TextWords words{text};
  if (words.next(true) != "ply") throw badLine(file, 1, "'ply' at the start of a PLY file");
  words.restOfLine();
  PlyHeader header;
  bool hasFormat = false;
  while (words.at < text.size()) {
    const std::string_view keyword = words.next(true);
    if (keyword == "format") {
      const std::string_view format = words.next(true);
      if (format == "ascii") {
        header.format = PlyFormat::ascii;
      } else if (format == "binary_little_endian") {
        header.format = PlyFormat::littleEndian;
      } else if (format == "binary_big_endian") {
        header.format = PlyFormat::bigEndian;
      } else {
        throw badLine(file, words.line, "ascii, binary_little_endian or binary_big_endian");
      }
      hasFormat = true;
    } else if (keyword == "element") {
      PlyElement element;
      element.name = std::string(words.next(true));
      if (!parseWord(words.next(true), element.count)) {
        throw badLine(file, words.line, "a name and a count after 'element'");
      }
      header.elements.push_back(std::move(element));
    } else if (keyword == "property") {
      if (header.elements.empty()) throw badLine(file, words.line, "'element' before 'property'");
      header.elements.back().properties.push_back(parseProperty(words, file));
    } else if (keyword == "end_header") {
      if (!hasFormat) throw badLine(file, words.line, "a 'format' line before 'end_header'");
      words.restOfLine();
      header.bodyAt = words.at;
      header.bodyLine = words.line;
      return header;
    } else if (!keyword.empty() && keyword != "comment" && keyword != "obj_info") {
      throw badLine(file, words.line,
                    "a PLY header line, found '" + std::string(keyword.substr(0, 40)) + "'");
    }
    words.restOfLine();
  }
  throw badLine(file, words.line, "'end_header'");
}

std::vector<std::string> imagesOfPly(std::string_view text) {
  std::vector<std::string> images;
  for (TextWords words{text}; words.at < text.size(); words.restOfLine()) {
    const std::string_view keyword = words.next(true);
    if (keyword == "end_header") break;
    if (keyword != "comment" || words.next(true) != "TextureFile") continue;
    const std::size_t before = words.at;
    images.emplace_back(words.restOfLine());
    words.at = before;
  }
  return images;
}

}  // namespace understory
