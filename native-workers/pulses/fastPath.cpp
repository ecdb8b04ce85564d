// Returns of groups of pulses.
#include "pulses/fastPath.h"

#include "core/mutation.h"
#include "core/sensor/aim.h"

namespace understory {
namespace {

Vec3f directionOf(const GroupRays& rays, std::size_t cell) {
  return {rays.cellX[cell], rays.cellY[cell], rays.cellZ[cell]};
}

// A return with the truth of the hit in `cell`, which decided it.
void store(const GroupHits& hits, const GroupRays& rays, std::size_t cell,
           const PulseReturn& reported, TracedReturn& to) {
  const Vec3f facet{hits.facetX[cell], hits.facetY[cell], hits.facetZ[cell]};
  to.reported = reported;
  to.trueRangeM = hits.rangeM[cell];
  to.cosIncidence = hits.cosIncidence[cell];
  to.rayDirection = directionOf(rays, cell);
  to.normal = facet * hits.facetScale[cell];
  to.instance = hits.instance[cell];
  to.primitive = hits.primitive[cell];
  to.material = hits.material[cell];
  to.mirrors = 0;
  to.cleanRangeM = reported.rangeM;
}

}  // namespace

bool fitsFastPath(const SensorRecipe& sensor) {
  const ReturnsRecipe& returns = sensor.returns;
  return hasStencilRays(sensor) && sensor.radiometry == Radiometry::relative &&
         returns.mode != ReturnMode::all && returns.rangeResolutionM == 0.0 &&
         returns.detectionThreshold == 0.0 && !returns.gate && !returns.waveform;
}

FastPathPlan::FastPathPlan(const SensorRecipe& recipe)
    : sensor(recipe),
      group(groupOptics(recipe, beamOptics(recipe))),
      usesStrongest(recipe.returns.mode == ReturnMode::strongest && !recipe.returns.isWindowed &&
                    group.isEvenlyWeighted) {}

void GroupReturns::report(const RayGroup& group, PulseRange wanted, const GroupHits& hits,
                          const GroupRays& rays, TracedBatch& out) const {
  if (activeMutation() == Mutation::cosineSquared) {
    GroupHits squared = hits;
    for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
      squared.intensity[cell] *= squared.cosIncidence[cell];
    }
    return reportHits(group, wanted, squared, rays, out);
  }
  reportHits(group, wanted, hits, rays, out);
}

void GroupReturns::reportHits(const RayGroup& group, PulseRange wanted, const GroupHits& hits,
                              const GroupRays& rays, TracedBatch& out) const {
  const auto numberOf = [&](std::size_t pulse) {
    return out.firstPulse[group.slots[pulse]] + group.laser;
  };
  if (plan_.usesStrongest) {
    GroupStrongest strongest;
    strongestOfGroup(hits, plan_.sensor.returns.signalCutoffM, strongest);
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      if (strongest.isTied[pulse] != 0) {
        reportPulse(hits, rays, pulse, numberOf(pulse), out);
      } else {
        reportStrongest(hits, rays, strongest, pulse, numberOf(pulse), out);
      }
    }
  } else {
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      reportPulse(hits, rays, pulse, numberOf(pulse), out);
    }
  }
  if (!out.storesDirections) return;
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      out.directions[numberOf(pulse) * raysPerPulse + ray] =
          directionOf(rays, ray * pulsesPerGroup + pulse);
    }
  }
}

// The strongest hit of pulse `pulse` of the group becomes the return of pulse `number` of the batch.
void GroupReturns::reportStrongest(const GroupHits& hits, const GroupRays& rays,
                                   const GroupStrongest& strongest, std::size_t pulse,
                                   std::size_t number, TracedBatch& out) const {
  const std::int32_t count = strongest.hits[pulse];
  out.rayHits[number] = static_cast<std::uint32_t>(count);
  out.returnCounts[number] = count > 0 ? 1 : 0;
  if (activeMutation() == Mutation::centreMissDropsPulse && hits.meets[pulse] == 0) {
    out.returnCounts[number] = 0;
    return;
  }
  if (count == 0) return;
  const auto ray = static_cast<std::size_t>(strongest.ray[pulse]);
  const std::size_t cell = ray * pulsesPerGroup + pulse;
  auto within = static_cast<std::size_t>(strongest.within[pulse]);
  if (activeMutation() == Mutation::shareOffByARay) --within;
  const double weight = plan_.group.weightOfRays[within];
  store(hits, rays, cell, {hits.rangeM[cell], hits.intensity[cell], static_cast<float>(weight), 0},
        out.returns[number * maxReturnsPerPulse]);
}

// Hits of pulse `pulse` of the group become returns of pulse `number` of the batch.
void GroupReturns::reportPulse(const GroupHits& group, const GroupRays& rays, std::size_t pulse,
                               std::size_t number, TracedBatch& out) const {
  std::array<RayHit, raysPerPulse> hits;
  std::array<std::size_t, raysPerPulse> cellOfHit;
  std::size_t count = 0;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t cell = ray * pulsesPerGroup + pulse;
    // Why written always: in grass a branch on whether a ray hits cannot be predicted.
    hits[count] = {group.rangeM[cell], group.intensity[cell], plan_.group.beam.weights[ray],
                   group.instance[cell], group.primitive[cell]};
    cellOfHit[count] = cell;
    count += group.meets[cell];
  }
  std::array<PulseReturn, maxReturnsPerPulse> reported;
  std::size_t returns = evaluateReturns({hits.data(), count}, plan_.sensor.returns, reported);
  if (activeMutation() == Mutation::centreMissDropsPulse && group.meets[pulse] == 0) returns = 0;
  out.rayHits[number] = static_cast<std::uint32_t>(count);
  out.returnCounts[number] = static_cast<std::uint8_t>(returns);
  for (std::size_t echo = 0; echo < returns; ++echo) {
    store(group, rays, cellOfHit[reported[echo].decidingHit], reported[echo],
          out.returns[number * maxReturnsPerPulse + echo]);
  }
}

}  // namespace understory
