// Detection by a receiver: the limit of a data sheet against its closed form, and the law of false alarms.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/error.h"
#include "core/maths/normal.h"
#include "core/returns/detection.h"
#include "pulses/falseAlarms.h"

using namespace understory;
using doctest::Approx;

namespace {

// 10 % at 50 m, half of the pulses.
SensorRecipe sensorWith(double probability, double falseAlarms = 1e-6) {
  SensorRecipe sensor;
  sensor.minRangeM = 1.0;
  sensor.maxRangeM = 101.0;
  sensor.returns.signalCutoffM = 1.0;
  sensor.returns.rangeResolutionM = 1.0;
  sensor.returns.detection = DetectionRecipe{0.1, 50.0, probability, falseAlarms};
  return sensor;
}

constexpr double limitRangeM = 50.0;
constexpr double atLimit = 0.1 / (limitRangeM * limitRangeM);

}  // namespace

TEST_CASE("the inverse of the normal law, against printed values") {
  // Abramowitz and Stegun, table 26.5; far tails by Mathematica's InverseErfc in Wichura's test values.
  CHECK(normalQuantile(0.5) == 0.0);
  CHECK(normalQuantile(0.975) == Approx(1.959963984540054).epsilon(1e-14));
  CHECK(normalQuantile(0.25) == Approx(-0.6744897501960817).epsilon(1e-14));
  CHECK(normalQuantile(0.001) == Approx(-3.090232306167814).epsilon(1e-14));
  CHECK(normalQuantile(1e-8) == Approx(-5.612001244174965).epsilon(1e-12));
  CHECK(normalQuantile(1e-20) == Approx(-9.262340089798408).epsilon(1e-12));
  for (const double x : {-8.0, -3.0, -0.4, 0.0, 0.4, 2.5}) {
    CHECK(normalQuantile(normalIntegral(x)) == Approx(x).epsilon(1e-9));
  }
}

TEST_CASE("a target at the limit is detected with the limit's probability") {
  for (const double probability : {0.1, 0.5, 0.9}) {
    const Detector detector(sensorWith(probability), 1);
    CHECK(detector.probability(atLimit, limitRangeM) == Approx(probability).epsilon(1e-9));
    std::size_t seen = 0;
    constexpr std::size_t pulses = 20'000;
    for (std::uint64_t pulse = 0; pulse < pulses; ++pulse) {
      seen += detector.isSeen(atLimit, limitRangeM, pulse, 0) ? 1 : 0;
    }
    const double error = std::sqrt(probability * (1.0 - probability) / pulses);
    CHECK(std::abs(static_cast<double>(seen) / pulses - probability) < 4.0 * error);
  }
}

TEST_CASE("a second, farther target is at the limit with the same probability") {
  // 80 % at 90 m by (50/90)^p: p = ln 8 / ln 1.8 - 2.
  SensorRecipe sensor = sensorWith(0.9);
  sensor.returns.detectionFalloff = std::log(8.0) / std::log(1.8) - 2.0;
  const Detector detector(sensor, 1);
  CHECK(detector.sigma() == Detector(sensorWith(0.9), 1).sigma());
  CHECK(detector.probability(0.8 / 8100.0, 90.0) == Approx(0.9).epsilon(1e-9));
  CHECK(detector.probability(atLimit, limitRangeM) == Approx(0.9).epsilon(1e-9));
  // P of one target falls along the range, faster than by 1/R^2.
  CHECK(detector.probability(0.8 / 1e4, 100.0) <
        Detector(sensorWith(0.9), 1).probability(0.8 / 1e4, 100.0));
  // Sure at every range: no draw of its pulses is lost at the farthest.
  const double sure = 1.0001 * (detector.threshold() + 8.6 * detector.sigma());
  const double sureAtEnd = sure / detector.gainAt(sensor.maxRangeM);
  CHECK(detector.isSure(sureAtEnd, sensor.maxRangeM));
  CHECK_FALSE(detector.isSure(0.999 * sureAtEnd, sensor.maxRangeM));
  CHECK(detector.probability(sureAtEnd, sensor.maxRangeM) == Approx(1.0).epsilon(1e-15));
  // Up to the range of the limit, where a signal counts as much or more, less is sure.
  CHECK(detector.isSure(sure, limitRangeM));
  CHECK(detector.probability(sure, limitRangeM) == Approx(1.0).epsilon(1e-15));
  CHECK_FALSE(detector.isSure(sure, 1.01 * limitRangeM));
  std::size_t seen = 0;
  constexpr std::size_t pulses = 20'000;
  for (std::uint64_t pulse = 0; pulse < pulses; ++pulse) {
    seen += detector.isSeen(0.8 / 8100.0, 90.0, pulse, 0) ? 1 : 0;
  }
  CHECK(std::abs(static_cast<double>(seen) / pulses - 0.9) < 4.0 * std::sqrt(0.09 / pulses));
}

TEST_CASE("threshold and noise follow from false alarms per range cell") {
  // 100 cells of 1 m: k = 5.612 for 1e-6 / 100.
  const Detector detector(sensorWith(0.5), 1);
  CHECK(detector.threshold() == Approx(atLimit).epsilon(1e-12));
  CHECK(detector.sigma() == Approx(atLimit / 5.612001244174965).epsilon(1e-12));
  // k sigma = S0 - Phi^-1(P0) sigma.
  const Detector likely(sensorWith(0.9), 1);
  CHECK(likely.sigma() ==
        Approx(atLimit / (5.612001244174965 + 1.2815515655446004)).epsilon(1e-12));
  // Cells of a pulse: c 10 ns / 2 = 1.4990 m.
  SensorRecipe pulsed = sensorWith(0.5);
  pulsed.returns.rangeResolutionM = 0.0;
  pulsed.returns.waveform = WaveformRecipe{1.0, 10.0};
  CHECK(rangeCellM(pulsed.returns) == Approx(1.49896229).epsilon(1e-9));
  // Without false alarms the receiver is as noisy as with the usual number.
  CHECK(Detector(sensorWith(0.5, 0.0), 1).sigma() == detector.sigma());
}

TEST_CASE("what no draw can change is not drawn, and is what a draw would give") {
  const Detector detector(sensorWith(0.5), 1);
  const double sureSignal = detector.threshold() + 8.6001 * detector.sigma();
  CHECK(detector.isSure(sureSignal, limitRangeM));
  CHECK_FALSE(detector.isSure(detector.threshold() + 8.57 * detector.sigma(), limitRangeM));
  CHECK(detector.isSeen(sureSignal, limitRangeM, 3, 0));
  CHECK(detector.probability(sureSignal, limitRangeM) == Approx(1.0).epsilon(1e-15));
  SensorRecipe both = sensorWith(0.5);
  both.returns.detectionThreshold = 1.0;
  CHECK_FALSE(Detector(both, 1).isSeen(0.5, limitRangeM, 3, 0));
}

TEST_CASE("a group has one number: other pulses, groups, seeds and sensors have others") {
  const SensorRecipe sensor = sensorWith(0.5);
  SensorRecipe other = sensor;
  other.stream = 1;
  const Detector one(sensor, 1);
  std::vector<int> different(4, 0);
  for (std::uint64_t pulse = 0; pulse < 1000; ++pulse) {
    const bool isSeen = one.isSeen(atLimit, limitRangeM, pulse, 0);
    CHECK(isSeen == one.isSeen(atLimit, limitRangeM, pulse, 0));
    different[0] += isSeen != one.isSeen(atLimit, limitRangeM, pulse + 1000, 0) ? 1 : 0;
    different[1] += isSeen != one.isSeen(atLimit, limitRangeM, pulse, 1) ? 1 : 0;
    different[2] += isSeen != Detector(sensor, 2).isSeen(atLimit, limitRangeM, pulse, 0) ? 1 : 0;
    different[3] += isSeen != Detector(other, 1).isSeen(atLimit, limitRangeM, pulse, 0) ? 1 : 0;
  }
  // Half of 1000, four standard errors of 16.
  for (const int count : different) CHECK(std::abs(count - 500) < 64);
}

TEST_CASE("false alarms are Poisson in number and uniform in range, whatever interval asks") {
  constexpr double perPulse = 0.02;
  const FalseAlarms alarms(sensorWith(0.5, perPulse), 7);
  TracedBatch batch;
  constexpr std::uint32_t pulsesPerSlot = 32;
  for (std::size_t slot = 0; slot <= slotsPerBatch; ++slot) {
    batch.firstPulse[slot] = static_cast<std::uint32_t>(slot) * pulsesPerSlot;
  }
  const std::uint32_t pulses = batch.firstPulse[slotsPerBatch];
  constexpr std::size_t batches = 300;
  std::vector<double> rangesM;
  std::vector<double> counts;
  std::size_t apart = 0;
  for (std::size_t number = 0; number < batches; ++number) {
    alarms.draw(number * pulses, {0, slotsPerBatch}, batch);
    counts.push_back(static_cast<double>(batch.falseAlarms.size()));
    for (const FalseAlarm& alarm : batch.falseAlarms) {
      rangesM.push_back(static_cast<double>(alarm.made.reported.rangeM));
      CHECK(alarm.made.instance == noInstance);
    }
    alarms.draw(number * pulses, {0, 20}, batch);
    apart += batch.falseAlarms.size();
    alarms.draw(number * pulses, {20, slotsPerBatch}, batch);
    apart += batch.falseAlarms.size();
  }
  const double expected = perPulse * pulses * batches;
  CHECK(apart == rangesM.size());
  CHECK(std::abs(static_cast<double>(rangesM.size()) - expected) < 3.0 * std::sqrt(expected));
  // The counts of batches scatter as Poisson's law: variance over mean is 1 within 4 sqrt(2 / 300).
  const double mean = expected / batches;
  double variance = 0.0;
  for (const double count : counts) variance += (count - mean) * (count - mean) / batches;
  CHECK(std::abs(variance / mean - 1.0) < 4.0 * std::sqrt(2.0 / batches));
  // Kolmogorov and Smirnov at 0.1 %.
  std::sort(rangesM.begin(), rangesM.end());
  double worst = 0.0;
  for (std::size_t place = 0; place < rangesM.size(); ++place) {
    worst = std::max(
        worst, std::abs((rangesM[place] - 1.0) / 100.0 -
                        (static_cast<double>(place) + 0.5) / static_cast<double>(rangesM.size())));
  }
  CHECK(worst < 1.95 / std::sqrt(static_cast<double>(rangesM.size())));
  CHECK(rangesM.front() >= 1.0);
  CHECK(rangesM.back() <= 101.0);
}
