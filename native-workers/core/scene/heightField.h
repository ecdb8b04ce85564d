// Terrain as a grid of heights: its triangles, and the height between its nodes on those very triangles.
// Every cell is split along the diagonal from south-west to north-east, as domain/truth/terrain.ts does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/scene/meshBuilder.h"

namespace understory {

struct HeightField {
  std::uint32_t columns = 0;  // nodes in x, at least 2
  std::uint32_t rows = 0;     // nodes in y, at least 2
  double originXM = 0.0;      // south-west node
  double originYM = 0.0;
  double stepXM = 1.0;
  double stepYM = 1.0;
  std::vector<float> heightsM;  // row by row from the south, x fastest
};

// 2 * (columns - 1) * (rows - 1) triangles, facing up.
MeshBuilder makeHeightField(const HeightField& field, std::uint16_t material);

// Height of the triangulated surface at a point; beyond the edge, that of the nearest edge point.
double heightAt(const HeightField& field, double xM, double yM);

}  // namespace understory
