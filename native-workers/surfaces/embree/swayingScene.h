// The triangles of plants that sway in the wind, a source of hits beside EmbreeScene: one tree over the boxes that hold
// each wherever it sways. Pieces of rays that enter a box are traced to the model (swayPieces.h), so that every ray meets
// a plant where it is at the ray's own time, and no tree is built again.
#pragma once

#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/userScene.h"

namespace understory {

struct SwayingPlant;

class SwayingScene : public UserScene {
 public:
  static constexpr bool isStill = false;

  // Both outlive it. Throws as TopLevel.
  SwayingScene(const EmbreeScene& models, const Scene& scene, const Watch& watch);
  ~SwayingScene();

 private:
  std::vector<SwayingPlant> plants_;
};

}  // namespace understory
