// The body of a PLY file, ascii and binary. Nothing that the header promises is believed before its bytes are there.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <vector>

#include "core/scene/readers/fileText.h"
#include "core/scene/readers/imageReader.h"
#include "core/scene/readers/meshImages.h"
#include "core/scene/readers/meshReaders.h"
#include "core/scene/readers/plyHeader.h"

namespace understory {

namespace {

// The values of the body one after another, whatever the format. Every value becomes a double, which
// holds all of PLY's types exactly.
class PlyBody {
 public:
  PlyBody(std::string_view text, const PlyHeader& header, const std::string& file)
      : words_{text, header.bodyAt, header.bodyLine}, format_(header.format), file_(file) {}

  double next(PlyType type) {
    if (format_ == PlyFormat::ascii) {
      double value = 0.0;
      const std::string_view word = words_.next();
      if (!parseWord(word, value)) throw bad("a number, found " + describe(word));
      return value;
    }
    const std::size_t size = sizeOf(type);
    if (bytesLeft() < size) throw bad("more data: the file ends early");
    std::array<unsigned char, 8> raw{};
    std::memcpy(raw.data(), words_.text.data() + words_.at, size);
    words_.at += size;
    const bool isSwapped =
        (format_ == PlyFormat::bigEndian) == (std::endian::native == std::endian::little);
    if (isSwapped) std::reverse(raw.begin(), raw.begin() + static_cast<std::ptrdiff_t>(size));
    return decode(raw, type);
  }

  // A value that counts or names something.
  std::uint64_t nextWhole(PlyType type, const char* what) {
    const double value = next(type);
    if (!(value >= 0.0) || value > 4294967295.0 || value != std::floor(value)) {
      throw bad(std::string(what) + ", found " + std::to_string(value));
    }
    return static_cast<std::uint64_t>(value);
  }

  std::size_t bytesLeft() const { return words_.text.size() - words_.at; }

  // Refuses a promise of more values than the bytes left can hold.
  void expectRoomFor(std::uint64_t rows, std::size_t minBytesPerRow,
                     const std::string& what) const {
    if (minBytesPerRow == 0 || rows <= bytesLeft() / minBytesPerRow + 1) return;
    throw bad(std::to_string(rows) + " " + what + ", but only " + std::to_string(bytesLeft()) +
              " bytes are left");
  }

  bool isAscii() const { return format_ == PlyFormat::ascii; }

  UnderstoryError bad(const std::string& expected) const {
    return format_ == PlyFormat::ascii ? badLine(file_, words_.line, expected)
                                       : badByte(file_, words_.at, expected);
  }

 private:
  static std::string describe(std::string_view word) {
    return word.empty() ? "the end of the file" : "'" + std::string(word.substr(0, 40)) + "'";
  }

  template <typename T>
  static double as(const std::array<unsigned char, 8>& raw) {
    T value{};
    std::memcpy(&value, raw.data(), sizeof value);
    return static_cast<double>(value);
  }

  static double decode(const std::array<unsigned char, 8>& raw, PlyType type) {
    switch (type) {
      case PlyType::i8:
        return as<std::int8_t>(raw);
      case PlyType::u8:
        return as<std::uint8_t>(raw);
      case PlyType::i16:
        return as<std::int16_t>(raw);
      case PlyType::u16:
        return as<std::uint16_t>(raw);
      case PlyType::i32:
        return as<std::int32_t>(raw);
      case PlyType::u32:
        return as<std::uint32_t>(raw);
      case PlyType::f32:
        return as<float>(raw);
      case PlyType::f64:
        return as<double>(raw);
    }
    return 0.0;
  }

  TextWords words_;
  PlyFormat format_;
  const std::string& file_;
};

struct PlyContents {
  std::vector<Vec3f> positionsM;
  std::optional<Vec3d> centreM;
  std::vector<std::uint32_t> corners;       // of all polygons, one after another
  std::vector<std::uint32_t> polygonSizes;  // corners of each
  // Only where the file names images that are used.
  bool isPainted = false;
  std::vector<Vec2f> coordinates;      // of each vertex
  std::vector<double> numbers;         // of the lists texcoord: u and v of each corner
  std::vector<double> imageOfPolygon;  // by the order of the names; others: none
};

std::size_t minRowBytes(const PlyElement& element, bool isAscii) {
  std::size_t bytes = 0;
  for (const PlyProperty& property : element.properties) {
    bytes += isAscii ? 2 : sizeOf(property.countType.value_or(property.type));
  }
  return bytes;
}

bool isCornerList(const PlyElement& element, const PlyProperty& property) {
  return element.name == "face" && property.countType &&
         (property.name == "vertex_indices" || property.name == "vertex_index");
}

bool isCoordinateList(const PlyElement& element, const PlyProperty& property) {
  return element.name == "face" && property.countType && property.name == "texcoord";
}

bool hasRole(const PlyElement& element, PlyRole role) {
  return std::any_of(element.properties.begin(), element.properties.end(),
                     [&](const PlyProperty& property) { return property.role == role; });
}

void expectCoordinates(const PlyBody& body, std::span<const double> numbers) {
  for (const double number : numbers) {
    if (std::abs(number) <= maxTextureCoordinate) continue;
    throw body.bad("finite texture coordinates of at most 1e6");
  }
}

void readRow(PlyBody& body, const PlyElement& element, const MeshSource& options,
             PlyContents& contents) {
  std::array<double, static_cast<std::size_t>(PlyRole::other) + 1> row{};
  const std::size_t cornersBefore = contents.corners.size();
  const std::size_t numbersBefore = contents.numbers.size();
  bool hasNumbers = false;
  for (const PlyProperty& property : element.properties) {
    if (!property.countType) {
      row[static_cast<std::size_t>(property.role)] = body.next(property.type);
      continue;
    }
    const std::uint64_t items = body.nextWhole(*property.countType, "the length of a list");
    body.expectRoomFor(items, body.isAscii() ? 2 : sizeOf(property.type), "items of a list");
    const bool isCorners = isCornerList(element, property);
    const bool isNumbers = contents.isPainted && isCoordinateList(element, property);
    hasNumbers = hasNumbers || isNumbers;
    for (std::uint64_t item = 0; item < items; ++item) {
      if (isCorners) {
        const std::uint64_t corner = body.nextWhole(property.type, "the number of a vertex");
        contents.corners.push_back(static_cast<std::uint32_t>(corner));
        continue;
      }
      const double value = body.next(property.type);
      if (isNumbers) contents.numbers.push_back(value);
    }
    if (isCorners) contents.polygonSizes.push_back(static_cast<std::uint32_t>(items));
  }
  if (element.name == "face" && contents.isPainted) {
    contents.imageOfPolygon.push_back(row[static_cast<std::size_t>(PlyRole::image)]);
    const std::span<const double> numbers = std::span(contents.numbers).subspan(numbersBefore);
    if (hasNumbers && numbers.size() != 2 * (contents.corners.size() - cornersBefore)) {
      throw body.bad("two numbers of texcoord for each corner of a face");
    }
    expectCoordinates(body, numbers);
  }
  if (element.name != "vertex") return;
  const auto& [x, y, z, u, v, image, other] = row;
  const std::optional<Vec3f> positionM = modelPosition(options, contents.centreM, x, y, z);
  if (!positionM) {
    throw body.bad(finiteVertexExpected(contents.positionsM.size() + 1, x, y, z));
  }
  contents.positionsM.push_back(*positionM);
  if (!contents.isPainted) return;
  const std::array<double, 2> coordinate{u, v};
  expectCoordinates(body, coordinate);
  contents.coordinates.push_back({static_cast<float>(u), static_cast<float>(v)});
}

void expectProperties(const PlyHeader& header, const std::string& file) {
  bool hasCorners = false;
  std::size_t axes = 0;
  for (const PlyElement& element : header.elements) {
    for (const PlyProperty& property : element.properties) {
      hasCorners = hasCorners || isCornerList(element, property);
      const bool isAxis = property.name == "x" || property.name == "y" || property.name == "z";
      if (element.name == "vertex" && isAxis && !property.countType) ++axes;
    }
  }
  if (axes != 3) throw badLine(file, header.bodyLine, "properties x, y and z of element vertex");
  if (!hasCorners) throw badLine(file, header.bodyLine, "a list vertex_indices of element face");
}

// Whether the file's images are on its faces. Throws 'bad-input' where it names images and has no coordinates for them.
bool isPainted(const PlyHeader& header, std::span<const std::string> images,
               const MeshSource& options, const std::string& file) {
  if (!options.textures || images.empty()) return false;
  for (const PlyElement& element : header.elements) {
    if (element.name == "vertex" && hasRole(element, PlyRole::u) && hasRole(element, PlyRole::v)) {
      return true;
    }
    for (const PlyProperty& property : element.properties) {
      if (isCoordinateList(element, property)) return true;
    }
  }
  throw badLine(file, header.bodyLine,
                "properties s and t of element vertex, or a list texcoord of element face, for the "
                "image of 'comment TextureFile'; 'textures: false' ignores images");
}

// The images of a file and how its polygons show them.
class PlyPainter {
 public:
  PlyPainter(const PlyContents& contents, std::span<const std::string> names, MeshImages& images,
             const MeshTextures& textures, std::size_t line)
      : contents_(contents) {
    if (!contents.isPainted) return;
    for (const std::string& name : names) {
      const std::uint16_t colour = images.indexOf(imageBeside("", name), ImageUse::colour, line);
      if (colour == Paint::none) {  // there is no such image
        paints_.push_back(Paint::none);
        continue;
      }
      const bool cuts = textures.images[colour].hasAlpha;
      paints_.push_back(images.addPaint({colour, cuts ? colour : Paint::none}, line));
    }
  }

  // The paint of a polygon, whose corners begin at `first`; sets their coordinates.
  std::uint16_t paint(std::size_t polygon, std::size_t first,
                      std::span<const std::uint32_t> corners, std::vector<Vec2f>& coordinates) {
    coordinates.clear();
    if (!contents_.isPainted) return Paint::none;
    const double image = contents_.imageOfPolygon[polygon];
    if (!(image >= 0.0 && image < static_cast<double>(paints_.size()))) return Paint::none;
    for (std::size_t corner = 0; corner < corners.size(); ++corner) {
      const std::size_t at = 2 * (first + corner);
      coordinates.push_back(contents_.numbers.empty()
                                ? contents_.coordinates[corners[corner]]
                                : Vec2f{static_cast<float>(contents_.numbers[at]),
                                        static_cast<float>(contents_.numbers[at + 1])});
    }
    return paints_[static_cast<std::size_t>(image)];
  }

 private:
  const PlyContents& contents_;
  std::vector<std::uint16_t> paints_;
};

}  // namespace

MeshBuilder readPly(std::span<const std::byte> bytes, const std::string& file,
                    const MeshSource& options, const Watch& watch, const ReadImage& readImage) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const PlyHeader header = parsePlyHeader(text, file);
  expectProperties(header, file);
  PlyBody body(text, header, file);
  const std::vector<std::string> images = imagesOfPly(text);
  PlyContents contents;
  contents.isPainted = isPainted(header, images, options, file);
  Meter reading(watch, "reading", bytes.size());
  for (const PlyElement& element : header.elements) {
    if (element.properties.empty()) continue;  // rows without values take no bytes
    body.expectRoomFor(element.count, minRowBytes(element, body.isAscii()),
                       "rows of element " + element.name);
    for (std::uint64_t row = 0; row < element.count; ++row) {
      reading.advanceTo(bytes.size() - body.bytesLeft());
      readRow(body, element, options, contents);
    }
  }
  MeshBuilder builder;
  builder.centreM = contents.centreM;
  builder.mesh.textures.minAlpha = minAlphaOf(options.alphaThreshold);
  MeshImages decoded(file, readImage, builder.mesh.textures);
  PlyPainter painter(contents, images, decoded, builder.mesh.textures, 1);
  std::vector<Vec2f> coordinates;
  Meter placing(watch, "vertices", contents.positionsM.size());
  for (const Vec3f positionM : contents.positionsM) {
    placing.advanceTo(builder.mesh.vertices.size());
    builder.addVertex(positionM);
  }
  std::size_t first = 0;
  Meter joining(watch, "triangles", contents.corners.size());
  for (std::size_t index = 0; index < contents.polygonSizes.size(); ++index) {
    const std::uint32_t size = contents.polygonSizes[index];
    joining.advanceTo(first);
    for (std::size_t corner = first; corner < first + size; ++corner) {
      if (contents.corners[corner] < builder.mesh.vertices.size()) continue;
      throw body.bad("vertex numbers below " + std::to_string(builder.mesh.vertices.size()) +
                     " in faces, found " + std::to_string(contents.corners[corner]));
    }
    if (size < 3) ++builder.degenerateTriangles;
    const std::span<const std::uint32_t> polygon(contents.corners.data() + first, size);
    const std::uint16_t paint = painter.paint(index, first, polygon, coordinates);
    if (size >= 3 && !builder.addPolygon(polygon, options.material, paint, coordinates)) {
      throw body.bad(concaveCornersExpected());
    }
    first += size;
  }
  return builder;
}

}  // namespace understory
