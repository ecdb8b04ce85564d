// Echoes of a pulse: the maxima of its signal (PHYSICS.md, 1.3). One rule for what is detected and what is returned.
//   W(r) = sum of S_i g(r - r_i; sigma_i), g a Gaussian of unit area, cut at 5 sigma
//   sigma_i^2 = sigma_p^2 + s_i^2, sigma_p = 0.28 times the range resolution
//   s_i, what a ray's own share of the beam adds on an inclined surface: RaySpread
// Two maxima are two echoes where W falls between them to half of the smaller one or below; a hit belongs to the maximum
// of its valley. Hits within 0.6 of the resolution are one echo: for equal sigmas a law (a Gaussian convolved with
// anything 2 sigma_p wide has one maximum), and all that packets of rays need to know.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/sensor/sensorRecipe.h"

namespace understory {

struct SignalHit;

// Extent in range of a ray's share of the beam. Why of the wider axis: a bar along the slope would be parted by a mean.
class RaySpread {
 public:
  explicit RaySpread(const SensorRecipe& sensor);

  // s = 0.5 w tan(theta), w the width of the share at that range along the ray's path, tan(theta) at most 1000.
  float at(float rangeM, float cosIncidence) const;

 private:
  float apertureM_ = 0.0F;  // of the share
  float divergenceRad_ = 0.0F;
};

// Standard deviation in range of a pulse that a range resolution implies.
double pulseSigmaM(double rangeResolutionM);

// Hits that span less than this are one echo.
double oneEchoM(double rangeResolutionM);

// Works on one pulse after another without allocating after the first few. One for each thread.
class EchoFinder {
 public:
  // Without a resolution every hit is an echo.
  explicit EchoFinder(double rangeResolutionM);

  // `hits`: at least one, in order of range. The index behind the last hit of each echo; valid until the next call.
  std::span<const std::size_t> find(std::span<const SignalHit> hits);

 private:
  // A hit's part of W, from the nearest hit on.
  struct Part {
    float atM = 0.0F;
    float sigmaM = 0.0F;
    float height = 0.0F;
  };

  // Mutation::echoesInSlices.
  std::span<const std::size_t> slices(std::span<const SignalHit> hits);
  void splitStretch(std::size_t from, std::size_t to);

  double resolutionM_;
  double sigmaM_;
  double oneEchoM_;
  std::vector<Part> parts_;
  std::vector<float> reachesBackM_;  // by hit: the least range that it or one behind it reaches
  std::vector<float> samples_;       // of W
  std::vector<std::size_t> ends_;
};

}  // namespace understory
