// What a scene takes in memory, estimated from counts before anything large is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understory {

// A triangle: its share of vertices and indices, once in the scene and once in Embree while a model is
// built, and of Embree's tree; 96 bytes of them are Embree's (3.13.5, measured on the sample plants).
inline constexpr std::uint64_t bytesPerTriangle = 140;
// An instance: its row in the scene, Embree's geometry object and its share of the top-level tree
// (770 MB for two million in Embree 3.13).
inline constexpr std::uint64_t bytesPerInstance = 480;

constexpr std::uint64_t estimateModelBytes(std::uint64_t triangles) {
  return triangles * bytesPerTriangle;
}
constexpr std::uint64_t estimateInstanceBytes(std::uint64_t instances) {
  return instances * bytesPerInstance;
}

}  // namespace understory
