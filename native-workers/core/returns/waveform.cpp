// Bins of a waveform and their maxima.
#include "core/returns/waveform.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/mutation.h"
#include "core/returns/maxima.h"

namespace understory {
namespace {

constexpr double reachInSigmas = 6.0;

// The distribution function of the normal law, from a table of values and slopes.
// Why: erf takes most of a waveform's time (1,000 rays, 4 ns pulses, 1 ns bins: 800 us a pulse, 210 with this).
// Between points h apart a cubic is off by at most h^4/384 max|f''''| = 9e-11.
class NormalIntegral {
 public:
  NormalIntegral() {
    for (std::size_t point = 0; point < points_.size(); ++point) {
      const double x = static_cast<double>(point) / perSigma - reachInSigmas;
      points_[point] = {0.5 * std::erfc(-x / std::numbers::sqrt2),
                        std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi) / perSigma};
    }
  }

  // `x` in standard deviations, within the reach.
  double operator()(double x) const {
    const double along =
        std::clamp((x + reachInSigmas) * perSigma, 0.0, static_cast<double>(points_.size() - 2));
    const auto point = static_cast<std::size_t>(along);
    const double t = along - static_cast<double>(point);
    const auto [value, slope] = points_[point];
    const auto [nextValue, nextSlope] = points_[point + 1];
    const double rise = nextValue - value;
    // Hermite's cubic.
    return value + t * (slope + t * (3.0 * rise - 2.0 * slope - nextSlope +
                                     t * (slope + nextSlope - 2.0 * rise)));
  }

 private:
  static constexpr double perSigma = 64.0;
  std::array<std::array<double, 2>, static_cast<std::size_t>(2 * reachInSigmas * perSigma) + 2>
      points_{};
};

}  // namespace

ReceiverWaveform::ReceiverWaveform(const WaveformRecipe& recipe)
    : binM_(0.5 * lightSpeedMPerNs * recipe.binNs),
      sigmaM_(0.5 * lightSpeedMPerNs * recipe.pulseWidthNs / std::sqrt(8.0 * std::numbers::ln2)),
      centredShare_(std::erf(0.5 * binM_ / (sigmaM_ * std::numbers::sqrt2))) {}

double ReceiverWaveform::sigmaOfM(const EnergyAt& hit) const {
  return hit.spreadM > 0.0 ? std::sqrt(sigmaM_ * sigmaM_ + hit.spreadM * hit.spreadM) : sigmaM_;
}

ReceiverWaveform::BinRange ReceiverWaveform::binsOf(const EnergyAt& hit) const {
  const double reachM = reachInSigmas * sigmaOfM(hit);
  return {static_cast<std::int64_t>(std::floor((hit.rangeM - reachM) / binM_)),
          static_cast<std::int64_t>(std::floor((hit.rangeM + reachM) / binM_)) + 1};
}

void ReceiverWaveform::add(const EnergyAt& hit, std::int64_t firstBin,
                           std::span<double> bins) const {
  const auto [from, to] = binsOf(hit);
  static const NormalIntegral integral;
  const auto endBin = firstBin + static_cast<std::int64_t>(bins.size());
  const double scale = 1.0 / sigmaOfM(hit);
  double below =
      0.0;  // of the pulse's energy below the bin; the tails belong to the outermost bins
  for (std::int64_t bin = from; bin < to; ++bin) {
    const double edgeM = static_cast<double>(bin + 1) * binM_;
    const double above = bin + 1 == to ? 1.0 : integral((edgeM - hit.rangeM) * scale);
    if (bin >= firstBin && bin < endBin) {
      bins[static_cast<std::size_t>(bin - firstBin)] += hit.energy * (above - below);
    }
    below = above;
  }
}

void ReceiverWaveform::findPeaks(std::span<const EnergyAt> hits, std::vector<WaveformPeak>& peaks) {
  peaks.clear();
  if (hits.empty()) return;
  // Hits whose bins touch make one stretch of the waveform; between stretches there is nothing.
  reachesBack_.resize(hits.size());
  std::int64_t least = std::numeric_limits<std::int64_t>::max();
  for (std::size_t hit = hits.size(); hit-- > 0;) {
    least = std::min(least, binsOf(hits[hit]).from);
    reachesBack_[hit] = least;
  }
  std::size_t from = 0;
  std::int64_t endBin = std::numeric_limits<std::int64_t>::min();
  for (std::size_t hit = 0; hit < hits.size(); ++hit) {
    endBin = std::max(endBin, binsOf(hits[hit]).to);
    if (hit + 1 < hits.size() && reachesBack_[hit + 1] <= endBin) continue;
    const std::int64_t firstBin = reachesBack_[from];
    bins_.assign(static_cast<std::size_t>(endBin - firstBin), 0.0);
    for (std::size_t one = from; one <= hit; ++one) add(hits[one], firstBin, bins_);
    findPeaksOfBins(firstBin, peaks);
    from = hit + 1;
  }
}

void ReceiverWaveform::findPeaksOfBins(std::int64_t firstBin,
                                       std::vector<WaveformPeak>& peaks) const {
  forEachMaximum(std::span<const double>(bins_), [&](std::size_t highest, std::size_t valley) {
    WaveformPeak& peak = peaks.emplace_back(peakAt(highest, firstBin));
    peak.valleyM = (static_cast<double>(firstBin) + static_cast<double>(valley) + 0.5) * binM_;
  });
}

WaveformPeak ReceiverWaveform::peakAt(std::size_t place, std::int64_t firstBin) const {
  // Why a floor: a pulse much shorter than a bin leaves the neighbours empty.
  const double floorEnergy = 1e-30 * bins_[place];
  const auto logAt = [&](std::size_t bin) {
    return std::log(std::max(bin < bins_.size() ? bins_[bin] : 0.0, floorEnergy));
  };
  const double before = place > 0 ? logAt(place - 1) : std::log(floorEnergy);
  const double middle = logAt(place);
  const double behind = logAt(place + 1);
  const double curvature = before - 2.0 * middle + behind;
  const double offset = curvature < 0.0 ? 0.5 * (before - behind) / curvature : 0.0;
  const double height = std::exp(middle - 0.25 * (before - behind) * offset);
  const double half = activeMutation() == Mutation::halfABin ? 0.0 : 0.5;
  const double middleM =
      (static_cast<double>(firstBin) + static_cast<double>(place) + half) * binM_;
  const double variance = curvature < 0.0 ? -binM_ * binM_ / curvature : 0.0;
  return {middleM + offset * binM_, height / centredShare_,
          std::sqrt(std::max(0.0, variance - binM_ * binM_ / 12.0)), 0.0};
}

}  // namespace understory
