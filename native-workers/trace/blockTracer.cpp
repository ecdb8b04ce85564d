// Slots to rays, packets, hits and returns.
#include "trace/blockTracer.h"

#include <algorithm>

#include "trace/groupTracer.h"

namespace understory {

BlockTracer::BlockTracer(const EmbreeScene& scene, const SensorRecipe& sensor,
                         const Trajectory& trajectory)
    : scene_(scene),
      sensor_(sensor),
      trajectory_(trajectory),
      numbering_(pulseNumbering(sensor)),
      optics_(beamOptics(sensor)),
      orders_(groupOrders(sensor, rayOrder)),
      sceneOptics_(sceneOptics(scene.scene(), sensor)) {}

void BlockTracer::trace(std::uint64_t block, SlotRange range, TracedBlock& out) const {
  const std::uint64_t firstSlot = block * slotsPerBlock;
  const std::uint64_t firstPulse = firstPulseOfSlot(numbering_, firstSlot);
  for (std::uint64_t slot = 0; slot <= slotsPerBlock; ++slot) {
    out.firstPulse[slot] =
        static_cast<std::uint32_t>(firstPulseOfSlot(numbering_, firstSlot + slot) - firstPulse);
    if (slot < slotsPerBlock) out.slots[slot] = slotFrame(sensor_, trajectory_, firstSlot + slot);
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
