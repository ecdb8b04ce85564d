// Strips, strata and draws.
#include "core/sensor/beamSampler.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/maths/angles.h"
#include "core/random/philox.h"

namespace understory {
namespace {

// The factor that gives offsets their second moment. 1 where they have none: one ray, or two above each other.
double stretch(double soughtSquared, double foundSquared) {
  return foundSquared > 1e-12 * soughtSquared ? std::sqrt(soughtSquared / foundSquared) : 1.0;
}

std::size_t stripsOf(std::size_t rays) {
  return static_cast<std::size_t>(std::llround(std::sqrt(static_cast<double>(rays))));
}

// Places in the unit square into the order of strata: strip by strip, every other one upwards. Why: packets of
// neighbours trace 1000 random rays of a 13 mrad beam in grass 1.4 times as fast; few rays fill few packets.
void sortByStrips(std::span<StencilRay> places) {
  constexpr std::size_t minRays = 64;
  if (places.size() < minRays) return;
  const auto strips = static_cast<double>(stripsOf(places.size()));
  const double weight = places[0].weight;
  // All weigh the same: the weight's place holds the place along the strips meanwhile.
  for (StencilRay& place : places) {
    const double strip = std::floor(place.left * strips);
    const bool isUpwards = (static_cast<std::uint32_t>(strip) & 1U) != 0;
    place.weight = strip + (isUpwards ? 1.0 - place.up : place.up);
  }
  std::sort(places.begin(), places.end(),
            [](const StencilRay& a, const StencilRay& b) { return a.weight < b.weight; });
  for (StencilRay& place : places) place.weight = weight;
}

}  // namespace

BeamSampler::BeamSampler(const SensorRecipe& sensor, std::uint64_t seed)
    : profile_(sensor.beam),
      middleLeft_(offCentreLeft(sensor.beam)),
      seed_(seed),
      stream_(sensor.stream) {
  if (sensor.beam.stencil != StencilKind::rays) {
    const auto stencil = makeStencil(sensor.beam);
    fixed_.assign(stencil.begin(), stencil.end());
    return;
  }
  const BeamRays& rays = sensor.beam.rays;
  isRandom_ = rays.sampling == RaySampling::random;
  isPerPulse_ = rays.sampling == RaySampling::random || rays.dither;
  makeStrata(rays.count);
  makeMiddles();
  if (rays.sampling == RaySampling::random) std::fill(strata_.begin(), strata_.end(), Stratum{});
}

// Strips of the square, as wide as the rays in them are many, each cut into as many equal pieces. Why strips:
// they give any number of rays equal areas, nearly square. Neighbouring strips run in opposite directions.
void BeamSampler::makeStrata(std::size_t count) {
  const std::size_t strips = stripsOf(count);
  const auto total = static_cast<double>(count);
  for (std::size_t strip = 0; strip < strips; ++strip) {
    const std::size_t from = strip * count / strips;
    const std::size_t to = (strip + 1) * count / strips;
    const std::size_t pieces = to - from;
    for (std::size_t step = 0; step < pieces; ++step) {
      const std::size_t piece = strip % 2 == 0 ? step : pieces - 1 - step;
      strata_.push_back({static_cast<double>(from) / total, static_cast<double>(to) / total,
                         static_cast<double>(piece) / static_cast<double>(pieces),
                         static_cast<double>(piece + 1) / static_cast<double>(pieces)});
    }
  }
}

// The middles of the strata, moved and stretched to the moments of the profile: by little, because a middle
// lacks only the spread within its stratum. <left up> is 0 because every strip is its own mirror image.
void BeamSampler::makeMiddles() {
  const double weight = 1.0 / static_cast<double>(strata_.size());
  for (const Stratum& stratum : strata_) {
    const SpotPoint middle = profile_.at(0.5 * (stratum.fromAcross + stratum.toAcross),
                                         0.5 * (stratum.fromAlong + stratum.toAlong));
    fixed_.push_back({middle.left, middle.up, weight});
  }
  // Why not fewer rays: their ranks are too few for a law of distances.
  constexpr std::size_t minRays = 64;
  // Each stretch moves the distances by less than the one before; after six, by 0.0002 of them.
  constexpr int rounds = 6;
  if (profile_.isGaussian() && fixed_.size() >= minRays) {
    for (int round = 0; round < rounds; ++round) {
      spreadByDistance();
      stretchToMoments();
    }
  } else {
    stretchToMoments();
  }
  for (StencilRay& ray : fixed_) ray.left += middleLeft_;
}

void BeamSampler::stretchToMoments() {
  const double weight = 1.0 / static_cast<double>(fixed_.size());
  double meanLeft = 0.0;
  double meanUp = 0.0;
  for (const StencilRay& ray : fixed_) {
    meanLeft += weight * ray.left;
    meanUp += weight * ray.up;
  }
  double leftSquared = 0.0;
  double upSquared = 0.0;
  for (StencilRay& ray : fixed_) {
    ray.left -= meanLeft;
    ray.up -= meanUp;
    leftSquared += weight * ray.left * ray.left;
    upSquared += weight * ray.up * ray.up;
  }
  const double stretchLeft = stretch(profile_.leftSquared(), leftSquared);
  const double stretchUp = stretch(profile_.upSquared(), upSquared);
  for (StencilRay& ray : fixed_) {
    ray.left *= stretchLeft;
    ray.up *= stretchUp;
  }
}

// Moves each ray along its radius to the quantile of its rank, so that the energy within a distance follows the
// profile. Why: middles lie on few rings, one for each square about the middle of the unit square. Rays of a ring are
// ranked by turns in an order that mixes directions; mirror images share the middle of their ranks, so that the
// centroid and <left up> stay 0.
void BeamSampler::spreadByDistance() {
  struct Rank {
    double ring;  // distance, rounded, so that a ring's rays are equal
    double turn;
    std::size_t ray;
  };
  constexpr double ringsPerHalfAxis = 1e8;
  constexpr double sameTurn = 1e-9;
  // Turns of the order over a quarter: ten times the golden ratio, so that neighbours get distant ranks.
  constexpr double mixing = 16.18033988749895;
  std::vector<Rank> ranks;
  for (std::size_t ray = 0; ray < fixed_.size(); ++ray) {
    const SpotPoint point{fixed_[ray].left, fixed_[ray].up};
    const double quarter =
        std::atan2(std::abs(point.up), std::abs(point.left)) / (0.5 * piRad) * mixing;
    ranks.push_back({std::round(profile_.distanceOf(point) * ringsPerHalfAxis),
                     quarter - std::floor(quarter), ray});
  }
  std::sort(ranks.begin(), ranks.end(), [](const Rank& a, const Rank& b) {
    return std::tie(a.ring, a.turn, a.ray) < std::tie(b.ring, b.turn, b.ray);
  });
  for (std::size_t from = 0, to = 0; from < ranks.size(); from = to) {
    const Rank& first = ranks[from];
    while (to < ranks.size() && ranks[to].ring == first.ring &&
           ranks[to].turn - first.turn <= sameTurn) {
      ++to;
    }
    if (first.ring == 0.0) continue;  // the axis
    const double share = 0.5 * static_cast<double>(from + to) / static_cast<double>(ranks.size());
    for (std::size_t rank = from; rank < to; ++rank) {
      StencilRay& ray = fixed_[ranks[rank].ray];
      const double factor =
          profile_.distanceWithin(share) / profile_.distanceOf({ray.left, ray.up});
      ray.left *= factor;
      ray.up *= factor;
    }
  }
}

void BeamSampler::draw(std::uint64_t pulse, std::span<StencilRay> rays) const {
  if (!isPerPulse_) {
    std::copy(fixed_.begin(), fixed_.end(), rays.begin());
    return;
  }
  // First as places in the unit square, across and along.
  for (std::size_t ray = 0; ray < fixed_.size(); ++ray) {
    const std::array<std::uint32_t, 4> random =
        pulseBlock(seed_, RandomPurpose::beam, stream_, pulse, static_cast<std::uint32_t>(ray));
    const double across = uniformFrom(random[0], random[1]);
    const double along = uniformFrom(random[2], random[3]);
    const Stratum& stratum = strata_[ray];
    rays[ray] = {stratum.fromAcross + (stratum.toAcross - stratum.fromAcross) * across,
                 stratum.fromAlong + (stratum.toAlong - stratum.fromAlong) * along,
                 fixed_[ray].weight};
  }
  if (isRandom_) sortByStrips(rays);
  for (StencilRay& ray : rays) {
    const SpotPoint point = profile_.at(ray.left, ray.up);
    ray.left = middleLeft_ + point.left;
    ray.up = point.up;
  }
}

}  // namespace understory
