// STL (3D Systems 1989), binary and ascii. Normals in the file are not believed: corners give them.
#include <array>
#include <bit>
#include <cstring>

#include "core/scene/readers/fileText.h"
#include "core/scene/readers/meshReaders.h"

namespace understory {

namespace {

constexpr std::size_t headerBytes = 84;
constexpr std::size_t triangleBytes = 50;
static_assert(std::endian::native == std::endian::little);

using Corners = std::array<std::array<double, 3>, 3>;

// `bad` makes the error of what is expected.
template <typename Bad>
void addCorners(MeshBuilder& builder, const Corners& corners, const MeshSource& options,
                const Bad& bad) {
  std::array<std::uint32_t, 3> indices{};
  for (std::size_t corner = 0; corner < 3; ++corner) {
    const auto& [x, y, z] = corners[corner];
    const std::optional<Vec3f> positionM = modelPosition(options, builder.centreM, x, y, z);
    if (!positionM) throw bad(finiteVertexExpected(builder.mesh.vertices.size() + 1, x, y, z));
    indices[corner] = builder.addVertex(*positionM);
  }
  builder.addTriangle(indices[0], indices[1], indices[2], options.material);
}

MeshBuilder readBinary(std::span<const std::byte> bytes, const std::string& file,
                       const MeshSource& options, Meter& meter) {
  MeshBuilder builder;
  for (std::size_t at = headerBytes; at < bytes.size(); at += triangleBytes) {
    meter.advanceTo(at);
    std::array<float, 12> values{};  // normal, then three corners
    std::memcpy(values.data(), bytes.data() + at, sizeof values);
    Corners corners{};
    for (std::size_t index = 0; index < 9; ++index) {
      corners[index / 3][index % 3] = static_cast<double>(values[index + 3]);
    }
    addCorners(builder, corners, options,
               [&](const std::string& expected) { return badByte(file, at, expected); });
  }
  return builder;
}

void expectWord(TextWords& words, std::string_view expected, const std::string& file) {
  if (words.next() != expected) {
    throw badLine(file, words.line, "'" + std::string(expected) + "' in an ascii STL file");
  }
}

std::array<double, 3> expectNumbers(TextWords& words, const std::string& file) {
  std::array<double, 3> numbers{};
  for (double& number : numbers) {
    if (!parseWord(words.next(), number)) throw badLine(file, words.line, "three numbers");
  }
  return numbers;
}

MeshBuilder readAscii(std::string_view text, const std::string& file, const MeshSource& options,
                      Meter& meter) {
  MeshBuilder builder;
  TextWords words{text};
  while (true) {
    meter.advanceTo(words.at);
    const std::string_view word = words.next();
    if (word.empty()) return builder;
    if (word == "solid" || word == "endsolid") {
      words.restOfLine();
      continue;
    }
    if (word != "facet") throw badLine(file, words.line, "'facet' in an ascii STL file");
    expectWord(words, "normal", file);
    expectNumbers(words, file);
    expectWord(words, "outer", file);
    expectWord(words, "loop", file);
    Corners corners{};
    for (auto& corner : corners) {
      expectWord(words, "vertex", file);
      corner = expectNumbers(words, file);
    }
    expectWord(words, "endloop", file);
    expectWord(words, "endfacet", file);
    addCorners(builder, corners, options,
               [&](const std::string& expected) { return badLine(file, words.line, expected); });
  }
}

}  // namespace

MeshBuilder readStl(std::span<const std::byte> bytes, const std::string& file,
                    const MeshSource& options, const Watch& watch) {
  Meter meter(watch, "reading", bytes.size());
  std::uint32_t triangles = 0;
  if (bytes.size() >= headerBytes) {
    std::memcpy(&triangles, bytes.data() + headerBytes - sizeof triangles, sizeof triangles);
    const std::uint64_t expectedBytes = headerBytes + std::uint64_t{triangleBytes} * triangles;
    // Why by length: binary files often start with "solid" too.
    if (bytes.size() == expectedBytes) return readBinary(bytes, file, options, meter);
  }
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const bool isText = text.find('\0') == std::string_view::npos;
  if (isText && text.substr(0, 5) == "solid") return readAscii(text, file, options, meter);
  throw badByte(
      file, headerBytes - sizeof triangles,
      "text that starts with 'solid', or a binary file of 84 + 50 bytes for each of its " +
          std::to_string(triangles) + " triangles; it has " + std::to_string(bytes.size()) +
          " bytes");
}

}  // namespace understory
