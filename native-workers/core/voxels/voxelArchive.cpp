// Voxels from arrays of NumPy, by the names of src-main/contract/worker/voxelArrays.ts.
#include <algorithm>
#include <cmath>

#include "core/scene/readers/npzArchive.h"
#include "core/voxels/voxelGrid.h"

namespace understory {
namespace {

bool areFinite(const NpyArray& array) {
  for (std::uint64_t index = 0; index < array.size(); ++index) {
    if (!std::isfinite(array[index])) return false;
  }
  return true;
}

}  // namespace

VoxelGrid readVoxelArchive(std::string_view bytes, const std::string& file, const Watch& watch) {
  namespace at = columns::voxelArrays;
  const NpzArchive archive(bytes, file);
  VoxelGrid grid;
  const NpyArray corner = archive.read(at::minM.name, 3);
  if (corner.size() != 3 || !areFinite(corner))
    throw badArray(file, at::minM.name, "three numbers");
  grid.space.minM = {corner[0], corner[1], corner[2]};
  const NpyArray edges = archive.read(at::voxelM.name, 3);
  if ((edges.size() != 1 && edges.size() != 3) || !areFinite(edges)) {
    throw badArray(file, at::voxelM.name, "one edge of all voxels, or three");
  }
  constexpr auto density = at::plantAreaDensityM2PerM3;
  const NpyArray densities = archive.read(density.name, maxVoxels);
  if (densities.shape().size() != 3 || densities.size() == 0) {
    throw badArray(file, density.name, "three axes: voxels by x, y and z");
  }
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edgeM = edges[edges.size() == 1 ? 0 : axis];
    if (!(edgeM > 0.0)) throw badArray(file, at::voxelM.name, "edges above 0");
    grid.space.voxelM[axis] = edgeM;
    grid.space.split[axis] = static_cast<std::uint32_t>(densities.shape()[axis]);
  }
  Meter meter(watch, "reading", densities.size());
  grid.densityPerM.resize(densities.size());
  for (std::uint64_t voxel = 0; voxel < densities.size(); ++voxel) {
    meter.advanceTo(voxel);
    const double found = densities[voxel];
    if (found < 0.0 || std::isinf(found)) {
      throw badArray(file, density.name, "densities of at least 0, found " + std::to_string(found));
    }
    grid.densityPerM[voxel] = std::isnan(found) ? 0.0F : static_cast<float>(found);
  }
  return grid;
}

}  // namespace understory
