// Properties of learned models by instance.
#include "pulses/learnedContext.h"

#include <algorithm>

namespace understory {
namespace {

bool hasSameLimit(const LearnedModel& model, const SensorRecipe& sensor) {
  if (!model.sensor || !model.sensor->detection || !sensor.returns.detection) return false;
  const DetectionRecipe& own = *sensor.returns.detection;
  return *model.sensor->detection == LearnedSensor::Detection{own.reflectance, own.rangeM,
                                                              own.probability,
                                                              own.falseAlarmsPerPulse};
}

}  // namespace

std::unique_ptr<const LearnedContext> LearnedContext::of(const SceneTruth& scene,
                                                         const SensorRecipe& sensor,
                                                         std::uint64_t seed) {
  const auto isDrawn = [](const Model& model) {
    return model.learned != nullptr || model.voxels != nullptr;
  };
  if (std::ranges::none_of(scene.scene.models, isDrawn)) return nullptr;
  return std::unique_ptr<const LearnedContext>(new LearnedContext(scene, sensor, seed));
}

LearnedContext::LearnedContext(const SceneTruth& scene, const SensorRecipe& sensor,
                               std::uint64_t seed)
    : scene_(scene), draws_(scene.scene, seed, sensor.stream) {
  for (const Instance& instance : scene.scene.instances) {
    const LearnedModel* model = scene.scene.models[instance.model].learned.get();
    models_.push_back(model);
    needsPulses_ |= scene.scene.models[instance.model].voxels != nullptr;
    isCertain_.push_back(model != nullptr && hasSameLimit(*model, sensor) ? 1 : 0);
    hasCertainHits_ |= isCertain_.back() != 0;
    if (model == nullptr) continue;
    hasSurfaces_ |= model->surface.size() > 0;
    hasPoints_ |= model->points.size() > 0;
    needsPulses_ |= std::ranges::any_of(model->surface.seen.permeability,
                                        [](float share) { return share > 0.0F; });
    const bool isNoisy = model->surfaceSigmaM > 0.0 || model->incidenceSigmaM > 0.0;
    hasNoise_ |= isNoisy && model->surface.size() + model->points.size() > 0;
  }
}

float LearnedContext::reflectance(std::uint32_t instance, std::uint32_t primitive,
                                  std::uint64_t pulse) const {
  const LearnedPrimitive met = primitiveOf(*models_[instance], primitive);
  return draws_.reflectance(instance, primitive, pulse, met.reflectance(), met.reflectanceSigma());
}

double LearnedContext::sigmaM(std::uint32_t instance, std::uint32_t primitive,
                              double cosIncidence) const {
  const LearnedModel& model = *models_[instance];
  if (primitiveOf(model, primitive).part == LearnedPart::element) return 0.0;
  return surfaceSigmaM(model, cosIncidence);
}

void LearnedContext::prefetchStops(const LineHits& hits, std::size_t count) const {
  for (std::size_t line = 0; line < count; ++line) {
    if (!hits.isHit(line)) continue;
    primitiveOf(*models_[hits.instance[line]], hits.primitive[line]).prefetch();
  }
}

LineStop LearnedContext::stopOf(const PulseLines& lines, const LineHits& hits,
                                std::size_t line) const {
  LineStop stop;
  stop.meanM = hits.meanM[line];
  stop.rangeM = hits.rangeM[line];
  stop.instance = hits.instance[line];
  stop.primitive = hits.primitive[line];
  const InstanceShading& shading = scene_.instances[stop.instance];
  stop.material = shading.material;
  stop.reflectance = reflectance(stop.instance, stop.primitive, lines.pulse[line]);
  const bool isPoint =
      primitiveOf(*models_[stop.instance], stop.primitive).part == LearnedPart::point;
  stop.facet =
      isPoint ? shading.inWorld(hits.normal[line])
              : Vec3f{-lines.directionX[line], -lines.directionY[line], -lines.directionZ[line]};
  return stop;
}

}  // namespace understory
