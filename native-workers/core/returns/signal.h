// From the signal of a pulse, the hits of all its rays, to echoes and returns (PHYSICS.md, 1.3). The general
// form of returns.h: any number of rays, several hits along one, echoes of several rays, gate, threshold.
//
// Signal: the hits that the gate lets through: up to fullToM those with a reflectance above 0, then those that
// reach the gate's line, beyond noneBeyondM none. Without a gate all.
// Echo: opens at the nearest hit not yet grouped and takes every hit less than the range resolution behind it;
// resolution 0: every hit its own. Or, with a waveform, the hits nearest to one of its peaks (waveform.h).
// Strength: sum of rayWeight times intensity; of a peak, its height as the strength of a lone echo of that
// height. Range: sum(w r) / sum(w); of a peak, its place. Detected: strength at least the threshold.
// Return, by mode: an echo's range, or the mean of the hits around it (`first`, window).
// Rays of a return: the hits that were averaged; else, with a resolution or a waveform, the echo's; else, every
// hit being its own echo, the hits within the cutoff of the returned range, as beam_share counts them.
// Intensity, relative: mean over the rays of the echo (or over the averaged ones, with `first`) of what each
// sends back: that of the deciding ray where it is the only one. Radar equation: the sum of rayWeight times
// intensity over the rays of the return.
// Share of the beam: `first`: weight of the averaged hits; else of those within the cutoff of the returned
// range, either side.
// Deciding hit: `first`: the nearest averaged one; else that of the echo which adds most to its strength.
// Ties: the nearest, then instance, primitive, ray.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/returns/returns.h"
#include "core/returns/waveform.h"
#include "core/sensor/sensorRecipe.h"

namespace understory {

// One hit of a ray within the range limits. A ray that passes leaves, or is mirrored, may have several.
struct SignalHit {
  float rangeM = 0.0F;     // along the ray's whole path
  float intensity = 0.0F;  // of the ray's whole energy as 1: radiometry, losses on the path
  float weight =
      0.0F;  // share of the beam's energy that ends here: of ranges' means and of beam_share
  float rayWeight =
      0.0F;  // of its whole ray: rayWeight * intensity is what an echo's strength adds up
  float reflectance = 0.0F;  // diffuse, of the material: what the gate asks for
  std::uint32_t ray = 0;     // of the pulse
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint32_t index = 0;  // the caller's own number of the hit
};

// What arrives of a hit at the receiver, the whole beam's energy being 1.
inline double energyOf(const SignalHit& hit) {
  return static_cast<double>(hit.rayWeight) * static_cast<double>(hit.intensity);
}

// Hits [from, to) of a pulse, in the order of SignalEvaluator::evaluate.
struct HitRange {
  std::size_t from = 0;
  std::size_t to = 0;
};

struct SignalEcho {
  double rangeM = 0.0;
  double strength = 0.0;
  HitRange hits;
};

// How a return was formed. Ranges are empty where there are no such hits.
struct FormedReturn {
  double rangeM = 0.0;
  double beamShare = 0.0;
  std::uint32_t decidingHit = 0;
  HitRange echo;
  HitRange averaged;  // whose mean is the range; empty: the range is the echo's own
  HitRange shared;    // that make up its share of the beam
};

// Whether the gate lets a hit through.
bool isSeen(const ReturnsRecipe& recipe, const SignalHit& hit);

// Most returns that a pulse can have.
std::size_t maxReturnsOf(const ReturnsRecipe& recipe);

// Works on one pulse after another without allocating after the first few. One for each thread.
class SignalEvaluator {
 public:
  explicit SignalEvaluator(const SensorRecipe& sensor);

  std::size_t maxReturns() const { return maxReturns_; }

  // The returns of a pulse, in order of return_no: by range with mode 'all', strongest before last. Puts
  // `hits` in order (range, instance, primitive, ray; those that the gate keeps back after all others);
  // PulseReturn::decidingHit is an index in that order. The span lasts until the next call.
  std::span<const PulseReturn> evaluate(std::vector<SignalHit>& hits);

  // Of the pulse evaluated last, by index in its ordered hits: the return (from 1) whose rays it is one of,
  // the first of several, but its own where it decided one; 0: none.
  std::span<const std::uint8_t> returnOfHit() const { return returnOfHit_; }

  // Of the pulse evaluated last: the echoes that reach the threshold, by range, and how each return was formed.
  std::span<const SignalEcho> echoes() const { return echoes_; }
  std::span<const FormedReturn> formed() const { return formed_; }

  // The ray on the axis, without which Mutation::centreMissDropsPulse drops a pulse.
  void setAxisRay(std::uint32_t ray);

 private:
  HitRange putInOrder(std::vector<SignalHit>& hits) const;
  void findEchoes();
  void findPeaks();
  void report(const SignalEcho& echo, bool isWindowed);
  void reportFirst();
  void reportStrongest(bool alsoLast);
  HitRange hitsWithin(double centreM) const;
  double meanRangeM(HitRange range) const;
  double weightOf(HitRange range) const;
  double strengthOf(HitRange range) const;
  double meanIntensity(HitRange range);
  std::size_t decidingHit(HitRange echo) const;
  void add(const FormedReturn& formed, double intensity, HitRange rays);

  ReturnsRecipe recipe_;
  Radiometry radiometry_ = Radiometry::relative;
  std::size_t maxReturns_ = 1;
  bool isEachRayAnEcho_ = true;
  std::optional<std::uint32_t> axisRay_{};  // for Mutation::centreMissDropsPulse
  std::optional<ReceiverWaveform> waveform_{};
  std::span<const SignalHit>
      signal_;  // of this pulse: its ordered hits without those the gate keeps back
  std::vector<SignalEcho> echoes_;  // detected
  std::vector<PulseReturn> returns_;
  std::vector<FormedReturn> formed_;
  std::vector<std::uint8_t> returnOfHit_;
  std::vector<EnergyAt> energies_;  // with a waveform
  std::vector<WaveformPeak> peaks_;
  std::vector<std::uint64_t> sumOfRay_;  // by ray: the number of the mean that counted it last
  std::uint64_t sums_ = 0;
};

}  // namespace understory
