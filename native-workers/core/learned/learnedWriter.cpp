// A learned model as bytes of a PLY.
#include <algorithm>
#include <cmath>
#include <type_traits>

#include "core/learned/learnedFile.h"
#include "core/learned/learnedHeader.h"
#include "core/learned/learnedRows.h"

namespace understory {
namespace {

constexpr std::size_t pieceBytes = std::size_t{1} << 20U;

// The properties of a row as lines of a PLY header.
struct PropertyLines {
  std::string lines;

  template <typename Value>
  void field(const char* name, const Value&) {
    const char* type = std::is_same_v<Value, float>           ? "float"
                       : std::is_same_v<Value, std::uint8_t>  ? "uchar"
                       : std::is_same_v<Value, std::uint16_t> ? "ushort"
                                                              : "uint";
    lines += "property " + std::string(type) + " " + name + "\n";
  }
  void corners(const std::array<std::int32_t, 3>&) {
    lines += "property list uchar int vertex_indices\n";
  }
};

struct RowBytes {
  std::string bytes;

  template <typename Value>
  void field(const char*, const Value& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void corners(const std::array<std::int32_t, 3>& values) {
    bytes.push_back(3);
    for (const std::int32_t value : values) field(nullptr, value);
  }
};

std::array<std::uint8_t, 3> shade(std::array<float, 3> colour, float share) {
  std::array<std::uint8_t, 3> rgb{};
  for (std::size_t channel = 0; channel < 3; ++channel) {
    rgb[channel] =
        static_cast<std::uint8_t>(255.0F * std::clamp(colour[channel] * share, 0.0F, 1.0F));
  }
  return rgb;
}

ObservedRow observedRow(const Observations& seen, std::size_t index) {
  ObservedRow row;
  row.permeability = seen.permeability[index];
  row.hits = seen.hits[index];
  row.misses = seen.misses[index];
  row.support = seen.support[index];
  row.reflectance = seen.reflectance[index];
  row.reflectanceSigma = seen.reflectanceSigma[index];
  row.classId = seen.classIds[index];
  return row;
}

std::string headerOf(const LearnedModel& model, RowParts parts) {
  // Why piece by piece: GCC 12 finds sums of it out of bounds (-Warray-bounds).
  std::string text = "ply\nformat binary_little_endian 1.0\ncomment ";
  text += learnedTitle;
  text += "\n";
  const std::string head = learnedHeaderJson(model).dump(-1, ' ', true);
  for (std::size_t at = 0; at < head.size(); at += headerPartLength) {
    text += "comment json " + head.substr(at, headerPartLength) + "\n";
  }
  const std::size_t vertices =
      model.elements.size() + model.surface.verticesM.size() + model.points.size();
  PropertyLines vertexLines;
  vertexFields(vertexLines, VertexRow{}, parts);
  text += "element vertex " + std::to_string(vertices) + "\n" + vertexLines.lines;
  if (model.surface.size() > 0) {
    PropertyLines faceLines;
    faceFields(faceLines, FaceRow{});
    text += "element face " + std::to_string(model.surface.size()) + "\n" + faceLines.lines;
  }
  return text + "end_header\n";
}

// Rows in pieces.
class RowSink {
 public:
  RowSink(const WriteBytes& write, const Watch& watch, std::size_t rows)
      : write_(write), meter_(watch, "writing", rows) {}

  RowBytes& next() {
    meter_.advanceTo(rows_++);
    if (row_.bytes.size() >= pieceBytes) flush();
    return row_;
  }
  void flush() {
    if (!row_.bytes.empty()) write_(row_.bytes);
    row_.bytes.clear();
  }

 private:
  const WriteBytes& write_;
  Meter meter_;
  RowBytes row_;
  std::size_t rows_ = 0;
};

}  // namespace

void writeLearnedModel(const LearnedModel& model, const WriteBytes& write, const Watch& watch) {
  const LearnedElements& elements = model.elements;
  const LearnedSurface& surface = model.surface;
  const LearnedPoints& points = model.points;
  const RowParts parts{elements.size() > 0, points.size() > 0};
  write(headerOf(model, parts));
  RowSink sink(write, watch,
               elements.size() + surface.verticesM.size() + points.size() + surface.size());
  for (std::size_t index = 0; index < elements.size(); ++index) {
    const ObservedRow seen = observedRow(elements.seen, index);
    const auto rgb = shade({0.35F, 0.75F, 0.3F}, 1.3F - seen.permeability);
    vertexFields(sink.next(),
                 VertexRow{elements.meansM[index], {}, rgb, elements.covariancesM2[index], seen},
                 parts);
  }
  for (const Vec3f vertexM : surface.verticesM) {
    vertexFields(sink.next(), VertexRow{vertexM, {}, {150, 120, 90}, {}, {}}, parts);
  }
  for (std::size_t index = 0; index < points.size(); ++index) {
    const ObservedRow seen = observedRow(points.seen, index);
    vertexFields(sink.next(),
                 VertexRow{points.positionsM[index],
                           points.normals[index],
                           shade({1.0F, 1.0F, 1.0F}, std::sqrt(seen.reflectance)),
                           {},
                           seen},
                 parts);
  }
  for (std::size_t index = 0; index < surface.size(); ++index) {
    FaceRow row;
    for (std::size_t corner = 0; corner < 3; ++corner) {
      row.corners[corner] =
          static_cast<std::int32_t>(elements.size() + surface.triangles[index][corner]);
    }
    row.seen = observedRow(surface.seen, index);
    faceFields(sink.next(), row);
  }
  sink.flush();
}

}  // namespace understory
