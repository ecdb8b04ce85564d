// Eight rays from voxel to voxel.
#include "surfaces/embree/voxelRays.h"

#include "core/mutation.h"
#include "surfaces/embree/voxelDraw.h"

namespace understory {
namespace voxels {
namespace {

UNDERSTORY_INLINE void squareRoot(Floats& lanes) {
  std::array<float, eight> values;
  std::memcpy(values.data(), &lanes, sizeof lanes);
  for (float& value : values) value = std::sqrt(value);
  std::memcpy(&lanes, values.data(), sizeof lanes);
}

// A place in a table of `steps` equal steps from 0 to 1.
UNDERSTORY_INLINE void findStep(const Floats& value, std::size_t steps, Ints& at, Floats& within) {
  const Floats place = value * static_cast<float>(steps);
  const auto last = static_cast<std::int32_t>(steps - 1);
  at = __builtin_convertvector(place, Ints);
  at = at < last ? at : last;
  within = place - __builtin_convertvector(at, Floats);
}

UNDERSTORY_INLINE void turn(const std::array<float, 9>& m, const Three& from, Three& to) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    to[axis] = m[3 * axis] * from[0] + m[3 * axis + 1] * from[1] + m[3 * axis + 2] * from[2];
  }
}

// Into the frame of the model. `cosZenith`: of the directions.
UNDERSTORY_INLINE void enter(const VoxelPlace& place, const VoxelRays& rays, std::size_t first,
                             Lines& lines, Floats& cosZenith) {
  Three fromCornerM;
  Three direction;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    load(fromCornerM[axis], rays.originM[axis], first);
    load(direction[axis], rays.direction[axis], first);
  }
  const auto& [cornerX, cornerY, cornerZ] = place.cornerM;
  const auto& [offsetX, offsetY, offsetZ] = place.frame.offsetM;
  fromCornerM = {fromCornerM[0] - cornerX, fromCornerM[1] - cornerY, fromCornerM[2] - cornerZ};
  turn(place.frame.modelFromWorld, fromCornerM, lines.originM);
  turn(place.frame.modelFromWorld, direction, lines.direction);
  auto& [originX, originY, originZ] = lines.originM;
  originX = originX + offsetX;
  originY = originY + offsetY;
  originZ = originZ + offsetZ;
  const auto& [x, y, z] = lines.direction;
  const Floats square = x * x + y * y + z * z;
  lines.perSquare = 1.0F / square;
  Floats perScale = square;
  squareRoot(perScale);
  const Floats steep = (z < 0.0F ? -z : z) / perScale;
  cosZenith = steep < 1.0F ? steep : 1.0F;
  Ints at;
  Floats within;
  findStep(cosZenith, VoxelLeaves::zeniths, at, within);
  Floats low;
  Floats high;
  const float* const table = place.leaves->projection.data();
  gather(low, table, at);
  gather(high, table + 1, at);
  const Floats projection = low + within * (high - low);
  lines.depthPerDensity = projection * perScale;
  // Cubes whose planes part two rays as often as squares of the mean projected area of a leaf. Rounded, so that rays of a
  // pulse mostly have the same cubes; where laws of angles or the rounding change it, they are parted.
  Floats across{};
  for (const Floats& part : lines.direction) {
    const Floats rest = 1.0F - part * part * lines.perSquare;
    Floats sine = rest > 0.0F ? rest : 0.0F;
    squareRoot(sine);
    across = across + sine;
  }
  Floats widthM = projection * place.leaves->leafM2;
  squareRoot(widthM);
  if (activeMutation() == Mutation::leafDrawsUnshared) widthM = Floats{} + 1e-6F;
  const Ints sixteenths = __builtin_convertvector(8.0F * across + 0.5F, Ints);
  lines.perCubeM = 16.0F / (widthM * __builtin_convertvector(sixteenths, Floats));
}

// The voxels along lines.
struct Walk {
  Three origin;   // in edges of voxels
  Three perStep;  // metres for an edge, towards greater numbers
  Three plane;    // the next one along each axis
  Three nextM;    // there
  Words voxel;
  Floats enterM;
  Ints isOpen;
};

// The part of each line in the grid: `walk` is at its begin, and lines.toM not beyond its end.
UNDERSTORY_INLINE void clip(const VoxelLeaves& leaves, Lines& lines, Walk& walk) {
  Three step;
  walk.enterM = Floats{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto voxels = static_cast<float>(leaves.split[axis]);
    walk.origin[axis] = lines.originM[axis] * leaves.perVoxelM[axis];
    step[axis] = lines.direction[axis] * leaves.perVoxelM[axis];
    // Along the planes of the axis: nowhere, or everywhere between two of them.
    const Floats size = step[axis] < 0.0F ? -step[axis] : step[axis];
    walk.perStep[axis] = size > 1e-18F ? 1.0F / step[axis] : 1e18F;
    const Floats atLowM = -walk.origin[axis] * walk.perStep[axis];
    const Floats atHighM = (voxels - walk.origin[axis]) * walk.perStep[axis];
    const Floats nearM = atLowM < atHighM ? atLowM : atHighM;
    const Floats farM = atLowM < atHighM ? atHighM : atLowM;
    walk.enterM = nearM > walk.enterM ? nearM : walk.enterM;
    lines.toM = farM < lines.toM ? farM : lines.toM;
  }
  walk.isOpen &= walk.enterM < lines.toM;
  walk.voxel = Words{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const auto last = static_cast<float>(leaves.split[axis] - 1);
    Floats place = walk.origin[axis] + step[axis] * walk.enterM;
    place = place > 0.0F ? place : 0.0F;
    place = place < last ? place : last;
    const Ints low = __builtin_convertvector(place, Ints);
    walk.voxel = walk.voxel * static_cast<std::uint32_t>(leaves.split[axis]) + Words(low);
    walk.plane[axis] =
        __builtin_convertvector(low, Floats) + (walk.perStep[axis] > 0.0F ? 1.0F : 0.0F);
    walk.nextM[axis] = (walk.plane[axis] - walk.origin[axis]) * walk.perStep[axis];
  }
}

// Eight rays, and where they are.
struct Eight {
  Lines lines;
  Floats cosZenith;
  Walk walk;
  Passage passage;
  Leaves met;
};

UNDERSTORY_INLINE void findPassage(const VoxelLeaves& leaves, Eight& rays) {
  const Walk& walk = rays.walk;
  Passage& passage = rays.passage;
  gather(passage.density, leaves.model->grid.densityPerM.data(), Ints(walk.voxel) & walk.isOpen);
  const auto& [x, y, z] = walk.nextM;
  Floats leaveM = x < y ? x : y;
  leaveM = leaveM < z ? leaveM : z;
  passage.leaveM = leaveM < rays.lines.toM ? leaveM : rays.lines.toM;
  passage.enterM = walk.enterM;
  passage.voxel = walk.voxel;
  passage.isMet = walk.isOpen & (passage.density > 0.0F) & (passage.enterM < passage.leaveM);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    passage.low[axis] = walk.plane[axis] - (walk.perStep[axis] > 0.0F ? 1.0F : 0.0F);
  }
}

// Into the next voxels; rays that leave the grid, or have met a leaf, end.
UNDERSTORY_INLINE void advance(const VoxelLeaves& leaves, Eight& rays) {
  Walk& walk = rays.walk;
  const auto alongY = static_cast<std::uint32_t>(leaves.split[2]);
  const std::array<std::uint32_t, 3> strides{alongY * static_cast<std::uint32_t>(leaves.split[1]),
                                             alongY, 1U};
  const Floats leaveM = rays.passage.leaveM;
  walk.isOpen &= ~rays.met.isHit & (leaveM < rays.lines.toM);
  walk.enterM = leaveM > walk.enterM ? leaveM : walk.enterM;
  Ints isBeside{};  // another axis than that of the plane that is passed
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const Ints isPassed = ~isBeside & (walk.nextM[axis] <= leaveM);
    isBeside |= isPassed;
    const Ints isUp = walk.perStep[axis] > 0.0F;
    walk.plane[axis] = walk.plane[axis] + (isPassed ? (isUp ? 1.0F : -1.0F) : 0.0F);
    walk.nextM[axis] = (walk.plane[axis] - walk.origin[axis]) * walk.perStep[axis];
    const Words stride = isUp ? strides[axis] : 0U - strides[axis];
    walk.voxel = walk.voxel + (Words(isPassed) & stride);
  }
}

template <std::size_t count>
UNDERSTORY_INLINE bool isAnyOpen(const std::array<Eight, count>& all) {
  Ints isOpen{};
  for (const Eight& rays : all) isOpen |= rays.walk.isOpen;
  return isAny(isOpen);
}

template <std::size_t count>
UNDERSTORY_INLINE bool isAnyMet(const std::array<Eight, count>& all) {
  Ints isMet{};
  for (const Eight& rays : all) isMet |= rays.passage.isMet;
  return isAny(isMet);
}

// The first leaf of each line, if it has one. Why all together: a draw is a chain of operations, and two chains overlap.
template <std::size_t count>
UNDERSTORY_INLINE void pass(const VoxelLeaves& leaves, std::array<Eight, count>& all) {
  while (isAnyOpen(all)) {
    for (Eight& rays : all) findPassage(leaves, rays);
    if (isAnyMet(all)) {
      for (Eight& rays : all) draw(leaves, rays.lines, rays.passage);
      for (Eight& rays : all) select(rays.lines, rays.passage);
      if (isAnyMet(all)) {
        for (Eight& rays : all) meet(leaves, rays.lines, rays.passage, rays.met);
      }
    }
    for (Eight& rays : all) advance(leaves, rays);
  }
}

// Sine and cosine of half a turn times `halfTurns`, which is from -½ to ½, by their series: within 1e-7.
UNDERSTORY_INLINE void sineAndCosine(const Floats& halfTurns, Floats& sine, Floats& cosine) {
  const Floats x = halfTurns * 3.14159265F;
  const Floats z = -x * x;
  const auto over = [](int first, int second) { return 1.0F / static_cast<float>(first * second); };
  sine = 1.0F + z * over(10, 11);
  cosine = 1.0F + z * over(11, 12);
  for (int term = 8; term > 0; term -= 2) {
    sine = 1.0F + z * over(term, term + 1) * sine;
    cosine = 1.0F + z * over(term + 1, term + 2) * cosine;
  }
  sine = x * sine;
  cosine = 1.0F + z * 0.5F * cosine;
}

// The normals of leaves that are met: at a cosine to the line, turned about it (the frame: Duff et al. 2017).
UNDERSTORY_INLINE void findNormals(const VoxelLeaves& leaves, const Lines& lines,
                                   const Floats& cosZenith, const Leaves& met, Three& normal) {
  Words word = met.word ^ lines.key[3];
  finish(word);
  Floats share;
  shareOf(word, share);
  Ints at;
  Floats within;
  findStep(share, VoxelLeaves::shares, at, within);
  constexpr auto perZenith = static_cast<std::int32_t>(VoxelLeaves::shares + 1);
  const Ints zenith =
      __builtin_convertvector(cosZenith * static_cast<float>(VoxelLeaves::zeniths) + 0.5F, Ints);
  at = at + zenith * perZenith;
  Floats low;
  Floats high;
  gather(low, leaves.cosine.data(), at);
  gather(high, leaves.cosine.data() + 1, at);
  Floats cosine = low + within * (high - low);
  constexpr float minCosine = 1e-3F;
  cosine = cosine > minCosine ? cosine : minCosine;
  Floats sine = 1.0F - cosine * cosine;
  sine = sine > 0.0F ? sine : 0.0F;
  squareRoot(sine);
  word = word + 0x9E3779B9U;
  finish(word);
  shareOf(word, share);
  Floats halfSine;
  Floats halfCosine;
  sineAndCosine(share - 0.5F, halfSine, halfCosine);
  const Floats right = sine * (1.0F - 2.0F * halfSine * halfSine);
  const Floats up = sine * (2.0F * halfSine * halfCosine);
  Floats length = lines.perSquare;
  squareRoot(length);
  const Floats x = -lines.direction[0] * length;
  const Floats y = -lines.direction[1] * length;
  const Floats z = -lines.direction[2] * length;
  const Floats sign = z < 0.0F ? Floats{} - 1.0F : Floats{} + 1.0F;
  const Floats inverse = -1.0F / (sign + z);
  const Floats mixed = x * y * inverse;
  normal = {x * cosine + (1.0F + sign * x * x * inverse) * right + mixed * up,
            y * cosine + sign * mixed * right + (sign + y * y * inverse) * up,
            z * cosine - sign * x * right - y * up};
}

// The first `count` times eight rays.
template <std::size_t count>
UNDERSTORY_INLINE void meetEights(const VoxelPlace& place, const VoxelRays& rays, VoxelHits& hits) {
  std::array<Eight, count> all;
  for (std::size_t at = 0; at < count; ++at) {
    auto& [lines, cosZenith, walk, passage, met] = all[at];
    const std::size_t first = at * eight;
    load(walk.isOpen, rays.isActive, first);
    load(lines.fromM, rays.fromM, first);
    load(lines.toM, rays.toM, first);
    for (std::size_t word = 0; word < lines.key.size(); ++word) {
      load(lines.key[word], rays.key[word], first);
    }
    enter(place, rays, first, lines, cosZenith);
    clip(*place.leaves, lines, walk);
    met = Leaves{};
  }
  pass(*place.leaves, all);
  for (std::size_t at = 0; at < count; ++at) {
    const auto& [lines, cosZenith, walk, passage, met] = all[at];
    const std::size_t first = at * eight;
    store(hits.isHit, first, met.isHit);
    if (!isAny(met.isHit)) continue;
    Three normal;
    findNormals(*place.leaves, lines, cosZenith, met, normal);
    for (std::size_t axis = 0; axis < 3; ++axis) store(hits.normal[axis], first, normal[axis]);
    store(hits.rangeM, first, met.rangeM);
    store(hits.voxel, first, met.voxel);
  }
}

UNDERSTORY_LANES
void meetAll(const VoxelPlace& place, const VoxelRays& rays, VoxelHits& hits) {
  static_assert(VoxelRays::width == 2 * eight);
  Ints isActive;
  load(isActive, rays.isActive, eight);
  if (isAny(isActive)) {
    meetEights<2>(place, rays, hits);
  } else {
    meetEights<1>(place, rays, hits);
  }
}

}  // namespace
}  // namespace voxels

VoxelLeaves::VoxelLeaves(const VoxelModel& voxels)
    : model(&voxels), projection{}, cosine((zeniths + 1) * (shares + 1)) {
  const VoxelSpace& space = voxels.grid.space;
  const auto& [x, y, z] = space.voxelM;
  const double areaM2 = 0.25 * piRad * voxels.leafSizeM * voxels.leafSizeM;  // discs
  leafM2 = static_cast<float>(areaM2);
  leavesPerDensity = static_cast<float>(x * y * z / areaM2);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    voxelM[axis] = static_cast<float>(space.voxelM[axis]);
    perVoxelM[axis] = static_cast<float>(1.0 / space.voxelM[axis]);
    split[axis] = static_cast<std::int32_t>(space.split[axis]);
  }
  const LeafLaw& law = voxels.leaves;
  for (std::size_t zenith = 0; zenith <= zeniths; ++zenith) {
    const double cosZenith = static_cast<double>(zenith) / static_cast<double>(zeniths);
    projection[zenith] = static_cast<float>(law.projection(cosZenith));
    for (std::size_t share = 0; share <= shares; ++share) {
      cosine[zenith * (shares + 1) + share] = static_cast<float>(
          law.cosineAt(cosZenith, static_cast<double>(share) / static_cast<double>(shares)));
    }
  }
}

void meetLeaves(const VoxelPlace& place, const VoxelRays& rays, VoxelHits& hits) {
  hits.isHit.fill(0);
  voxels::meetAll(place, rays, hits);
}

}  // namespace understory
