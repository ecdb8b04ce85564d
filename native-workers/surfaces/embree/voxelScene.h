// Voxel models (core/voxels/voxelGrid.h), a source of hits: rays that enter the box of an instance pass its voxels in order
// until the draw of one of them ends them within it. Rays of a pulse that cross a voxel within a leaf
// size of each other share its draw, so they meet the same leaf.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/userScene.h"

namespace understory {

struct PlacedVoxels;
struct VoxelLeaves;

class VoxelScene : public UserScene {
 public:
  static constexpr bool isStill = true;

  // All outlive it. Throws as TopLevel.
  VoxelScene(const EmbreeDevice& device, const Scene& scene, const Watch& watch);
  ~VoxelScene();

  using UserScene::nearest;
  // Why not always through the tree: with one or two instances it costs as much as their leaves.
  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    if (isFew_) {
      nearestOfAll(rays, active, hits);
    } else {
      UserScene::nearest(rays, active, hits);
    }
  }

 private:
  void nearestOfAll(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const;
  void nearestOfAll(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const;
  void nearestOfAll(const RayLanes& rays, std::size_t active, PacketHits<16>& hits) const;
  template <std::size_t Width>
  void nearestInPacket(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const;

  std::vector<std::unique_ptr<const VoxelLeaves>> leaves_;  // of the models
  std::vector<PlacedVoxels> placed_;
  bool isFew_ = false;
};

}  // namespace understory
