// Learned and voxel models as the pulses of one sensor meet them: what is drawn, what returns, what is detected, how far ranges
// err (PHYSICS.md, 2.6). Computed once for a scan; a scene without learned models has none.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/learned/learnedDraws.h"
#include "core/learned/learnedModel.h"
#include "surfaces/hits.h"
#include "surfaces/lines.h"

namespace understory {

// The element that ends a pulse's rays: those to which nothing lies before its mean.
struct LineStop {
  float meanM = 0.0F;
  float rangeM = 0.0F;  // as drawn
  Vec3f facet;          // world: towards the sensor, of a point its normal
  float reflectance = 0.0F;
  std::uint32_t instance = noInstance;
  std::uint32_t primitive = 0;
  std::uint16_t material = 0;
};

class LearnedContext {
 public:
  // Null for a scene without either. `scene` (what it names) and `sensor` outlive it.
  static std::unique_ptr<const LearnedContext> of(const SceneTruth& scene,
                                                  const SensorRecipe& sensor, std::uint64_t seed);

  const LearnedDraws& draws() const { return draws_; }
  // Elements and points, which lines meet; null: none.
  const LineSource* lines() const { return scene_.lines; }
  // Whether rays pass triangles, or voxels: queries need the numbers of pulses then.
  bool needsPulses() const { return needsPulses_; }
  bool hasSurfaces() const { return hasSurfaces_; }
  bool hasPoints() const { return hasPoints_; }
  // Whether a hit on some model is detected whatever its signal.
  bool hasCertainHits() const { return hasCertainHits_; }
  // Whether ranges on some model have noise of its own.
  bool hasNoise() const { return hasNoise_; }

  // Null: the instance is no learned model.
  const LearnedModel* modelOf(std::uint32_t instance) const {
    return instance < models_.size() ? models_[instance] : nullptr;
  }
  // The log of the model was made with this sensor's limit of detection: its permeabilities hold what was lost.
  bool isCertain(std::uint32_t instance) const {
    return instance < isCertain_.size() && isCertain_[instance] != 0;
  }
  // Reflectance of a triangle of a learned model, drawn for the pulse.
  float reflectance(std::uint32_t instance, std::uint32_t primitive, std::uint64_t pulse) const;
  // Standard deviation of ranges on a primitive of a learned model: 0 on elements (Browning 2012, equation 1).
  double sigmaM(std::uint32_t instance, std::uint32_t primitive, double cosIncidence) const;

  // Begins to read what stopOf() and support need of the elements: they are anywhere in memory.
  void prefetchStops(const LineHits& hits, std::size_t count) const;
  // Line `line` of `lines` as the rays of its pulse meet it; only where hits.isHit(line).
  LineStop stopOf(const PulseLines& lines, const LineHits& hits, std::size_t line) const;

 private:
  LearnedContext(const SceneTruth& scene, const SensorRecipe& sensor, std::uint64_t seed);

  SceneTruth scene_;
  LearnedDraws draws_;
  std::vector<const LearnedModel*> models_;  // by instance
  std::vector<std::uint8_t> isCertain_;      // likewise
  bool needsPulses_ = false;
  bool hasSurfaces_ = false;
  bool hasPoints_ = false;
  bool hasCertainHits_ = false;
  bool hasNoise_ = false;
};

// Standard deviation of the range of a return on that primitive. nullopt: it is none of a learned model.
inline std::optional<double> learnedSigmaM(const LearnedContext* context, std::uint32_t instance,
                                           std::uint32_t primitive, float cosIncidence) {
  if (context == nullptr || context->modelOf(instance) == nullptr) return std::nullopt;
  return context->sigmaM(instance, primitive, static_cast<double>(cosIncidence));
}

}  // namespace understory
