// Echoes of a pulse: the maxima of its signal (PHYSICS.md, 1.3). One rule for what is detected and what is returned.
//   W(r) = sum of S_i g(r - r_i; sigma_i), g a Gaussian of unit area, cut at 5 sigma
//   sigma_i^2 = sigma_p^2 + s_i^2, sigma_p = 0.28 times the range resolution
//   s_i, what a ray's own share of the beam adds on an inclined surface: RaySpread
// Two maxima are two echoes where W falls between them to half of the smaller one or below; a hit belongs to the maximum
// of its valley. Hits within 0.6 of the resolution are one echo: for equal sigmas a law (a Gaussian convolved with
// anything 2 sigma_p wide has one maximum), and all that packets of rays need to know.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/maths/lanes.h"

namespace understory {

// A hit as the signal has it.
struct EchoHit {
  float rangeM = 0.0F;
  float signal = 0.0F;   // S
  float spreadM = 0.0F;  // s, of RaySpread
};

// Extent in range of a ray's share of the beam. Why of the wider axis: a bar along the slope would be parted by a mean.
class RaySpread {
 public:
  explicit RaySpread(const SensorRecipe& sensor);

  // s = 0.5 w tan(theta), w the width of the share at that range along the ray's path, tan(theta) at most 1000.
  UNDERSTORY_INLINE float at(float rangeM, float cosIncidence) const {
    const float sine = std::sqrt(std::max(0.0F, 1.0F - cosIncidence * cosIncidence));
    const float tangent = sine < maxTangent * cosIncidence ? sine / cosIncidence : maxTangent;
    return 0.5F * (apertureM_ + rangeM * divergenceRad_) * tangent;
  }

 private:
  static constexpr float maxTangent = 1e3F;

  float apertureM_ = 0.0F;  // of the share
  float divergenceRad_ = 0.0F;
};

// Standard deviation in range of a pulse that a range resolution implies.
double pulseSigmaM(double rangeResolutionM);

// Works on one pulse after another without allocating after the first few. One for each thread.
class EchoFinder {
 public:
  // Without a resolution every hit is an echo.
  explicit EchoFinder(double rangeResolutionM);

  // Whether hits are one echo for what they span alone.
  bool isOneEcho(float nearestM, float farthestM) const {
    return static_cast<double>(farthestM) - static_cast<double>(nearestM) < oneEchoM_;
  }

  // `hits`: at least one, in order of range. The index behind the last hit of each echo; valid until the next call.
  std::span<const std::size_t> find(std::span<const EchoHit> hits);

  // A hit's part of W, from the nearest hit on.
  struct Part {
    float atM = 0.0F;
    float reachM = 0.0F;  // either side
    float perM = 0.0F;    // 1/sigma
    float height = 0.0F;
  };

 private:
  // Mutation::echoesInSlices.
  std::span<const std::size_t> slices(std::span<const EchoHit> hits);
  void splitStretch(std::size_t from, std::size_t to);

  double resolutionM_;
  float sigmaM_;
  double oneEchoM_;
  std::vector<Part> parts_;
  std::vector<float> reachesBackM_;  // by hit: the least range that it or one behind it reaches
  std::vector<float> samples_;       // of W
  std::vector<std::size_t> ends_;
};

}  // namespace understory
