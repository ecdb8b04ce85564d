// One part as a mesh of its own: its corners, each once, and triangles between them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/detail/meshParts.h"

namespace understory {

struct PartCorners {
  std::vector<Vec3f> places;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint16_t> materials;
};

PartCorners cornersOf(const MeshParts& all, const MeshPart& part);

}  // namespace understory
