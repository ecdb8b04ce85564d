// A model learned from the beams of a sensor (PHYSICS.md, 2.5; Browning 2012, table 1): volume elements, a surface,
// points, or several of these. Plain data; positions are metres relative to LearnedModel::originM.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.h"
#include "core/maths/maths.h"

namespace understory {

// A symmetric 3 x 3 matrix: xx, xy, xz, yy, yz, zz.
using Symmetric3f = std::array<float, 6>;

// Observations of each element, triangle or point by the beams of the logs.
struct Observations {
  std::vector<float> permeability;     // probability that a beam passes: misses / (hits + misses)
  std::vector<std::uint32_t> hits;     // N_h: beams that end in it
  std::vector<std::uint32_t> misses;   // N_m: beams that pass through it
  std::vector<std::uint32_t> support;  // beams that observed it, either way
  // Mean of the diffuse reflectance: of elements of an equivalent surface seen head on, whatever the angle; of
  // triangles and points of the surface itself, whose returns darken with the cosine of the incidence.
  std::vector<float> reflectance;
  std::vector<float> reflectanceSigma;  // its standard deviation from beam to beam
  std::vector<std::uint16_t> classIds;  // indices in LearnedModel::classes
};

// Reflectance of an element, a triangle or a point; a file with more is refused.
inline constexpr double maxReflectance = 1e6;

// Elements that fewer beams observed are under-sampled (PHYSICS.md, 2.6).
inline constexpr std::uint32_t sparseSupport = 10;

// Gaussians: value i of each list belongs to element i.
struct LearnedElements {
  std::vector<Vec3f> meansM;
  std::vector<Symmetric3f> covariancesM2;  // positive definite
  Observations seen;

  std::size_t size() const { return meansM.size(); }
};

struct LearnedSurface {
  std::vector<Vec3f> verticesM;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  Observations seen;  // by triangle

  std::size_t size() const { return triangles.size(); }
};

// Points of the nearest-neighbours model.
struct LearnedPoints {
  std::vector<Vec3f> positionsM;
  std::vector<Vec3f> normals;  // of length 1
  Observations seen;

  std::size_t size() const { return positionsM.size(); }
};

// A sensor as far as a model depends on it.
struct LearnedSensor {
  struct Detection {
    double reflectance = 0.0;
    double rangeM = 0.0;
    double probability = 0.0;
    double falseAlarmsPerPulse = 0.0;

    friend bool operator==(const Detection&, const Detection&) = default;
  };

  std::string id;
  double minRangeM = 0.0;
  double maxRangeM = 0.0;
  std::optional<Detection> detection;
};

struct LearnedModel {
  LearnedKind kind = LearnedKind::voxel;
  Vec3d originM;
  std::string crs;  // coordinate reference system of the world; empty: not known
  CountingRule counting = CountingRule::owner;
  double mahalanobisLimit = 3.5;  // tau
  double surfaceSigmaM = 0.0;     // sigma_0
  double minSigmaM = 0.001;       // least standard deviation of an element along any axis
  double incidenceSigmaM = 0.0;   // sigma_a
  double pointRadiusM = 0.01;     // d_max
  std::optional<LearnedSensor> sensor;
  std::string reflectanceScale = "assumed";
  std::vector<std::string> classes{"learned"};
  LearnedElements elements;
  LearnedSurface surface;
  LearnedPoints points;
  // Provenance.
  std::vector<std::string> logHashes;
  std::uint64_t seed = 0;
  std::string engine;
  nlohmann::json parameters = nlohmann::json::object();  // numbers, words and flags by name
};

// Triangles first, then elements, then points: the numbers by which hits name them.
inline std::size_t primitivesOf(const LearnedModel& model) {
  return model.surface.size() + model.elements.size() + model.points.size();
}

// Adds value `index` of each list of `from` to `to`.
inline void appendObserved(const Observations& from, std::size_t index, Observations& to) {
  to.permeability.push_back(from.permeability[index]);
  to.hits.push_back(from.hits[index]);
  to.misses.push_back(from.misses[index]);
  to.support.push_back(from.support[index]);
  to.reflectance.push_back(from.reflectance[index]);
  to.reflectanceSigma.push_back(from.reflectanceSigma[index]);
  to.classIds.push_back(from.classIds[index]);
}

enum class LearnedPart { surface, element, point };

// A primitive of a model with what its beams say of it.
struct LearnedPrimitive {
  LearnedPart part;
  std::size_t index;  // within its part
  const Observations& seen;

  float permeability() const { return seen.permeability[index]; }
  float reflectance() const { return seen.reflectance[index]; }
  float reflectanceSigma() const { return seen.reflectanceSigma[index]; }
  std::uint32_t support() const { return seen.support[index]; }

  // Begins to read all but the permeability.
  void prefetch() const {
    __builtin_prefetch(&seen.reflectance[index]);
    __builtin_prefetch(&seen.reflectanceSigma[index]);
    __builtin_prefetch(&seen.support[index]);
  }
};

// `primitive` is below primitivesOf(model).
inline LearnedPrimitive primitiveOf(const LearnedModel& model, std::size_t primitive) {
  const std::size_t triangles = model.surface.size();
  if (primitive < triangles) return {LearnedPart::surface, primitive, model.surface.seen};
  const std::size_t element = primitive - triangles;
  if (element < model.elements.size()) {
    return {LearnedPart::element, element, model.elements.seen};
  }
  return {LearnedPart::point, element - model.elements.size(), model.points.seen};
}

}  // namespace understory
