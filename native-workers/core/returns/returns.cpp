// Return modes.
#include "core/returns/returns.h"

#include <algorithm>
#include <cmath>

#include "core/mutation.h"

namespace understory {
namespace {

using Hits = std::span<const RayHit>;

std::size_t nearest(Hits hits) {
  std::size_t best = 0;
  for (std::size_t hit = 1; hit < hits.size(); ++hit) {
    if (isNearer(hits[hit], hits[best])) best = hit;
  }
  return best;
}

// The greatest intensity; among equals the nearest, then the order of hits.
// Why in two passes: the first has no branch to guess, and the second hardly ever finds an equal.
std::size_t strongest(Hits hits) {
  float most = hits[0].intensity;
  for (const RayHit& hit : hits) most = std::max(most, hit.intensity);
  std::size_t best = 0;
  while (best + 1 < hits.size() && hits[best].intensity != most) ++best;
  for (std::size_t hit = best + 1; hit < hits.size(); ++hit) {
    const bool isFirst = activeMutation() == Mutation::tieToTheFarther
                             ? isNearer(hits[best], hits[hit])
                             : isNearer(hits[hit], hits[best]);
    if (hits[hit].intensity == most && isFirst) best = hit;
  }
  return best;
}

// The greatest range; among equals the lowest instance and primitive.
std::size_t farthest(Hits hits) {
  std::size_t best = 0;
  for (std::size_t hit = 1; hit < hits.size(); ++hit) {
    const bool isFarther = hits[hit].rangeM > hits[best].rangeM;
    const bool isEqual = hits[hit].rangeM == hits[best].rangeM;
    if (isFarther || (isEqual && isNearer(hits[hit], hits[best]))) best = hit;
  }
  return best;
}

// Weighted means over the hits whose range lies within `cutoffM` of `centreM`, either side.
struct WindowMean {
  double rangeM = 0.0;
  double intensity = 0.0;
  double weight = 0.0;
};

WindowMean meanAround(Hits hits, double centreM, double cutoffM) {
  WindowMean sum;
  for (const RayHit& hit : hits) {
    const double rangeM = static_cast<double>(hit.rangeM);
    if (std::abs(rangeM - centreM) > cutoffM) continue;
    const double weight = static_cast<double>(hit.weight);
    sum.rangeM += weight * rangeM;
    sum.intensity += weight * static_cast<double>(hit.intensity);
    sum.weight += weight;
  }
  if (activeMutation() == Mutation::meanOverAllRays) {
    return {sum.rangeM / sum.weight, sum.intensity, sum.weight};
  }
  return {sum.rangeM / sum.weight, sum.intensity / sum.weight, sum.weight};
}

// `first`: the mean over every ray within the cutoff behind the nearest hit.
PulseReturn averagedFirst(Hits hits, double cutoffM) {
  const std::size_t first = nearest(hits);
  // Nothing lies nearer than the nearest hit, so either side of it is behind it.
  const WindowMean mean = meanAround(hits, static_cast<double>(hits[first].rangeM), cutoffM);
  return {static_cast<float>(mean.rangeM), static_cast<float>(mean.intensity),
          static_cast<float>(mean.weight), static_cast<std::uint32_t>(first)};
}

// The return that one hit decides; its range is the mean of the window around it where asked for.
PulseReturn decidedBy(Hits hits, std::size_t hit, bool isWindowed, double cutoffM) {
  double rangeM = static_cast<double>(hits[hit].rangeM);
  if (isWindowed) rangeM = meanAround(hits, rangeM, cutoffM).rangeM;
  double share = 0.0;
  for (const RayHit& other : hits) {
    const bool isWithin = std::abs(static_cast<double>(other.rangeM) - rangeM) <= cutoffM;
    share += isWithin ? static_cast<double>(other.weight) : 0.0;
  }
  return {static_cast<float>(rangeM), hits[hit].intensity, static_cast<float>(share),
          static_cast<std::uint32_t>(hit)};
}

}  // namespace

bool isNearer(const RayHit& a, const RayHit& b) {
  if (a.rangeM != b.rangeM) return a.rangeM < b.rangeM;
  if (a.instance != b.instance) return a.instance < b.instance;
  return a.primitive < b.primitive;
}

std::optional<PulseReturn> evaluateReturns(Hits hits, const ReturnsRecipe& recipe) {
  if (hits.empty()) return std::nullopt;
  const double cutoffM = recipe.signalCutoffM;
  switch (recipe.mode) {
    case ReturnMode::first:
      return averagedFirst(hits, cutoffM);
    case ReturnMode::closest:
      return decidedBy(hits, nearest(hits), false, cutoffM);
    case ReturnMode::strongest:
      return decidedBy(hits, strongest(hits), recipe.window, cutoffM);
    case ReturnMode::last:
      return decidedBy(hits, farthest(hits), recipe.window, cutoffM);
    case ReturnMode::strongestAndLast:
    case ReturnMode::all:  // need separated echoes: signal.h
      break;
  }
  return std::nullopt;
}

}  // namespace understory
