// Noise of a real sensor's ranges: its moments and laws. Seeds and thresholds are stated; each of
// the statistical checks would fail by chance for less than one seed in ten thousand.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/random/philox.h"
#include "core/returns/noise.h"

using namespace understory;

namespace {

constexpr std::uint64_t noiseSeed = 1;

SensorRecipe sensorOf(const NoiseRecipe& noise, std::size_t lasers = 64) {
  SensorRecipe sensor;
  sensor.maxRangeM = 120.0;
  sensor.noise = noise;
  LaserBank& bank = sensor.banks.emplace_back();
  for (std::size_t laser = 0; laser < lasers; ++laser) {
    bank.elevationsRad.push_back(0.0);
    bank.rings.push_back(static_cast<std::uint16_t>(laser));
  }
  return sensor;
}

CleanReturn returnAt(std::uint64_t pulse, float rangeM = 20.0F, float intensity = 1.0F,
                     float cosIncidence = 1.0F) {
  CleanReturn clean;
  clean.pulse = pulse;
  clean.ring = static_cast<std::uint16_t>(pulse % 64);
  clean.rangeM = rangeM;
  clean.intensity = intensity;
  clean.cosIncidence = cosIncidence;
  return clean;
}

struct ErrorMoments {
  double mean = 0.0;
  double deviation = 0.0;
  double kurtosis = 0.0;
};

ErrorMoments momentsOf(const std::vector<double>& values) {
  const auto count = static_cast<double>(values.size());
  ErrorMoments moments;
  moments.mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  double second = 0.0;
  double fourth = 0.0;
  for (const double value : values) {
    const double square = (value - moments.mean) * (value - moments.mean);
    second += square;
    fourth += square * square;
  }
  moments.deviation = std::sqrt(second / count);
  moments.kurtosis = fourth / count / std::pow(second / count, 2.0);
  return moments;
}

// Greatest distance between the values' distribution and N(0, sigma^2) (Kolmogorov and Smirnov).
double distanceToNormal(std::vector<double> values, double sigma) {
  std::sort(values.begin(), values.end());
  double worst = 0.0;
  for (std::size_t place = 0; place < values.size(); ++place) {
    const double law = 0.5 * std::erfc(-values[place] / (sigma * std::sqrt(2.0)));
    const auto count = static_cast<double>(values.size());
    worst = std::max({worst, std::abs(law - static_cast<double>(place) / count),
                      std::abs(law - static_cast<double>(place + 1) / count)});
  }
  return worst;
}

std::vector<double> errorsOf(const RangeNoise& noise, CleanReturn like, std::size_t count) {
  std::vector<double> errors;
  for (std::size_t pulse = 0; pulse < count; ++pulse) {
    like.pulse = pulse;
    errors.push_back(static_cast<double>(noise.reported(like).value()) -
                     static_cast<double>(like.rangeM));
  }
  return errors;
}

// 1.95 / sqrt(n): Kolmogorov and Smirnov's critical value at 0.1 %.
double criticalDistance(std::size_t count) { return 1.95 / std::sqrt(static_cast<double>(count)); }

}  // namespace

TEST_CASE("normal numbers from Philox: their law, pairs without correlation") {
  constexpr std::size_t count = 50'000;
  std::vector<double> first;
  std::vector<double> second;
  double product = 0.0;
  for (std::size_t pulse = 0; pulse < count; ++pulse) {
    const auto [a, b] = normalPair(pulseBlock(noiseSeed, RandomPurpose::rangeNoise, 0, pulse, 0));
    first.push_back(a);
    second.push_back(b);
    product += a * b / count;
  }
  CHECK(distanceToNormal(first, 1.0) < criticalDistance(count));
  CHECK(distanceToNormal(second, 1.0) < criticalDistance(count));
  CHECK(std::abs(product) < 4.0 / std::sqrt(count));
}

TEST_CASE("blocks of pulses differ by seed, purpose, sensor, pulse and number") {
  const auto block = pulseBlock(1, RandomPurpose::beam, 0, 5, 0);
  CHECK(block == pulseBlock(1, RandomPurpose::beam, 0, 5, 0));
  CHECK(block != pulseBlock(2, RandomPurpose::beam, 0, 5, 0));
  CHECK(block != pulseBlock(1ULL << 32U | 1U, RandomPurpose::beam, 0, 5, 0));
  CHECK(block != pulseBlock(1, RandomPurpose::pointing, 0, 5, 0));
  CHECK(block != pulseBlock(1, RandomPurpose::beam, 1, 5, 0));
  CHECK(block != pulseBlock(1, RandomPurpose::beam, 0, 6, 0));
  CHECK(block != pulseBlock(1, RandomPurpose::beam, 0, 1ULL << 32U | 5U, 0));
  CHECK(block != pulseBlock(1, RandomPurpose::beam, 0, 5, 1));
}

TEST_CASE("without noise, folding and steps nothing is active, and ranges are what they were") {
  const RangeNoise noise(sensorOf({}), noiseSeed);
  CHECK_FALSE(noise.isActive());
  CHECK(noise.reported(returnAt(3, 17.123F)).value() == 17.123F);
  CHECK(noise.folded(17.123F) == 17.123F);
  CHECK_FALSE(noise.isLost(returnAt(3)));
  CHECK(pointingError(sensorOf({}), noiseSeed, 9).leftRad == 0.0);
}

TEST_CASE("a laser's bias is drawn once: constant for it, N(0, sigma) over lasers") {
  NoiseRecipe recipe;
  recipe.laserBiasSigmaM = 0.025;
  constexpr std::size_t lasers = 4096;
  const RangeNoise noise(sensorOf(recipe, lasers), noiseSeed);
  std::vector<double> biases;
  for (std::size_t ring = 0; ring < lasers; ++ring) {
    const auto number = static_cast<std::uint16_t>(ring);
    biases.push_back(noise.laserBiasM(number));
    for (const std::uint64_t pulse : {0ULL, 77ULL, 1'000'000'000'000ULL}) {
      CleanReturn clean = returnAt(pulse);
      clean.ring = number;
      // A float of 20 m holds 1e-6 m.
      CHECK(std::abs(static_cast<double>(noise.reported(clean).value()) - 20.0 - biases.back()) <
            2e-6);
    }
  }
  CHECK(distanceToNormal(biases, 0.025) < criticalDistance(lasers));
  // The lasers belong to the unit: the same with another seed and elsewhere on the rig, others with another serial.
  SensorRecipe other = sensorOf(recipe);
  other.stream = 1;
  CHECK(RangeNoise(other, 2).laserBiasM(5) == noise.laserBiasM(5));
  other.serial = "another";
  CHECK(RangeNoise(other, 2).laserBiasM(5) != noise.laserBiasM(5));
}

TEST_CASE(
    "a return's noise is normal with its standard deviation, and independent of the next one's") {
  NoiseRecipe recipe;
  recipe.rangeSigmaM = 0.02;
  const RangeNoise noise(sensorOf(recipe), noiseSeed);
  constexpr std::size_t count = 50'000;
  const std::vector<double> errors = errorsOf(noise, returnAt(0), count);
  const ErrorMoments moments = momentsOf(errors);
  // Standard errors: sigma/sqrt(n), sigma/sqrt(2n), sqrt(24/n); four of them.
  CHECK(std::abs(moments.mean) < 4.0 * 0.02 / std::sqrt(count));
  CHECK(std::abs(moments.deviation / 0.02 - 1.0) < 4.0 / std::sqrt(2.0 * count));
  CHECK(std::abs(moments.kurtosis - 3.0) < 4.0 * std::sqrt(24.0 / count));
  CHECK(distanceToNormal(errors, 0.02) < criticalDistance(count));
  double neighbours = 0.0;
  double returns = 0.0;
  for (std::size_t pulse = 0; pulse + 1 < count; ++pulse) {
    neighbours += errors[pulse] * errors[pulse + 1] / (0.02 * 0.02 * count);
    CleanReturn second = returnAt(pulse);
    second.returnNo = 1;
    returns += errors[pulse] * (static_cast<double>(noise.reported(second).value()) - 20.0) /
               (0.02 * 0.02 * count);
  }
  CHECK(std::abs(neighbours) < 4.0 / std::sqrt(count));
  CHECK(std::abs(returns) < 4.0 / std::sqrt(count));
}

TEST_CASE("the standard deviation grows with incidence, range and weak signals, in quadrature") {
  NoiseRecipe recipe;
  recipe.rangeSigmaM = 0.015;  // Deschaud 2012, mobile
  recipe.incidenceSigmaM = 0.0014;
  const RangeNoise noise(sensorOf(recipe), noiseSeed);
  constexpr std::size_t count = 20'000;
  for (const double degrees : {0.0, 45.0, 70.0, 80.0}) {
    const double angle = degrees * 3.14159265358979 / 180.0;
    const double term = std::sin(angle) / (std::cos(angle) * std::cos(angle));
    const double sigma = std::sqrt(0.015 * 0.015 + std::pow(0.0014 * term, 2.0));
    const CleanReturn clean = returnAt(0, 20.0F, 1.0F, static_cast<float>(std::cos(angle)));
    CHECK(noise.sigmaM(clean) == doctest::Approx(sigma).epsilon(1e-5).scale(0));
    const ErrorMoments moments = momentsOf(errorsOf(noise, clean, count));
    CHECK(std::abs(moments.deviation / sigma - 1.0) < 4.0 / std::sqrt(2.0 * count));
  }
  // Grazing: no more than at a cosine of 0.1.
  CHECK(noise.sigmaM(returnAt(0, 20.0F, 1.0F, 0.0F)) ==
        doctest::Approx(noise.sigmaM(returnAt(0, 20.0F, 1.0F, 0.1F))).epsilon(1e-5).scale(0));
  NoiseRecipe far;
  far.rangeSigmaPerM = 1e-3;
  far.signalSigmaM = 0.01;
  const RangeNoise growing(sensorOf(far), noiseSeed);
  CHECK(growing.sigmaM(returnAt(0, 40.0F, 0.25F)) ==
        doctest::Approx(std::sqrt(0.04 * 0.04 + 0.02 * 0.02)).epsilon(1e-6).scale(0));
  CHECK(growing.sigmaM(returnAt(0, 0.0F, 0.0F)) == doctest::Approx(10.0));
}

TEST_CASE(
    "noise by signal is limitSigmaM at the limit, and falls with the square root of the signal") {
  NoiseRecipe recipe;
  recipe.limitSigmaM = 0.1;
  SensorRecipe sensor = sensorOf(recipe);
  sensor.returns.detection = DetectionRecipe{0.1, 50.0, 0.5, 1e-6};
  const RangeNoise noise(sensor, noiseSeed);
  const auto isAbout = [](double sigmaM) { return doctest::Approx(sigmaM).epsilon(1e-6).scale(0); };
  CHECK(noise.sigmaM(returnAt(0, 50.0F, 0.1F)) == isAbout(0.1));
  // Nine times the reflectance at half the distance: 36 times the signal. Half of the beam: half of it.
  CHECK(noise.sigmaM(returnAt(0, 25.0F, 0.9F)) == isAbout(0.1 / 6.0));
  CleanReturn half = returnAt(0, 25.0F, 0.9F);
  half.beamShare = 0.5F;
  CHECK(noise.sigmaM(half) == isAbout(0.1 / std::sqrt(18.0)));
  // Air: exp(-2 * 0.01 * 50) = exp(-1).
  CHECK(RangeNoise(sensor, noiseSeed, {0.01}).sigmaM(returnAt(0, 50.0F, 0.1F)) ==
        isAbout(0.1 * std::exp(0.5)));
  // A second target at the limit, 80 % at 90 m (detectionTest.cpp), has the same noise.
  SensorRecipe far = sensor;
  far.returns.detectionFalloff = std::log(8.0) / std::log(1.8) - 2.0;
  CHECK(RangeNoise(far, noiseSeed).sigmaM(returnAt(0, 90.0F, 0.8F)) == isAbout(0.1));
  CHECK(RangeNoise(far, noiseSeed).sigmaM(returnAt(0, 50.0F, 0.1F)) == isAbout(0.1));
  sensor.radiometry = Radiometry::radarEquation;
  CHECK(RangeNoise(sensor, noiseSeed).sigmaM(returnAt(0, 7.0F, 0.1F / 2500.0F)) == isAbout(0.1));
}

TEST_CASE("drop-outs lose their share of the returns, whatever else is drawn") {
  NoiseRecipe recipe;
  recipe.dropOutShare = 0.1;
  const RangeNoise noise(sensorOf(recipe), noiseSeed);
  constexpr int count = 100'000;
  int lost = 0;
  int both = 0;
  for (int pulse = 0; pulse < count; ++pulse) {
    CleanReturn clean = returnAt(static_cast<std::uint64_t>(pulse));
    const bool isFirstLost = noise.isLost(clean);
    clean.returnNo = 1;
    lost += isFirstLost ? 1 : 0;
    both += isFirstLost && noise.isLost(clean) ? 1 : 0;
  }
  // Binomial, four standard deviations.
  CHECK(std::abs(lost - 0.1 * count) < 4.0 * std::sqrt(0.1 * 0.9 * count));
  CHECK(std::abs(both - 0.01 * count) < 4.0 * std::sqrt(0.01 * 0.99 * count));
  recipe.dropOutShare = 1.0;
  const RangeNoise broken(sensorOf(recipe), noiseSeed);
  for (std::uint64_t pulse = 0; pulse < 1000; ++pulse) CHECK(broken.isLost(returnAt(pulse)));
}

TEST_CASE("ranges are folded once, then rounded, noise included; never below 0") {
  SensorRecipe camera = sensorOf({});
  camera.backfoldM = 10.0;
  camera.quantisation.rangeM = 0.25;
  camera.maxRangeM = 30.0;
  const RangeNoise folding(camera, noiseSeed);
  CHECK(folding.isActive());
  CHECK(folding.folded(9.9F) == 9.9F);
  CHECK(folding.folded(10.0F) == 0.0F);
  CHECK(folding.folded(12.5F) == 2.5F);
  CHECK(folding.folded(27.0F) == 17.0F);  // once, as printed
  CHECK(folding.reported(returnAt(0, 12.6F)).value() == 2.5F);
  CHECK(folding.reported(returnAt(0, 9.99F)).value() == 10.0F);  // rounded after folding
  camera.noise.rangeSigmaM = 0.5;
  const RangeNoise noisy(camera, noiseSeed);
  bool isFoldedByNoise = false;
  int nearer = 0;
  for (std::uint64_t pulse = 0; pulse < 1000; ++pulse) {
    const auto nearM = noisy.reported(returnAt(pulse, 0.1F));
    nearer += nearM ? 0 : 1;
    if (nearM) CHECK(*nearM >= 0.0F);
    if (nearM) CHECK(*nearM / 0.25F == std::round(*nearM / 0.25F));
    isFoldedByNoise = isFoldedByNoise || noisy.reported(returnAt(pulse, 9.9F)).value() < 1.0F;
  }
  CHECK(isFoldedByNoise);
  // Phi(-0.1/0.5) = 0.4207 of 1000 lie below 0: three standard errors are 47.
  CHECK(std::abs(nearer - 421) < 47);
}

TEST_CASE("no range lies outside the limits: noise loses it, a step goes to the one inside") {
  SensorRecipe sensor = sensorOf({0.0, 0.5});
  sensor.minRangeM = 9.8;
  sensor.maxRangeM = 10.2;
  const RangeNoise noise(sensor, noiseSeed);
  int seen = 0;
  for (std::uint64_t pulse = 0; pulse < 10'000; ++pulse) {
    const auto rangeM = noise.reported(returnAt(pulse, 10.0F));
    if (!rangeM) continue;
    ++seen;
    REQUIRE(static_cast<double>(*rangeM) >= 9.8);
    REQUIRE(static_cast<double>(*rangeM) <= 10.2);
  }
  // Phi(0.4) - Phi(-0.4) = 0.3108: three standard errors of 10,000 are 139.
  CHECK(std::abs(seen - 3108) < 139);
  SensorRecipe stepped = sensorOf({});
  stepped.maxRangeM = 10.3;
  stepped.quantisation.rangeM = 0.5;
  CHECK(RangeNoise(stepped, noiseSeed).reported(returnAt(0, 10.29F)) == 10.0F);
}

TEST_CASE("intensities have noise, a saturation and steps; none is below 0") {
  SensorRecipe sensor = sensorOf({});
  sensor.intensity = {.noiseSigma = 0.03, .noiseShare = 0.1};
  const RangeNoise noise(sensor, noiseSeed);
  std::vector<double> errors;
  for (std::uint64_t pulse = 0; pulse < 20'000; ++pulse) {
    errors.push_back(static_cast<double>(noise.reportedIntensity(returnAt(pulse, 20.0F, 0.4F))) -
                     static_cast<double>(0.4F));
  }
  // In quadrature: 0.03 and 0.1 * 0.4.
  CHECK(distanceToNormal(errors, 0.05) < criticalDistance(errors.size()));
  sensor.intensity = {.noiseSigma = 0.5, .saturation = 0.6, .step = 0.25};
  const RangeNoise coarse(sensor, noiseSeed);
  for (std::uint64_t pulse = 0; pulse < 1000; ++pulse) {
    const float intensity = coarse.reportedIntensity(returnAt(pulse, 20.0F, 0.4F));
    const bool isStep = intensity == 0.0F || intensity == 0.25F || intensity == 0.5F;
    CHECK(isStep);
  }
}

TEST_CASE("a scale reports the signal times R^2, in its steps") {
  SensorRecipe sensor = sensorOf({});
  sensor.intensity.step = 1.0;
  sensor.intensity.scale = {{1.0, 100.0}, {201.0, 255.0}};
  const RangeNoise noise(sensor, noiseSeed);
  CHECK(noise.isActive());
  CHECK(noise.reportedIntensity(returnAt(0, 20.0F, 0.374F)) == 37.0F);
  CHECK(noise.reportedIntensity(returnAt(0, 80.0F, 1.0F)) == 100.0F);
  // A retro-reflector: 100 + 155 * 100 / 200 = 177.5.
  CHECK(noise.reportedIntensity(returnAt(0, 20.0F, 101.1F)) == 178.0F);
  CHECK(noise.reportedIntensity(returnAt(0, 20.0F, 5000.0F)) == 255.0F);
  CleanReturn half = returnAt(0, 20.0F, 0.5F);
  half.beamShare = 0.5F;
  CHECK(noise.reportedIntensity(half) == 25.0F);
  CHECK(RangeNoise(sensor, noiseSeed, {0.01}).reportedIntensity(returnAt(0, 50.0F, 1.0F)) == 37.0F);
  sensor.radiometry = Radiometry::radarEquation;
  CHECK(RangeNoise(sensor, noiseSeed).reportedIntensity(returnAt(0, 10.0F, 0.005F)) == 50.0F);
}

TEST_CASE("pointing errors are normal in both angles and independent") {
  NoiseRecipe recipe;
  recipe.pointingSigmaRad = 1e-3;
  const SensorRecipe sensor = sensorOf(recipe);
  CHECK_FALSE(RangeNoise(sensor, noiseSeed).isActive());
  constexpr std::size_t count = 50'000;
  std::vector<double> left;
  std::vector<double> up;
  double product = 0.0;
  for (std::size_t pulse = 0; pulse < count; ++pulse) {
    const PointingError error = pointingError(sensor, noiseSeed, pulse);
    left.push_back(error.leftRad);
    up.push_back(error.upRad);
    product += error.leftRad * error.upRad / (1e-6 * count);
  }
  CHECK(distanceToNormal(left, 1e-3) < criticalDistance(count));
  CHECK(distanceToNormal(up, 1e-3) < criticalDistance(count));
  CHECK(std::abs(product) < 4.0 / std::sqrt(count));
}
