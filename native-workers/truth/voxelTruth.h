// Leaf and wood area of all plants in a grid of voxels, exact: every triangle is cut at the planes of the grid.
// Guarantees: the same numbers on any number of threads, since areas are summed as whole numbers of 2^-40 m².
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/contract.h"
#include "core/watch.h"
#include "jobs/tracedScene.h"
#include "truth/voxelPieces.h"

namespace understory {

using AreaUnits = std::int64_t;
inline constexpr double areaUnitM2 = 0x1.0p-40;

// Bytes that voxelTruth takes for a grid.
std::uint64_t voxelTruthBytes(const VoxelSpace& grid);

// By PlantPart.
template <typename Value>
using ByPart = std::array<Value, WordsOf<PlantPart>::words.size()>;
using ByZenith = std::array<double, bounds::zenithSteps>;

struct VoxelTruth {
  ByPart<std::vector<std::atomic<AreaUnits>>> areas;  // by voxel, VoxelSpace::indexOf
  std::vector<std::atomic<double>>
      topsM;  // world heights by column, j fastest; minus infinity: no plant
  ByPart<double> sumM2{};
  // Σ area · |cos of normal and beam| for a beam of each zenith angle, in the mean over its azimuths.
  ByPart<ByZenith> shownM2{};

  double areaM2(PlantPart part, std::size_t voxel) const {
    const auto units = areas[static_cast<std::size_t>(part)][voxel].load(std::memory_order_relaxed);
    return static_cast<double>(units) * areaUnitM2;
  }
};

// Zenith angle of a step, in the middle of as many equal parts of a right angle.
double zenithOfStep(std::size_t step);

// Phase 'voxels' in triangles of instances that reach into the grid. Throws 'cancelled'.
VoxelTruth voxelTruth(const TracedScene& scene, const VoxelSpace& grid, const Watch& watch);

}  // namespace understory
