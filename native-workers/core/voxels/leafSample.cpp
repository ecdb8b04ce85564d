// Leaves at equal steps of leaf area through the grid, anywhere in their voxels.
#include "core/voxels/leafSample.h"

#include <algorithm>
#include <cmath>

#include "core/plants/leafAngles.h"
#include "core/random/philox.h"

namespace understory {

Mesh leafSample(const VoxelModel& model, std::size_t maxTriangles, std::uint16_t material) {
  const VoxelGrid& grid = model.grid;
  const VoxelSpace& space = grid.space;
  const auto& [edgeX, edgeY, edgeZ] = space.voxelM;
  const double voxelM3 = edgeX * edgeY * edgeZ;
  double areaM2 = 0.0;
  for (const float density : grid.densityPerM) areaM2 += static_cast<double>(density) * voxelM3;
  const double leaves =
      std::clamp(std::ceil(areaM2 / (model.leafSizeM * model.leafSizeM)), 1.0,
                 std::max(1.0, std::floor(0.5 * static_cast<double>(maxTriangles))));
  const double leafM2 = areaM2 / leaves;
  const double halfM = 0.5 * std::sqrt(leafM2);
  Mesh mesh;
  std::uint32_t leaf = 0;
  double before = 0.0;
  for (std::size_t voxel = 0; voxel < grid.densityPerM.size(); ++voxel) {
    before += static_cast<double>(grid.densityPerM[voxel]) * voxelM3;
    const std::size_t k = voxel % space.split[2];
    const std::size_t j = voxel / space.split[2] % space.split[1];
    const std::size_t i = voxel / space.split[2] / space.split[1];
    for (; leafM2 * (leaf + 0.5) <= before; ++leaf) {
      const auto place = pulseBlock(0, RandomPurpose::voxelLeaf, 0, leaf, 0);
      const auto turn = pulseBlock(0, RandomPurpose::voxelLeaf, 0, leaf, 1);
      const auto share = [](std::uint32_t word) { return 0x1.0p-32 * word; };
      const Vec3d middleM{space.minM.x + edgeX * (static_cast<double>(i) + share(place[0])),
                          space.minM.y + edgeY * (static_cast<double>(j) + share(place[1])),
                          space.minM.z + edgeZ * (static_cast<double>(k) + share(place[2]))};
      const double tiltRad = leafAngleAt(model.leaves.law(), share(turn[0]));
      const double azimuthRad = 2.0 * piRad * share(turn[1]);
      const Quatd rotation =
          rotationAbout({0.0, 0.0, 1.0}, azimuthRad) * rotationAbout({0.0, 1.0, 0.0}, tiltRad);
      const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
      for (const auto& [x, y] : {std::array{-1.0, -1.0}, {1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}}) {
        mesh.vertices.push_back(toFloat(middleM + rotate(rotation, {x * halfM, y * halfM, 0.0})));
      }
      mesh.triangles.push_back({first, first + 1, first + 2});
      mesh.triangles.push_back({first, first + 2, first + 3});
      mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), 2, material);
    }
  }
  return mesh;
}

}  // namespace understory
