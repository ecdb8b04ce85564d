// Learned elements in Embree's trees: ellipsoids and points as user geometries, one tree for each model, instances over
// them. A line's draws are made where an element is met, so that a traversal ends at the first that is not passed.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "core/scene/scene.h"
#include "core/watch.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/volumes/elementShape.h"
#include "surfaces/volumes/lines.h"

namespace understory {

// Whether a scene has elements or points of learned models, placed by an instance.
bool hasLearnedElements(const Scene& scene);

class EmbreeVolumes final : public LineSource {
 public:
  // `scene` outlives it. `watch`: phase 'elements' in elements. Throws 'cancelled', and 'scene-too-large' where memory
  // does not suffice.
  EmbreeVolumes(std::shared_ptr<const EmbreeDevice> device, const Scene& scene, const Watch& watch);
  ~EmbreeVolumes() override;
  EmbreeVolumes(const EmbreeVolumes&) = delete;
  EmbreeVolumes& operator=(const EmbreeVolumes&) = delete;

  void first(const PulseLines& lines, float limitM, const LearnedDraws& draws,
             LineHits& hits) const override;

  // For raw tracing only (bench/raw).
  RTCSceneTy* top() const { return ellipsoids_.top; }

  // The elements of a model as Embree's callbacks read them.
  struct ModelShapes {
    const LearnedModel* model = nullptr;
    std::vector<ElementShape> elements;
    float limitSquared = 0.0F;
    float pointRadiusSquaredM2 = 0.0F;
    std::uint32_t firstElement = 0;  // primitives of its triangles come before
    std::uint32_t firstPoint = 0;
  };

 private:
  // The trees of one kind of element.
  struct Trees {
    std::vector<RTCSceneTy*> models;  // null: a model without
    RTCSceneTy* top = nullptr;
  };

  void build(Trees& trees, bool isPoints, const Watch& watch);
  void release();

  std::shared_ptr<const EmbreeDevice> device_;
  const Scene& scene_;
  std::vector<std::unique_ptr<ModelShapes>> shapes_;  // by model; null: not learned
  Trees ellipsoids_;
  Trees points_;
};

}  // namespace understory
