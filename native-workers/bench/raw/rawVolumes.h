// The ellipsoids of a scene as user geometries of Embree, for comparison with the pipeline: one tree for each model, one
// primitive for each element, one call for each line.
#pragma once

#include <memory>
#include <vector>

#include "core/learned/elementShape.h"
#include "core/learned/learnedDraws.h"
#include "core/scene/scene.h"
#include "surfaces/embree/embreeScene.h"

struct RTCRayHit;

namespace understory {

class RawVolumes {
 public:
  // `device` and `scene` outlive it.
  RawVolumes(const EmbreeDevice& device, const Scene& scene);
  ~RawVolumes();
  RawVolumes(const RawVolumes&) = delete;
  RawVolumes& operator=(const RawVolumes&) = delete;

  // The first ellipsoid that the line of a pulse does not pass. `query` is aimed; after it, its geomID is
  // RTC_INVALID_GEOMETRY_ID where there is none.
  void first(RTCRayHit& query, const LearnedDraws& draws, std::uint64_t pulse) const;

  // The elements of a model as Embree's callbacks read them.
  struct Elements {
    const LearnedModel* model = nullptr;
    std::vector<ElementShape> shapes;
    std::uint32_t first = 0;  // primitives of its triangles come before
  };

 private:
  std::vector<std::unique_ptr<Elements>> elements_;  // by model; null: it has none
  std::vector<RTCSceneTy*> models_;                  // likewise
  RTCSceneTy* top_ = nullptr;
};

}  // namespace understory
