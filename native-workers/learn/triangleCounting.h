// Permeability of triangles. Rule `ellipsoid`, the papers' (Browning 2012, 3.3.2): a beam is a hit of every triangle that it
// crosses within Δ_r of its range, a miss of those that it crosses and ends farther behind. Rule `owner`: balancedCounts.h, where
// a return is of the triangle that its line crosses nearest to it, within four Δ_r.
#pragma once

#include <vector>

#include "learn/boxTree.h"
#include "learn/counting.h"
#include "learn/surface.h"

namespace understory {

// Triangles with their tree.
class Triangles {
 public:
  Triangles() = default;
  explicit Triangles(TriangleMesh mesh);

  std::size_t size() const { return mesh_.triangles.size(); }
  const TriangleMesh& mesh() const { return mesh_; }
  // Unit; towards the sensor.
  Vec3d normalOf(std::size_t triangle) const;

  // Calls visit(triangle, rangeM) for each triangle that a line crosses up to `maxM`, from either side, in no useful
  // order.
  template <typename Visit>
  void alongLine(Vec3f originM, Vec3f direction, double maxM, Visit&& visit) const {
    const Vec3d from = toDouble(originM);
    const Vec3d along = toDouble(direction);
    tree_.alongLine(originM, direction, static_cast<float>(maxM) * 1.000001F,
                    [&](std::uint32_t triangle) {
                      const double rangeM = crossing(triangle, from, along);
                      if (rangeM > 0.0 && rangeM <= maxM) visit(triangle, rangeM);
                    });
  }

 private:
  // Range of the crossing; negative: there is none.
  double crossing(std::size_t triangle, Vec3d originM, Vec3d direction) const;

  TriangleMesh mesh_;
  BoxTree tree_;
};

struct TriangleCounts : BeamCounts {
  std::vector<double> reflectance;  // Σ ρ / Σ cos θ of the hits; NaN: none has one that is known
  std::vector<std::uint32_t>
      ownerOf;  // by beam: a triangle that its return is a hit of, or noGroup
};

struct TriangleCounting {
  CountingRule rule = CountingRule::owner;
  double offsetM = 0.5;           // Δ_r
  double noiseM = 0.0;            // range noise of surfaces σ0, for the rule `owner`
  double intensityOfWhite = 0.0;  // 0: unknown
};

TriangleCounts countOnTriangles(const Beams& beams, const Triangles& triangles,
                                const TriangleCounting& counting, const BeamReach& reach,
                                const Watch& watch);

}  // namespace understory
