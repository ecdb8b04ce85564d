// Beams, piece by piece.
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

struct VoxelBeams::Passing {
  double endM = 0.0;
  double share = 1.0;  // of its pulse
  bool isHit = false;  // has met an element at its end
  double projection = 0.0;
};

VoxelBeams::VoxelBeams(const VoxelBeamsOptions& options)
    : options_(options), sums_(options.space.voxels()) {}

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
  const Vec3d direction = toDouble(beams.direction[beam]);
  const bool isSurface =
      !beams.label.empty() && static_cast<BeamLabel>(beams.label[beam]) == BeamLabel::surface;
  const Passing passing{isReturn ? static_cast<double>(beams.rangeM[beam]) : infinity,
                        beams.share.empty() ? 1.0 : static_cast<double>(beams.share[beam]),
                        isReturn && !isSurface,
                        options_.leaves.projection(std::min(1.0, std::abs(direction.z)))};
  const VoxelLine line(options_.space, toDouble(beams.originM[beam]) + originM, direction);
  line.walk(options_.space, minRangeM_, maxRangeM_,
            [&](const std::array<std::uint32_t, 3>& voxel, double fromM, double toM) {
              addPiece(passing, options_.space.indexOf(voxel), fromM, toM);
              return true;
            });
}

// A beam that ends in the plane between two voxels has met what is in the farther one.
void VoxelBeams::addPiece(const Passing& beam, std::size_t voxel, double fromM, double toM) {
  const double lengthM = toM - fromM;
  if (!(lengthM > 0.0)) return;
  Sums& sums = sums_[voxel];
  const auto add = [&](VoxelSum sum, double value) {
    addTo(sums[static_cast<std::size_t>(sum)], beam.share * value);
  };
  add(VoxelSum::lines, 1.0);
  add(VoxelSum::line, lengthM);
  if (beam.endM < fromM) return;
  const double pathM = std::min(beam.endM, toM) - fromM;
  const std::array<double, 3>& edgeM = options_.space.voxelM;
  const double voxelM3 = edgeM[0] * edgeM[1] * edgeM[2];
  const double ofLeaf = beam.projection * options_.oneLeafM2 / voxelM3;
  const double effectiveM = ofLeaf > 0.0 ? -std::log1p(-ofLeaf * pathM) / ofLeaf : pathM;
  add(VoxelSum::beams, 1.0);
  add(VoxelSum::path, pathM);
  add(VoxelSum::free, beam.projection * pathM);
  add(VoxelSum::effective, beam.projection * effectiveM);
  add(VoxelSum::potential, beam.projection * lengthM);
  if (beam.endM >= toM || !beam.isHit) return;
  add(VoxelSum::hits, 1.0);
  add(VoxelSum::hitEffective, beam.projection * effectiveM);
}

}  // namespace understory
