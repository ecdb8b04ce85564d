// The waveform that a receiver samples, and the returns that are found in it.
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <numeric>

#include "core/returns/signal.h"
#include "core/returns/waveform.h"
#include "test/native/support/hits.h"

using namespace understory;

namespace {

// 4 ns pulses in bins of 1 ns: 0.15 m bins, sigma 0.2546 m, 1.7 bins.
constexpr WaveformRecipe recipe{1.0, 4.0};

std::vector<WaveformPeak> peaksOf(const std::vector<EnergyAt>& hits,
                                  const WaveformRecipe& waveform = recipe) {
  ReceiverWaveform receiver(waveform);
  std::vector<WaveformPeak> peaks;
  receiver.findPeaks(hits, peaks);
  return peaks;
}

std::vector<PulseReturn> returnsOf(std::vector<SignalHit> hits, ReturnMode mode,
                                   double threshold = 0.0) {
  SensorRecipe sensor;
  sensor.returns.mode = mode;
  sensor.returns.signalCutoffM = 1.0;
  sensor.returns.detectionThreshold = threshold;
  sensor.returns.waveform = recipe;
  SignalEvaluator evaluator(sensor);
  const auto returns = evaluator.evaluate(hits);
  return {returns.begin(), returns.end()};
}

}  // namespace

TEST_CASE("bins and pulse have the widths of the recipe, in ranges") {
  const ReceiverWaveform receiver(recipe);
  CHECK(receiver.binM() == doctest::Approx(0.5 * lightSpeedMPerNs).epsilon(1e-12));
  // Half the height at half the full width: exp(-x^2 / 2 sigma^2) = 1/2 at x = c 4 ns / 4.
  const double halfWidthM = lightSpeedMPerNs;
  CHECK(std::exp(-0.5 * std::pow(halfWidthM / receiver.sigmaM(), 2.0)) ==
        doctest::Approx(0.5).epsilon(1e-12));
}

TEST_CASE(
    "the energy in the bins is the energy of the hits, and each bin holds the pulse's integral") {
  const ReceiverWaveform receiver(recipe);
  std::vector<double> bins(200, 0.0);
  const std::vector<EnergyAt> hits{{5.03, 0.2}, {5.4, 0.05}, {17.77, 0.4}};
  for (const EnergyAt& hit : hits) receiver.add(hit, 0, bins);
  CHECK(std::accumulate(bins.begin(), bins.end(), 0.0) == doctest::Approx(0.65).epsilon(1e-12));
  // The bin of the lone hit by Simpson's rule on the Gaussian.
  const std::size_t bin = 120;  // 17.9875 to 18.1374 m
  const auto density = [&](double rangeM) {
    const double x = (rangeM - 17.77) / receiver.sigmaM();
    return 0.4 * std::exp(-0.5 * x * x) / (receiver.sigmaM() * std::sqrt(2.0 * std::numbers::pi));
  };
  double integral = 0.0;
  constexpr int parts = 64;
  const double stepM = receiver.binM() / (2 * parts);
  for (int part = 0; part <= 2 * parts; ++part) {
    const double rangeM = static_cast<double>(bin) * receiver.binM() + part * stepM;
    const int factor = part == 0 || part == 2 * parts ? 1 : part % 2 == 1 ? 4 : 2;
    integral += factor * density(rangeM) * stepM / 3.0;
  }
  // Simpson's error: (b/128)^4 b/180 max|f''''| < 1e-11.
  CHECK(bins[bin] == doctest::Approx(integral).epsilon(1e-8));
  // A window of bins sees its part only.
  std::vector<double> window(10, 0.0);
  receiver.add(hits[2], 115, window);
  CHECK(window[5] == bins[bin]);
}

TEST_CASE("a lone target is found at its range, with its strength and the pulse's width") {
  // A bin's integral is the Gaussian convolved with the bin: its logarithm is a parabola but for the box's fourth
  // cumulant, -b^4/120, which bends it by b^4/(2880 sigma^4) = 4.2e-5 at b = 0.59 sigma, times Hermite's
  // polynomial: so little do place (in bins) and height move, and its second derivative, 12 times as much,
  // changes the variance, and half of it sigma.
  const ReceiverWaveform receiver(recipe);
  double worst = 0.0;
  double worstStrength = 0.0;
  double worstSigma = 0.0;
  for (int step = 0; step < 400; ++step) {
    const double rangeM = 12.0 + 0.0011 * step;  // three bins, all places within them
    const std::vector<WaveformPeak> peaks = peaksOf({{rangeM, 0.3}});
    REQUIRE(peaks.size() == 1);
    worst = std::max(worst, std::abs(peaks[0].rangeM - rangeM) / receiver.binM());
    worstStrength = std::max(worstStrength, std::abs(peaks[0].strength / 0.3 - 1.0));
    worstSigma = std::max(worstSigma, std::abs(peaks[0].sigmaM / receiver.sigmaM() - 1.0));
  }
  CHECK(worst < 5e-5);
  CHECK(worstStrength < 5e-5);
  CHECK(worstSigma < 3e-4);
}

TEST_CASE("two targets farther apart than the pulse are two, nearer ones one between them") {
  // Equal pulses 2 sigma (0.509 m) and more apart have two maxima, nearer ones a single one in the middle.
  const double sigmaM = ReceiverWaveform(recipe).sigmaM();
  const std::vector<WaveformPeak> two = peaksOf({{10.0, 0.5}, {10.0 + 6.0 * sigmaM, 0.5}});
  REQUIRE(two.size() == 2);
  // The other's tail, exp(-18) of its height, hardly moves a maximum: sigma * 6 exp(-18) = 2e-8 m.
  CHECK(std::abs(two[0].rangeM - 10.0) < 1e-4);
  CHECK(std::abs(two[1].rangeM - 10.0 - 6.0 * sigmaM) < 1e-4);
  const std::vector<WaveformPeak> ghost = peaksOf({{10.0, 0.5}, {10.0 + 1.5 * sigmaM, 0.5}});
  REQUIRE(ghost.size() == 1);
  // The middle, within the bins' own error for a peak that is flatter than the pulse.
  CHECK(std::abs(ghost[0].rangeM - 10.0 - 0.75 * sigmaM) < 0.01);
  CHECK(ghost[0].sigmaM > 1.2 * sigmaM);
  // The ghost of uneven ones lies nearer to the stronger: at the energies' mean to first order.
  const std::vector<WaveformPeak> uneven = peaksOf({{10.0, 0.75}, {10.0 + 0.5 * sigmaM, 0.25}});
  REQUIRE(uneven.size() == 1);
  CHECK(std::abs(uneven[0].rangeM - 10.0 - 0.125 * sigmaM) < 0.01 * sigmaM);
}

TEST_CASE(
    "a flat top of rounding is one maximum, and pulses shorter than a bin are found in their bin") {
  // A dense ramp of equal hits: a plateau whose ripples are rounding.
  std::vector<EnergyAt> ramp;
  const double binM = ReceiverWaveform(recipe).binM();
  for (int hit = 0; hit < 400; ++hit) ramp.push_back({20.0 + hit * binM / 20.0, 0.0025});
  CHECK(peaksOf(ramp).size() == 1);
  const WaveformRecipe sharp{10.0, 0.5};
  const std::vector<WaveformPeak> peaks = peaksOf({{20.3, 0.5}}, sharp);
  REQUIRE(peaks.size() == 1);
  CHECK(std::abs(peaks[0].rangeM - 20.3) <= 0.5 * ReceiverWaveform(sharp).binM());
}

TEST_CASE("every mode takes its echoes from the peaks") {
  // Two rays that merge, one bright one far behind, one faint one at the end.
  const std::vector<SignalHit> hits{hitAt(10.0F, 0.4F, 0.25F, 0), hitAt(10.2F, 0.4F, 0.25F, 1),
                                    hitAt(15.0F, 0.9F, 0.25F, 2), hitAt(19.0F, 0.01F, 0.25F, 3)};
  const std::vector<PulseReturn> all = returnsOf(hits, ReturnMode::all);
  REQUIRE(all.size() == 3);
  CHECK(all[0].rangeM == doctest::Approx(10.1).epsilon(1e-4));
  CHECK(all[0].intensity == doctest::Approx(0.4));
  CHECK(all[0].beamShare == doctest::Approx(0.5));
  CHECK(all[1].rangeM == doctest::Approx(15.0).epsilon(1e-5));
  CHECK(all[1].decidingHit == 2);
  CHECK(returnsOf(hits, ReturnMode::strongest)[0].rangeM == doctest::Approx(15.0).epsilon(1e-5));
  CHECK(returnsOf(hits, ReturnMode::last)[0].rangeM == doctest::Approx(19.0).epsilon(1e-5));
  CHECK(returnsOf(hits, ReturnMode::closest)[0].rangeM == doctest::Approx(10.1).epsilon(1e-4));
  CHECK(returnsOf(hits, ReturnMode::first)[0].rangeM == doctest::Approx(10.1).epsilon(1e-4));
  CHECK(returnsOf(hits, ReturnMode::last, 0.01)[0].rangeM == doctest::Approx(15.0).epsilon(1e-5));
}

TEST_CASE("first is the first peak, not a mean") {
  // A dark surface before a bright one: their maximum lies near the bright one.
  const std::vector<SignalHit> uneven{hitAt(10.0F, 0.1F, 1.0F / 3.0F, 0),
                                      hitAt(10.3F, 0.9F, 2.0F / 3.0F, 1)};
  const float closestM = returnsOf(uneven, ReturnMode::closest)[0].rangeM;
  CHECK(returnsOf(uneven, ReturnMode::first)[0].rangeM == closestM);
  // d/dr of 0.1/3 g(r - 10) + 0.6 g(r - 10.3) is 0 at 10.2915, by bisection; bins of 0.15 m move it by 5e-5 of one.
  CHECK(static_cast<double>(closestM) == doctest::Approx(10.2915).epsilon(1e-4));
}
