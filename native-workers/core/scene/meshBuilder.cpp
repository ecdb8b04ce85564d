// Triangles without area are left out and counted.
#include "core/scene/meshBuilder.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.h"

namespace understory {

namespace {

bool isFinite(Vec3f p) { return std::isfinite(p.x) && std::isfinite(p.y) && std::isfinite(p.z); }

}  // namespace

bool isDegenerate(Vec3f a, Vec3f b, Vec3f c) {
  if (!isFinite(a) || !isFinite(b) || !isFinite(c)) return true;
  const Vec3d ab = toDouble(b) - toDouble(a);
  const Vec3d ac = toDouble(c) - toDouble(a);
  const Vec3d bc = toDouble(c) - toDouble(b);
  const double longest2 = std::max({dot(ab, ab), dot(ac, ac), dot(bc, bc)});
  const Vec3d normal = cross(ab, ac);  // its length is height times longest edge
  constexpr double smallestShare = 1e-6;
  return !(dot(normal, normal) > smallestShare * smallestShare * longest2 * longest2);
}

std::uint32_t MeshBuilder::addVertex(Vec3f positionM) {
  if (mesh.vertices.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw UnderstoryError(ErrorCode::badInput,
                          "a mesh has more vertices than 32-bit indices can name");
  }
  mesh.vertices.push_back(positionM);
  return static_cast<std::uint32_t>(mesh.vertices.size() - 1);
}

void MeshBuilder::addTriangle(std::uint32_t a, std::uint32_t b, std::uint32_t c,
                              std::uint16_t material) {
  const bool isRepeated = a == b || b == c || a == c;
  if (isRepeated || isDegenerate(mesh.vertices[a], mesh.vertices[b], mesh.vertices[c])) {
    ++degenerateTriangles;
    return;
  }
  if (meter != nullptr) meter->advanceTo(mesh.triangles.size());
  mesh.triangles.push_back({a, b, c});
  mesh.materialOfTriangle.push_back(material);
}

// Keeps the lists of mesh.textures, if there are any, as long as the triangles.
void MeshBuilder::paintLast(std::uint16_t paint, const std::array<Vec2f, 3>& coordinates) {
  MeshTextures& textures = mesh.textures;
  if (paint == Paint::none && textures.isEmpty()) return;
  textures.paintOfTriangle.resize(mesh.triangles.size(), Paint::none);
  textures.coordinatesOfTriangle.resize(mesh.triangles.size());
  textures.paintOfTriangle.back() = paint;
  textures.coordinatesOfTriangle.back() = coordinates;
}

bool MeshBuilder::addPolygon(std::span<const std::uint32_t> corners, std::uint16_t material,
                             std::uint16_t paint, std::span<const Vec2f> coordinates) {
  if (corners.size() == 3 && paint == Paint::none && mesh.textures.isEmpty()) {
    addTriangle(corners[0], corners[1], corners[2], material);
    return true;
  }
  polygon_.clear();
  for (const std::uint32_t corner : corners) polygon_.push_back(mesh.vertices[corner]);
  triangulate(polygon_, triangulation_);
  if (triangulation_.isTooLarge) return false;
  for (const auto& [a, b, c] : triangulation_.triangles) {
    const std::size_t before = mesh.triangles.size();
    addTriangle(corners[a], corners[b], corners[c], material);
    if (mesh.triangles.size() == before) continue;
    paintLast(paint, coordinates.empty()
                         ? std::array<Vec2f, 3>{}
                         : std::array<Vec2f, 3>{coordinates[a], coordinates[b], coordinates[c]});
  }
  nonPlanarFaces += triangulation_.isNonPlanar ? 1 : 0;
  selfIntersectingFaces += triangulation_.isSelfIntersecting ? 1 : 0;
  return true;
}

Boundsf boundsOf(const Mesh& mesh) {
  Boundsf bounds;
  for (const auto& triangle : mesh.triangles) {
    for (const std::uint32_t corner : triangle) extend(bounds, mesh.vertices[corner]);
  }
  return bounds;
}

}  // namespace understory
