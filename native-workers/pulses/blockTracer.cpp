// Slots to rays, packets, hits and returns.
#include "pulses/blockTracer.h"

#include <algorithm>

#include "core/mutation.h"
#include "core/sensor/aim.h"
#include "surfaces/embree/groupTracer.h"

namespace understory {

BlockTracer::BlockTracer(const EmbreeScene& scene, const SensorRecipe& sensor,
                         const Trajectory& trajectory, TraceOptions options)
    : scene_(scene),
      sensor_(sensor),
      trajectory_(trajectory),
      numbering_(pulseNumbering(sensor_)),
      sceneOptics_(sceneOptics(scene.scene(), sensor_)),
      group_(groupOptics(sensor_, beamOptics(sensor_))),
      takesStrongest_(sensor_.returns.mode == ReturnMode::strongest &&
                      !sensor_.returns.isWindowed && group_.isEvenlyWeighted),
      reporting_(sensor_, options.seed) {
  static_assert(rayOrder == RayOrder::columns, "the kernels of a group take columns");
  const bool isPlain = isPlainSensor(sensor_) && sceneOptics_.isPlain &&
                       activeMutation() == Mutation::none && !options.alwaysFollowsPaths;
  if (!isPlain) paths_.emplace(scene_, sensor_, trajectory_, sceneOptics_, options.seed);
}

bool hasPlainRays(const SensorRecipe& sensor) {
  return sensor.beam.stencil != StencilKind::rays && sharesSlotAim(sensor) &&
         sensor.noise.pointingSigmaRad == 0.0;
}

bool isPlainSensor(const SensorRecipe& sensor) {
  const ReturnsRecipe& returns = sensor.returns;
  return hasPlainRays(sensor) && sensor.radiometry == Radiometry::relative &&
         returns.mode != ReturnMode::all && returns.rangeResolutionM == 0.0 &&
         returns.detectionThreshold == 0.0 && !returns.gate && !returns.waveform;
}

void BlockTracer::trace(std::uint64_t block, SlotRange range, TracedBlock& out,
                        const PulseVisitor* visitor) const {
  const std::uint64_t firstSlot = block * slotsPerBlock;
  const std::uint64_t firstPulse = firstPulseOfSlot(numbering_, firstSlot);
  for (std::uint64_t slot = 0; slot <= slotsPerBlock; ++slot) {
    out.firstPulse[slot] =
        static_cast<std::uint32_t>(firstPulseOfSlot(numbering_, firstSlot + slot) - firstPulse);
  }
  if (paths_) {
    paths_->trace(block, range, out, visitor);
  } else {
    tracePlain(firstSlot, range, out);
    if (sensor_.azimuthStepRad > 0.0) reportAims(firstSlot, firstPulse, range, out);
  }
  reporting_.apply(block, range, out);
}

void BlockTracer::tracePlain(std::uint64_t firstSlot, SlotRange range, TracedBlock& out) const {
  for (std::uint64_t slot = 0; slot < slotsPerBlock; ++slot) {
    out.slots[slot] = slotFrame(sensor_, trajectory_, firstSlot + slot);
  }
  const std::size_t pulses = out.firstPulse[slotsPerBlock];
  out.returnCounts.resize(pulses);
  out.rayHits.resize(pulses);
  out.returnPlaces = maxReturnsPerPulse;
  out.returns.resize(pulses * maxReturnsPerPulse);
  if (out.keepsDirections) out.directions.resize(pulses * raysPerPulse);
  switch (packetWidth(scene_.device().isa())) {
    case 16:
      tracePackets<16>(firstSlot, range, out);
      break;
    case 8:
      tracePackets<8>(firstSlot, range, out);
      break;
    default:
      tracePackets<4>(firstSlot, range, out);
  }
}

// Where the sensor says something else of its pulses than their slots and lasers do.
void BlockTracer::reportAims(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range,
                             TracedBlock& out) const {
  out.aims.resize(out.firstPulse[slotsPerBlock]);
  for (std::size_t slot = range.from; slot < range.to; ++slot) {
    const std::size_t block = blockOfSlot(sensor_, firstSlot + slot);
    for (std::size_t laser = 0; laser < sensor_.blocks[block].rings.size(); ++laser) {
      const std::size_t pulse = out.firstPulse[slot] + laser;
      out.aims[pulse] = reportedPulse(sensor_, trajectory_,
                                      {firstPulse + pulse, firstSlot + slot, block, laser});
    }
  }
}

template <std::size_t Width>
void BlockTracer::tracePackets(std::uint64_t firstSlot, SlotRange range, TracedBlock& out) const {
  GroupTracer<Width> tracer(scene_, group_, sceneOptics_.reflectances, rangeLimits(sensor_));
  forEachGroup(sensor_, firstSlot,
               [&](const RayGroup& group) { traceGroup(group, range, tracer, out); });
}

template <std::size_t Width>
void BlockTracer::traceGroup(const RayGroup& group, SlotRange range, GroupTracer<Width>& tracer,
                             TracedBlock& out) const {
  const PulseRange wanted = pulsesIn(group, range);
  if (wanted.from == wanted.to) return;
  const LaserAngle& laser = optics().lasers[group.laserBlock][group.laser];
  tracer.trace(out.slots, group.slots, laser, wanted.from, wanted.to);
  const auto numberOf = [&](std::size_t pulse) {
    return out.firstPulse[group.slots[pulse]] + group.laser;
  };
  if (takesStrongest_) {
    GroupStrongest strongest;
    strongestOfGroup(tracer.hits(), sensor_.returns.signalCutoffM, strongest);
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      if (strongest.isTied[pulse] != 0) {
        takePulse(tracer, pulse, numberOf(pulse), out);
      } else {
        takeStrongest(tracer, strongest, pulse, numberOf(pulse), out);
      }
    }
  } else {
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      takePulse(tracer, pulse, numberOf(pulse), out);
    }
  }
  if (!out.keepsDirections) return;
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      out.directions[numberOf(pulse) * raysPerPulse + ray] =
          tracer.direction(ray * pulsesPerGroup + pulse);
    }
  }
}

// The strongest hit of pulse `pulse` of the group becomes the return of pulse `number` of the block.
template <std::size_t Width>
void BlockTracer::takeStrongest(const GroupTracer<Width>& tracer, const GroupStrongest& strongest,
                                std::size_t pulse, std::size_t number, TracedBlock& out) const {
  const std::int32_t count = strongest.hits[pulse];
  out.rayHits[number] = static_cast<std::uint32_t>(count);
  out.returnCounts[number] = count > 0 ? 1 : 0;
  if (count == 0) return;
  const auto ray = static_cast<std::size_t>(strongest.ray[pulse]);
  const std::size_t cell = ray * pulsesPerGroup + pulse;
  const double weight = group_.weightOfRays[static_cast<std::size_t>(strongest.within[pulse])];
  keep(tracer, cell,
       {tracer.hits().rangeM[cell], tracer.hits().intensity[cell], static_cast<float>(weight), 0},
       out.returns[number * maxReturnsPerPulse]);
}

// Hits of pulse `pulse` of the group become returns of pulse `number` of the block.
template <std::size_t Width>
void BlockTracer::takePulse(const GroupTracer<Width>& tracer, std::size_t pulse,
                            std::size_t number, TracedBlock& out) const {
  const GroupHits& group = tracer.hits();
  std::array<RayHit, raysPerPulse> hits;
  std::array<std::size_t, raysPerPulse> cellOfHit;
  std::size_t count = 0;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t cell = ray * pulsesPerGroup + pulse;
    // Why written always: whether a ray meets something in grass is anyone's guess, a processor's, too.
    hits[count] = {group.rangeM[cell], group.intensity[cell], optics().weights[ray],
                   group.instance[cell], group.primitive[cell]};
    cellOfHit[count] = cell;
    count += group.meets[cell];
  }
  std::array<PulseReturn, maxReturnsPerPulse> reported;
  const std::size_t returns = evaluateReturns({hits.data(), count}, sensor_.returns, reported);
  out.rayHits[number] = static_cast<std::uint32_t>(count);
  out.returnCounts[number] = static_cast<std::uint8_t>(returns);
  for (std::size_t echo = 0; echo < returns; ++echo) {
    keep(tracer, cellOfHit[reported[echo].decidingHit], reported[echo],
         out.returns[number * maxReturnsPerPulse + echo]);
  }
}

// A return with the truth of the hit in `cell`, which decided it.
template <std::size_t Width>
void BlockTracer::keep(const GroupTracer<Width>& tracer, std::size_t cell,
                       const PulseReturn& reported, TracedReturn& to) const {
  const GroupHits& group = tracer.hits();
  const Vec3f facet{group.facetX[cell], group.facetY[cell], group.facetZ[cell]};
  to.reported = reported;
  to.trueRangeM = group.rangeM[cell];
  to.cosIncidence = group.cosIncidence[cell];
  to.rayDirection = tracer.direction(cell);
  to.normal = facet * group.facetScale[cell];
  to.instance = group.instance[cell];
  to.primitive = group.primitive[cell];
  to.material = group.material[cell];
  to.mirrors = 0;
  to.cleanRangeM = reported.rangeM;
}

}  // namespace understory
