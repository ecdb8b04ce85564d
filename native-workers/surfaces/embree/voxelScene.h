// Voxel models (core/voxels/voxelGrid.h), a source of hits: rays that enter the box of an instance pass its voxels in order
// until the optical depth that is drawn for one of them ends within it. Rays of a pulse that cross a voxel within a leaf
// size of each other share its draw, so they meet the same leaf.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/topLevel.h"
#include "surfaces/hits.h"

namespace understory {

struct PlacedVoxels;

class VoxelScene {
 public:
  static constexpr bool isStill = true;

  // All outlive it. Throws as TopLevel.
  VoxelScene(const EmbreeDevice& device, const Scene& scene, const Watch& watch);
  ~VoxelScene();

  bool isEmpty() const { return placed_.empty(); }
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    top_.nearest(rays, active, hits);
  }
  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    return top_.nearest(ray, fromM, limitM);
  }
  // Whether anything lies between.
  bool isBlocked(const PathRay& ray, float fromM, float limitM) const {
    return !isEmpty() && nearest(ray, fromM, limitM).isHit;
  }

 private:
  std::vector<PlacedVoxels> placed_;
  TopLevel top_;
};

}  // namespace understory
