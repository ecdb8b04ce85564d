// Learned elements: ellipsoids in trees of their own (ellipsoidTree.h), points as user geometries of Embree; one tree for
// each model, and over them the instances that do not move (those that do: movingVolumes.h). A line's draws are made where
// an element is met, so that it ends at the first that is not passed.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
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
// Whether that instance has some.
bool hasLearnedElements(const Scene& scene, const Instance& instance);

// The points of least distance to lines, wherever on them (Browning 2012, equation 11).
struct PointHits {
  std::array<float, PulseLines::width> distanceSquaredM2;  // world
  std::array<float, PulseLines::width> footM;
  std::array<std::uint32_t, PulseLines::width> instance;  // noInstance: none
  std::array<std::uint32_t, PulseLines::width> primitive;
  std::array<Vec3f, PulseLines::width> normal;  // of LineHits

  PointHits() {
    distanceSquaredM2.fill(std::numeric_limits<float>::infinity());
    instance.fill(noInstance);
  }
  // They become the hits of lines that end on no ellipsoid before.
  void end(std::size_t count, LineHits& hits) const;
};

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

  // The parts of first(), for what moves beside it.
  void firstEllipsoids(const PulseLines& lines, float limitM, const LearnedDraws& draws,
                       LineHits& hits, LineTrails* trails) const;
  void firstPoints(const PulseLines& lines, float limitM, PointHits& hits) const;
  bool hasPoints() const { return pointsTop_ != nullptr; }

  // The ellipsoids of a model; null: it has none.
  const EllipsoidTree* ellipsoidsOf(std::size_t model) const {
    return ellipsoids_.empty() ? nullptr : ellipsoids_[model].get();
  }
  // Elements of a model come after so many triangles.
  std::uint32_t firstElementOf(std::size_t model) const {
    return static_cast<std::uint32_t>(scene_.models[model].learned->surface.size());
  }
  bool hasPoints(std::size_t model) const {
    return !pointTrees_.empty() && pointTrees_[model] != nullptr;
  }
  Boundsf boundsOfPoints(std::size_t model) const;
  // Its points as `instance` has them, for line `line`; `inModel`: that line in the model's frame.
  void firstPoint(std::size_t model, std::uint32_t instance, const PathRay& inModel, float limitM,
                  std::size_t line, PointHits& hits) const;

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
  void nearestPoint(RTCSceneTy* tree, std::uint32_t instance, const PathRay& ray, float limitM,
                    std::size_t line, PointHits& hits) const;
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
