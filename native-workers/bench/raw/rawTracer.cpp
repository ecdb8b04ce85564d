// Layouts of rays, and the clock around Embree.
#include "bench/raw/rawTracer.h"

#include <array>
#include <chrono>
#include <ctime>
#include <map>
#include <memory>

#include "aim/beamRays.h"
#include "aim/pulseFrame.h"
#include "aim/rayGroups.h"
#include "bench/raw/rawPacking.h"
#include "bench/raw/rawVolumes.h"
#include "core/error.h"
#include "core/sensor/aim.h"
#include "core/sensor/pulses.h"
#include "jobs/inOrder.h"
#include "rows/directionHash.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/packetQuery.h"
#include "surfaces/embree/setRay.h"

namespace understory {
namespace {

constexpr std::uint32_t noRay = 0xFFFFFFFFU;

// The rays of a batch in order of pulse and ray.
struct BatchRays {
  std::array<SlotFrame, slotsPerBatch> slots;
  std::vector<Vec3f> origins;
  std::vector<Vec3f> directions;
  std::vector<Vec3f> axes;  // by pulse
  std::array<std::uint32_t, slotsPerBatch + 1> firstPulse;
  std::uint64_t firstNumber;  // absolute, of the first pulse
  std::uint32_t fromRay;      // of the interval
  std::uint32_t toRay;
  std::vector<std::uint8_t> endsOnElement;  // by pulse; empty without learned elements

  bool isWanted(std::uint32_t ray) const { return ray >= fromRay && ray < toRay; }
  bool isOnElement(std::uint32_t ray) const {
    return !endsOnElement.empty() && endsOnElement[ray / raysPerPulse] != 0;
  }
};

// Shared data of all batches.
struct Plan {
  const EmbreeScene& scene;
  std::unique_ptr<const RawVolumes> volumes;  // null: no learned elements
  const LearnedDraws draws;
  const RawJob& job;
  PulseNumbering numbering;
  BeamOptics optics;
  bool sharesAim;
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
  timing.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  timing.cpuSeconds += cpuSecondsOfThread() - cpuStart;
}

BatchRays raysOf(const Plan& plan, std::uint64_t batch, SlotRange range) {
  BatchRays rays{};
  const SensorRecipe& sensor = plan.job.sensor;
  const std::uint64_t firstSlot = batch * slotsPerBatch;
  const std::uint64_t firstPulse = firstPulseOfSlot(plan.numbering, firstSlot);
  for (std::size_t slot = 0; slot < slotsPerBatch; ++slot) {
    rays.slots[slot] = slotFrame(sensor, plan.job.trajectory, firstSlot + slot);
    const auto pulsesBefore = static_cast<std::uint32_t>(rays.origins.size() / raysPerPulse);
    rays.firstPulse[slot] = pulsesBefore;
    const std::size_t bank = bankOfSlot(sensor, firstSlot + slot);
    for (std::size_t laser = 0; laser < plan.optics.lasers[bank].size(); ++laser) {
      const PulseAxes axes =
          plan.sharesAim
              ? pulseAxes(rays.slots[slot], plan.optics.lasers[bank][laser])
              : aimedPulse(sensor, plan.job.trajectory, 0,
                           {firstPulse + pulsesBefore + laser, firstSlot + slot, bank, laser})
                    .axes;
      rays.axes.push_back(axes.axis);
      for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
        rays.origins.push_back(axes.origin + rayStart(scaleOf(plan.optics, ray), axes));
        rays.directions.push_back(rayDirection(plan.optics, axes, ray));
      }
    }
  }
  rays.firstPulse[slotsPerBatch] = static_cast<std::uint32_t>(
      firstPulseOfSlot(plan.numbering, firstSlot + slotsPerBatch) - firstPulse);
  rays.firstNumber = firstPulse;
  rays.fromRay = static_cast<std::uint32_t>(rays.firstPulse[range.from] * raysPerPulse);
  rays.toRay = static_cast<std::uint32_t>(rays.firstPulse[range.to] * raysPerPulse);
  return rays;
}

// Appends a group's rays, packet by packet, the last one filled up with noRay; packets without a ray of
// the interval are left out, as the scan leaves them out.
void appendGroup(const Plan& plan, const BatchRays& rays, const RayGroup& group, RawOrder order,
                 std::size_t width, std::vector<std::uint32_t>& lanes) {
  const std::array<GroupRay, raysPerGroup>& groupRays =
      plan.orders.at(order).rays[group.slots.size()];
  const std::size_t count = group.slots.size() * raysPerPulse;
  for (std::size_t from = 0; from < count; from += width) {
    bool isWanted = false;
    for (std::size_t index = from; index < from + width; ++index) {
      std::uint32_t ray = noRay;
      if (index < count) {
        const std::size_t pulse =
            rays.firstPulse[group.slots[groupRays[index].pulse]] + group.laser;
        ray = static_cast<std::uint32_t>(pulse * raysPerPulse + groupRays[index].ray);
      }
      isWanted |= ray != noRay && rays.isWanted(ray);
      lanes.push_back(ray);
    }
    if (!isWanted) lanes.resize(lanes.size() - width);
  }
}

std::vector<std::uint32_t> lanesOf(const Plan& plan, const BatchRays& rays, std::uint64_t batch,
                                   RawPackingKind packing) {
  std::vector<std::uint32_t> lanes;
  const std::size_t width = widthOf(packing.kind);
  if (packing.order == RawOrder::slots) {
    for (std::uint32_t ray = rays.fromRay; ray < rays.toRay; ++ray) lanes.push_back(ray);
    lanes.resize((lanes.size() + width - 1) / width * width, noRay);
    return lanes;
  }
  forEachGroup(plan.job.sensor, batch * slotsPerBatch, [&](const RayGroup& group) {
    appendGroup(plan, rays, group, packing.order, width, lanes);
  });
  return lanes;
}

template <std::size_t Width>
void tracePackets(const Plan& plan, const BatchRays& rays, const std::vector<std::uint32_t>& lanes,
                  Timing& timing) {
  struct Aimed {
    alignas(64) std::array<int, Width> valid{};
    typename PacketOf<Width>::RayHit packet{};
  };
  thread_local std::vector<Aimed>
      aimed;  // reused from batch to batch, as the pipeline's buffers are
  aimed.resize(lanes.size() / Width);
  for (std::size_t at = 0; at < lanes.size(); ++at) {
    auto& [valid, packet] = aimed[at / Width];
    const std::size_t lane = at % Width;
    const bool isRay = lanes[at] != noRay;
    const std::size_t ray = isRay ? lanes[at] : 0;
    const Vec3f origin = rays.origins[ray];
    valid[lane] = isRay ? -1 : 0;
    setRay(packet, lane, {origin, rays.directions[ray]}, minHitM(origin), plan.maxRangeM);
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
    if (isHit && lanes[at] != noRay && rays.isWanted(lanes[at]) && !rays.isOnElement(lanes[at])) {
      ++timing.hits;
    }
  }
}

void traceOneByOne(const Plan& plan, const BatchRays& rays, const std::vector<std::uint32_t>& lanes,
                   RawKind kind, Timing& timing) {
  thread_local std::vector<RTCRayHit> aimed;
  aimed.clear();
  for (const std::uint32_t ray : lanes) {
    const Vec3f origin = rays.origins[ray];
    RTCRayHit query{};
    setRay(query, 0, {origin, rays.directions[ray]}, minHitM(origin), plan.maxRangeM);
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
    const bool isHit =
        aimed[at].hit.geomID != RTC_INVALID_GEOMETRY_ID && aimed[at].ray.tfar >= plan.minRangeM;
    if (isHit && rays.isWanted(lanes[at]) && !rays.isOnElement(lanes[at])) ++timing.hits;
  }
}

// The line of each pulse through the elements. All rays of a pulse that ends on one count as hits.
void traceLines(const Plan& plan, BatchRays& rays, Timing& timing) {
  thread_local std::vector<RTCRayHit> aimed;
  aimed.clear();
  const std::size_t from = rays.fromRay / raysPerPulse;
  const std::size_t to = rays.toRay / raysPerPulse;
  for (std::size_t pulse = from; pulse < to; ++pulse) {
    RTCRayHit query{};
    setRay(query, 0, {rays.origins[pulse * raysPerPulse], rays.axes[pulse]}, 0.0F, plan.maxRangeM);
    aimed.push_back(query);
  }
  timed(timing, [&] {
    for (std::size_t pulse = from; pulse < to; ++pulse) {
      plan.volumes->first(aimed[pulse - from], plan.draws, rays.firstNumber + pulse);
    }
  });
  rays.endsOnElement.assign(rays.axes.size(), 0);
  for (std::size_t pulse = from; pulse < to; ++pulse) {
    if (aimed[pulse - from].hit.geomID == RTC_INVALID_GEOMETRY_ID) continue;
    rays.endsOnElement[pulse] = 1;
    timing.hits += raysPerPulse;
  }
}

void tracePacking(const Plan& plan, BatchRays& rays, std::uint64_t batch, RawPackingKind packing,
                  Timing& timing) {
  if (plan.volumes != nullptr) traceLines(plan, rays, timing);
  if (plan.scene.isEmpty()) return;
  const std::vector<std::uint32_t> lanes = lanesOf(plan, rays, batch, packing);
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

Plan planOf(const TracedScene& scene, const RawJob& job) {
  Plan plan{scene.triangles(),
            scene.volumes() == nullptr
                ? nullptr
                : std::make_unique<const RawVolumes>(scene.device(), scene.scene()),
            LearnedDraws(scene.scene(), job.seed, job.sensor.stream),
            job,
            pulseNumbering(job.sensor),
            beamOptics(job.sensor),
            sharesSlotAim(job.sensor),
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

RawTotals traceRaw(const TracedScene& scene, const RawJob& job, const Watch& watch) {
  if (!hasStencilRays(job.sensor) || job.sensor.noise.pointingSigmaRad > 0.0) {
    throw UnderstoryError(
        ErrorCode::badInput,
        "sensor: expected the nine rays of a stencil, and no pointing noise, to compare with, found another beam");
  }
  const Plan plan = planOf(scene, job);
  const PulseInterval interval(job.sensor, plan.numbering, job.interval);
  std::vector<ColumnHash::Digest> digests;
  using Timings = std::vector<Timing>;  // by packing
  std::vector<Timings> threads(scene.device().threads(), Timings(plan.packings.size()));
  const auto work = [&](std::uint64_t index, ColumnHash::Digest& digest, Timings& mine) {
    const std::uint64_t batch = interval.batch(index);
    BatchRays rays = raysOf(plan, batch, interval.rangeOf(index));
    digest = directionDigest(
        std::span(rays.directions).subspan(rays.fromRay, rays.toRay - rays.fromRay));
    for (std::size_t turn = 0; turn < plan.packings.size(); ++turn) {
      // Another packing begins in each batch: the first finds the caches colder.
      const std::size_t packing = (turn + index) % plan.packings.size();
      tracePacking(plan, rays, batch, plan.packings[packing], mine[packing]);
    }
  };
  inOrder<ColumnHash::Digest>(interval.batches(), 4 * threads.size(), watch, threads, work,
                              [&](const auto& digest) { digests.push_back(digest); });
  RawTotals totals;
  totals.pulses = interval.pulses();
  totals.rays = totals.pulses * raysPerPulse;
  totals.directionHash = hashOfDigests(digests);
  for (std::size_t packing = 0; packing < plan.packings.size(); ++packing) {
    RawPacking& sum = totals.packings.emplace_back();
    sum.name = job.packings[packing];
    for (const Timings& timings : threads) {
      sum.seconds += timings[packing].seconds / static_cast<double>(threads.size());
      sum.cpuSeconds += timings[packing].cpuSeconds;
      sum.hits += timings[packing].hits;
    }
  }
  return totals;
}

}  // namespace understory
