// Small learned models for tests.
#pragma once

#include <cstddef>
#include <random>
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

// Uniform in [0, 1): not std::uniform_real_distribution, whose numbers differ between libraries.
inline double shareOf(std::mt19937& random) { return static_cast<double>(random()) / 4294967296.0; }

// Elements of any size, shape and permeability in a flat box of 20 m.
inline LearnedModel randomElements(std::size_t count) {
  std::mt19937 random(4);
  const auto uniform = [&](double from, double to) {
    return static_cast<float>(from + (to - from) * shareOf(random));
  };
  LearnedModel model;
  for (std::size_t index = 0; index < count; ++index) {
    addElement(model, {uniform(-10, 10), uniform(-10, 10), uniform(-2, 2)}, 0.1F, uniform(0, 1));
    // L L' of a random lower triangle.
    const float a = uniform(0.02, 0.3);
    const float b = uniform(-0.2, 0.2);
    const float c = uniform(0.02, 0.3);
    const float d = uniform(-0.2, 0.2);
    const float e = uniform(-0.2, 0.2);
    const float f = uniform(0.005, 0.3);
    model.elements.covariancesM2[index] = {a * a,         a * b,         a * d,
                                           b * b + c * c, b * d + c * e, d * d + e * e + f * f};
  }
  return model;
}

}  // namespace understory
