// Voxel models (core/voxels/voxelGrid.h), a source of hits: rays that enter the box of an instance pass its voxels in order
// until the optical depth that is drawn for one of them ends within it. Rays of a pulse that cross a voxel within a leaf
// size of each other share its draw, so they meet the same leaf.
#pragma once

#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/userScene.h"

namespace understory {

struct PlacedVoxels;

class VoxelScene : public UserScene {
 public:
  static constexpr bool isStill = true;

  // All outlive it. Throws as TopLevel.
  VoxelScene(const EmbreeDevice& device, const Scene& scene, const Watch& watch);
  ~VoxelScene();

 private:
  std::vector<PlacedVoxels> placed_;
};

}  // namespace understory
