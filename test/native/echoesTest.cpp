// Echoes against planes in closed form and against the signal itself in double precision, hit by hit.
#include "core/returns/echoes.h"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "core/maths/maths.h"
#include "core/random/philox.h"
#include "core/returns/maxima.h"
#include "core/returns/signal.h"
#include "core/sensor/stencil.h"
#include "test/native/support/hits.h"

using namespace understory;

namespace {

constexpr double sigmaOfResolution = 0.28;

// Rays of a beam on a plane whose normal is `incidenceRad` from the axis, upwards, at `rangeM` along it.
std::vector<SignalHit> planeHits(const SensorRecipe& sensor, double rangeM, double incidenceRad) {
  const Vec3d normal{-std::cos(incidenceRad), 0.0, std::sin(incidenceRad)};
  const RaySpread spread(sensor);
  std::vector<SignalHit> hits;
  for (const StencilRay& ray : makeStencil(sensor.beam)) {
    const Vec3d direction = normalized(Vec3d{1.0, ray.left, ray.up});
    const double along = dot(direction, normal);
    const double distanceM = rangeM * normal.x / along;
    if (along >= 0.0 || distanceM > 1e4) continue;
    SignalHit& hit =
        hits.emplace_back(hitAt(static_cast<float>(distanceM), static_cast<float>(-along), ninth,
                                static_cast<std::uint32_t>(hits.size())));
    hit.received = static_cast<float>(-along / (distanceM * distanceM));
    hit.spreadM = spread.at(hit.rangeM, static_cast<float>(-along));
  }
  std::ranges::sort(hits, {}, &SignalHit::rangeM);
  return hits;
}

// W of PHYSICS.md, 1.3, at a range.
double signalAt(const std::vector<SignalHit>& hits, double resolutionM, double rangeM) {
  double sum = 0.0;
  for (const SignalHit& hit : hits) {
    const double sigmaM =
        std::hypot(sigmaOfResolution * resolutionM, static_cast<double>(hit.spreadM));
    const double x = (rangeM - static_cast<double>(hit.rangeM)) / sigmaM;
    if (std::abs(x) <= 5.0) sum += signalOf(hit) / sigmaM * std::exp(-0.5 * x * x);
  }
  return sum;
}

// The same rule in fine steps, from the least maximum on: one that is not apart from a neighbour is removed, and the lower
// of its valleys remains. Nothing where a valley is within 3 % of the limit or a step from a hit, which steps cannot decide.
std::optional<std::vector<std::size_t>> echoesOf(const std::vector<SignalHit>& hits,
                                                 double resolutionM) {
  const double fromM = static_cast<double>(hits.front().rangeM);
  const double spanM = static_cast<double>(hits.back().rangeM) - fromM;
  const auto steps = static_cast<std::size_t>(std::ceil(spanM / (0.01 * resolutionM)));
  const auto atM = [&](std::size_t step) {
    return fromM + spanM * static_cast<double>(step) / static_cast<double>(steps);
  };
  std::vector<double> samples;
  for (std::size_t step = 0; step <= steps; ++step) {
    samples.push_back(signalAt(hits, resolutionM, atM(step)));
  }
  std::vector<std::size_t> peaks;
  std::vector<std::size_t> valleys;  // behind each peak but the last
  for (std::size_t step = 0; step <= steps; ++step) {
    const bool isRising = step == 0 || samples[step] > samples[step - 1];
    const bool isFalling = step == steps || samples[step + 1] <= samples[step];
    if (isRising && isFalling && samples[step] > 0.0) peaks.push_back(step);
  }
  const auto lowestIn = [&](std::size_t from, std::size_t to) {
    const auto begin = samples.begin();
    return static_cast<std::size_t>(std::min_element(begin + static_cast<std::ptrdiff_t>(from),
                                                     begin + static_cast<std::ptrdiff_t>(to)) -
                                    begin);
  };
  for (std::size_t peak = 0; peak + 1 < peaks.size(); ++peak) {
    valleys.push_back(lowestIn(peaks[peak], peaks[peak + 1]));
  }
  for (;;) {
    std::size_t shallowest = 0;
    double most = 0.0;
    for (std::size_t valley = 0; valley < valleys.size(); ++valley) {
      const double smaller = std::min(samples[peaks[valley]], samples[peaks[valley + 1]]);
      const double ratio = samples[valleys[valley]] / smaller;
      if (std::abs(ratio - 0.5) < 0.015) return std::nullopt;
      if (ratio > most) {
        most = ratio;
        shallowest = valley;
      }
    }
    if (most <= 0.5) break;
    const bool isFirstSmaller = samples[peaks[shallowest]] < samples[peaks[shallowest + 1]];
    const std::size_t removed = isFirstSmaller ? shallowest : shallowest + 1;
    peaks.erase(peaks.begin() + static_cast<std::ptrdiff_t>(removed));
    valleys.clear();
    for (std::size_t peak = 0; peak + 1 < peaks.size(); ++peak) {
      valleys.push_back(lowestIn(peaks[peak], peaks[peak + 1]));
    }
  }
  std::vector<std::size_t> ends;
  std::size_t end = 0;
  for (const std::size_t valley : valleys) {
    const auto isNear = [&](const SignalHit& hit) {
      return std::abs(static_cast<double>(hit.rangeM) - atM(valley)) <
             sigmaOfResolution * resolutionM / 4.0;
    };
    if (std::ranges::any_of(hits, isNear)) return std::nullopt;
    while (static_cast<double>(hits[end].rangeM) <= atM(valley)) ++end;
    ends.push_back(end);
  }
  ends.push_back(hits.size());
  return ends;
}

std::vector<EchoHit> echoHitsOf(const std::vector<SignalHit>& hits) {
  std::vector<EchoHit> ofSignal;
  for (const SignalHit& hit : hits) {
    ofSignal.push_back({hit.rangeM, static_cast<float>(signalOf(hit)), hit.spreadM});
  }
  return ofSignal;
}

std::size_t echoCount(EchoFinder finder, const std::vector<SignalHit>& hits) {
  return finder.find(echoHitsOf(hits)).size();
}

}  // namespace

TEST_CASE("a plane is one echo at any incidence, range, divergence and resolution") {
  std::size_t planes = 0;
  for (const SpotShape shape : {SpotShape::circular, SpotShape::rectangular}) {
    for (const double divergenceRad : {0.35e-3, 0.7e-3, 1.5e-3, 3e-3, 6e-3, 12.9e-3}) {
      SensorRecipe sensor;
      sensor.beam.shape = shape;
      sensor.beam.divergenceHorizontalRad = sensor.beam.divergenceVerticalRad = divergenceRad;
      for (const double resolutionM : {0.3, 0.5, 0.8, 1.0}) {
        EchoFinder finder(resolutionM);
        for (const double rangeM : {3.0, 10.0, 30.0, 60.0, 100.0}) {
          for (const double incidenceDeg :
               {0.0, 30.0, 60.0, 70.0, 75.0, 80.0, 83.0, 85.0, 87.0, 88.0, 89.0}) {
            const std::vector<SignalHit> hits = planeHits(sensor, rangeM, radians(incidenceDeg));
            ++planes;
            CAPTURE(divergenceRad);
            CAPTURE(resolutionM);
            CAPTURE(rangeM);
            CAPTURE(incidenceDeg);
            REQUIRE(finder.find(echoHitsOf(hits)).size() == 1);
          }
        }
      }
    }
  }
  CHECK(planes == 2640);
}

TEST_CASE(
    "two surfaces are two echoes from the distance on at which the signal halves between them") {
  const EchoFinder finder(1.0);
  const auto apart = [](float distanceM, float ratio) {
    return std::vector<SignalHit>{hitAt(20.0F, 0.5F, ninth, 0),
                                  hitAt(20.0F + distanceM, 0.5F * ratio, ninth, 1)};
  };
  // 2 exp(-d^2/(8 s^2)) = (1 + exp(-d^2/(2 s^2)))/2 at d = 3.3255 s.
  const float limitM = static_cast<float>(3.3255 * sigmaOfResolution);
  CHECK(echoCount(finder, apart(0.99F * limitM, 1.0F)) == 1);
  CHECK(echoCount(finder, apart(1.01F * limitM, 1.0F)) == 2);
  CHECK(echoCount(finder, apart(1.1F, 0.125F)) == 1);
  CHECK(echoCount(finder, apart(1.2F, 0.125F)) == 2);
  CHECK(echoCount(finder, apart(0.59F, 1e-3F)) == 1);
  // Neither is told from the other by how far both are.
  CHECK(echoCount(finder, apart(150.0F, 1e-6F)) == 2);
}

TEST_CASE("echoes of random signals are those of the signal in fine steps") {
  RandomStream random(11, RandomPurpose::beam, 1);
  std::size_t decided = 0;
  std::size_t parted = 0;
  for (int pulse = 0; pulse < 3000; ++pulse) {
    const double resolutionM = random.uniform(0.3, 1.0);
    std::vector<SignalHit> hits;
    const std::size_t count = pulse % 10 == 0 ? 100 : 9;
    for (std::uint32_t ray = 0; ray < count; ++ray) {
      SignalHit hit = hitAt(static_cast<float>(random.uniform(5.0, 9.0)),
                            static_cast<float>(random.uniform(0.01, 1.0)), ninth, ray);
      if (random.uniform() < 0.5) hit.spreadM = static_cast<float>(random.uniform(0.0, 1.0));
      hits.push_back(hit);
    }
    std::ranges::sort(hits, {}, &SignalHit::rangeM);
    const auto expected = echoesOf(hits, resolutionM);
    if (!expected) continue;
    EchoFinder finder(resolutionM);
    const auto found = finder.find(echoHitsOf(hits));
    REQUIRE(std::vector<std::size_t>(found.begin(), found.end()) == *expected);
    ++decided;
    parted += expected->size() > 1;
  }
  CHECK(decided > 2000);
  CHECK(parted > 500);
}

TEST_CASE("maxima that the signal does not halve between are one") {
  const auto peaksOf = [](std::vector<double> samples) {
    std::vector<std::pair<std::size_t, std::size_t>> peaks;
    forEachMaximum(std::span<const double>(samples), [&](std::size_t highest, std::size_t valley) {
      peaks.emplace_back(highest, valley);
    });
    return peaks;
  };
  using Peaks = std::vector<std::pair<std::size_t, std::size_t>>;
  CHECK(peaksOf({}).empty());
  CHECK(peaksOf({0.0, 0.0}).empty());
  CHECK(peaksOf({1.0, 0.6, 10.0}) == Peaks{{2, 3}});
  CHECK(peaksOf({1.0, 0.5, 10.0}) == Peaks{{0, 1}, {2, 3}});
  CHECK(peaksOf({10.0, 0.5, 0.9, 0.4, 5.0}) == Peaks{{0, 3}, {4, 5}});
  CHECK(peaksOf({0.0, 1.0, 0.0, 0.0, 2.0, 0.0}) == Peaks{{1, 2}, {4, 6}});
}
