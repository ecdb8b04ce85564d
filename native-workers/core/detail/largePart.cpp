#include "core/detail/largePart.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

#include "core/detail/partCorners.h"
#include "core/detail/wholePart.h"

namespace understory {
namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

// Corners gathered into clusters, each with one place.
struct Clustered {
  std::vector<std::uint32_t> clusterOf;  // of each corner of the part
  std::vector<Vec3d> places;
};

struct Result {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint16_t> materials;
};

// What is left of the triangles: those with three clusters, each once.
Result trianglesBetween(const PartCorners& corners, const Clustered& clustered) {
  struct Entry {
    std::array<std::uint32_t, 3> sorted;
    std::uint32_t triangle;
  };
  std::vector<Entry> entries;
  for (std::uint32_t at = 0; at < corners.triangles.size(); ++at) {
    const auto& [a, b, c] = corners.triangles[at];
    std::array<std::uint32_t, 3> of{clustered.clusterOf[a], clustered.clusterOf[b],
                                    clustered.clusterOf[c]};
    if (of[0] == of[1] || of[1] == of[2] || of[2] == of[0]) continue;
    std::sort(of.begin(), of.end());
    entries.push_back({of, at});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.sorted != b.sorted ? a.sorted < b.sorted : a.triangle < b.triangle;
  });
  Result result;
  for (std::size_t at = 0; at < entries.size(); ++at) {
    if (at > 0 && entries[at].sorted == entries[at - 1].sorted) continue;
    const auto& [a, b, c] = corners.triangles[entries[at].triangle];
    result.triangles.push_back(
        {clustered.clusterOf[a], clustered.clusterOf[b], clustered.clusterOf[c]});
    result.materials.push_back(corners.materials[entries[at].triangle]);
  }
  return result;
}

double areaOf(const Clustered& clustered, const Result& result) {
  double sum = 0.0;
  for (const auto& [a, b, c] : result.triangles) {
    sum += 0.5 * length(cross(clustered.places[b] - clustered.places[a],
                              clustered.places[c] - clustered.places[a]));
  }
  return sum;
}

void add(const Boundsf& bounds, const Clustered& clustered, const Result& result, Mesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3d& place : clustered.places) {
    const Vec3f at = toFloat(place);
    mesh.vertices.push_back({std::clamp(at.x, bounds.min.x, bounds.max.x),
                             std::clamp(at.y, bounds.min.y, bounds.max.y),
                             std::clamp(at.z, bounds.min.z, bounds.max.z)});
  }
  for (const auto& [a, b, c] : result.triangles) {
    mesh.triangles.push_back({first + a, first + b, first + c});
  }
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), result.materials.begin(),
                                 result.materials.end());
}

// Long, and closed around: a trunk, a bough, a pole.
bool isStem(const MeshPart& part) {
  const double lengthM = length(toDouble(part.tipM - part.footM));
  return part.areaM2 < 0.8 * lengthM * lengthM &&
         length(toDouble(part.facing)) < 0.2 * part.areaM2;
}

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
    return std::min(rings_ - 1, static_cast<std::size_t>(shareOf(corner) * static_cast<double>(rings_)));
  }
  std::size_t sideOf(Vec3f corner, std::size_t ring) const {
    const Vec3d out = toDouble(corner) - middles_[ring];
    const double turn = std::atan2(dot(out, axes_.up), dot(out, axes_.right)) / (2.0 * piRad) + 0.5;
    // Why the shift: corners of regular rings shall not lie between two sides.
    const double shifted = turn + 0.25 / static_cast<double>(sides_);
    return static_cast<std::size_t>(shifted * static_cast<double>(sides_)) % sides_;
  }

  void gather(const PartCorners& corners) {
    std::vector<std::uint32_t> clusterAt(rings_ * sides_, none);
    std::vector<std::uint32_t> counts;
    clustered_.clusterOf.reserve(corners.places.size());
    for (const Vec3f& corner : corners.places) {
      const std::size_t ring = ringOf(corner);
      std::uint32_t& cluster = clusterAt[ring * sides_ + sideOf(corner, ring)];
      if (cluster == none) {
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

// How many triangles were added; 0: the stem cannot be told with so few.
std::size_t addStem(const MeshParts& all, const MeshPart& part, const PartCorners& corners,
                    std::size_t mostTriangles, Mesh& mesh) {
  const std::size_t sides = mostTriangles >= 240 ? 6 : mostTriangles >= 80 ? 4 : 3;
  const StemAxes axes = axesOf(part);
  for (std::size_t rings = mostTriangles / (2 * sides) + 1; rings >= 2; --rings) {
    StemRings stem(corners, axes, rings, sides);
    const Result result = trianglesBetween(corners, stem.clustered());
    if (result.triangles.size() > mostTriangles) continue;
    // Why several times: the factor is exact only where every triangle grows with the rings, and no faster.
    for (int time = 0; time < 5; ++time) {
      const double areaM2 = areaOf(stem.clustered(), result);
      if (areaM2 < 0.05 * part.areaM2) return 0;
      stem.widen(std::min(part.areaM2 / areaM2, 3.0));
    }
    add(all.bounds, stem.clustered(), result, mesh);
    return result.triangles.size();
  }
  return 0;
}

// One cluster for each cell that has corners. Its place is the corner farthest out, so that bounds and edges stay.
Clustered inCells(const PartCorners& corners, const Boundsf& bounds, double cellM) {
  const Vec3d from = toDouble(bounds.min);
  const Vec3d size = toDouble(bounds.max) - from;
  const auto outwards = [&](Vec3f corner) {
    const Vec3d at = toDouble(corner) - from;
    const auto share = [](double value, double whole) {
      return whole > 0.0 ? std::abs(2.0 * value / whole - 1.0) : 0.0;
    };
    return std::max({share(at.x, size.x), share(at.y, size.y), share(at.z, size.z)});
  };
  Clustered clustered;
  clustered.clusterOf.reserve(corners.places.size());
  std::unordered_map<std::uint64_t, std::uint32_t> clusterAt;
  std::vector<double> farthest;
  for (const Vec3f& corner : corners.places) {
    const Vec3d at = (toDouble(corner) - from) * (1.0 / cellM);
    const std::uint64_t cell = static_cast<std::uint64_t>(at.x) |
                               static_cast<std::uint64_t>(at.y) << 21U |
                               static_cast<std::uint64_t>(at.z) << 42U;
    const auto [known, isNew] =
        clusterAt.try_emplace(cell, static_cast<std::uint32_t>(clustered.places.size()));
    if (isNew) {
      clustered.places.push_back(toDouble(corner));
      farthest.push_back(outwards(corner));
    } else if (outwards(corner) > farthest[known->second]) {
      clustered.places[known->second] = toDouble(corner);
      farthest[known->second] = outwards(corner);
    }
    clustered.clusterOf.push_back(known->second);
  }
  return clustered;
}

// Twelve triangles around it.
std::size_t addBox(const Boundsf& bounds, std::uint16_t material, Mesh& mesh) {
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (std::uint32_t corner = 0; corner < 8; ++corner) {
    mesh.vertices.push_back({(corner & 1U) != 0 ? bounds.max.x : bounds.min.x,
                             (corner & 2U) != 0 ? bounds.max.y : bounds.min.y,
                             (corner & 4U) != 0 ? bounds.max.z : bounds.min.z});
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> faces{
      {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}}};
  for (const auto& [a, b, c, d] : faces) {
    mesh.triangles.push_back({first + a, first + b, first + c});
    mesh.triangles.push_back({first + a, first + c, first + d});
  }
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), 12, material);
  return 12;
}

std::size_t addSurface(const MeshParts& all, const MeshPart& part, const PartCorners& corners,
                       std::size_t mostTriangles, Mesh& mesh) {
  Boundsf bounds;
  for (const Vec3f& corner : corners.places) extend(bounds, corner);
  const Vec3f size = bounds.max - bounds.min;
  const double longestM = std::max({size.x, size.y, size.z});
  // Why: a cell that the surface passes has about two triangles.
  double cellM = std::sqrt(2.0 * part.areaM2 / static_cast<double>(mostTriangles));
  cellM = std::max(cellM, longestM / 1e6);
  Clustered best;
  Result bestResult;
  for (int time = 0; time < 12; ++time) {
    Clustered clustered = inCells(corners, bounds, cellM);
    Result result = trianglesBetween(corners, clustered);
    const double found = static_cast<double>(result.triangles.size());
    const double wanted = static_cast<double>(mostTriangles);
    if (result.triangles.size() > mostTriangles) {
      cellM *= 1.04 * std::sqrt(found / wanted);
      continue;
    }
    if (result.triangles.size() > bestResult.triangles.size()) {
      best = std::move(clustered);
      bestResult = std::move(result);
    }
    if (found > 0.7 * wanted || time >= 5) break;
    cellM *= std::max(0.5, 1.02 * std::sqrt(std::max(found, 1.0) / wanted));
  }
  if (areaOf(best, bestResult) < 0.3 * part.areaM2) return addBox(bounds, part.material, mesh);
  add(all.bounds, best, bestResult, mesh);
  return bestResult.triangles.size();
}

}  // namespace

std::size_t addLargePart(const MeshParts& all, const MeshPart& part, std::size_t mostTriangles,
                         Mesh& mesh) {
  if (part.triangles <= mostTriangles) {
    addWholePart(all, part, mesh);
    return part.triangles;
  }
  const PartCorners corners = cornersOf(all, part);
  if (isStem(part)) {
    const std::size_t added = addStem(all, part, corners, mostTriangles, mesh);
    if (added > 0) return added;
  }
  return addSurface(all, part, corners, mostTriangles, mesh);
}

}  // namespace understory
