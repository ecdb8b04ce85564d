// Voxels along a line by Amanatides and Woo 1987.
#include "learn/voxelBeams.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/parallel.h"

namespace understory {
namespace {

constexpr double unitsPerOne = 0x1p32;
constexpr double infinity = std::numeric_limits<double>::infinity();

// Few, so that a chunk of a log keeps all threads busy.
constexpr std::size_t pieceOfVoxelBeams = 1024;

void addTo(std::atomic<std::uint64_t>& sum, double value) {
  sum.fetch_add(static_cast<std::uint64_t>(std::llround(value * unitsPerOne)),
                std::memory_order_relaxed);
}

}  // namespace

struct VoxelBeams::Line {
  std::array<double, 3> start{};      // in voxels
  std::array<double, 3> direction{};  // in voxels a metre
  double fromM = 0.0;
  double toM = 0.0;
  double endM = 0.0;   // of the beam, in front of or behind `toM`
  double share = 1.0;  // of its pulse
  bool isHit = false;  // has met an element at its end
  double projection = 0.0;

  // The part of the line in the grid; false: there is none.
  bool clip(const std::array<std::uint32_t, 3>& split) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto high = static_cast<double>(split[axis]);
      if (direction[axis] == 0.0) {
        if (!(start[axis] >= 0.0 && start[axis] < high)) return false;
        continue;
      }
      const double atLow = -start[axis] / direction[axis];
      const double atHigh = (high - start[axis]) / direction[axis];
      fromM = std::max(fromM, std::min(atLow, atHigh));
      toM = std::min(toM, std::max(atLow, atHigh));
    }
    return fromM < toM;
  }
};

VoxelBeams::VoxelBeams(const VoxelBeamsOptions& options)
    : options_(options), sums_(options.grid.voxels()) {}

double VoxelBeams::sum(std::size_t voxel, VoxelSum sum) const {
  return static_cast<double>(sums_[voxel][static_cast<std::size_t>(sum)].load()) / unitsPerOne;
}

void VoxelBeams::add(const Beams& beams, Vec3d originM, const Watch& watch) {
  inPieces(beams.size(), pieceOfVoxelBeams, {{}, watch.isCancelled}, "beams",
           [&](std::size_t from, std::size_t to) {
             for (std::size_t beam = from; beam < to; ++beam) addBeam(beams, beam, originM);
           });
}

void VoxelBeams::addBeam(const Beams& beams, std::size_t beam, Vec3d originM) {
  const bool isReturn = beams.isReturn(beam);
  if (!isReturn && !beams.isMiss(beam)) return;
  const CubeGrid& grid = options_.grid;
  const Vec3d direction = toDouble(beams.direction[beam]);
  const Vec3d startM = toDouble(beams.originM[beam]) + originM - grid.minM;
  Line line;
  line.start = {startM.x / grid.voxelM, startM.y / grid.voxelM, startM.z / grid.voxelM};
  line.direction = {direction.x / grid.voxelM, direction.y / grid.voxelM,
                    direction.z / grid.voxelM};
  line.fromM = minRangeM_;
  line.toM = maxRangeM_;
  line.endM = isReturn ? static_cast<double>(beams.rangeM[beam]) : infinity;
  const bool isSurface =
      !beams.label.empty() && static_cast<BeamLabel>(beams.label[beam]) == BeamLabel::surface;
  line.isHit = isReturn && !isSurface;
  if (!beams.share.empty()) line.share = static_cast<double>(beams.share[beam]);
  line.projection = projectionOf(direction);
  if (line.clip(grid.split)) addLine(line);
}

double VoxelBeams::projectionOf(Vec3d direction) const {
  const double rise = std::min(1.0, std::abs(direction.z));
  const double zenithDeg = std::acos(rise) * (180.0 / piRad);
  const auto below = std::min(static_cast<std::size_t>(zenithDeg), options_.projection.size() - 2);
  const double part = zenithDeg - static_cast<double>(below);
  return options_.projection[below] * (1.0 - part) + options_.projection[below + 1] * part;
}

void VoxelBeams::addLine(const Line& line) {
  const std::array<std::uint32_t, 3>& split = options_.grid.split;
  std::array<std::uint32_t, 3> voxel{};
  std::array<double, 3> nextM{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double at = line.start[axis] + line.direction[axis] * line.fromM;
    voxel[axis] = static_cast<std::uint32_t>(
        std::clamp(std::floor(at), 0.0, static_cast<double>(split[axis]) - 1.0));
    const double plane =
        static_cast<double>(voxel[axis]) + (line.direction[axis] > 0.0 ? 1.0 : 0.0);
    nextM[axis] =
        line.direction[axis] == 0.0 ? infinity : (plane - line.start[axis]) / line.direction[axis];
  }
  double fromM = line.fromM;
  while (fromM < line.toM) {
    const auto axis = static_cast<std::size_t>(std::ranges::min_element(nextM) - nextM.begin());
    const double toM = std::clamp(nextM[axis], fromM, line.toM);
    addPiece(line, options_.grid.indexOf(voxel), fromM, toM);
    fromM = toM;
    const bool isUp = line.direction[axis] > 0.0;
    if (isUp ? voxel[axis] + 1 == split[axis] : voxel[axis] == 0) return;
    voxel[axis] += isUp ? 1U : ~0U;
    const double plane = static_cast<double>(voxel[axis]) + (isUp ? 1.0 : 0.0);
    nextM[axis] = (plane - line.start[axis]) / line.direction[axis];
  }
}

// A beam that ends in the plane between two voxels has met what is in the farther one.
void VoxelBeams::addPiece(const Line& line, std::size_t voxel, double fromM, double toM) {
  const double lengthM = toM - fromM;
  if (!(lengthM > 0.0)) return;
  Sums& sums = sums_[voxel];
  const auto add = [&](VoxelSum sum, double value) {
    addTo(sums[static_cast<std::size_t>(sum)], line.share * value);
  };
  add(VoxelSum::line, lengthM);
  if (line.endM < fromM) return;
  const double pathM = std::min(line.endM, toM) - fromM;
  const double voxelM3 = options_.grid.voxelM * options_.grid.voxelM * options_.grid.voxelM;
  const double ofLeaf = line.projection * options_.leafAreaM2 / voxelM3;
  const double effectiveM = ofLeaf > 0.0 ? -std::log1p(-ofLeaf * pathM) / ofLeaf : pathM;
  add(VoxelSum::beams, 1.0);
  add(VoxelSum::path, pathM);
  add(VoxelSum::free, line.projection * pathM);
  add(VoxelSum::effective, line.projection * effectiveM);
  add(VoxelSum::potential, line.projection * lengthM);
  if (line.endM >= toM || !line.isHit) return;
  add(VoxelSum::hits, 1.0);
  add(VoxelSum::hitEffective, line.projection * effectiveM);
}

}  // namespace understory
