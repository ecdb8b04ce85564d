// Slots to rays, packets, hits and returns.
#include "trace/blockTracer.h"

#include <algorithm>
#include <cmath>

#include "trace/embree.h"

namespace understory {

namespace {

constexpr std::size_t pulsesPerGroup = 16;
constexpr std::size_t raysPerGroup = pulsesPerGroup * raysPerPulse;

}  // namespace

// The rays of up to 16 pulses of one laser, one behind the other, nine to a pulse.
struct BlockTracer::RayGroup {
  alignas(64) std::array<float, raysPerGroup> originX;
  alignas(64) std::array<float, raysPerGroup> originY;
  alignas(64) std::array<float, raysPerGroup> originZ;
  alignas(64) std::array<float, raysPerGroup> directionX;
  alignas(64) std::array<float, raysPerGroup> directionY;
  alignas(64) std::array<float, raysPerGroup> directionZ;
};

template <std::size_t Width>
struct BlockTracer::PacketGroup {
  std::array<typename PacketOf<Width>::RayHit, raysPerGroup / Width> rayHits;
};

namespace {

SlotFrame slotFrame(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t slot) {
  SlotFrame frame;
  frame.timeNs = slotTimeNs(sensor, slot);
  frame.azimuthRad = slotAzimuthRad(sensor, slot);
  const Pose pose = poseAt(trajectory, frame.timeNs);
  const Mat3d worldFromSensor = matrixOf(pose.rotation);
  const double cosine = std::cos(frame.azimuthRad);
  const double sine = std::sin(frame.azimuthRad);
  frame.originM = pose.positionM;
  frame.ahead = worldFromSensor * Vec3d{cosine, sine, 0.0};
  frame.left = worldFromSensor * Vec3d{-sine, cosine, 0.0};
  frame.zenith = worldFromSensor * Vec3d{0.0, 0.0, 1.0};
  return frame;
}

// The two ways to traverse a packet.
struct PacketQueries {
  RayQuery coherent{true};
  RayQuery incoherent{false};
};

bool haveOneSign(std::span<const float> values) {
  const auto isNegative = [](float value) { return value < 0.0F; };
  return std::all_of(values.begin(), values.end(), isNegative) ||
         std::none_of(values.begin(), values.end(), isNegative);
}

template <std::size_t Width, typename RayGroup>
void tracePacket(RTCScene scene, PacketQueries& queries, const RayGroup& rays, std::size_t packet,
                 std::size_t rayCount, float maxRangeM,
                 typename PacketOf<Width>::RayHit& rayHit) {
  alignas(64) std::array<int, Width> valid;
  const std::size_t first = packet * Width;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    valid[lane] = first + lane < rayCount ? -1 : 0;
    rayHit.ray.org_x[lane] = rays.originX[first + lane];
    rayHit.ray.org_y[lane] = rays.originY[first + lane];
    rayHit.ray.org_z[lane] = rays.originZ[first + lane];
    rayHit.ray.dir_x[lane] = rays.directionX[first + lane];
    rayHit.ray.dir_y[lane] = rays.directionY[first + lane];
    rayHit.ray.dir_z[lane] = rays.directionZ[first + lane];
    // From the sensor's own origin: a surface nearer than the minimum range blocks the ray.
    rayHit.ray.tnear[lane] = 0.0F;
    rayHit.ray.tfar[lane] = maxRangeM;
    rayHit.ray.time[lane] = 0.0F;
    rayHit.ray.mask[lane] = 0xFFFFFFFFU;
    rayHit.ray.id[lane] = 0;
    rayHit.ray.flags[lane] = 0;
    rayHit.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
    rayHit.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
  }
  // Why: Embree 3.13 loses rays of a coherent packet in which a component of the direction changes its sign
  // close to 0 (test/repro/lostRays.test.ts). Such packets are few: tracing takes as long as before.
  const std::size_t count = std::min(Width, rayCount - first);
  const bool isOneOctant = haveOneSign({&rays.directionX[first], count}) &&
                           haveOneSign({&rays.directionY[first], count}) &&
                           haveOneSign({&rays.directionZ[first], count});
  RayQuery& query = isOneOctant ? queries.coherent : queries.incoherent;
  query.intersect(valid.data(), scene, rayHit);
}

// The hits of one pulse and what belongs to each.
struct PulseHits {
  std::array<RayHit, raysPerPulse> hits;
  std::array<Vec3f, raysPerPulse> directions;
  std::array<Vec3f, raysPerPulse> normals;  // world, unit, towards the sensor
  std::array<float, raysPerPulse> cosines;
  std::array<std::uint16_t, raysPerPulse> materials;
  std::size_t count = 0;
};

template <typename RayHitPacket>
void takeHit(const EmbreeScene& scene, const RayHitPacket& packet, std::size_t lane, float weight,
             PulseHits& pulse) {
  const std::uint32_t instance = packet.hit.instID[0][lane];
  const std::uint32_t primitive = packet.hit.primID[lane];
  const InstanceShading& shading = scene.shading()[instance];
  const Vec3f facet = shading.inWorld(
      {packet.hit.Ng_x[lane], packet.hit.Ng_y[lane], packet.hit.Ng_z[lane]});
  const Vec3f direction{packet.ray.dir_x[lane], packet.ray.dir_y[lane], packet.ray.dir_z[lane]};
  const float along = dot(facet, direction);
  // Divided by the facet's length, turned towards the sensor.
  const float scale = (along > 0.0F ? -1.0F : 1.0F) / length(facet);
  const float cosine = std::min(1.0F, std::abs(along * scale));
  const std::uint16_t material = shading.materialOf(primitive);
  const std::size_t hit = pulse.count++;
  pulse.hits[hit] = {packet.ray.tfar[lane], scene.reflectances()[material] * cosine, weight,
                     instance, primitive};
  pulse.directions[hit] = direction;
  pulse.normals[hit] = facet * scale;
  pulse.cosines[hit] = cosine;
  pulse.materials[hit] = material;
}

}  // namespace

BlockTracer::BlockTracer(const EmbreeScene& scene, const SensorRecipe& sensor,
                         const Trajectory& trajectory)
    : scene_(scene),
      sensor_(sensor),
      trajectory_(trajectory),
      numbering_(pulseNumbering(sensor)) {
  const std::array<StencilRay, raysPerPulse> stencil = makeStencil(sensor.beam);
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const auto [left, up, weight] = stencil[ray];
    const double scale = 1.0 / std::sqrt(1.0 + left * left + up * up);
    axisScale_[ray] = static_cast<float>(scale);
    leftScale_[ray] = static_cast<float>(scale * left);
    upScale_[ray] = static_cast<float>(scale * up);
    weights_[ray] = static_cast<float>(weight);
  }
}

void BlockTracer::trace(std::uint64_t block, TracedBlock& out) const {
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
  out.returns.resize(pulses * maxReturnsPerPulse);
  switch (packetWidth(scene_.device().isa())) {
    case 16:
      tracePackets<16>(out, firstSlot);
      break;
    case 8:
      tracePackets<8>(out, firstSlot);
      break;
    default:
      tracePackets<4>(out, firstSlot);
  }
}

// Laser by laser, and along the azimuth within it: neighbours in a packet then differ by one small
// step. Why not all lasers of a slot together: measured on instanced grass with packets of 16, the
// azimuth-fast order traces 19.4 million rays a second, the laser-fast order 14.1.
template <std::size_t Width>
void BlockTracer::tracePackets(TracedBlock& out, std::uint64_t firstSlot) const {
  PacketQueries queries;
  RayGroup rays{};
  PacketGroup<Width> group;
  std::array<std::size_t, slotsPerBlock> firing{};
  const float maxRangeM = static_cast<float>(sensor_.maxRangeM);
  for (std::size_t block = 0; block < sensor_.blocks.size(); ++block) {
    std::size_t firings = 0;
    for (std::size_t slot = 0; slot < slotsPerBlock; ++slot) {
      if (blockOfSlot(sensor_, firstSlot + slot) == block) {
        firing[firings++] = slot;
      }
    }
    const std::vector<double>& elevationsRad = sensor_.blocks[block].elevationsRad;
    for (std::size_t laser = 0; laser < elevationsRad.size(); ++laser) {
      for (std::size_t from = 0; from < firings; from += pulsesPerGroup) {
        const std::size_t pulses = std::min(pulsesPerGroup, firings - from);
        const std::span<const std::size_t> slots(firing.data() + from, pulses);
        aimRays(out, slots, elevationsRad[laser], rays);
        const std::size_t rayCount = pulses * raysPerPulse;
        for (std::size_t packet = 0; packet * Width < rayCount; ++packet) {
          tracePacket<Width>(scene_.top(), queries, rays, packet, rayCount, maxRangeM,
                             group.rayHits[packet]);
        }
        for (std::size_t index = 0; index < pulses; ++index) {
          takePulse(group, index, out.firstPulse[slots[index]] + laser, out);
        }
      }
    }
  }
}

// The nine rays of one laser's pulse in each of the slots.
void BlockTracer::aimRays(const TracedBlock& out, std::span<const std::size_t> slots,
                          double elevationRad, RayGroup& rays) const {
  const double cosine = std::cos(elevationRad);
  const double sine = std::sin(elevationRad);
  for (std::size_t index = 0; index < slots.size(); ++index) {
    const SlotFrame& slot = out.slots[slots[index]];
    const Vec3f origin = toFloat(slot.originM);
    const Vec3f axis = toFloat(slot.ahead * cosine + slot.zenith * sine);
    const Vec3f up = toFloat(slot.zenith * cosine - slot.ahead * sine);
    const Vec3f left = toFloat(slot.left);
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      const std::size_t at = index * raysPerPulse + ray;
      const float a = axisScale_[ray];
      const float l = leftScale_[ray];
      const float u = upScale_[ray];
      rays.originX[at] = origin.x;
      rays.originY[at] = origin.y;
      rays.originZ[at] = origin.z;
      rays.directionX[at] = a * axis.x + l * left.x + u * up.x;
      rays.directionY[at] = a * axis.y + l * left.y + u * up.y;
      rays.directionZ[at] = a * axis.z + l * left.z + u * up.z;
    }
  }
}

// Hits of the pulse that is number `index` of the group become returns of pulse `number` of the block.
template <std::size_t Width>
void BlockTracer::takePulse(const PacketGroup<Width>& group, std::size_t index, std::size_t number,
                            TracedBlock& out) const {
  const float minRangeM = static_cast<float>(sensor_.minRangeM);
  PulseHits pulse;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t at = index * raysPerPulse + ray;
    const auto& packet = group.rayHits[at / Width];
    const std::size_t lane = at % Width;
    if (packet.hit.geomID[lane] == RTC_INVALID_GEOMETRY_ID) continue;
    if (packet.ray.tfar[lane] < minRangeM) continue;
    takeHit(scene_, packet, lane, weights_[ray], pulse);
  }
  std::array<PulseReturn, maxReturnsPerPulse> reported;
  const std::size_t count =
      evaluateReturns({pulse.hits.data(), pulse.count}, sensor_.returns, reported);
  out.rayHits[number] = static_cast<std::uint8_t>(pulse.count);
  out.returnCounts[number] = static_cast<std::uint8_t>(count);
  for (std::size_t echo = 0; echo < count; ++echo) {
    const std::size_t hit = reported[echo].decidingHit;
    out.returns[number * maxReturnsPerPulse + echo] = {
        reported[echo],       pulse.hits[hit].rangeM, pulse.cosines[hit], pulse.directions[hit],
        pulse.normals[hit],   pulse.hits[hit].instance, pulse.materials[hit]};
  }
}

}  // namespace understory
