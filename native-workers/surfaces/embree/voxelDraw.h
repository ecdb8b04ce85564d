// Leaves that eight rays meet in the voxels that they are in: the draw of the cube in which each passes the middle of its voxel, and
// for those that may meet a leaf, where.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "core/maths/lanePowers.h"
#include "surfaces/embree/voxelRays.h"

namespace understory::voxels {

constexpr std::size_t eight = lanesOfEight;
using Floats = Floats8;
using Ints = Ints8;
using Words = std::uint32_t __attribute__((vector_size(sizeof(Ints))));
using Three = std::array<Floats, 3>;  // by axis

// Lanes of an array from `first` on.
template <typename Vector, typename Value>
UNDERSTORY_INLINE void load(Vector& lanes, const VoxelRays::ByRay<Value>& from, std::size_t first) {
  std::memcpy(&lanes, from.data() + first, sizeof lanes);
}
template <typename Vector, typename Value>
UNDERSTORY_INLINE void store(VoxelRays::ByRay<Value>& to, std::size_t first, const Vector& lanes) {
  std::memcpy(to.data() + first, &lanes, sizeof lanes);
}

UNDERSTORY_INLINE void gather(Floats& values, const float* table, const Ints& at) {
  Floats found{};
  for (std::size_t lane = 0; lane < eight; ++lane) found[lane] = table[at[lane]];
  values = found;
}

UNDERSTORY_INLINE bool isAny(const Ints& lanes) {
  using Pairs = std::int64_t __attribute__((vector_size(sizeof(Ints))));
  Pairs pairs;
  std::memcpy(&pairs, &lanes, sizeof pairs);
  return ((pairs[0] | pairs[1]) | (pairs[2] | pairs[3])) != 0;
}

// Words of which all bits depend on all bits of the key (Wellons 2018, lowbias32).
UNDERSTORY_INLINE void finish(Words& key) {
  key = key ^ key >> 16U;
  key = key * 0x7FEB352DU;
  key = key ^ key >> 15U;
  key = key * 0x846CA68BU;
  key = key ^ key >> 16U;
}

// Between 0 and 1, neither of them 0.
UNDERSTORY_INLINE void shareOf(const Words& word, Floats& share) {
  constexpr float most = 1.0F - 0x1p-24F;
  share = 0x1p-31F * __builtin_convertvector(Ints(word >> 1U), Floats) + 0x1p-32F;
  share = share < most ? share : most;
}

// The cubes along an axis: in which of them a place lies, rounded down.
UNDERSTORY_INLINE void findCube(const Floats& placeInCubes, const Words& offset, Words& cube) {
  const Floats place =
      placeInCubes + 0x1p-10F * __builtin_convertvector(Ints(offset & 1023U), Floats);
  const Ints towardsZero = __builtin_convertvector(place, Ints);
  cube = Words(towardsZero + (place < __builtin_convertvector(towardsZero, Floats)));
}

// Rays in the frame of the model, from the corner of its grid.
struct Lines {
  Three originM;
  Three direction;   // of the length 1/scale
  Floats perSquare;  // of that length
  Floats fromM;
  Floats toM;
  Floats depthPerDensity;  // optical depth for a metre and for a unit of density
  Floats perCubeM;         // cubes whose sections across the ray are as large as leaves
  std::array<Words, 4> key;
};

// The voxels that the rays are in, and their parts there.
struct Passage {
  Three low;  // in edges of voxels
  Words voxel;
  Floats density;
  Floats enterM;
  Floats leaveM;
  Ints isMet;    // -1 or 0: a ray that is followed passes leaves; after select(), it may meet one
  Words word;    // of the draw
  Floats share;  // the same, 0 to 1
  Floats perM;   // optical depth for a metre
};

// The first leaves of the rays.
struct Leaves {
  Ints isHit;  // -1 or 0
  Floats rangeM;
  Words voxel;
  Words word;  // of the draw: uniform below the share that meets a leaf
};

// Rays that pass the middle of a voxel in one cube of the size of leaves share its draw. Each voxel and pulse has cubes of its
// own, so that rays which share one draw need not share the next.
UNDERSTORY_INLINE void draw(const VoxelLeaves& leaves, const Lines& lines, Passage& passage) {
  Words offsets = (passage.voxel * 0x9E3779B1U ^ lines.key[0]) * 0x85EBCA77U;
  offsets = offsets ^ offsets >> 15U;
  Three toMiddleM;
  Floats alongM{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    toMiddleM[axis] = (passage.low[axis] + 0.5F) * leaves.voxelM[axis] - lines.originM[axis];
    alongM = alongM + toMiddleM[axis] * lines.direction[axis];
  }
  alongM = alongM * lines.perSquare;
  // Why a sum: the products of the axes do not wait for each other.
  constexpr std::array<std::uint32_t, 3> factors{0xC2B2AE3DU, 0x27D4EB2FU, 0x165667B1U};
  Words word = offsets ^ lines.key[1];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Words cube;
    findCube((lines.direction[axis] * alongM - toMiddleM[axis]) * lines.perCubeM,
             offsets >> 10U * axis, cube);
    word = word + cube * factors[axis];
  }
  finish(word);
  passage.word = word;
}

// Rays whose draw is not above the optical depth x of their voxel for small leaves, which is no less than the share that meets
// a leaf, 1 - (1 - x/n)^n: the others meet none. The margin covers rounding.
UNDERSTORY_INLINE void select(const Lines& lines, Passage& passage) {
  shareOf(passage.word, passage.share);
  passage.perM = lines.depthPerDensity * passage.density;
  passage.isMet &= passage.share <= passage.perM * (passage.leaveM - passage.enterM) * 1.00001F;
}

// The path from the entry into a voxel of n leaves of area a to the first of them: (1 - x/n)^n passes leaves of a size
// (PHYSICS.md, 2.11). A voxel with less than a leaf has a part of one.
UNDERSTORY_INLINE void meet(const VoxelLeaves& leaves, const Lines& lines, const Passage& passage,
                            Leaves& met) {
  const Floats inVoxel = passage.density * leaves.leavesPerDensity;
  const Floats count = inVoxel > 1.0F ? inVoxel : 1.0F;
  Floats rangeM;
  restOfPower(passage.share, 1.0F / count, rangeM);
  rangeM = passage.enterM + rangeM * count / passage.perM;
  const Ints isHit = passage.isMet & (rangeM >= lines.fromM) & (rangeM <= passage.leaveM);
  met.isHit |= isHit;
  met.rangeM = isHit ? rangeM : met.rangeM;
  met.voxel = isHit ? passage.voxel : met.voxel;
  met.word = isHit ? passage.word : met.word;
}

}  // namespace understory::voxels
