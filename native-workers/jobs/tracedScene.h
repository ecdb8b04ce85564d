// The scene that jobs trace: what all sources of hits share (objects, shading, threads), and the sources themselves.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/anySource.h"
#include "surfaces/combined.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/embreeVolumes.h"
#include "surfaces/embree/landscapeScene.h"
#include "surfaces/embree/movingScene.h"
#include "surfaces/embree/movingVolumes.h"
#include "surfaces/embree/swayingScene.h"
#include "surfaces/embree/voxelScene.h"

namespace understory {

// Immutable after construction; traced by many threads.
class TracedScene {
 public:
  using Sources =
      CombinedSource<EmbreeScene, MovingScene, SwayingScene, VoxelScene, LandscapeScene, AnySource>;

  // Moves the scene's triangles to Embree: scene().models[i].mesh then has its materials only. `further`: hits that are
  // not triangles, of instances of the same scene (several as a CombinedSource). Phases of `watch` and errors:
  // EmbreeScene.
  TracedScene(std::shared_ptr<const EmbreeDevice> device, Scene scene, const Watch& watch,
              AnySource further = {});
  TracedScene(const TracedScene&) = delete;
  TracedScene& operator=(const TracedScene&) = delete;

  const Scene& scene() const { return scene_; }
  SceneTruth truth() const { return truth(restingVolumes_.get()); }
  // With learned elements that move; null: none does.
  SceneTruth truth(const MovingVolumes* moving) const {
    const LineSource* const lines = volumes_.get();
    return {scene_, shading_, packetWidth(device().isa()), moving != nullptr ? moving : lines};
  }
  const EmbreeDevice& device() const { return triangles_.device(); }
  std::size_t threads() const { return device().threads(); }

  const EmbreeScene& triangles() const { return triangles_; }
  // Elements of learned models, those that do not move; null: the scene has none.
  const EmbreeVolumes* volumes() const { return volumes_.get(); }
  bool hasStillTrianglesOnly() const {
    return further_.isEmpty() && scene_.motions == 0 && swaying_.isEmpty() && voxels_.isEmpty() &&
           landscapes_.isEmpty();
  }
  // Moving instances, where they are at time 0.
  const MovingScene& resting() const { return resting_; }
  // Plants in the wind.
  const SwayingScene& swaying() const { return swaying_; }
  const VoxelScene& voxels() const { return voxels_; }
  const LandscapeScene& landscapes() const { return landscapes_; }
  const AnySource& further() const { return further_; }
  // Triangles and all others, what motions displace where it is at time 0.
  const Sources& sources() const { return sources_; }

 private:
  Scene scene_;
  EmbreeScene triangles_;
  std::unique_ptr<const EmbreeVolumes> volumes_;
  SwayingScene swaying_;
  VoxelScene voxels_;
  LandscapeScene landscapes_;
  AnySource further_;
  Motions rest_;  // none
  MovingScene resting_;
  std::unique_ptr<const MovingVolumes> restingVolumes_;
  Sources sources_{triangles_, resting_, swaying_, voxels_, landscapes_, further_};
  InstanceShadings shading_;
};

}  // namespace understory
