// Leaves of a plant as numbers: area, crown, density by height, angles. Truth of the scene summary, and the crown that
// a request for leaf area density refers to.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

struct Mesh;

inline constexpr std::size_t crownLayers = 20;
inline constexpr std::size_t leafAngleBins = 9;  // of 10 degrees
// Zenith angles of beams for Foliage::projections.
inline constexpr std::array<double, 4> projectionZenithsDeg{0.0, 30.0, 60.0, 90.0};

struct CrownLayer {
  double fromM = 0.0;
  double toM = 0.0;
  double areaM2 =
      0.0;  // of the crown: the convex hull of what its leaves take of the layer, from above
  double leafAreaM2 = 0.0;  // one-sided
};

struct Foliage {
  double leafAreaM2 = 0.0;         // one-sided
  double crownAreaM2 = 0.0;        // the convex hull of all leaves, from above
  std::vector<CrownLayer> layers;  // crownLayers of one height, from the lowest leaf to the highest
  // Shares of the leaf area by the angle between normal and vertical.
  std::array<double, leafAngleBins> angleShares{};
  // G of each of projectionZenithsDeg: the area that the leaves show to a beam as a share of their own, in the mean
  // over the beam's azimuths.
  std::array<double, 4> projections{};

  double crownVolumeM3() const;
};

// Mean of |n·b| over the azimuths of a leaf's normal n, for a beam b: the area that leaves of one angle show to it, of
// one unit of their own (Warren Wilson 1960). `zenithRad`: of the beam, 0 to pi / 2.
double leafProjection(double zenithRad, double angleRad);

// Leaf area of each layer that one triangle takes: (layer, m²), by cutting it at the layers' heights.
void addToLayers(const std::array<Vec3f, 3>& corners, std::span<const CrownLayer> layers,
                 std::span<double> areasM2);

// Foliage of the triangles of one material. Without any: leafAreaM2 0, no layers. With `crown`, its layers and
// crownAreaM2 are those of `crown`, and leaf area outside them goes into the nearest layer.
Foliage measureFoliage(const Mesh& mesh, std::uint16_t leafMaterial,
                       const Foliage* crown = nullptr);

}  // namespace understory
