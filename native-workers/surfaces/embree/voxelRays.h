// Rays of a packet through a voxel model side by side: each passes its own voxels, one after the other (Amanatides and Woo
// 1987), and all draw at once where they are. What a ray meets is a function of the ray alone, whichever others are beside it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/learned/learnedDraws.h"
#include "core/voxels/voxelGrid.h"
#include "surfaces/embree/modelFrame.h"

namespace understory {

// A voxel model as rays meet it. The model outlives it.
struct VoxelLeaves {
  // The tables of LeafLaw: steps of the cosine to the zenith, and of the share of leaves.
  static constexpr std::size_t zeniths = 64;
  static constexpr std::size_t shares = 128;

  const VoxelModel* model;
  std::array<float, 3> voxelM;  // edges
  std::array<float, 3> perVoxelM;
  std::array<std::int32_t, 3> split;
  float leafM2;
  float leavesPerDensity;  // in a voxel
  std::array<float, zeniths + 1> projection;
  std::vector<float> cosine;  // of leaves that are met; by zenith, then by share

  explicit VoxelLeaves(const VoxelModel& voxels);
};

// An instance of a model.
struct VoxelPlace {
  const VoxelLeaves* leaves;
  Vec3f cornerM;     // of the grid, relative to Scene::originM
  ModelFrame frame;  // from there
};

// Rays side by side: value i of each array belongs to ray i.
struct alignas(64) VoxelRays {
  static constexpr std::size_t width = 16;
  template <typename Value>
  using ByRay = std::array<Value, width>;

  // Those of rays that are not active have no meaning. Relative to Scene::originM; directions have length 1.
  std::array<ByRay<float>, 3> originM;
  std::array<ByRay<float>, 3> direction;
  ByRay<float> fromM;                       // leaves from here on count
  ByRay<float> toM;                         // and up to here
  std::array<ByRay<std::uint32_t>, 4> key;  // LeafKey of its pulse, word by word
  ByRay<std::int32_t> isActive;             // -1 or 0
};

// The first leaf of each active ray.
struct alignas(64) VoxelHits {
  template <typename Value>
  using ByRay = VoxelRays::ByRay<Value>;

  ByRay<std::int32_t> isHit;  // -1 or 0; what follows has no meaning for rays without one
  ByRay<float> rangeM;
  ByRay<std::uint32_t> voxel;
  std::array<ByRay<float>, 3> normal;  // in the frame of the model, towards the sensor
};

void meetLeaves(const VoxelPlace& place, const VoxelRays& rays, VoxelHits& hits);

}  // namespace understory
