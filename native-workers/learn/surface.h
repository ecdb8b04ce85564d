// The Surface model: an implicit surface of the returns by robust implicit moving least squares (Öztireli et al. 2009) on
// the nodes of a grid, and its triangles by marching cubes (Browning 2012, 3.3.2).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "learn/cellCloud.h"

namespace understory {

struct SurfaceOptions {
  double gridM = 0.3;               // s
  double kernelM = 0.4;             // K_s
  std::uint32_t minNeighbours = 3;  // nodes with fewer points within the kernel have no value
};

struct TriangleMesh {
  std::vector<Vec3f> verticesM;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // normals towards the sensor
};

// Cells of the clouds that surfaces are computed from, for a kernel.
inline double cellOfKernel(double kernelM) { return kernelM / 6.0; }

// A pure function of its arguments.
TriangleMesh surfaceOf(const CellCloud& cloud, const std::vector<Vec3f>& normals,
                       const SurfaceOptions& options, const Watch& watch);

}  // namespace understory
