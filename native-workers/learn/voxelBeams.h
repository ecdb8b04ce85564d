// Beams through a grid of voxels: the sums that estimators of leaf area density are made of (PHYSICS.md, 2.14). Sums are
// whole numbers, so that they have no order. Beams that are parts of pulses count as their share of a pulse.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "contract/contract.h"
#include "core/log/beams.h"
#include "core/maths/maths.h"
#include "core/watch.h"

namespace understory {

// Cubes, k fastest, then j, then i.
struct CubeGrid {
  Vec3d minM;
  double voxelM = 1.0;
  std::array<std::uint32_t, 3> split{};  // cubes along x, y, z

  std::uint64_t voxels() const { return std::uint64_t{split[0]} * split[1] * split[2]; }
  std::uint64_t indexOf(const std::array<std::uint32_t, 3>& voxel) const {
    return (std::uint64_t{voxel[0]} * split[1] + voxel[1]) * split[2] + voxel[2];
  }
};

struct VoxelBeamsOptions {
  CubeGrid grid;
  // Mean projection G of one-sided leaf area by the beam's zenith angle, 0 to 90° in steps of 1°.
  std::array<double, bounds::projectionSteps> projection{};
  double leafAreaM2 = 0.0;  // of one leaf; 0: leaves are small
};

// Sums of a voxel over beams, each times its share of a pulse.
enum class VoxelSum : std::size_t {
  beams,  // 1 for each beam that entered
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

  // Bytes of a grid.
  static std::uint64_t bytesOf(const CubeGrid& grid) { return grid.voxels() * sizeof(Sums); }

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

  struct Line;
  void addBeam(const Beams& beams, std::size_t beam, Vec3d originM);
  void addLine(const Line& line);
  void addPiece(const Line& line, std::size_t voxel, double fromM, double toM);
  double projectionOf(Vec3d direction) const;

  VoxelBeamsOptions options_;
  double minRangeM_ = 0.0;
  double maxRangeM_ = std::numeric_limits<double>::infinity();
  std::vector<Sums> sums_;
};

}  // namespace understory
