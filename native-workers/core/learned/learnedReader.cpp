// A learned model from bytes. Nothing that the header promises is believed before its bytes are there.
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/learned/learnedFile.h"
#include "core/learned/learnedHeader.h"
#include "core/learned/learnedRows.h"
#include "core/scene/readers/fileText.h"
#include "core/scene/readers/meshReaders.h"
#include "core/scene/readers/plyHeader.h"

namespace understory {

// Why: rows are read as they lie in the file.
static_assert(std::endian::native == std::endian::little);

namespace {

// The properties of a row as a PLY header has them.
struct ExpectedProperties {
  std::vector<PlyProperty> properties;
  std::size_t rowBytes = 0;

  template <typename Value>
  void field(const char* name, const Value&) {
    const PlyType type = std::is_same_v<Value, float>           ? PlyType::f32
                         : std::is_same_v<Value, std::uint8_t>  ? PlyType::u8
                         : std::is_same_v<Value, std::uint16_t> ? PlyType::u16
                                                                : PlyType::u32;
    properties.push_back({name, PlyRole::other, type, std::nullopt});
    rowBytes += sizeof(Value);
  }
  void corners(const std::array<std::int32_t, 3>&) {
    properties.push_back({"vertex_indices", PlyRole::other, PlyType::i32, PlyType::u8});
    rowBytes += 1 + 3 * sizeof(std::int32_t);
  }
};

void expectProperties(const PlyElement& element, const ExpectedProperties& expected,
                      const PlyHeader& header, const std::string& file) {
  bool isSame = element.properties.size() == expected.properties.size();
  for (std::size_t index = 0; isSame && index < expected.properties.size(); ++index) {
    const PlyProperty& found = element.properties[index];
    const PlyProperty& wanted = expected.properties[index];
    isSame = found.name == wanted.name && found.type == wanted.type &&
             found.countType == wanted.countType;
    if (!isSame) {
      throw badLine(file, header.bodyLine,
                    "property '" + wanted.name + "' as number " + std::to_string(index + 1) +
                        " of element " + element.name + ", found '" + found.name + "'");
    }
  }
  if (!isSame) {
    throw badLine(file, header.bodyLine,
                  std::to_string(expected.properties.size()) + " properties of element " +
                      element.name + ", found " + std::to_string(element.properties.size()));
  }
}

class RowReader {
 public:
  RowReader(std::span<const std::byte> bytes, std::size_t at, const std::string& file,
            const Watch& watch)
      : bytes_(bytes), at_(at), file_(file), meter_(watch, "reading", bytes.size()) {}

  // Starts a row, whose bytes are there.
  void next() {
    meter_.advanceTo(at_);
    rowAt_ = at_;
  }
  template <typename Value>
  void field(const char*, Value& value) {
    std::memcpy(&value, bytes_.data() + at_, sizeof value);
    at_ += sizeof value;
  }
  void corners(std::array<std::int32_t, 3>& values) {
    std::uint8_t count = 0;
    field(nullptr, count);
    if (count != 3) throw bad("faces of 3 corners, found " + std::to_string(count));
    for (std::int32_t& value : values) field(nullptr, value);
  }

  std::size_t bytesLeft() const { return bytes_.size() - at_; }
  // About the row in progress.
  UnderstoryError bad(const std::string& expected) const {
    return badByte(file_, rowAt_, expected);
  }
  UnderstoryError badEnd(const std::string& expected) const {
    return badByte(file_, at_, expected);
  }

 private:
  std::span<const std::byte> bytes_;
  std::size_t at_;
  std::size_t rowAt_ = 0;
  const std::string& file_;
  Meter meter_;
};

bool isPosition(Vec3f v) {
  const auto isInside = [](float value) {
    return std::abs(value) <= static_cast<float>(maxCoordinateM);
  };
  return isInside(v.x) && isInside(v.y) && isInside(v.z);
}

// By Sylvester's criterion, in double precision.
bool isPositiveDefinite(const Symmetric3f& m) {
  for (const float value : m) {
    if (!std::isfinite(value)) return false;
  }
  const double xx = static_cast<double>(m[0]);
  const double xy = static_cast<double>(m[1]);
  const double xz = static_cast<double>(m[2]);
  const double yy = static_cast<double>(m[3]);
  const double yz = static_cast<double>(m[4]);
  const double zz = static_cast<double>(m[5]);
  const double minor = xx * yy - xy * xy;
  const double determinant =
      xx * (yy * zz - yz * yz) - xy * (xy * zz - yz * xz) + xz * (xy * yz - yy * xz);
  return xx > 0.0 && minor > 0.0 && determinant > 0.0;
}

void addObserved(const ObservedRow& row, std::size_t classes, const RowReader& reader,
                 Observations& seen) {
  if (!(row.permeability >= 0.0F && row.permeability <= 1.0F)) {
    throw reader.bad("a permeability of 0 to 1, found " + std::to_string(row.permeability));
  }
  for (const float reflectance : {row.reflectance, row.reflectanceSigma}) {
    if (reflectance >= 0.0F && static_cast<double>(reflectance) <= maxReflectance) continue;
    throw reader.bad("a reflectance of 0 to 1e6, found " + std::to_string(reflectance));
  }
  if (row.classId >= classes) {
    throw reader.bad("a class below " + std::to_string(classes) + ", found " +
                     std::to_string(row.classId));
  }
  seen.permeability.push_back(row.permeability);
  seen.hits.push_back(row.hits);
  seen.misses.push_back(row.misses);
  seen.support.push_back(row.support);
  seen.reflectance.push_back(row.reflectance);
  seen.reflectanceSigma.push_back(row.reflectanceSigma);
  seen.classIds.push_back(row.classId);
}

void readVertices(const LearnedHeader& header, RowParts parts, RowReader& reader,
                  LearnedModel& model) {
  const std::size_t classes = model.classes.size();
  VertexRow row;
  const auto next = [&] {
    reader.next();
    vertexFields(reader, row, parts);
    if (!isPosition(row.positionM)) throw reader.bad("coordinates within 1e9 m");
  };
  for (std::size_t index = 0; index < header.elements; ++index) {
    next();
    if (!isPositiveDefinite(row.covarianceM2))
      throw reader.bad("a covariance that is positive definite");
    model.elements.meansM.push_back(row.positionM);
    model.elements.covariancesM2.push_back(row.covarianceM2);
    addObserved(row.seen, classes, reader, model.elements.seen);
  }
  for (std::size_t index = 0; index < header.surfaceVertices; ++index) {
    next();
    model.surface.verticesM.push_back(row.positionM);
  }
  for (std::size_t index = 0; index < header.points; ++index) {
    next();
    if (!(std::abs(length(row.normal) - 1.0F) < 1e-3F)) throw reader.bad("a normal of length 1");
    model.points.positionsM.push_back(row.positionM);
    model.points.normals.push_back(row.normal);
    addObserved(row.seen, classes, reader, model.points.seen);
  }
}

// Corners are rows of vertices, as in any PLY; in files of version 1, vertices of the surface.
void readFaces(const LearnedHeader& header, RowReader& reader, LearnedModel& model) {
  const std::size_t first = header.version == 1 ? 0 : header.elements;
  const std::size_t end = first + header.surfaceVertices;
  for (std::size_t index = 0; index < header.triangles; ++index) {
    FaceRow row;
    reader.next();
    faceFields(reader, row);
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t corner = 0; corner < 3; ++corner) {
      const std::int64_t vertex = row.corners[corner];
      if (vertex < static_cast<std::int64_t>(first) || vertex >= static_cast<std::int64_t>(end)) {
        throw reader.bad("corners from " + std::to_string(first) + " and below " +
                         std::to_string(end) + ", found " + std::to_string(vertex));
      }
      triangle[corner] = static_cast<std::uint32_t>(vertex - static_cast<std::int64_t>(first));
    }
    model.surface.triangles.push_back(triangle);
    addObserved(row.seen, model.classes.size(), reader, model.surface.seen);
  }
}

// Elements that the PLY header must have for the model's own header.
struct Rows {
  LearnedHeader learned;
  RowParts parts;
  std::size_t bodyAt = 0;
  std::uint64_t bodyBytes = 0;
};

Rows rowsOf(std::string_view text, const std::string& file) {
  const PlyHeader ply = parsePlyHeader(text, file);
  const auto expect = [&](bool isSo, const std::string& expected) {
    if (!isSo) throw badLine(file, ply.bodyLine, expected);
  };
  expect(ply.format == PlyFormat::littleEndian, "the format binary_little_endian");
  Rows rows;
  rows.bodyAt = ply.bodyAt;
  rows.learned = parseLearnedHeader(headerJsonIn(text.substr(0, ply.bodyAt), file));
  LearnedHeader& learned = rows.learned;
  rows.parts = {learned.elements > 0, learned.points > 0};
  const bool hasFaces = ply.elements.size() == 2 && ply.elements[1].name == "face";
  expect(!ply.elements.empty() && ply.elements[0].name == "vertex" &&
             (hasFaces || ply.elements.size() == 1),
         "the elements vertex and, with a surface, face");
  const std::uint64_t vertices =
      std::uint64_t{learned.elements} + learned.surfaceVertices + learned.points;
  expect(ply.elements[0].count == vertices,
         std::to_string(vertices) + " vertices, as its comments say");
  ExpectedProperties vertex;
  vertexFields(vertex, VertexRow{}, rows.parts);
  expectProperties(ply.elements[0], vertex, ply, file);
  // Why: no sum of bytes below is larger than a u64 then.
  constexpr std::uint64_t maxRows = std::numeric_limits<std::uint32_t>::max();
  expect(vertices <= maxRows, "at most 4294967295 vertices");
  rows.bodyBytes = vertices * vertex.rowBytes;
  if (hasFaces) {
    ExpectedProperties face;
    faceFields(face, FaceRow{});
    expectProperties(ply.elements[1], face, ply, file);
    expect(ply.elements[1].count <= maxRows - vertices, "at most 4294967295 vertices and faces");
    learned.triangles = static_cast<std::size_t>(ply.elements[1].count);
    rows.bodyBytes += ply.elements[1].count * face.rowBytes;
  }
  return rows;
}

}  // namespace

LearnedHeader readLearnedHeader(std::string_view text, const std::string& file) {
  return rowsOf(text, file).learned;
}

LearnedModel readLearnedModel(std::span<const std::byte> bytes, const std::string& file,
                              const Watch& watch) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  Rows rows = rowsOf(text, file);
  RowReader reader(bytes, rows.bodyAt, file, watch);
  if (reader.bytesLeft() != rows.bodyBytes) {
    throw reader.badEnd(std::to_string(rows.bodyBytes) + " bytes of rows, found " +
                        std::to_string(reader.bytesLeft()));
  }
  LearnedModel model = std::move(rows.learned.model);
  readVertices(rows.learned, rows.parts, reader, model);
  readFaces(rows.learned, reader, model);
  return model;
}

}  // namespace understory
