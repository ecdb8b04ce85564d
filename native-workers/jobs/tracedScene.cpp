// The sources of a scene in one place.
#include "jobs/tracedScene.h"

#include <utility>

namespace understory {

// Why shading comes last: EmbreeScene checks the indices that it follows.
TracedScene::TracedScene(std::shared_ptr<const EmbreeDevice> device, Scene scene,
                         const Watch& watch, AnySource further)
    : scene_(std::move(scene)),
      triangles_(device, scene_, watch),
      volumes_(hasLearnedElements(scene_)
                   ? std::make_unique<const EmbreeVolumes>(std::move(device), scene_, watch)
                   : nullptr),
      swaying_(triangles_, scene_, watch),
      voxels_(triangles_.device(), scene_, watch),
      landscapes_(triangles_, scene_, watch),
      further_(std::move(further)),
      resting_(triangles_, scene_, rest_, watch),
      restingVolumes_(MovingVolumes::of(volumes_.get(), scene_, rest_)),
      shading_(scene_) {}

}  // namespace understory
