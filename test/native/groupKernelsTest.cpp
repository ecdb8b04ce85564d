// The arithmetic of whole groups against that of single rays and pulses: the same bits.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "aim/groupKernels.h"
#include "core/optics/shading.h"
#include "core/random/philox.h"
#include "core/returns/returns.h"
#include "core/returns/signal.h"
#include "test/native/support/sensors.h"

using namespace understory;

namespace {

Vec3d randomVector(RandomStream& random) {
  return {random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0), random.uniform(-1.0, 1.0)};
}

std::vector<SlotFrame> randomSlots(RandomStream& random) {
  std::vector<SlotFrame> slots(slotsPerBatch);
  for (SlotFrame& slot : slots) {
    slot.originM = randomVector(random) * 100.0;
    slot.ahead = randomVector(random);
    slot.left = randomVector(random);
    slot.zenith = randomVector(random);
  }
  return slots;
}

// Few different values, so that equals are frequent.
float coarse(RandomStream& random, double most, double steps) {
  return static_cast<float>(std::floor(random.uniform() * steps) / steps * most);
}

GroupHits randomGroupHits(RandomStream& random) {
  GroupHits hits;
  for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
    hits.meets[cell] = random.uniform() < 0.6 ? 1 : 0;
    hits.rangeM[cell] = coarse(random, 4.0, 16.0) + 1.0F;
    hits.intensity[cell] = coarse(random, 1.0, 24.0);
    hits.instance[cell] = static_cast<std::uint32_t>(random.uniform() * 3.0);
    hits.primitive[cell] = static_cast<std::uint32_t>(random.uniform() * 5.0);
  }
  return hits;
}

}  // namespace

TEST_CASE("a group is aimed as its rays are one by one, to the bit, however many pulses it has") {
  RandomStream random(1, RandomPurpose::scatter, 1);
  const SensorRecipe sensor = hdl64e(10.0);
  const BeamOptics beam = beamOptics(sensor);
  const GroupOptics optics = groupOptics(sensor, beam);
  const GroupOrders orders = groupOrders(sensor, RayOrder::columns);
  const LaserAngle laser{0.1, std::cos(0.1), std::sin(0.1)};
  for (std::size_t pulses = 1; pulses <= pulsesPerGroup; ++pulses) {
    const std::vector<SlotFrame> slots = randomSlots(random);
    std::vector<std::uint8_t> firing;
    for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
      firing.push_back(static_cast<std::uint8_t>(pulse * 4));
    }
    GroupRays rays;
    GroupAxes together{};
    axesOfSlots(slots, firing, laser, together);
    aimGroup(optics, std::span(together).first(pulses), rays);
    for (std::size_t place = 0; place < pulses * raysPerPulse; ++place) {
      const auto [pulse, ray] = orders.rays[pulses][place];
      const PulseAxes axes = pulseAxes(slots[firing[pulse]], laser);
      const Vec3f expected = rayDirection(beam, axes, ray);
      const std::size_t cell = optics.cellOfLane[place];
      REQUIRE(cell == ray * pulsesPerGroup + pulse);
      REQUIRE(rays.originX[place] == axes.origin.x);
      REQUIRE(rays.originY[place] == axes.origin.y);
      REQUIRE(rays.originZ[place] == axes.origin.z);
      REQUIRE(rays.directionX[place] == expected.x);
      REQUIRE(rays.directionY[place] == expected.y);
      REQUIRE(rays.directionZ[place] == expected.z);
      REQUIRE(rays.cellX[cell] == expected.x);
      REQUIRE(rays.cellY[cell] == expected.y);
      REQUIRE(rays.cellZ[cell] == expected.z);
    }
  }
}

TEST_CASE("intensity is reflectance times the cosine, the normal points towards the sensor") {
  RandomStream random(2, RandomPurpose::scatter, 1);
  GroupRays rays;
  GroupHits hits;
  for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
    const Vec3f direction = toFloat(normalized(randomVector(random)));
    rays.cellX[cell] = direction.x;
    rays.cellY[cell] = direction.y;
    rays.cellZ[cell] = direction.z;
    // Facets of any length, and every third one along the ray, where rounding may give more than 1.
    const Vec3f facet = cell % 3 == 0 ? direction * 7.3F
                                      : toFloat(randomVector(random) * random.uniform(0.01, 50.0));
    hits.facetX[cell] = facet.x;
    hits.facetY[cell] = facet.y;
    hits.facetZ[cell] = facet.z;
    hits.reflectance[cell] = static_cast<float>(random.uniform());
  }
  shadeGroup(rays, hits);
  for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
    const Vec3f facet{hits.facetX[cell], hits.facetY[cell], hits.facetZ[cell]};
    const float along = dot(facet, {rays.cellX[cell], rays.cellY[cell], rays.cellZ[cell]});
    const float scale = (along > 0.0F ? -1.0F : 1.0F) / length(facet);
    const float cosine = std::min(1.0F, std::abs(along * scale));
    REQUIRE(hits.facetScale[cell] == scale);
    REQUIRE(hits.cosIncidence[cell] == cosine);
    REQUIRE(hits.intensity[cell] == hits.reflectance[cell] * cosine);
  }
}

TEST_CASE("the strongest of a group are those of its pulses one by one, to the bit") {
  RandomStream random(3, RandomPurpose::scatter, 1);
  const SensorRecipe sensor = hdl64e(10.0);
  const GroupOptics optics = groupOptics(sensor, beamOptics(sensor));
  REQUIRE(optics.isEvenlyWeighted);
  std::size_t ties = 0;
  std::size_t decided = 0;
  for (std::size_t turn = 0; turn < 500; ++turn) {
    const GroupHits hits = randomGroupHits(random);
    const double cutoffM = turn % 2 == 0 ? 0.5 : 1.6;
    GroupStrongest strongest;
    strongestOfGroup(hits, hits.intensity, cutoffM, strongest);
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      std::vector<RayHit> met;
      std::vector<std::int32_t> rayOfHit;
      for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
        const std::size_t cell = ray * pulsesPerGroup + pulse;
        if (hits.meets[cell] == 0) continue;
        met.push_back({hits.rangeM[cell], hits.intensity[cell], optics.beam.weights[ray],
                       hits.instance[cell], hits.primitive[cell]});
        rayOfHit.push_back(static_cast<std::int32_t>(ray));
      }
      REQUIRE(strongest.hits[pulse] == static_cast<std::int32_t>(met.size()));
      if (met.empty()) continue;
      float most = met[0].intensity;
      for (const RayHit& hit : met) most = std::max(most, hit.intensity);
      const auto equals = std::count_if(met.begin(), met.end(),
                                        [&](const RayHit& hit) { return hit.intensity == most; });
      REQUIRE((strongest.isTied[pulse] != 0) == (equals > 1));
      if (equals > 1) {
        ++ties;
        continue;
      }
      ++decided;
      const auto found = evaluateReturns(met, {ReturnMode::strongest, cutoffM, false});
      REQUIRE(found);
      const std::array<PulseReturn, 1> expected{*found};
      REQUIRE(strongest.ray[pulse] == rayOfHit[expected[0].decidingHit]);
      const auto within = static_cast<std::size_t>(strongest.within[pulse]);
      REQUIRE(static_cast<float>(optics.weightOfRays[within]) == expected[0].beamShare);
    }
  }
  CHECK(ties > 100);
  CHECK(decided > 1000);
}
