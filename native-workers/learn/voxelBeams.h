// Beams through a grid of voxels: the sums that estimators of leaf area density are made of (PHYSICS.md, 2.14). Sums are
// whole numbers, so that they have no order. Beams that are parts of pulses count as their share of a pulse.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "core/log/beams.h"
#include "core/maths/maths.h"
#include "core/voxels/leafLaw.h"
#include "core/voxels/voxelSpace.h"
#include "core/watch.h"

namespace understory {

struct VoxelBeamsOptions {
  VoxelSpace space;  // of cubes
  LeafLaw leaves;
  double oneLeafM2 = 0.0;  // 0: leaves are small
};

// Sums of a voxel over beams, each times its share of a pulse.
enum class VoxelSum : std::size_t {
  beams,  // 1 for each beam that entered
  lines,  // 1 for each whose line crosses it, also where the beam ended before
  hits,   // 1 for each that met an element
  path,   // z, its length up to its end
  line,   // L, of the lines of all beams, also of those that ended before
  free,   // G·z
  effective,  // G·zₑ, zₑ = −ln(1 − λ₁·z)/λ₁, λ₁ = G·(area of a leaf)/(volume of the voxel)
  hitEffective,  // G·zₑ of those that met an element
  potential,     // G·L of those that entered
  count,
};

class VoxelBeams {
 public:
  explicit VoxelBeams(const VoxelBeamsOptions& options);

  static std::uint64_t bytesOf(const VoxelSpace& space) { return space.voxels() * sizeof(Sums); }

  // Beams that are added are followed from the one to the other, which may be infinite.
  void setRange(double minRangeM, double maxRangeM) {
    minRangeM_ = minRangeM;
    maxRangeM_ = maxRangeM;
  }
  // Adds beams whose origins are relative to `originM` of the world. Throws 'cancelled'.
  void add(const Beams& beams, Vec3d originM, const Watch& watch);

  double sum(std::size_t voxel, VoxelSum sum) const;

 private:
  using Sums = std::array<std::atomic<std::uint64_t>, static_cast<std::size_t>(VoxelSum::count)>;

  struct Passing;
  void addBeam(const Beams& beams, std::size_t beam, Vec3d originM);
  void addPiece(const Passing& beam, std::size_t voxel, double fromM, double toM);

  VoxelBeamsOptions options_;
  double minRangeM_ = 0.0;
  double maxRangeM_ = std::numeric_limits<double>::infinity();
  std::vector<Sums> sums_;
};

}  // namespace understory
