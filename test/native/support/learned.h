// Small learned models for tests.
#pragma once

#include <cstddef>
#include <string>

#include "core/learned/learnedFile.h"

namespace understory {

inline void addObserved(Observations& seen, float permeability, float reflectance = 0.5F) {
  seen.permeability.push_back(permeability);
  seen.hits.push_back(10);
  seen.misses.push_back(static_cast<std::uint32_t>(40.0F * permeability));
  seen.support.push_back(50);
  seen.reflectance.push_back(reflectance);
  seen.reflectanceSigma.push_back(0.0F);
  seen.classIds.push_back(0);
}

// A round element of standard deviation `sigmaM`.
inline void addElement(LearnedModel& model, Vec3f meanM, float sigmaM, float permeability,
                       float reflectance = 0.5F) {
  const float variance = sigmaM * sigmaM;
  model.elements.meansM.push_back(meanM);
  model.elements.covariancesM2.push_back({variance, 0.0F, 0.0F, variance, 0.0F, variance});
  addObserved(model.elements.seen, permeability, reflectance);
}

inline void addTriangle(LearnedModel& model, Vec3f a, Vec3f b, Vec3f c, float permeability,
                        float reflectance = 0.5F) {
  const auto first = static_cast<std::uint32_t>(model.surface.verticesM.size());
  for (const Vec3f corner : {a, b, c}) model.surface.verticesM.push_back(corner);
  model.surface.triangles.push_back({first, first + 1, first + 2});
  addObserved(model.surface.seen, permeability, reflectance);
}

inline void addPoint(LearnedModel& model, Vec3f positionM, Vec3f normal) {
  model.points.positionsM.push_back(positionM);
  model.points.normals.push_back(normal);
  addObserved(model.points.seen, 0.0F);
}

inline std::string fileOf(const LearnedModel& model) {
  std::string bytes;
  writeLearnedModel(model, [&](std::string_view piece) { bytes += piece; });
  return bytes;
}

}  // namespace understory
