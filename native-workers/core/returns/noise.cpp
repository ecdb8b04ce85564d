// Noise of ranges and directions.
#include "core/returns/noise.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/learned/learnedDraws.h"
#include "core/mutation.h"
#include "core/random/philox.h"
#include "core/sensor/serial.h"

namespace understory {
namespace {

constexpr double minCosine = 0.1;
constexpr double minIntensity = 1e-6;
constexpr double minSignalShare = 0.01;  // of the limit's

bool hasNoise(const NoiseRecipe& noise) {
  return noise.rangeSigmaM > 0.0 || noise.incidenceSigmaM > 0.0 || noise.rangeSigmaPerM > 0.0 ||
         noise.signalSigmaM > 0.0 || noise.limitSigmaM > 0.0;
}

bool hasErrors(const IntensityRecipe& intensity) {
  return !intensity.scale.empty() || intensity.noiseSigma > 0.0 || intensity.noiseShare > 0.0 ||
         intensity.saturation > 0.0 || intensity.step > 0.0;
}

// Linear between the points of a scale from [0, 0] on; the last number beyond.
double onScale(const std::vector<std::array<double, 2>>& scale, double signal) {
  std::array<double, 2> from{};
  for (const std::array<double, 2>& to : scale) {
    if (signal < to[0]) {
      return from[1] + (to[1] - from[1]) * (signal - from[0]) / (to[0] - from[0]);
    }
    from = to;
  }
  return from[1];
}

double roundedTo(double value, double step) {
  return step > 0.0 ? step * std::round(value / step) : value;
}

// The nearest float within [from, to]; `value` where none is.
float floatWithin(double value, double from, double to) {
  auto nearest = static_cast<float>(value);
  if (static_cast<double>(nearest) > to) nearest = std::nextafter(nearest, -1.0F);
  if (static_cast<double>(nearest) < from) {
    nearest = std::nextafter(nearest, std::numeric_limits<float>::infinity());
  }
  return nearest;
}

}  // namespace

RangeNoise::RangeNoise(const SensorRecipe& sensor, std::uint64_t seed, const Air& air)
    : noise_(sensor.noise),
      intensity_(sensor.intensity),
      minRangeM_(sensor.minRangeM),
      maxRangeM_(sensor.maxRangeM),
      backfoldM_(sensor.backfoldM),
      rangeStepM_(sensor.quantisation.rangeM),
      air_(air),
      detector_(sensor, seed),
      isRelative_(sensor.radiometry == Radiometry::relative),
      stream_(sensor.stream),
      seed_(seed),
      biasOfRingM_(laserBiasesM(sensor)),
      hasRangeNoise_(hasNoise(sensor.noise)),
      hasIntensityErrors_(hasErrors(sensor.intensity)) {
  hasOneSigma_ = noise_.incidenceSigmaM == 0.0 && noise_.rangeSigmaPerM == 0.0 &&
                 noise_.signalSigmaM == 0.0 && noise_.limitSigmaM == 0.0;
  isActive_ = hasRangeNoise_ || hasIntensityErrors_ || !biasOfRingM_.empty() ||
              noise_.dropOutShare > 0.0 || backfoldM_ > 0.0 || rangeStepM_ > 0.0;
}

bool RangeNoise::isLost(const CleanReturn& clean) const {
  if (noise_.dropOutShare <= 0.0 || clean.learnedSigmaM) return false;
  const auto returnNo =
      activeMutation() == Mutation::dropOutOfPulses ? std::uint8_t{1} : clean.returnNo;
  const auto random = pulseBlock(seed_, RandomPurpose::dropOut, stream_, clean.pulse, returnNo);
  return uniformFrom(random[0], random[1]) < noise_.dropOutShare;
}

double RangeNoise::foldedM(double rangeM) const {
  // Once, as printed (Gschwandtner 2011, figure 2a): ranges beyond twice the fold are folded once, too.
  return backfoldM_ > 0.0 && rangeM >= backfoldM_ ? rangeM - backfoldM_ : rangeM;
}

float RangeNoise::folded(float rangeM) const {
  return static_cast<float>(foldedM(static_cast<double>(rangeM)));
}

// S of the return's rays, all at its range.
double RangeNoise::signal(const CleanReturn& clean) const {
  const auto intensity = static_cast<double>(clean.intensity);
  if (!isRelative_) return intensity;
  const auto rangeM = static_cast<double>(clean.rangeM);
  const double throughAir = air_.isVacuum() ? 1.0 : air_.returned(rangeM);
  return static_cast<double>(clean.beamShare) * intensity * throughAir / (rangeM * rangeM);
}

double RangeNoise::sigmaM(const CleanReturn& clean) const {
  if (hasOneSigma_ && activeMutation() == Mutation::none)
    return std::sqrt(noise_.rangeSigmaM * noise_.rangeSigmaM);
  const double cosine = std::clamp(static_cast<double>(clean.cosIncidence), minCosine, 1.0);
  const double intensity = std::max(static_cast<double>(clean.intensity), minIntensity);
  const double divisor =
      activeMutation() == Mutation::incidenceWithoutSquare ? cosine : cosine * cosine;
  const double byIncidence = noise_.incidenceSigmaM * std::sqrt(1.0 - cosine * cosine) / divisor;
  const double byRange = noise_.rangeSigmaPerM * static_cast<double>(clean.rangeM);
  double variance = noise_.rangeSigmaM * noise_.rangeSigmaM + byIncidence * byIncidence +
                    byRange * byRange + noise_.signalSigmaM * noise_.signalSigmaM / intensity;
  if (noise_.limitSigmaM > 0.0) {
    const double counted = signal(clean) * detector_.gainAt(static_cast<double>(clean.rangeM));
    const double limits = std::max(counted / detector_.limitSignal(), minSignalShare);
    variance += noise_.limitSigmaM * noise_.limitSigmaM / limits;
  }
  return activeMutation() == Mutation::varianceForSigma ? variance : std::sqrt(variance);
}

double RangeNoise::laserBiasM(std::uint16_t ring) const {
  return ring < biasOfRingM_.size() ? biasOfRingM_[ring] : 0.0;
}

double RangeNoise::errorM(const CleanReturn& clean) const {
  if (clean.learnedSigmaM && activeMutation() != Mutation::noiseOnElements) {
    return surfaceErrorM(seed_, stream_, clean.pulse, clean.returnNo, *clean.learnedSigmaM);
  }
  double errorM = laserBiasM(clean.ring);
  if (activeMutation() == Mutation::biasOfEachRay) {
    const auto random =
        pulseBlock(seed_, RandomPurpose::laserBias, stream_, clean.pulse, 1U + clean.returnNo);
    errorM = noise_.laserBiasSigmaM * normalPair(random)[0];
  }
  if (!hasRangeNoise_) return errorM;
  const auto random =
      pulseBlock(seed_, RandomPurpose::rangeNoise, stream_, clean.pulse, clean.returnNo);
  const auto [first, second] = normalPair(random);
  const double number = activeMutation() == Mutation::noiseTwice ? first + second : first;
  return errorM + sigmaM(clean) * number;
}

std::optional<float> RangeNoise::reported(const CleanReturn& clean) const {
  const double error = errorM(clean);
  const double noisyM = static_cast<double>(clean.rangeM) + error;
  // Without an error a range is where it was met, in single precision.
  if (error != 0.0 && (noisyM < minRangeM_ || noisyM > maxRangeM_)) return std::nullopt;
  return stepped(noisyM);
}

std::optional<float> RangeNoise::stepped(double rangeM) const {
  const double foldedToM = foldedM(rangeM);
  double steppedM = roundedTo(foldedToM, rangeStepM_);
  if (activeMutation() == Mutation::rangeStepDown && rangeStepM_ > 0.0) {
    steppedM = rangeStepM_ * std::floor(foldedToM / rangeStepM_);
  }
  if (foldedToM < rangeM && foldedToM < minRangeM_) return std::nullopt;
  if (rangeStepM_ > 0.0) {
    // The nearest step within the limits, where there is one.
    if (steppedM > maxRangeM_) steppedM = rangeStepM_ * std::floor(maxRangeM_ / rangeStepM_);
    if (steppedM < minRangeM_) steppedM = rangeStepM_ * std::ceil(minRangeM_ / rangeStepM_);
    if (steppedM > maxRangeM_) steppedM = maxRangeM_;
  }
  return floatWithin(steppedM, minRangeM_, maxRangeM_);
}

float RangeNoise::reportedIntensity(const CleanReturn& clean) const {
  if (!hasIntensityErrors_) return clean.intensity;
  auto intensity = static_cast<double>(clean.intensity);
  if (!intensity_.scale.empty()) {
    const auto rangeM = static_cast<double>(clean.rangeM);
    intensity = onScale(intensity_.scale, signal(clean) * rangeM * rangeM);
  }
  const double saturation =
      intensity_.saturation > 0.0 ? intensity_.saturation : std::numeric_limits<double>::infinity();
  const bool isEarly = activeMutation() == Mutation::saturationBeforeNoise;
  if (isEarly) intensity = std::min(intensity, saturation);
  if (intensity_.noiseSigma > 0.0 || intensity_.noiseShare > 0.0) {
    const double ofShare = intensity_.noiseShare * intensity;
    const double sigma =
        std::sqrt(intensity_.noiseSigma * intensity_.noiseSigma + ofShare * ofShare);
    const auto random =
        pulseBlock(seed_, RandomPurpose::intensityNoise, stream_, clean.pulse, clean.returnNo);
    intensity = std::max(0.0, intensity + sigma * normalPair(random)[0]);
  }
  if (isEarly) return static_cast<float>(roundedTo(intensity, intensity_.step));
  // Why a little more: of 0.3 in steps of 0.1, the last is 0.3, not 0.2.
  const double lastStep = intensity_.step > 0.0
                              ? intensity_.step * std::floor(saturation / intensity_.step + 1e-9)
                              : saturation;
  return static_cast<float>(std::min(roundedTo(intensity, intensity_.step), lastStep));
}

PointingError pointingError(const SensorRecipe& sensor, std::uint64_t seed, std::uint64_t pulse) {
  const double sigmaRad = sensor.noise.pointingSigmaRad;
  if (sigmaRad <= 0.0) return {};
  const auto [left, up] =
      normalPair(pulseBlock(seed, RandomPurpose::pointing, sensor.stream, pulse, 0));
  if (activeMutation() == Mutation::pointingAlongADiagonal)
    return {sigmaRad * left, sigmaRad * left};
  return {sigmaRad * left, sigmaRad * up};
}

}  // namespace understory
