// Layouts of rays, and the clock around Embree.
#include "bench/raw/rawTracer.h"

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <array>
#include <chrono>
#include <ctime>
#include <map>

#include "core/error.h"
#include "core/sensor/pulses.h"
#include "pulses/blockTracer.h"
#include "rows/directionHash.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/packetQuery.h"
#include "bench/raw/rawPacking.h"
#include "aim/rayGroups.h"

namespace understory {
namespace {

constexpr std::uint32_t noRay = 0xFFFFFFFFU;

// The rays of a block in order of pulse and ray.
struct BlockRays {
  std::array<SlotFrame, slotsPerBlock> slots;
  std::vector<Vec3f> origins;  // by pulse
  std::vector<Vec3f> directions;
  std::array<std::uint32_t, slotsPerBlock + 1> firstPulse;
  std::uint32_t fromRay;  // of the interval
  std::uint32_t toRay;

  bool isWanted(std::uint32_t ray) const { return ray >= fromRay && ray < toRay; }
};

// What all blocks share.
struct Plan {
  const EmbreeScene& scene;
  const RawJob& job;
  PulseNumbering numbering;
  BeamOptics optics;
  std::vector<RawPackingKind> packings;
  std::map<RawOrder, GroupOrders> orders;
  float minRangeM;
  float maxRangeM;
};

struct Timing {
  double seconds = 0.0;
  double cpuSeconds = 0.0;
  std::uint64_t hits = 0;
};

double cpuSecondsOfThread() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <typename Work>
void timed(Timing& timing, Work&& work) {
  const double cpuStart = cpuSecondsOfThread();
  const auto start = std::chrono::steady_clock::now();
  work();
  timing.seconds +=
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  timing.cpuSeconds += cpuSecondsOfThread() - cpuStart;
}

BlockRays raysOf(const Plan& plan, std::uint64_t block, SlotRange range) {
  BlockRays rays{};
  const SensorRecipe& sensor = plan.job.sensor;
  const std::uint64_t firstSlot = block * slotsPerBlock;
  const std::uint64_t firstPulse = firstPulseOfSlot(plan.numbering, firstSlot);
  for (std::size_t slot = 0; slot < slotsPerBlock; ++slot) {
    rays.slots[slot] = slotFrame(sensor, plan.job.trajectory, firstSlot + slot);
    rays.firstPulse[slot] = static_cast<std::uint32_t>(rays.origins.size());
    const std::size_t lasersOf = blockOfSlot(sensor, firstSlot + slot);
    for (const LaserAngle& laser : plan.optics.lasers[lasersOf]) {
      const PulseAxes axes = pulseAxes(rays.slots[slot], laser);
      rays.origins.push_back(axes.origin);
      for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
        rays.directions.push_back(rayDirection(plan.optics, axes, ray));
      }
    }
  }
  rays.firstPulse[slotsPerBlock] = static_cast<std::uint32_t>(
      firstPulseOfSlot(plan.numbering, firstSlot + slotsPerBlock) - firstPulse);
  rays.fromRay = static_cast<std::uint32_t>(rays.firstPulse[range.from] * raysPerPulse);
  rays.toRay = static_cast<std::uint32_t>(rays.firstPulse[range.to] * raysPerPulse);
  return rays;
}

// Appends a group's rays, packet by packet, the last one filled up with noRay; packets without a ray of
// the interval are left out, as the scan leaves them out.
void appendGroup(const Plan& plan, const BlockRays& rays, const RayGroup& group, RawOrder order,
                 std::size_t width, std::vector<std::uint32_t>& lanes) {
  const std::array<RayPlace, raysPerGroup>& places =
      plan.orders.at(order).rays[group.slots.size()];
  const std::size_t count = group.slots.size() * raysPerPulse;
  for (std::size_t from = 0; from < count; from += width) {
    bool isWanted = false;
    for (std::size_t place = from; place < from + width; ++place) {
      std::uint32_t ray = noRay;
      if (place < count) {
        const std::size_t pulse = rays.firstPulse[group.slots[places[place].pulse]] + group.laser;
        ray = static_cast<std::uint32_t>(pulse * raysPerPulse + places[place].ray);
      }
      isWanted |= ray != noRay && rays.isWanted(ray);
      lanes.push_back(ray);
    }
    if (!isWanted) lanes.resize(lanes.size() - width);
  }
}

std::vector<std::uint32_t> lanesOf(const Plan& plan, const BlockRays& rays, std::uint64_t block,
                                   RawPackingKind packing) {
  std::vector<std::uint32_t> lanes;
  const std::size_t width = widthOf(packing.kind);
  if (packing.order == RawOrder::slots) {
    for (std::uint32_t ray = rays.fromRay; ray < rays.toRay; ++ray) lanes.push_back(ray);
    lanes.resize((lanes.size() + width - 1) / width * width, noRay);
    return lanes;
  }
  forEachGroup(plan.job.sensor, block * slotsPerBlock, [&](const RayGroup& group) {
    appendGroup(plan, rays, group, packing.order, width, lanes);
  });
  return lanes;
}

template <std::size_t Width>
void tracePackets(const Plan& plan, const BlockRays& rays, const std::vector<std::uint32_t>& lanes,
                  Timing& timing) {
  struct Aimed {
    alignas(64) std::array<int, Width> valid{};
    typename PacketOf<Width>::RayHit packet{};
  };
  thread_local std::vector<Aimed> aimed;  // kept from block to block, as the pipeline's buffers are
  aimed.resize(lanes.size() / Width);
  for (std::size_t at = 0; at < lanes.size(); ++at) {
    auto& [valid, packet] = aimed[at / Width];
    const std::size_t lane = at % Width;
    const bool isRay = lanes[at] != noRay;
    const std::size_t ray = isRay ? lanes[at] : 0;
    const Vec3f origin = rays.origins[ray / raysPerPulse];
    valid[lane] = isRay ? -1 : 0;
    packet.ray.org_x[lane] = origin.x;
    packet.ray.org_y[lane] = origin.y;
    packet.ray.org_z[lane] = origin.z;
    packet.ray.dir_x[lane] = rays.directions[ray].x;
    packet.ray.dir_y[lane] = rays.directions[ray].y;
    packet.ray.dir_z[lane] = rays.directions[ray].z;
    packet.ray.tnear[lane] = 0.0F;
    packet.ray.tfar[lane] = plan.maxRangeM;
    packet.ray.time[lane] = 0.0F;
    packet.ray.mask[lane] = 0xFFFFFFFFU;
    packet.ray.id[lane] = 0;
    packet.ray.flags[lane] = 0;
    packet.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
    packet.hit.instID[0][lane] = RTC_INVALID_GEOMETRY_ID;
  }
  timed(timing, [&] {
    PacketQuery query;
    for (Aimed& one : aimed) {
      query.intersect<Width>(one.valid.data(), plan.scene.top(), one.packet);
    }
  });
  for (std::size_t at = 0; at < lanes.size(); ++at) {
    const auto& packet = aimed[at / Width].packet;
    const bool isHit = packet.hit.geomID[at % Width] != RTC_INVALID_GEOMETRY_ID &&
                       packet.ray.tfar[at % Width] >= plan.minRangeM;
    if (isHit && lanes[at] != noRay && rays.isWanted(lanes[at])) ++timing.hits;
  }
}

void traceOneByOne(const Plan& plan, const BlockRays& rays,
                   const std::vector<std::uint32_t>& lanes, RawKind kind, Timing& timing) {
  thread_local std::vector<RTCRayHit> aimed;
  aimed.clear();
  for (const std::uint32_t ray : lanes) {
    const Vec3f origin = rays.origins[ray / raysPerPulse];
    const Vec3f direction = rays.directions[ray];
    RTCRayHit query{};
    query.ray.org_x = origin.x;
    query.ray.org_y = origin.y;
    query.ray.org_z = origin.z;
    query.ray.dir_x = direction.x;
    query.ray.dir_y = direction.y;
    query.ray.dir_z = direction.z;
    query.ray.tfar = plan.maxRangeM;
    query.ray.mask = 0xFFFFFFFFU;
    query.hit.geomID = RTC_INVALID_GEOMETRY_ID;
    query.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
    aimed.push_back(query);
  }
  timed(timing, [&] {
    RayQuery query(true);
#if UNDERSTORY_EMBREE_MAJOR < 4
    for (std::size_t from = 0; kind == RawKind::stream && from < aimed.size();
         from += raysPerGroup) {
      const std::size_t count = std::min(raysPerGroup, aimed.size() - from);
      query.intersect(plan.scene.top(), &aimed[from], static_cast<unsigned>(count));
    }
#endif
    if (kind == RawKind::stream) return;
    for (RTCRayHit& one : aimed) query.intersect(plan.scene.top(), one);
  });
  for (std::size_t at = 0; at < lanes.size(); ++at) {
    const bool isHit = aimed[at].hit.geomID != RTC_INVALID_GEOMETRY_ID &&
                       aimed[at].ray.tfar >= plan.minRangeM;
    if (isHit && rays.isWanted(lanes[at])) ++timing.hits;
  }
}

void tracePacking(const Plan& plan, const BlockRays& rays, std::uint64_t block,
                  RawPackingKind packing, Timing& timing) {
  const std::vector<std::uint32_t> lanes = lanesOf(plan, rays, block, packing);
  switch (packing.kind) {
    case RawKind::packet4:
      return tracePackets<4>(plan, rays, lanes, timing);
    case RawKind::packet8:
      return tracePackets<8>(plan, rays, lanes, timing);
    case RawKind::packet16:
      return tracePackets<16>(plan, rays, lanes, timing);
    default:
      return traceOneByOne(plan, rays, lanes, packing.kind, timing);
  }
}

Plan planOf(const EmbreeScene& scene, const RawJob& job) {
  Plan plan{scene,
            job,
            pulseNumbering(job.sensor),
            beamOptics(job.sensor),
            {},
            {{RawOrder::azimuth, groupOrders(job.sensor, RayOrder::pulses)},
             {RawOrder::columns, groupOrders(job.sensor, RayOrder::columns)},
             {RawOrder::rays, groupOrders(job.sensor, RayOrder::rays)}},
            static_cast<float>(job.sensor.minRangeM),
            static_cast<float>(job.sensor.maxRangeM)};
  for (const std::string& name : job.packings) {
    plan.packings.push_back(parseRawPacking(scene.device(), name));
  }
  return plan;
}

}  // namespace

RawTotals traceRaw(const EmbreeScene& scene, const RawJob& job,
                   const std::atomic<bool>& isCancelled) {
  if (!hasPlainRays(job.sensor)) {
    throw UnderstoryError("bad-input",
                          "sensor: expected nine rays around the axes of slots and lasers (a stencil, no offsets "
                          "of single lasers, no pointing noise) to compare with, found another beam");
  }
  const Plan plan = planOf(scene, job);
  const std::uint64_t fromSlot = firstSlotFrom(job.sensor, job.fromNs);
  const std::uint64_t toSlot = std::max(fromSlot, firstSlotFrom(job.sensor, job.toNs));
  const BlockSpan blocks = blocksBetween(fromSlot, toSlot);
  const std::size_t threads = scene.device().threads();
  std::vector<ColumnHash::Digest> digests(blocks.count);
  tbb::enumerable_thread_specific<std::vector<Timing>> timings(plan.packings.size());
  tbb::task_arena arena(static_cast<int>(threads));
  arena.execute([&] {
    tbb::parallel_for(std::uint64_t{0}, blocks.count, [&](std::uint64_t index) {
      if (isCancelled.load()) return;
      const std::uint64_t block = blocks.first + index;
      const BlockRays rays = raysOf(plan, block, blocks.rangeOf(index));
      digests[index] = directionDigest(
          std::span(rays.directions).subspan(rays.fromRay, rays.toRay - rays.fromRay));
      std::vector<Timing>& mine = timings.local();
      for (std::size_t turn = 0; turn < plan.packings.size(); ++turn) {
        // Another packing begins in each block: the first finds the caches colder.
        const std::size_t packing = (turn + index) % plan.packings.size();
        tracePacking(plan, rays, block, plan.packings[packing], mine[packing]);
      }
    });
  });
  if (isCancelled.load()) throw cancelledError();
  RawTotals totals;
  totals.pulses =
      firstPulseOfSlot(plan.numbering, toSlot) - firstPulseOfSlot(plan.numbering, fromSlot);
  totals.rays = totals.pulses * raysPerPulse;
  totals.directionHash = hashOfDigests(digests);
  for (std::size_t packing = 0; packing < plan.packings.size(); ++packing) {
    RawPacking& sum = totals.packings.emplace_back();
    sum.name = job.packings[packing];
    for (const std::vector<Timing>& timing : timings) {
      sum.seconds += timing[packing].seconds / static_cast<double>(threads);
      sum.cpuSeconds += timing[packing].cpuSeconds;
      sum.hits += timing[packing].hits;
    }
  }
  return totals;
}

}  // namespace understory
