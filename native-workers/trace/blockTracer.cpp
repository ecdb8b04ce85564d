// Slots to rays, packets, hits and returns.
#include "trace/blockTracer.h"

#include <algorithm>

#include "core/mutation.h"
#include "core/sensor/aim.h"
#include "trace/groupTracer.h"

namespace understory {

BlockTracer::BlockTracer(const EmbreeScene& scene, const SensorRecipe& sensor,
                         const Trajectory& trajectory, TraceOptions options)
    : scene_(scene),
      sensor_(sensor),
      trajectory_(trajectory),
      numbering_(pulseNumbering(sensor_)),
      optics_(beamOptics(sensor_)),
      orders_(groupOrders(sensor_, rayOrder)),
      sceneOptics_(sceneOptics(scene.scene(), sensor_)),
      reporting_(sensor_, options.seed) {
  const bool isPlain = isPlainSensor(sensor_) && sceneOptics_.isPlain &&
                       activeMutation() == Mutation::none && !options.alwaysFollowsPaths;
  if (!isPlain) paths_.emplace(scene_, sensor_, trajectory_, sceneOptics_, options.seed);
}

bool isPlainSensor(const SensorRecipe& sensor) {
  const ReturnsRecipe& returns = sensor.returns;
  return sensor.beam.stencil != StencilKind::rays && sharesSlotAim(sensor) &&
         sensor.radiometry == Radiometry::relative && sensor.noise.pointingSigmaRad == 0.0 &&
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
  GroupTracer<Width> tracer(scene_, sceneOptics_.reflectances.data(), rangeLimits(sensor_));
  forEachGroup(sensor_, firstSlot,
               [&](const RayGroup& group) { traceGroup(group, range, tracer, out); });
}

template <std::size_t Width>
void BlockTracer::traceGroup(const RayGroup& group, SlotRange range, GroupTracer<Width>& tracer,
                             TracedBlock& out) const {
  const std::size_t pulses = group.slots.size();
  const PulseRange wanted = pulsesIn(group, range);
  if (wanted.from == wanted.to) return;
  std::array<PulseAxes, pulsesPerGroup> axes;
  const LaserAngle& laser = optics_.lasers[group.laserBlock][group.laser];
  for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
    axes[pulse] = pulseAxes(out.slots[group.slots[pulse]], laser);
  }
  const std::size_t rays = pulses * raysPerPulse;
  const std::array<RayPlace, raysPerGroup>& order = orders_.rays[pulses];
  for (std::size_t packet = 0; packet * Width < rays; ++packet) {
    const std::size_t end = std::min(rays, (packet + 1) * Width);
    bool isWanted = false;
    for (std::size_t place = packet * Width; place < end; ++place) {
      const auto [pulse, ray] = order[place];
      isWanted |= pulse >= wanted.from && pulse < wanted.to;
      tracer.aim(place, axes[pulse].origin, rayDirection(optics_, axes[pulse], ray));
    }
    if (isWanted) tracer.trace(packet, rays);
  }
  for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
    takePulse(tracer, &orders_.places[pulses][pulse * raysPerPulse],
              out.firstPulse[group.slots[pulse]] + group.laser, out);
  }
}

// Hits of the pulse whose rays have these places in the group become returns of pulse `number` of the
// block.
template <std::size_t Width>
void BlockTracer::takePulse(const GroupTracer<Width>& tracer, const std::uint8_t* places,
                            std::size_t number, TracedBlock& out) const {
  const GroupHits& group = tracer.hits();
  std::array<RayHit, raysPerPulse> hits;
  std::array<std::uint8_t, raysPerPulse> placeOfHit;
  std::size_t count = 0;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t place = places[ray];
    // Why written always: whether a ray meets something in grass is anyone's guess, a processor's, too.
    hits[count] = {group.rangeM[place], group.intensity[place], optics_.weights[ray],
                   group.instance[place], group.primitive[place]};
    placeOfHit[count] = places[ray];
    count += group.meets[place];
  }
  std::array<PulseReturn, maxReturnsPerPulse> reported;
  const std::size_t returns = evaluateReturns({hits.data(), count}, sensor_.returns, reported);
  out.rayHits[number] = static_cast<std::uint32_t>(count);
  out.returnCounts[number] = static_cast<std::uint8_t>(returns);
  for (std::size_t echo = 0; echo < returns; ++echo) {
    const std::size_t place = placeOfHit[reported[echo].decidingHit];
    const Vec3f facet{group.facetX[place], group.facetY[place], group.facetZ[place]};
    out.returns[number * maxReturnsPerPulse + echo] = {
        reported[echo],          group.rangeM[place],
        group.cosIncidence[place], tracer.direction(place),
        facet * group.facetScale[place], group.instance[place],
        group.primitive[place],  group.material[place],
        0,                       reported[echo].rangeM};
  }
  if (!out.keepsDirections) return;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    out.directions[number * raysPerPulse + ray] = tracer.direction(places[ray]);
  }
}

}  // namespace understory
