// The signal slice by slice, then its maxima.
#include "core/weather/plumeEcho.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"
#include "core/returns/echoes.h"
#include "core/returns/maxima.h"
#include "core/returns/waveform.h"
#include "core/weather/bump.h"

namespace understory {
namespace {

// In pulses' standard deviations.
constexpr double sliceShare = 0.5;

double pulseSigmaM(const ReturnsRecipe& returns) {
  return returns.waveform ? ReceiverWaveform(*returns.waveform).sigmaM()
                          : pulseSigmaM(returns.rangeResolutionM);
}

}  // namespace

PlumeEcho::PlumeEcho(const PlumeLaw& law, const SensorRecipe& sensor, const Air& air)
    : backscatterShare_(1.0 / law.lidarRatioSr),
      air_(air),
      detector_(sensor, 0),
      sliceM_(sliceShare * pulseSigmaM(sensor.returns)),
      hasWaveform_(sensor.returns.waveform.has_value()),
      fromM_(std::max(sensor.minRangeM, air.overlap.fromM)) {}

void PlumeEcho::fillSignal(const DustLine& line, std::size_t slices) {
  signal_.resize(slices);
  for (std::size_t slice = 0; slice < slices; ++slice) {
    const double rangeM = line.rangeM(slice);
    const double passed = std::exp(-waysThroughAir() * line.depthAt(rangeM));
    signal_[slice] = piRad * backscatterShare_ * line.extinctionPerM(slice) * passed *
                     air_.returned(rangeM) * sliceM_ / (rangeM * rangeM);
  }
}

void PlumeEcho::addHits(const DustLine& line, std::size_t slices, std::vector<MediumHit>& hits) {
  fillSignal(line, slices);
  if (hasWaveform_) {
    for (std::size_t slice = 0; slice < slices; ++slice) {
      if (signal_[slice] < minSliceShare * leastSignal(detector_, line.rangeM(slice))) continue;
      hits.push_back({line.rangeM(slice), signal_[slice]});
    }
    return;
  }
  const auto heightAt = [&](std::size_t slice, std::ptrdiff_t beside) {
    return bumpHeight(signal_, static_cast<std::ptrdiff_t>(slice) + beside, 1.0 / sliceShare);
  };
  height_.resize(slices);
  for (std::size_t slice = 0; slice < slices; ++slice) height_[slice] = heightAt(slice, 0);
  forEachMaximum(std::span<const double>(height_), [&](std::size_t highest, std::size_t) {
    const double rangeM = line.rangeM(highest);
    if (height_[highest] < leastSignal(detector_, rangeM)) return;
    const double offset =
        vertexOf(heightAt(highest, -1), height_[highest], heightAt(highest, 1));
    hits.push_back({rangeM + std::clamp(offset, -0.5, 0.5) * sliceM_, height_[highest]});
  });
}

}  // namespace understory
