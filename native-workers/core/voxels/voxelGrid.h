// Vegetation as leaf area density on a grid: what a voxel model is (PHYSICS.md, 2.11).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/voxels/leafLaw.h"
#include "core/voxels/voxelSpace.h"
#include "core/watch.h"

namespace understory {

struct VoxelGrid {
  VoxelSpace space;                // relative to the origin of the model
  std::vector<float> densityPerM;  // one-sided leaf area, m2/m3; by VoxelSpace::indexOf
};

struct VoxelModel {
  VoxelGrid grid;
  double leafSizeM =
      0.05;  // diameter; the closer rays of a pulse are, the more often they meet the same leaf
  LeafLaw leaves;
};

inline constexpr std::size_t maxVoxels = std::size_t{1} << 30U;

// A grid from the bytes of a file: an archive of NumPy (readVoxelArchive), the text of a .vox file of AMAPvox (first line
// `VOXEL SPACE`, then `#min_corner:`, `#max_corner:`, `#split:`, a line of names, and rows), or a table (CSV) whose first
// row names columns i, j, k, x_m, y_m, z_m (the middle of the voxel). The density is the column whose name begins with
// Pad, or is plant_area_density_m2_per_m3; NaN in it is 0. `file`: its name for errors. Throws 'bad-input' with the line
// and what was expected; 'cancelled'.
VoxelGrid readVoxels(std::string_view bytes, const std::string& file, const Watch& watch);

// The same from an archive (.npz) of the arrays of src-main/contract/worker/voxelArrays.ts; errors name the array.
VoxelGrid readVoxelArchive(std::string_view bytes, const std::string& file, const Watch& watch);

}  // namespace understory
