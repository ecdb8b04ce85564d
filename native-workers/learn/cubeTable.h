// Marching cubes (Lorensen and Cline 1987): which edges of a cube the triangles of its 256 cases join. The table is
// computed and not copied: on each face the lines cut off the corners inside, so that neighbouring cubes meet.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace understory {

// Corner c lies at (c & 1, c >> 1 & 1, c >> 2 & 1). Edge 4·axis + i runs along `axis` from its lower corner.
struct CubeEdge {
  std::uint8_t corner;  // the lower one
  std::uint8_t axis;
};
const std::array<CubeEdge, 12>& cubeEdges();

// Triangles of a case as edges; bit c of the case: corner c is inside. Their normals point to the outside.
const std::vector<std::array<std::uint8_t, 3>>& cubeTriangles(std::uint8_t cubeCase);

}  // namespace understory
