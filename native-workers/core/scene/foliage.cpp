// Triangles cut into layers, hulls of what lies in each.
#include "core/scene/foliage.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/scene/scene.h"

namespace understory {

namespace {

struct PlanPoint {
  double x = 0.0;
  double y = 0.0;
};

double turn(PlanPoint a, PlanPoint b, PlanPoint c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// The convex hull, counter-clockwise (Andrew 1979).
std::vector<PlanPoint> hullOf(std::vector<PlanPoint> points) {
  std::sort(points.begin(), points.end(),
            [](PlanPoint a, PlanPoint b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
  if (points.size() < 3) return points;
  std::vector<PlanPoint> hull;
  for (int side = 0; side < 2; ++side) {
    const std::size_t first = hull.size();
    for (const PlanPoint point : points) {
      while (hull.size() >= first + 2 && turn(hull[hull.size() - 2], hull.back(), point) <= 0.0) {
        hull.pop_back();
      }
      hull.push_back(point);
    }
    hull.pop_back();  // where the other side starts
    std::reverse(points.begin(), points.end());
  }
  return hull;
}

double areaOf(const std::vector<PlanPoint>& polygon) {
  double twice = 0.0;
  for (std::size_t index = 2; index < polygon.size(); ++index) {
    twice += turn(polygon[0], polygon[index - 1], polygon[index]);
  }
  return 0.5 * twice;
}

// Points of which only the hull is wanted.
class GrowingHull {
 public:
  void add(PlanPoint point) {
    points_.push_back(point);
    if (points_.size() < 2 * kept_ + 4096) return;
    points_ = hullOf(std::move(points_));
    kept_ = points_.size();
  }
  std::vector<PlanPoint> take() { return hullOf(std::move(points_)); }

 private:
  std::vector<PlanPoint> points_;
  std::size_t kept_ = 0;
};

// A convex polygon of at most seven corners: a triangle cut by two planes.
struct Piece {
  std::array<Vec3d, 8> corners;
  std::size_t count = 0;

  void add(Vec3d corner) { corners[count++] = corner; }
};

// The part at or above heightM, or with `sign` -1 at or below.
Piece cutAt(const Piece& piece, double heightM, double sign) {
  Piece result;
  for (std::size_t index = 0; index < piece.count; ++index) {
    const Vec3d a = piece.corners[index];
    const Vec3d b = piece.corners[(index + 1) % piece.count];
    const double fromA = sign * (a.z - heightM);
    const double fromB = sign * (b.z - heightM);
    if (fromA >= 0.0) result.add(a);
    if ((fromA > 0.0 && fromB < 0.0) || (fromA < 0.0 && fromB > 0.0)) {
      result.add(a + (b - a) * (fromA / (fromA - fromB)));
    }
  }
  return result;
}

double areaOf(const Piece& piece) {
  Vec3d normal;
  for (std::size_t index = 2; index < piece.count; ++index) {
    normal = normal + cross(piece.corners[index - 1] - piece.corners[0],
                            piece.corners[index] - piece.corners[0]);
  }
  return 0.5 * length(normal);
}

// The index of the layer at a height; the first or last outside.
std::size_t layerAt(std::span<const CrownLayer> layers, double heightM) {
  const double step = layers[0].toM - layers[0].fromM;
  const double at = std::floor((heightM - layers[0].fromM) / step);
  return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(layers.size()) - 1.0));
}

// Calls use(layer, piece) for what each layer has of a triangle.
template <typename Use>
void forEachPiece(const std::array<Vec3f, 3>& corners, std::span<const CrownLayer> layers,
                  const Use& use) {
  Piece whole;
  for (const Vec3f corner : corners) whole.add(toDouble(corner));
  const auto [low, high] =
      std::minmax({whole.corners[0].z, whole.corners[1].z, whole.corners[2].z});
  const std::size_t first = layerAt(layers, low);
  const std::size_t last = layerAt(layers, high);
  for (std::size_t layer = first; layer <= last; ++layer) {
    Piece piece = whole;
    if (layer > first) piece = cutAt(piece, layers[layer].fromM, 1.0);
    if (layer < last) piece = cutAt(piece, layers[layer].toM, -1.0);
    if (piece.count > 2) use(layer, piece);
  }
}

std::array<Vec3f, 3> cornersOf(const Mesh& mesh, std::size_t triangle) {
  const auto& [a, b, c] = mesh.triangles[triangle];
  return {mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]};
}

std::vector<CrownLayer> emptyLayers(const Mesh& mesh, std::uint16_t leafMaterial) {
  double low = std::numeric_limits<double>::infinity();
  double high = -low;
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != leafMaterial) continue;
    for (const Vec3f corner : cornersOf(mesh, index)) {
      low = std::min(low, static_cast<double>(corner.z));
      high = std::max(high, static_cast<double>(corner.z));
    }
  }
  std::vector<CrownLayer> layers;
  if (!(low <= high)) return layers;
  // Leaves that all lie on one level have a crown of a micrometre.
  const double step = std::max(high - low, 1e-6) / crownLayers;
  for (std::size_t layer = 0; layer < crownLayers; ++layer) {
    const auto n = static_cast<double>(layer);
    layers.push_back({low + n * step, low + (n + 1.0) * step, 0.0, 0.0});
  }
  return layers;
}

// Areas of the layers' hulls, and of the hull of all.
void measureCrown(const Mesh& mesh, std::uint16_t leafMaterial, Foliage& foliage) {
  std::vector<GrowingHull> hulls(foliage.layers.size());
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != leafMaterial) continue;
    forEachPiece(cornersOf(mesh, index), foliage.layers,
                 [&](std::size_t layer, const Piece& piece) {
                   for (std::size_t corner = 0; corner < piece.count; ++corner) {
                     hulls[layer].add({piece.corners[corner].x, piece.corners[corner].y});
                   }
                 });
  }
  GrowingHull all;
  for (std::size_t layer = 0; layer < hulls.size(); ++layer) {
    const std::vector<PlanPoint> hull = hulls[layer].take();
    foliage.layers[layer].areaM2 = areaOf(hull);
    for (const PlanPoint point : hull) all.add(point);
  }
  foliage.crownAreaM2 = areaOf(all.take());
}

}  // namespace

double leafProjection(double zenithRad, double angleRad) {
  const double straight = std::cos(zenithRad) * std::cos(angleRad);
  const double across = std::sin(zenithRad) * std::sin(angleRad);
  if (straight >= across) return straight;
  // cos ψ = cot β · cot θ: half of the azimuths in which the beam meets the upper side.
  const double cosine = straight / across;
  const double psi = std::acos(cosine);
  const double tangentLessAngle = std::sqrt(1.0 - cosine * cosine) * across - psi * straight;
  return straight + 2.0 / piRad * tangentLessAngle;
}

double Foliage::crownVolumeM3() const {
  double volumeM3 = 0.0;
  for (const CrownLayer& layer : layers) volumeM3 += layer.areaM2 * (layer.toM - layer.fromM);
  return volumeM3;
}

void addToLayers(const std::array<Vec3f, 3>& corners, std::span<const CrownLayer> layers,
                 std::span<double> areasM2) {
  forEachPiece(corners, layers,
               [&](std::size_t layer, const Piece& piece) { areasM2[layer] += areaOf(piece); });
}

Foliage measureFoliage(const Mesh& mesh, std::uint16_t leafMaterial, const Foliage* crown) {
  Foliage foliage;
  if (crown == nullptr) {
    foliage.layers = emptyLayers(mesh, leafMaterial);
    if (foliage.layers.empty()) return foliage;
    measureCrown(mesh, leafMaterial, foliage);
  } else {
    foliage.layers = crown->layers;
    foliage.crownAreaM2 = crown->crownAreaM2;
  }
  std::vector<double> areasM2(foliage.layers.size(), 0.0);
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    if (mesh.materialOfTriangle[index] != leafMaterial) continue;
    const std::array<Vec3f, 3> corners = cornersOf(mesh, index);
    addToLayers(corners, foliage.layers, areasM2);
    const Vec3d normal = cross(toDouble(corners[1]) - toDouble(corners[0]),
                               toDouble(corners[2]) - toDouble(corners[0]));
    const double twiceM2 = length(normal);
    const double angleRad = std::acos(std::min(1.0, std::abs(normal.z) / twiceM2));
    const auto bin = static_cast<std::size_t>(angleRad / (0.5 * piRad) * leafAngleBins);
    foliage.leafAreaM2 += 0.5 * twiceM2;
    foliage.angleShares[std::min(bin, leafAngleBins - 1)] += 0.5 * twiceM2;
    for (std::size_t beam = 0; beam < foliage.projections.size(); ++beam) {
      const double zenithRad = projectionZenithsDeg[beam] * piRad / 180.0;
      foliage.projections[beam] += 0.5 * twiceM2 * leafProjection(zenithRad, angleRad);
    }
  }
  for (std::size_t layer = 0; layer < areasM2.size(); ++layer) {
    foliage.layers[layer].leafAreaM2 = areasM2[layer];
  }
  if (foliage.leafAreaM2 > 0.0) {
    for (double& share : foliage.angleShares) share /= foliage.leafAreaM2;
    for (double& projection : foliage.projections) projection /= foliage.leafAreaM2;
  }
  return foliage;
}

}  // namespace understory
