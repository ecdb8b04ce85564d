// From the signal of a pulse, the hits of all its rays, to echoes and returns (PHYSICS.md, 1.3). Any number of rays,
// several hits along one, echoes of several rays, gate, detection limit.
//
// S of a hit: rayWeight times received. A hit that sends nothing back is no part of the signal.
// Signal: the hits that the gate lets through and that the detection limit, echo by echo, does not lose (detection.h).
// Two rules form returns of a signal:
// - The paper's, for sensors without a range resolution and without a waveform: every hit is an echo of its own; a
//   detection limit sees those of echoes.h, of a resolution of rangeCellM(). Rays of a return: the hits that were
//   averaged (`first`); else those within the cutoff of the returned range, either side. Means of ranges are by weight.
// - Separated echoes, with a range resolution (echoes.h) or a waveform (waveform.h): the hits of a maximum of the
//   signal. Rays of a return: the echo's own, or those of its window; each hit belongs to one return at most. Means of
//   ranges are by S; with a waveform a range is the peak's.
// Strength, by which `strongest` chooses: the sum of rayWeight times intensity; with a detection limit the sum of S; of
// a peak, its height as the strength of a lone echo of that height.
// Intensity, relative: mean over the rays of the echo (or over the averaged ones, with `first`) of what each
// sends back: that of the deciding ray where it is the only one. Radar equation: the sum of rayWeight times
// intensity over the rays of the return.
// Share of the beam: the weight of the rays of the return.
// Deciding hit: `first`: the nearest averaged one; else that of the echo which adds most to its strength.
// Ties: the nearest, then instance, primitive, ray.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/returns/detection.h"
#include "core/returns/echoes.h"
#include "core/returns/returns.h"
#include "core/returns/waveform.h"

namespace understory {

// One hit of a ray within the range limits. A ray that passes leaves, or is mirrored, may have several.
struct SignalHit {
  float rangeM = 0.0F;     // along the ray's whole path
  float intensity = 0.0F;  // of the ray's whole energy as 1: radiometry, losses on the path
  float weight =
      0.0F;  // share of the beam's energy that ends here: of ranges' means and of beam_share
  float rayWeight = 0.0F;  // of its whole ray: rayWeight * intensity is what a strength adds up
  float received =
      0.0F;  // as intensity, in any radiometry by the radar equation, air included, in 1/m^2
  float reflectance = 0.0F;  // of a diffuse surface that would return as much: what the gate reads
  float spreadM = 0.0F;      // extent in range of the ray's share of the beam (RaySpread)
  std::uint32_t ray = 0;     // of the pulse
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint32_t index = 0;  // the caller's own number of the hit
  bool isCertain = false;   // detected whatever its signal, and with it its echo
};

// Energy of a hit in the radiometry of the sensor, the whole beam's energy being 1.
inline double energyOf(const SignalHit& hit) {
  return static_cast<double>(hit.rayWeight) * static_cast<double>(hit.intensity);
}

// S of a hit: what arrives of it, by the radar equation, in 1/m^2. Why a float: products of two are exact in a double,
// and sums of those the same in any order (core/maths/exactSum.h), for packets of rays as for this.
inline double signalOf(const SignalHit& hit) {
  return static_cast<double>(hit.rayWeight * hit.received);
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
  double peakSigmaM = 0.0;  // with a waveform: standard deviation of the peak, in range
};

// How a return was formed. Ranges are empty where there are no such hits.
struct FormedReturn {
  double rangeM = 0.0;
  double beamShare = 0.0;
  std::uint32_t decidingHit = 0;
  HitRange echo;
  HitRange averaged;        // whose mean is the range; empty: the range is the echo's own
  HitRange shared;          // that make up its share of the beam
  double peakSigmaM = 0.0;  // of its echo
};

// Most returns that a pulse can have.
std::size_t maxReturnsOf(const ReturnsRecipe& recipe);

// Works on one pulse after another without allocating after the first few. One for each thread.
class SignalEvaluator {
 public:
  // `seed`: of what the receiver's noise loses. Throws UnderstoryError 'bad-input' as Detector.
  explicit SignalEvaluator(const SensorRecipe& sensor, std::uint64_t seed = 0);

  std::size_t maxReturns() const { return maxReturns_; }
  const Detector& detector() const { return detector_; }

  // The returns of pulse `pulse`, in order of return_no: by range with mode 'all', strongest before last. Puts
  // `hits` in order: the signal by (range, instance, primitive, ray), then what the detection limit loses, then
  // what the gate holds back or sends nothing back, each likewise. PulseReturn::decidingHit is an index in that
  // order. The span lasts until the next call.
  std::span<const PulseReturn> evaluate(std::vector<SignalHit>& hits, std::uint64_t pulse = 0);

  // The same where all hits are signal and in order, and the ends of their echoes are known.
  std::span<const PulseReturn> evaluateEchoes(std::vector<SignalHit>& hits,
                                              std::span<const std::size_t> ends,
                                              std::uint64_t pulse);

  // For the pulse evaluated last, by index in its ordered hits: the return (from 1) whose rays it is one of,
  // the first of several, but its own where it decided one; 0: none.
  std::span<const std::uint8_t> returnOfHit() const { return returnOfHit_; }

  // For the pulse evaluated last: the number of hits in the signal, its echoes and those that the detection limit lost,
  // both by range, and how each return was formed.
  std::size_t signalHits() const { return signal_.size(); }
  std::span<const SignalEcho> echoes() const { return echoes_; }
  std::span<const SignalEcho> lostEchoes() const { return lostEchoes_; }
  std::span<const FormedReturn> formed() const { return formed_; }
  // S of the rays of one of them, and the standard deviation of these and of the pulse, in range.
  double signalOfRays(const FormedReturn& formed) const;
  double widthM(const FormedReturn& formed) const;

  // The ray on the axis, without which Mutation::centreMissDropsPulse drops a pulse.
  void setAxisRay(std::uint32_t ray);

 private:
  void clear(std::size_t hits);
  std::size_t putInOrder(std::vector<SignalHit>& hits) const;
  void findEchoes();
  void addEchoes(std::span<const std::size_t> ends);
  void findPeaks();
  void addEcho(HitRange hits);
  bool isSeen(const SignalEcho& echo, std::uint64_t pulse, std::size_t number) const;
  void loseEchoes(std::span<SignalHit> hits, std::uint64_t pulse);
  std::span<const PulseReturn> formReturns(std::span<SignalHit> arrived, std::uint64_t pulse);
  void takeEachHit();
  void choose();
  void report(const SignalEcho& echo, HitRange rays, bool isWindowed);
  void reportAlone(const SignalEcho& echo);
  void reportFirst();
  void reportStrongestAndLast();
  std::size_t strongestEcho(std::size_t except) const;
  std::size_t lastEcho() const;
  std::span<const SignalHit> hitsOf(HitRange range) const {
    return signal_.subspan(range.from, range.to - range.from);
  }
  HitRange windowOf(const SignalEcho& echo) const;
  HitRange hitsWithin(double centreM) const;
  double meanRangeM(HitRange range) const;
  double weightOf(HitRange range) const;
  double energyOfHits(HitRange range) const;
  double strengthOf(const SignalHit& hit) const {
    return detector_.isActive() ? signalOf(hit) : energyOf(hit);
  }
  double meanIntensity(HitRange range);
  std::size_t decidingHit(HitRange echo) const;
  void add(FormedReturn formed, double intensity, const SignalEcho& echo);

  ReturnsRecipe recipe_;
  Radiometry radiometry_ = Radiometry::relative;
  Detector detector_;
  std::size_t maxReturns_ = 1;
  bool isEachRayAnEcho_ = true;
  EchoFinder finder_;
  double pulseSigmaM_ = 0.0;                // of the emitted pulse, in range; 0: unknown
  std::optional<std::uint32_t> axisRay_{};  // for Mutation::centreMissDropsPulse
  std::optional<ReceiverWaveform> waveform_{};
  std::span<const SignalHit> signal_;  // of this pulse
  std::vector<SignalEcho> echoes_;
  std::vector<SignalEcho> lostEchoes_;
  std::vector<SignalHit> lost_;  // scratch
  std::vector<PulseReturn> returns_;
  std::vector<FormedReturn> formed_;
  std::vector<std::uint8_t> returnOfHit_;
  std::vector<EchoHit> echoHits_;   // of echoes without a waveform
  std::vector<EnergyAt> energies_;  // with a waveform
  std::vector<WaveformPeak> peaks_;
  std::vector<std::uint64_t> sumOfRay_;  // by ray: the number of the mean that counted it last
  std::uint64_t sums_ = 0;
};

}  // namespace understory
