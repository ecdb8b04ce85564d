// The rows of a learned model's PLY: which properties they have and in which order, once, for writer and reader.
#pragma once

#include <array>
#include <cstdint>

#include "core/learned/learnedModel.h"
#include "core/maths/maths.h"

namespace understory {

// The parts that a model's vertices have beside positions.
struct RowParts {
  bool hasCovariances = false;
  bool hasNormals = false;
};

struct ObservedRow {
  float permeability = 0.0F;
  std::uint32_t hits = 0;
  std::uint32_t misses = 0;
  std::uint32_t support = 0;
  float reflectance = 0.0F;
  float reflectanceSigma = 0.0F;
  std::uint16_t classId = 0;
};

struct VertexRow {
  Vec3f positionM;
  Vec3f normal;
  std::array<std::uint8_t, 3> rgb{};  // a look: reading ignores it
  Symmetric3f covarianceM2{};
  ObservedRow seen;
};

struct FaceRow {
  std::array<std::int32_t, 3> corners{};
  ObservedRow seen;
};

// `archive.field(name, value)` for each property in order.
template <typename Archive, typename Row>
void observedFields(Archive& archive, Row&& seen) {
  archive.field("permeability", seen.permeability);
  archive.field("hits", seen.hits);
  archive.field("misses", seen.misses);
  archive.field("support", seen.support);
  archive.field("reflectance", seen.reflectance);
  archive.field("reflectance_sigma", seen.reflectanceSigma);
  archive.field("class", seen.classId);
}

template <typename Archive, typename Row>
void vertexFields(Archive& archive, Row&& row, RowParts parts) {
  archive.field("x", row.positionM.x);
  archive.field("y", row.positionM.y);
  archive.field("z", row.positionM.z);
  if (parts.hasNormals) {
    archive.field("nx", row.normal.x);
    archive.field("ny", row.normal.y);
    archive.field("nz", row.normal.z);
  }
  archive.field("red", row.rgb[0]);
  archive.field("green", row.rgb[1]);
  archive.field("blue", row.rgb[2]);
  if (parts.hasCovariances) {
    constexpr std::array<const char*, 6> names{"covariance_xx", "covariance_xy", "covariance_xz",
                                               "covariance_yy", "covariance_yz", "covariance_zz"};
    for (std::size_t index = 0; index < names.size(); ++index) {
      archive.field(names[index], row.covarianceM2[index]);
    }
  }
  observedFields(archive, row.seen);
}

// `archive.corners(values)` for the list vertex_indices.
template <typename Archive, typename Row>
void faceFields(Archive& archive, Row&& row) {
  archive.corners(row.corners);
  observedFields(archive, row.seen);
}

}  // namespace understory
