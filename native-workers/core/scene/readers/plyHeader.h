// The header of a PLY file: which elements with which properties its body has (Turk 1994).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace understory {

enum class PlyType { i8, u8, i16, u16, i32, u32, f32, f64 };

// The use of a single value; also its index in a row.
enum class PlyRole : std::size_t { x, y, z, u, v, image, other };

struct PlyProperty {
  std::string name;
  PlyRole role = PlyRole::other;
  PlyType type = PlyType::f32;       // of the value, or of a list's items
  std::optional<PlyType> countType;  // lists only
};

struct PlyElement {
  std::string name;
  std::uint64_t count = 0;
  std::vector<PlyProperty> properties;
};

enum class PlyFormat { ascii, littleEndian, bigEndian };

struct PlyHeader {
  PlyFormat format = PlyFormat::ascii;
  std::vector<PlyElement> elements;
  std::size_t bodyAt = 0;
  std::size_t bodyLine = 1;
};

// Size of a value in a binary body.
std::size_t sizeOf(PlyType type);

// Throws UnderstoryError 'bad-input' with the line that is not understood. `file` names the file in it.
PlyHeader parsePlyHeader(std::string_view text, const std::string& file);

}  // namespace understory
