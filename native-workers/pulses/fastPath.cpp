// Returns of groups of pulses.
#include "pulses/fastPath.h"

#include <cmath>

#include "core/mutation.h"
#include "core/optics/shading.h"
#include "core/sensor/aim.h"
#include "core/sensor/receiver.h"

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

SimpleRule simpleRule(const SensorRecipe& sensor, const GroupOptics& group) {
  const ReturnsRecipe& returns = sensor.returns;
  if (sensor.radiometry != Radiometry::relative) return SimpleRule::none;
  if (separatesEchoes(returns)) {
    const bool isAveraged = returns.window || returns.mode == ReturnMode::first;
    return isAveraged || !group.isEvenlyWeighted ? SimpleRule::none : SimpleRule::oneEcho;
  }
  if (hasSeveralReturns(returns.mode)) return SimpleRule::none;
  if (returns.mode != ReturnMode::strongest) return SimpleRule::paper;
  if (!returns.window && group.isEvenlyWeighted) return SimpleRule::strongestRay;
  return hasDetectionLimit(returns) ? SimpleRule::none : SimpleRule::paper;
}

}  // namespace

bool fitsFastPath(const SensorRecipe& sensor) {
  return hasStencilRays(sensor) && !sensor.returns.gate && !sensor.returns.waveform;
}

FastPathPlan::FastPathPlan(const SensorRecipe& recipe, bool reportsOtherPoses)
    : sensor(recipe),
      group(groupOptics(recipe, beamOptics(recipe))),
      rule(simpleRule(recipe, group)),
      hasLimit(hasDetectionLimit(recipe.returns)),
      sharesAim(sharesSlotAim(recipe)),
      hasReportedPoses(reportsOtherPoses),
      hasOwnOrigins(reportsOtherPoses || understory::hasOwnOrigins(recipe)) {}

void aimOfGroup(const FastPathPlan& plan, const RayGroup& group, const PulseAims& aims,
                GroupAim& aim, TracedBatch& out) {
  if (plan.sharesAim) {
    axesOfSlots(plan.hasReportedPoses ? out.traced : out.slots, group.slots,
                plan.group.beam.lasers[group.bank][group.laser], aim.axes);
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

void timesOfGroup(const FastPathPlan& plan, const RayGroup& group, const TracedBatch& out,
                  GroupPulses& names) {
  for (std::size_t pulse = 0; pulse < group.slots.size(); ++pulse) {
    names.timesNs[pulse] = timeNsOf(plan, group, pulse, out);
  }
}

GroupReturns::GroupReturns(const FastPathPlan& plan, const FastPathScene& scene, std::uint64_t seed,
                           std::uint64_t firstPulse, TracedBatch& out)
    : plan_(plan),
      air_(scene.optics.air),
      firstPulse_(firstPulse),
      learned_(scene.learned),
      hasCertainHits_(learned_ != nullptr && learned_->hasCertainHits()),
      out_(out),
      evaluator_(plan.sensor, seed),
      spread_(plan.sensor),
      finder_(rangeCellM(plan.sensor.returns)) {
  evaluator_.setAxisRay(0);
  if (!scene.weather.isClear()) weather_.emplace(scene.weather, plan.sensor, seed);
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

void GroupReturns::report(const RayGroup& group, PulseRange wanted, const TracedGroup& traced) {
  if (activeMutation() == Mutation::cosineSquared) {
    GroupHits squared = traced.hits;
    for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
      squared.intensity[cell] *= squared.cosIncidence[cell];
    }
    return reportHits(group, wanted, {traced.aim, squared, traced.rays});
  }
  reportHits(group, wanted, traced);
}

void GroupReturns::reportHits(const RayGroup& group, PulseRange wanted, const TracedGroup& traced) {
  const GroupHits& hits = traced.hits;
  const auto numberOf = [&](std::size_t pulse) {
    return out_.firstPulse[group.slots[pulse]] + group.laser;
  };
  const bool isPaper = !plan_.hasLimit && plan_.rule != SimpleRule::oneEcho;
  if (!isPaper && !out_.storesShapes) {
    signalsOfGroup(plan_.group.beam, hits, air_, signals_);
    sumsOfGroup(plan_.group.beam, hits, signals_, sums_);
  }
  const SimpleRule rule = out_.storesShapes ? SimpleRule::none : plan_.rule;
  if (rule == SimpleRule::strongestRay || rule == SimpleRule::oneEcho) {
    strongestOfGroup(hits, plan_.hasLimit ? signals_ : hits.intensity,
                     plan_.sensor.returns.signalCutoffM, strongest_);
  }
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    const std::size_t number = numberOf(pulse);
    echoEnds_ = {};
    const std::span<const AirHit> inAir = hitsInAir(group, traced, pulse, number);
    if (weather_ && weather_->isFelt()) {
      evaluate(traced, pulse, number, inAir);
    } else if (rule == SimpleRule::none ||
               (!isPaper && (hasCertainHits_ || !isSimple(hits, pulse)))) {
      evaluate(traced, pulse, number);
    } else if (rule == SimpleRule::paper) {
      reportByPaper(traced, pulse, number);
    } else if (strongest_.isTied[pulse] != 0 && !hasOneHit(traced.hits, pulse)) {
      isPaper ? reportByPaper(traced, pulse, number) : evaluate(traced, pulse, number);
    } else if (rule == SimpleRule::strongestRay) {
      reportStrongest(traced, pulse, number);
    } else {
      reportOneEcho(traced, pulse, number);
    }
  }
  if (!out_.storesDirections) return;
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      out_.directions[numberOf(pulse) * raysPerPulse + ray] =
          directionOf(traced.rays, ray * pulsesPerGroup + pulse);
    }
  }
}

// Whether the hits of a pulse are one echo that is certainly seen. A pulse without hits is. Leaves echoes that it had to
// look for in echoEnds_.
bool GroupReturns::isSimple(const GroupHits& hits, std::size_t pulse) {
  const float farthestM = sums_.farthestM[pulse];
  if (farthestM <= 0.0F) return true;
  if (!finder_.isOneEcho(sums_.nearestM[pulse], farthestM)) {
    orderHits(hits, signals_, spread_, pulse, ordered_);
    echoEnds_ = finder_.find(ordered_.met());
    if (echoEnds_.size() > 1) return false;
  }
  const Detector& detector = evaluator_.detector();
  return !detector.isActive() || activeMutation() == Mutation::limitWithoutNoise ||
         detector.isSure(sums_.signal[pulse], static_cast<double>(farthestM));
}

// Whether all hits of a pulse are on one learned element: the first ray decides then, as wherever hits are equal.
bool GroupReturns::hasOneHit(const GroupHits& hits, std::size_t pulse) const {
  if (learned_ == nullptr) return false;
  const auto ray = static_cast<std::size_t>(strongest_.ray[pulse]);
  const std::size_t best = ray * pulsesPerGroup + pulse;
  for (std::size_t cell = pulse; cell < raysPerGroup; cell += pulsesPerGroup) {
    if (hits.meets[cell] == 0) continue;
    const bool isSame = hits.rangeM[cell] == hits.rangeM[best] &&
                        hits.instance[cell] == hits.instance[best] &&
                        hits.primitive[cell] == hits.primitive[best];
    if (!isSame) return false;
  }
  return true;
}

TracedReturn& GroupReturns::start(std::size_t number, std::size_t rayHits, std::size_t returns) {
  out_.rayHits[number] = static_cast<std::uint32_t>(rayHits);
  out_.returnCounts[number] = static_cast<std::uint8_t>(returns);
  return out_.returns[number * out_.maxReturns];
}

bool GroupReturns::takesLines() const {
  return plan_.rule == SimpleRule::strongestRay && !plan_.hasLimit && !out_.storesShapes &&
         !out_.storesDirections && activeMutation() == Mutation::none;
}

// All rays end on the element of their line, and the first of them decides: as of hits that are equal.
void GroupReturns::reportLines(const RayGroup& group, PulseRange wanted, const GroupAim& aim,
                               const PulseLines& lines, const LineHits& met) {
  const RangeLimits limits = rangeLimits(plan_.sensor);
  const BeamOptics& beam = plan_.group.beam;
  const auto weight = static_cast<float>(plan_.group.weightOfRays[raysPerPulse]);
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    const std::size_t number = out_.firstPulse[group.slots[pulse]] + group.laser;
    const std::size_t line = pulse - wanted.from;
    const bool isWithin =
        met.isHit(line) && met.rangeM[line] >= limits.minM && met.rangeM[line] <= limits.maxM;
    const LineStop stop = isWithin ? learned_->stopOf(lines, met, line) : LineStop{};
    const bool isReturned = stop.reflectance > 0.0F;
    TracedReturn& to = start(number, isReturned ? raysPerPulse : 0, isReturned ? 1 : 0);
    if (!isReturned) continue;
    const PulseAxes& axes = aim.axes[pulse];
    const Vec3f direction = rayDirection(beam, axes, 0);
    const Vec3f facet = direction * -1.0F;
    const float scale = 1.0F / std::sqrt(facet.x * facet.x + facet.y * facet.y + facet.z * facet.z);
    to = {};
    to.reported = {stop.rangeM, stop.reflectance, weight, 0};
    to.trueRangeM = stop.rangeM;
    to.cosIncidence = 1.0F;
    to.rayDirection = direction;
    to.normal = facet * scale;
    to.instance = stop.instance;
    to.primitive = stop.primitive;
    to.material = stop.material;
    to.cleanRangeM = stop.rangeM;
    if (plan_.hasOwnOrigins) {
      to.rayDirection = towards(beam, axes, aim.reportedM[pulse], 0, direction, stop.rangeM);
    }
  }
}

// The strongest hit of pulse `pulse` of the group becomes the return of pulse `number` of the batch.
void GroupReturns::reportStrongest(const TracedGroup& traced, std::size_t pulse,
                                   std::size_t number) {
  const GroupHits& hits = traced.hits;
  const auto count = static_cast<std::size_t>(strongest_.hits[pulse]);
  const bool isDropped =
      activeMutation() == Mutation::centreMissDropsPulse && hits.meets[pulse] == 0;
  const bool isReturned = count > 0 && !isDropped;
  TracedReturn& to = start(number, count, isReturned ? 1 : 0);
  if (!isReturned) return;
  const auto ray = static_cast<std::size_t>(strongest_.ray[pulse]);
  const std::size_t cell = ray * pulsesPerGroup + pulse;
  auto within = static_cast<std::size_t>(strongest_.within[pulse]);
  if (activeMutation() == Mutation::shareOffByARay) --within;
  const double weight = plan_.group.weightOfRays[within];
  store(traced, cell, {hits.rangeM[cell], hits.intensity[cell], static_cast<float>(weight), 0}, to);
}

// Hits of pulse `pulse` of the group become the return of pulse `number` of the batch.
void GroupReturns::reportByPaper(const TracedGroup& traced, std::size_t pulse, std::size_t number) {
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
  auto reported = evaluateReturns({hits.data(), count}, plan_.sensor.returns);
  if (activeMutation() == Mutation::centreMissDropsPulse && group.meets[pulse] == 0) {
    reported.reset();
  }
  TracedReturn& to = start(number, count, reported ? 1 : 0);
  if (reported) store(traced, cellOfHit[reported->decidingHit], *reported, to);
}

// All hits are one echo, with SignalEvaluator's means.
void GroupReturns::reportOneEcho(const TracedGroup& traced, std::size_t pulse, std::size_t number) {
  const GroupHits& hits = traced.hits;
  const auto count = static_cast<std::size_t>(strongest_.hits[pulse]);
  TracedReturn& to = start(number, count, count > 0 ? 1 : 0);
  if (count == 0) return;
  const std::size_t cell = static_cast<std::size_t>(strongest_.ray[pulse]) * pulsesPerGroup + pulse;
  const double weight = plan_.group.weightOfRays[count];
  PulseReturn reported{hits.rangeM[cell], hits.intensity[cell], static_cast<float>(weight), 0};
  if (count > 1) {
    const double signal = sums_.signal[pulse];
    reported.intensity = static_cast<float>(sums_.energy[pulse] / weight);
    reported.rangeM = signal > 0.0 ? static_cast<float>(sums_.signalTimesRange[pulse] / signal)
                                   : sums_.nearestM[pulse];
    if (activeMutation() == Mutation::middleForCentroid) {
      reported.rangeM = 0.5F * (sums_.nearestM[pulse] + sums_.farthestM[pulse]);
    }
  }
  store(traced, cell, reported, to);
}

std::span<const AirHit> GroupReturns::hitsInAir(const RayGroup& group, const TracedGroup& traced,
                                                std::size_t pulse, std::size_t number) {
  if (!weather_) return {};
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    ends_[ray] = {traced.hits.rangeM[ray * pulsesPerGroup + pulse], plan_.group.beam.weights[ray]};
  }
  const PulseAxes& axes = traced.aim.axes[pulse];
  return weather_->hitsOf(firstPulse_ + number,
                          {timeNsOf(plan_, group, pulse, out_), axes.origin, axes.axis}, ends_);
}

// As PulseTracer does.
void GroupReturns::evaluate(const TracedGroup& traced, std::size_t pulse, std::size_t number,
                            std::span<const AirHit> inAir) {
  signal_.clear();
  const auto add = [&](std::size_t cell) {
    if (traced.hits.meets[cell] == 0) return;
    SignalHit& hit = signal_.emplace_back(signalOfCell(traced.hits, cell));
    if (weather_ && weather_->isFelt()) weather_->dim(hit, hit.weight, hit.ray);
  };
  const bool isOrdered = !echoEnds_.empty();
  for (std::size_t hit = 0; hit < (isOrdered ? ordered_.count : raysPerPulse); ++hit) {
    add(isOrdered ? ordered_.cell[hit] : hit * pulsesPerGroup + pulse);
  }
  const std::size_t count = signal_.size();
  for (std::size_t hit = 0; hit < inAir.size(); ++hit) {
    SignalHit& added = signal_.emplace_back(
        signalOfAir(inAir[hit], ends_[inAir[hit].ray], plan_.sensor.radiometry));
    added.index = static_cast<std::uint32_t>(raysPerGroup + hit);
  }
  const std::uint64_t ofScan = firstPulse_ + number;
  const auto returns = isOrdered ? evaluator_.evaluateEchoes(signal_, echoEnds_, ofScan)
                                 : evaluator_.evaluate(signal_, ofScan);
  TracedReturn* const to = &start(number, count, returns.size());
  for (std::size_t echo = 0; echo < returns.size(); ++echo) {
    const std::uint32_t index = signal_[returns[echo].decidingHit].index;
    if (index < raysPerGroup) {
      store(traced, index, returns[echo], to[echo]);
    } else {
      storeAir(traced, pulse, inAir[index - raysPerGroup], returns[echo], to[echo]);
    }
    if (!out_.storesShapes) continue;
    out_.shapes[number * out_.maxReturns + echo] =
        shapeOf(evaluator_, evaluator_.formed()[echo], returns[echo]);
  }
}

void GroupReturns::storeAir(const TracedGroup& traced, std::size_t pulse, const AirHit& hit,
                            const PulseReturn& reported, TracedReturn& to) const {
  const Vec3f direction = directionOf(traced.rays, hit.ray * pulsesPerGroup + pulse);
  to = {};
  to.reported = reported;
  to.trueRangeM = hit.rangeM;
  to.cosIncidence = 1.0F;
  to.rayDirection = direction;
  to.normal = direction * -1.0F;
  to.instance = noInstance;
  to.air = airNumber(hit.kind);
  to.cleanRangeM = reported.rangeM;
  if (!plan_.hasOwnOrigins) return;
  to.rayDirection = towards(plan_.group.beam, traced.aim.axes[pulse], traced.aim.reportedM[pulse],
                            hit.ray, direction, hit.rangeM);
}

SignalHit GroupReturns::signalOfCell(const GroupHits& hits, std::size_t cell) const {
  const std::size_t ray = cell / pulsesPerGroup;
  const auto rangeM = static_cast<double>(hits.rangeM[cell]);
  SignalHit hit;
  hit.rangeM = hits.rangeM[cell];
  hit.received = receivedSignal(hits.intensity[cell], air_, rangeM, rangeM);
  const bool isRelative = plan_.sensor.radiometry == Radiometry::relative;
  hit.intensity = isRelative ? hits.intensity[cell] : hit.received;
  hit.weight = plan_.group.beam.weights[ray];
  hit.rayWeight = plan_.group.beam.weights[ray];
  hit.spreadM = spread_.at(hit.rangeM, hits.cosIncidence[cell]);
  hit.ray = static_cast<std::uint32_t>(ray);
  hit.instance = hits.instance[cell];
  hit.primitive = hits.primitive[cell];
  hit.index = static_cast<std::uint32_t>(cell);
  hit.isCertain = hasCertainHits_ && learned_->isCertain(hit.instance);
  return hit;
}

}  // namespace understory
