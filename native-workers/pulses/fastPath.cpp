// Returns of groups of pulses.
#include "pulses/fastPath.h"

#include "core/mutation.h"
#include "core/sensor/aim.h"

namespace understory {
namespace {

Vec3f directionOf(const GroupRays& rays, std::size_t cell) {
  return {rays.cellX[cell], rays.cellY[cell], rays.cellZ[cell]};
}

// Where a hit of ray `ray` lies for each metre of its range, seen from where the sensor reports.
Vec3f towards(const BeamOptics& beam, const PulseAxes& axes, Vec3f reportedM, std::size_t ray,
              Vec3f direction, float rangeM) {
  const Vec3f startM =
      beam.hasAperture ? axes.origin + rayStart(scaleOf(beam, ray), axes) : axes.origin;
  return towardsFrom(reportedM, startM, direction, rangeM);
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
                    group.isEvenlyWeighted),
      sharesAim(sharesSlotAim(recipe)),
      hasOwnOrigins(understory::hasOwnOrigins(recipe)) {}

void aimOfGroup(const FastPathPlan& plan, const RayGroup& group, const PulseAims& aims,
                GroupAim& aim, TracedBatch& out) {
  if (plan.sharesAim) {
    axesOfSlots(out.slots, group.slots, plan.group.beam.lasers[group.bank][group.laser], aim.axes);
    if (!plan.hasOwnOrigins) return;
    for (std::size_t pulse = 0; pulse < group.slots.size(); ++pulse) {
      aim.reportedM[pulse] = out.slots[group.slots[pulse]].rayOriginM;
    }
    return;
  }
  for (std::size_t pulse = 0; pulse < group.slots.size(); ++pulse) {
    const std::size_t slot = group.slots[pulse];
    const std::size_t number = out.firstPulse[slot] + group.laser;
    const PulseName name{aims.firstPulse + number, aims.firstSlot + slot, group.bank, group.laser};
    const AimedPulse aimed =
        aimedPulse(plan.sensor, aims.trajectory, aims.seed, name, aims.sceneOriginM);
    aim.axes[pulse] = aimed.axes;
    aim.reportedM[pulse] = aimed.reported.frame.rayOriginM;
    out.aims[number] = aimed.reported;
  }
}

// A return with the truth of the hit in `cell`, which decided it.
void GroupReturns::store(const TracedGroup& traced, std::size_t cell, const PulseReturn& reported,
                         TracedReturn& to) const {
  const GroupHits& hits = traced.hits;
  const Vec3f facet{hits.facetX[cell], hits.facetY[cell], hits.facetZ[cell]};
  to.reported = reported;
  to.trueRangeM = hits.rangeM[cell];
  to.cosIncidence = hits.cosIncidence[cell];
  to.rayDirection = directionOf(traced.rays, cell);
  to.normal = facet * hits.facetScale[cell];
  to.instance = hits.instance[cell];
  to.primitive = hits.primitive[cell];
  to.material = hits.material[cell];
  to.mirrors = 0;
  to.cleanRangeM = reported.rangeM;
  if (!plan_.hasOwnOrigins) return;
  const std::size_t pulse = cell % pulsesPerGroup;
  to.rayDirection = towards(plan_.group.beam, traced.aim.axes[pulse], traced.aim.reportedM[pulse],
                            cell / pulsesPerGroup, to.rayDirection, to.trueRangeM);
}

void GroupReturns::report(const RayGroup& group, PulseRange wanted, const TracedGroup& traced,
                          TracedBatch& out) const {
  if (activeMutation() == Mutation::cosineSquared) {
    GroupHits squared = traced.hits;
    for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
      squared.intensity[cell] *= squared.cosIncidence[cell];
    }
    return reportHits(group, wanted, {traced.aim, squared, traced.rays}, out);
  }
  reportHits(group, wanted, traced, out);
}

void GroupReturns::reportHits(const RayGroup& group, PulseRange wanted, const TracedGroup& traced,
                              TracedBatch& out) const {
  const auto numberOf = [&](std::size_t pulse) {
    return out.firstPulse[group.slots[pulse]] + group.laser;
  };
  if (plan_.usesStrongest) {
    GroupStrongest strongest;
    strongestOfGroup(traced.hits, plan_.sensor.returns.signalCutoffM, strongest);
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      if (strongest.isTied[pulse] != 0) {
        reportPulse(traced, pulse, numberOf(pulse), out);
      } else {
        reportStrongest(traced, strongest, pulse, numberOf(pulse), out);
      }
    }
  } else {
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      reportPulse(traced, pulse, numberOf(pulse), out);
    }
  }
  if (!out.storesDirections) return;
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      out.directions[numberOf(pulse) * raysPerPulse + ray] =
          directionOf(traced.rays, ray * pulsesPerGroup + pulse);
    }
  }
}

// The strongest hit of pulse `pulse` of the group becomes the return of pulse `number` of the batch.
void GroupReturns::reportStrongest(const TracedGroup& traced, const GroupStrongest& strongest,
                                   std::size_t pulse, std::size_t number, TracedBatch& out) const {
  const GroupHits& hits = traced.hits;
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
  store(traced, cell, {hits.rangeM[cell], hits.intensity[cell], static_cast<float>(weight), 0},
        out.returns[number * maxReturnsPerPulse]);
}

// Hits of pulse `pulse` of the group become returns of pulse `number` of the batch.
void GroupReturns::reportPulse(const TracedGroup& traced, std::size_t pulse, std::size_t number,
                               TracedBatch& out) const {
  const GroupHits& group = traced.hits;
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
    store(traced, cellOfHit[reported[echo].decidingHit], reported[echo],
          out.returns[number * maxReturnsPerPulse + echo]);
  }
}

}  // namespace understory
