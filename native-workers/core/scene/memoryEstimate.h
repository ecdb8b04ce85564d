// What a scene takes in memory, estimated from counts before anything large is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understory {

// A triangle with its share of vertices (about half of one to one), indices, material, and of Embree's
// tree: measured 100 to 150 bytes for static scenes with shared buffers, Embree 3.13.
inline constexpr std::uint64_t bytesPerTriangle = 180;
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
