// Memory of a scene, estimated from counts before anything large is allocated.
#pragma once

#include <cstddef>
#include <cstdint>

namespace understory {

// A triangle at the height of a build: Embree's buffers and tree (3.13.5, robust, measured with its
// memory monitor: 108 bytes for a grid, 145 for loose triangles, which share no vertex; 75 and 111 remain)
// and its material.
inline constexpr std::uint64_t bytesPerTriangle = 150;
// A learned element: what its file says of it (70), its form for lines (40), Embree's box and its share of the tree
// while it is built (100).
inline constexpr std::uint64_t bytesPerElement = 210;
// An instance: its row in the scene (72), what shades it (64), Embree's geometry object (288 of resident
// memory, which the monitor does not see) and its share of the top-level tree (130, while building 163).
inline constexpr std::uint64_t bytesPerInstance = 590;

constexpr std::uint64_t estimateModelBytes(std::uint64_t triangles) {
  return triangles * bytesPerTriangle;
}
constexpr std::uint64_t estimateElementBytes(std::uint64_t elements) {
  return elements * bytesPerElement;
}
constexpr std::uint64_t estimateInstanceBytes(std::uint64_t instances) {
  return instances * bytesPerInstance;
}

}  // namespace understory
