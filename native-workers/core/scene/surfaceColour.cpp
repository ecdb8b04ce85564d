// The place on the triangle, from the place in the world.
#include "core/scene/surfaceColour.h"

#include <cmath>

namespace understory {

namespace {

// Shares of the second and third corner at the foot of a point on the triangle's plane.
std::array<float, 2> sharesAt(const Mesh& mesh, std::uint32_t triangle, Vec3d point) {
  const auto& [first, second, third] = mesh.triangles[triangle];
  const Vec3d a = toDouble(mesh.vertices[first]);
  const Vec3d ab = toDouble(mesh.vertices[second]) - a;
  const Vec3d ac = toDouble(mesh.vertices[third]) - a;
  const Vec3d normal = cross(ab, ac);
  const double squared = dot(normal, normal);
  const Vec3d ap = point - a;
  return {static_cast<float>(dot(cross(ap, ac), normal) / squared),
          static_cast<float>(dot(cross(ab, ap), normal) / squared)};
}

}  // namespace

std::optional<std::array<std::uint8_t, 3>> paintedColour(const Scene& scene, std::uint32_t instance,
                                                         std::uint32_t triangle, Vec3d pointM) {
  const Instance placed = scene.instanceAt(instance);
  const Mesh& mesh = scene.models[placed.model].mesh;
  if (!mesh.textures.isPainted(triangle)) return std::nullopt;
  const Paint& paint = mesh.textures.paints[mesh.textures.paintOfTriangle[triangle]];
  if (paint.colour == Paint::none) return std::nullopt;
  const Vec3d inModel =
      rotate(conjugate(placed.rotation), (pointM - placed.positionM) * (1.0 / placed.scale));
  const auto [u, v] = sharesAt(mesh, triangle, inModel);
  const auto& texel =
      mesh.textures.images[paint.colour].at(mesh.textures.coordinatesAt(triangle, u, v));
  return std::array<std::uint8_t, 3>{texel[0], texel[1], texel[2]};
}

std::array<std::uint8_t, 3> surfaceColour(const Scene& scene, std::uint32_t instance,
                                          std::uint32_t triangle, std::uint16_t material,
                                          Vec3d pointM) {
  if (const auto painted = paintedColour(scene, instance, triangle, pointM)) return *painted;
  const auto byteOf = [](float share) {
    return static_cast<std::uint8_t>(std::lround(255.0F * share));
  };
  const std::array<float, 3>& colour = scene.materials[material].colourRgb;
  return {byteOf(colour[0]), byteOf(colour[1]), byteOf(colour[2])};
}

}  // namespace understory
