// The bump by the end of a ray, tabulated.
#include "core/weather/mediumEcho.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"
#include "core/returns/echoes.h"
#include "core/returns/waveform.h"
#include "core/weather/bump.h"

namespace understory {
namespace {

constexpr double stepsPerSigma = 4.0;
constexpr double reachSigmas = 6.0;  // beyond the overlap, and of the pulse

}  // namespace

MediumEcho::MediumEcho(const std::vector<Medium>& media, const SensorRecipe& sensor, const Air& air,
                       double minSignal)
    : air_(air) {
  double most = 0.0;
  for (const Medium& medium : media) {
    const double backscatter = extinctionPerM(medium, sensor.wavelengthNm) / medium.lidarRatioSr;
    backscatterPerMSr_ += backscatter;
    if (backscatter <= most) continue;
    most = backscatter;
    kind_ = medium.kind;
  }
  const ReturnsRecipe& returns = sensor.returns;
  const double sigmaM = returns.waveform ? ReceiverWaveform(*returns.waveform).sigmaM()
                                         : pulseSigmaM(returns.rangeResolutionM);
  if (backscatterPerMSr_ <= 0.0 || sigmaM <= 0.0) return;
  fromM_ = std::max(sensor.minRangeM, air_.overlap.fromM);
  const double fullM = std::max(fromM_, air_.overlap.fullM);
  if (returns.waveform) {
    const double lengthM = 0.5 * sigmaM;
    for (double startM = fromM_; startM + lengthM <= sensor.maxRangeM; startM += lengthM) {
      const double rangeM = startM + 0.5 * lengthM;
      const double signal = signalPerM(rangeM) * lengthM;
      if (signal < minSliceShare * minSignal && rangeM > fullM) break;
      slices_.push_back({rangeM, signal});
    }
    return;
  }
  stepM_ = sigmaM / stepsPerSigma;
  const auto samples =
      static_cast<std::size_t>((fullM - fromM_ + 2.0 * reachSigmas * sigmaM) / stepM_);
  std::vector<double> signal(samples);
  for (std::size_t sample = 0; sample < samples; ++sample) {
    signal[sample] = signalPerM(fromM_ + (static_cast<double>(sample) + 0.5) * stepM_) * stepM_;
  }
  for (std::size_t end = 0; end <= samples; ++end) hits_.push_back(bumpOf(end, signal, sigmaM));
  if (hits_.back().signal < minSignal) hits_.clear();
}

double MediumEcho::signalPerM(double rangeM) const {
  return piRad * backscatterPerMSr_ * air_.returned(rangeM) / (rangeM * rangeM);
}

// The greatest sum of the pulses of `count` samples, at the vertex of the parabola through its logarithms.
MediumHit MediumEcho::bumpOf(std::size_t count, const std::vector<double>& signal,
                             double sigmaM) const {
  if (count == 0) return {};
  const std::span inFront = std::span(signal).first(count);
  const SlicedPulse pulse(sigmaM / stepM_);
  const auto heightAt = [&](std::size_t place) {
    return pulse.heightAt(inFront, static_cast<std::ptrdiff_t>(place));
  };
  std::size_t best = 0;
  double most = heightAt(0);
  for (std::size_t place = 1; place < count; ++place) {
    const double height = heightAt(place);
    if (height <= most) break;  // it has one maximum
    most = height;
    best = place;
  }
  const bool isInside = best > 0 && best + 1 < count;
  const BumpVertex top =
      isInside ? vertexOf(heightAt(best - 1), most, heightAt(best + 1)) : BumpVertex{0.0, most};
  return {fromM_ + (static_cast<double>(best) + 0.5 + top.offset) * stepM_, most};
}

MediumHit MediumEcho::before(double endM) const {
  if (hits_.empty() || endM <= fromM_) return {};
  const double steps = (endM - fromM_) / stepM_;
  if (steps >= static_cast<double>(hits_.size() - 1)) return hits_.back();
  const auto index = static_cast<std::size_t>(steps);
  const double part = steps - static_cast<double>(index);
  const MediumHit& from = hits_[index];
  const MediumHit& to = hits_[index + 1];
  if (from.signal <= 0.0) return {std::min(to.rangeM, endM), to.signal * part};
  return {std::min(from.rangeM + part * (to.rangeM - from.rangeM), endM),
          from.signal + part * (to.signal - from.signal)};
}

}  // namespace understory
