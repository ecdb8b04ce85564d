// Learned elements: ellipsoids in trees of their own (ellipsoidTree.h), points as user geometries of Embree; one tree for
// each model, instances over them. A line's draws are made where an element is met, so that it ends at the first that is
// not passed.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "core/watch.h"
#include "surfaces/embree/ellipsoidTree.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/modelFrame.h"
#include "surfaces/lines.h"

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

  void first(const PulseLines& lines, float limitM, const LearnedDraws& draws, LineHits& hits,
             LineTrails* trails) const override;
  void minSupport(const PulseLines& lines, const std::array<float, PulseLines::width>& untilM,
                  std::array<std::uint32_t, PulseLines::width>& support) const override;

  // A model's ellipsoids as one instance has them.
  struct PlacedTree {
    const EllipsoidTree* tree = nullptr;
    std::uint32_t instance = 0;
    std::uint32_t firstElement = 0;
    Boundsf bounds;  // world
    ModelFrame frame;

    // `line`, which is in the world's frame, continued through this instance.
    void meet(EllipsoidLine& line) const;
    void meetTogether(std::span<EllipsoidLine> lines) const;

   private:
    void enter(EllipsoidLine& line) const;
  };
  // The points of a model as Embree's callbacks read them.
  struct ModelPoints {
    const LearnedModel* model = nullptr;
    float radiusSquaredM2 = 0.0F;
    std::uint32_t first = 0;  // primitives of its triangles and elements come before
  };

 private:
  void buildEllipsoids(const Watch& watch);
  void placeEllipsoids();
  void buildPoints(const Watch& watch);
  // `lines` are in the world's frame; at most PulseLines::width.
  void meetEllipsoids(std::span<EllipsoidLine> lines) const;
  void meetPoints(const PulseLines& lines, float limitM, LineHits& hits) const;
  void release();

  std::shared_ptr<const EmbreeDevice> device_;
  const Scene& scene_;
  std::vector<std::unique_ptr<const EllipsoidTree>> ellipsoids_;  // by model; null: it has none
  std::vector<PlacedTree> placed_;
  RTCSceneTy* placedTop_ = nullptr;                   // over placed_ where there are many
  std::vector<std::unique_ptr<ModelPoints>> points_;  // by model; null: it has none
  std::vector<RTCSceneTy*> pointTrees_;               // likewise
  RTCSceneTy* pointsTop_ = nullptr;                   // null: the scene has none
};

}  // namespace understory
