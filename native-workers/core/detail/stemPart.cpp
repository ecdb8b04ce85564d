// Rings of corners, and the triangles between them.
#include "core/detail/stemPart.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/detail/clusters.h"

namespace understory {
namespace {

constexpr std::uint32_t noCluster = std::numeric_limits<std::uint32_t>::max();

// A stem's axis and two directions across it.
struct StemAxes {
  Vec3d foot, along, right, up;
  double lengthM;
};

StemAxes axesOf(const MeshPart& part) {
  StemAxes axes;
  axes.foot = toDouble(part.footM);
  const Vec3d way = toDouble(part.tipM) - axes.foot;
  axes.lengthM = length(way);
  axes.along = way * (1.0 / axes.lengthM);
  const Vec3d other = std::abs(axes.along.z) < 0.9 ? Vec3d{0.0, 0.0, 1.0} : Vec3d{1.0, 0.0, 0.0};
  axes.right = normalized(cross(other, axes.along));
  axes.up = cross(axes.along, axes.right);
  return axes;
}

// Rings of `sides` clusters: by slice along the axis, and by the side of the slice's middle that a corner is on.
class StemRings {
 public:
  StemRings(const PartCorners& corners, const StemAxes& axes, std::size_t rings, std::size_t sides)
      : axes_(axes), rings_(rings), sides_(sides), middles_(rings), corners_(rings) {
    for (const Vec3f& corner : corners.places) {
      const std::size_t ring = ringOf(corner);
      middles_[ring] = middles_[ring] + toDouble(corner);
      ++corners_[ring];
    }
    for (std::size_t ring = 0; ring < rings; ++ring) {
      if (corners_[ring] > 0) {
        middles_[ring] = middles_[ring] * (1.0 / static_cast<double>(corners_[ring]));
      }
    }
    gather(corners);
    reachEnds(corners);
  }

  const Clustered& clustered() const { return clustered_; }

  // Widens every ring by a factor.
  void widen(double factor) {
    for (std::size_t at = 0; at < clustered_.places.size(); ++at) {
      const Vec3d middle = middles_[ringOfCluster_[at]];
      const Vec3d out = clustered_.places[at] - middle;
      const Vec3d lengthwise = axes_.along * dot(out, axes_.along);
      clustered_.places[at] = middle + lengthwise + (out - lengthwise) * factor;
    }
  }

 private:
  double shareOf(Vec3f corner) const {
    return std::clamp(dot(toDouble(corner) - axes_.foot, axes_.along) / axes_.lengthM, 0.0, 1.0);
  }
  std::size_t ringOf(Vec3f corner) const {
    return std::min(rings_ - 1,
                    static_cast<std::size_t>(shareOf(corner) * static_cast<double>(rings_)));
  }
  std::size_t sideOf(Vec3f corner, std::size_t ring) const {
    const Vec3d out = toDouble(corner) - middles_[ring];
    const double turn = std::atan2(dot(out, axes_.up), dot(out, axes_.right)) / (2.0 * piRad) + 0.5;
    // Why the shift: corners of regular rings must not lie between two sides.
    const double shifted = turn + 0.25 / static_cast<double>(sides_);
    return static_cast<std::size_t>(shifted * static_cast<double>(sides_)) % sides_;
  }

  void gather(const PartCorners& corners) {
    std::vector<std::uint32_t> clusterAt(rings_ * sides_, noCluster);
    std::vector<std::uint32_t> counts;
    clustered_.clusterOf.reserve(corners.places.size());
    for (const Vec3f& corner : corners.places) {
      const std::size_t ring = ringOf(corner);
      std::uint32_t& cluster = clusterAt[ring * sides_ + sideOf(corner, ring)];
      if (cluster == noCluster) {
        cluster = static_cast<std::uint32_t>(counts.size());
        counts.push_back(0);
        clustered_.places.emplace_back();
        ringOfCluster_.push_back(ring);
      }
      clustered_.clusterOf.push_back(cluster);
      clustered_.places[cluster] = clustered_.places[cluster] + toDouble(corner);
      ++counts[cluster];
    }
    for (std::size_t at = 0; at < counts.size(); ++at) {
      clustered_.places[at] = clustered_.places[at] * (1.0 / counts[at]);
    }
  }

  // The first and the last ring move outwards to where the stem ends.
  void reachEnds(const PartCorners& corners) {
    double least = 1.0;
    double most = 0.0;
    for (const Vec3f& corner : corners.places) {
      least = std::min(least, shareOf(corner));
      most = std::max(most, shareOf(corner));
    }
    for (std::size_t at = 0; at < clustered_.places.size(); ++at) {
      const std::size_t ring = ringOfCluster_[at];
      if (ring != 0 && ring != rings_ - 1) continue;
      const double share = dot(clustered_.places[at] - axes_.foot, axes_.along) / axes_.lengthM;
      const double shiftM = ((ring == 0 ? least : most) - share) * axes_.lengthM;
      clustered_.places[at] = clustered_.places[at] + axes_.along * shiftM;
    }
    for (const std::size_t ring : {std::size_t{0}, rings_ - 1}) {
      const double share = dot(middles_[ring] - axes_.foot, axes_.along) / axes_.lengthM;
      const double shiftM = ((ring == 0 ? least : most) - share) * axes_.lengthM;
      middles_[ring] = middles_[ring] + axes_.along * shiftM;
    }
  }

  const StemAxes axes_;
  std::size_t rings_;
  std::size_t sides_;
  std::vector<Vec3d> middles_;
  std::vector<std::size_t> corners_;
  std::vector<std::size_t> ringOfCluster_;
  Clustered clustered_;
};

}  // namespace

bool isStem(const MeshPart& part) {
  const double lengthM = length(toDouble(part.tipM - part.footM));
  return part.areaM2 < 0.8 * lengthM * lengthM && length(toDouble(part.facing)) < 0.2 * part.areaM2;
}

std::size_t addStem(const MeshParts& all, const MeshPart& part, const PartCorners& corners,
                    std::size_t maxTriangles, Mesh& mesh) {
  const std::size_t sides = maxTriangles >= 240 ? 6 : maxTriangles >= 80 ? 4 : 3;
  const StemAxes axes = axesOf(part);
  for (std::size_t rings = maxTriangles / (2 * sides) + 1; rings >= 2; --rings) {
    StemRings stem(corners, axes, rings, sides);
    const ClusteredTriangles result = trianglesBetween(corners, stem.clustered());
    if (result.triangles.size() > maxTriangles) continue;
    // Why several times: the factor is exact only where every triangle grows with the rings, and no faster.
    for (int time = 0; time < 5; ++time) {
      const double areaM2 = areaOf(stem.clustered(), result);
      if (areaM2 < 0.05 * part.areaM2) return 0;
      stem.widen(std::min(part.areaM2 / areaM2, 3.0));
    }
    addClustered(all.bounds, stem.clustered(), result, mesh);
    return result.triangles.size();
  }
  return 0;
}

}  // namespace understory
