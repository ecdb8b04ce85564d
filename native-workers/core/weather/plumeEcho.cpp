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

// A Gaussian is the sum of what is sampled at its standard deviation, to 1e-8: the pulse's, and half of a puff's.
double sliceOf(const PlumeLaw& law, double sigmaM) { return std::min(sigmaM, 0.5 * law.firstM); }

double emittedSigmaM(const ReturnsRecipe& returns) {
  return returns.waveform ? ReceiverWaveform(*returns.waveform).sigmaM()
                          : pulseSigmaM(returns.rangeResolutionM);
}

}  // namespace

PlumeEcho::PlumeEcho(const PlumeLaw& law, const SensorRecipe& sensor, const Air& air)
    : backscatterShare_(1.0 / law.lidarRatioSr),
      air_(air),
      detector_(sensor, 0),
      sliceM_(sliceOf(law, emittedSigmaM(sensor.returns))),
      hasWaveform_(sensor.returns.waveform.has_value()),
      minRangeM_(sensor.minRangeM),
      pulse_(emittedSigmaM(sensor.returns) / sliceM_) {}

// Whether the densest dust, at the nearest slice, could be seen.
bool PlumeEcho::mayBeSeen(const DustLine& line, std::size_t slices) const {
  const double nearestM = std::max(line.rangeM(0), minRangeM_);
  const double most =
      piRad * backscatterShare_ * line.maxExtinctionPerM(slices) * sliceM_ / (nearestM * nearestM);
  const double least = std::min(minCountedSignal(detector_, nearestM),
                                minCountedSignal(detector_, line.rangeM(slices - 1)));
  return most * pulse_.heightOfOnes() >= (hasWaveform_ ? minSliceShare : 1.0) * least;
}

void PlumeEcho::fillSignal(const DustLine& line, std::size_t slices) {
  signal_.resize(slices);
  for (std::size_t slice = 0; slice < slices; ++slice) {
    const double rangeM = line.rangeM(slice);
    const double passed =
        rangeM < minRangeM_ ? 0.0 : std::exp(-waysThroughAir() * line.depthOf(slice));
    signal_[slice] = piRad * backscatterShare_ * line.extinctionPerM(slice) * passed *
                     air_.returned(rangeM) * sliceM_ / (rangeM * rangeM);
  }
}

void PlumeEcho::addHits(const DustLine& line, std::size_t slices, std::vector<MediumHit>& hits) {
  if (slices == 0 || !mayBeSeen(line, slices)) return;
  fillSignal(line, slices);
  if (hasWaveform_) {
    for (std::size_t slice = 0; slice < slices; ++slice) {
      if (signal_[slice] < minSliceShare * minCountedSignal(detector_, line.rangeM(slice)))
        continue;
      hits.push_back({line.rangeM(slice), signal_[slice]});
    }
    return;
  }
  const auto heightAt = [&](std::size_t slice, std::ptrdiff_t beside) {
    return pulse_.heightAt(signal_, static_cast<std::ptrdiff_t>(slice) + beside);
  };
  height_.resize(slices);
  for (std::size_t slice = 0; slice < slices; ++slice) height_[slice] = heightAt(slice, 0);
  forEachMaximum(std::span<const double>(height_), [&](std::size_t highest, std::size_t) {
    const BumpVertex top = vertexOf(heightAt(highest, -1), height_[highest], heightAt(highest, 1));
    const double rangeM = line.rangeM(highest) + top.offset * sliceM_;
    if (top.height >= minCountedSignal(detector_, rangeM)) hits.push_back({rangeM, top.height});
  });
}

}  // namespace understory
