// Traces slot batches for any sensor and any scene: the general form of the fast path for nine rays and Lambertian
// surfaces (fastPath.h). First hits in packets; a ray that continues is followed by itself.
// Guarantee: packets are formed inside the batch in a fixed order, so that what a pulse yields depends on the scene,
// the sensor, the trajectory, the seed and its number alone.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aim/pulseRays.h"
#include "contract/sensorRecipe.h"
#include "core/optics/sceneOptics.h"
#include "core/returns/signal.h"
#include "core/sensor/aim.h"
#include "pulses/firstHits.h"
#include "pulses/learnedContext.h"
#include "pulses/lineSupport.h"
#include "pulses/pulseTrace.h"
#include "pulses/pulseWeather.h"
#include "pulses/rayPath.h"
#include "pulses/tracedBatch.h"
#include "surfaces/hits.h"

namespace understory {

// A pulse's hits and signal, and how they become its returns; used again from pulse to pulse.
class PulseSignal {
 public:
  // All outlive it.
  PulseSignal(const SensorRecipe& sensor, const PulseRays& rays, std::uint64_t seed);

  std::size_t maxReturns() const { return evaluator_.maxReturns(); }

  void clear();
  // Adds the hits from `firstHit` of hits() on, of ray `ray` with that weight.
  void addHitsOfRay(std::uint32_t ray, float weight, std::size_t firstHit);
  std::vector<PathHit>& hits() { return hits_; }
  // Turns everything added into the returns of pulse `pulse` of the tile, number `number` of the batch.
  void report(const RayTile& tile, std::size_t pulse, std::size_t number,
              const PulseVisitor* visitor, TracedBatch& out);

 private:
  const PulseRays& pulseRays_;
  SignalEvaluator evaluator_;
  RaySpread spread_;
  std::vector<PathHit> hits_;
  std::vector<std::uint32_t> rayOfHit_;
  std::vector<SignalHit> signal_;
  std::uint32_t raysThatHit_ = 0;
};

template <HitSource Source>
class PulseTracer {
 public:
  // All outlive the tracer. `hasReportedPoses`: as in FastPathPlan.
  PulseTracer(const Source& source, const SceneTruth& scene, const SensorRecipe& sensor,
              const SceneOptics& optics, const SensorWeather& weather, const PulseRays& rays,
              const LearnedContext* learned, std::uint64_t seed, bool hasReportedPoses)
      : source_(source),
        scene_(scene),
        sensor_(sensor),
        optics_(optics),
        weather_(weather),
        rays_(rays),
        learned_(learned),
        seed_(seed),
        hasOwnOrigins_(hasReportedPoses || understory::hasOwnOrigins(sensor)) {}

  // Traces the slots `range` of the batch that begins with slot `firstSlot` and pulse `firstPulse`, as
  // BatchTracer::trace, which has set out.firstPulse. Several threads may call at once.
  void trace(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range, TracedBatch& out,
             const PulseVisitor* visitor) const {
    Work work(*this, out, visitor);
    const std::size_t pulses = out.firstPulse[slotsPerBatch];
    out.maxReturns = work.signal.maxReturns();
    out.aims.resize(pulses);
    out.returnCounts.resize(pulses);
    out.rayHits.resize(pulses);
    out.returns.resize(pulses * out.maxReturns);
    if (out.storesShapes) out.shapes.resize(pulses * out.maxReturns);
    if (out.storesDirections) out.directions.resize(pulses * rays_.raysPerPulse());
    if (out.storesSupport) out.support.resize(pulses);
    const std::size_t step = rays_.pulsesPerTile();
    forEachGroup(sensor_, firstSlot, [&](const RayGroup& group) {
      const PulseRange wanted = pulsesIn(group, range);
      for (std::size_t first = wanted.from / step * step; first < wanted.to; first += step) {
        const std::size_t end = std::min(first + step, group.slots.size());
        const RayGroup part{group.slots.subspan(first, end - first), group.bank, group.laser};
        rays_.aim(part, firstSlot, firstPulse, out.firstPulse, work.tile);
        traceTile(std::max(first, wanted.from) - first, std::min(end, wanted.to) - first,
                  firstPulse, work);
      }
    });
  }

 private:
  // Storage of one call that is used from pulse to pulse.
  struct Work {
    Work(const PulseTracer& tracer, TracedBatch& batch, const PulseVisitor* pulseVisitor)
        : out(batch),
          visitor(pulseVisitor),
          follower(tracer.source_, tracer.scene_, tracer.optics_, rangeLimits(tracer.sensor_),
                   tracer.learned_),
          signal(tracer.sensor_, tracer.rays_, tracer.seed_) {
      if (!tracer.weather_.isClear()) air.emplace(tracer.weather_, tracer.sensor_, tracer.seed_);
    }

    TracedBatch& out;
    const PulseVisitor* visitor;
    PathFollower<Source> follower;
    PulseSignal signal;
    RayTile tile;
    std::vector<FacetHit> firstHits;    // by ray of the tile
    std::vector<std::uint64_t> pulses;  // likewise, with permeable learned surfaces
    std::vector<std::int64_t> timesNs;  // likewise, where the source is not still
    PulseLines lines;                   // by pulse of the tile, with learned elements
    LineHits stops;
    LineTrails trails;
    std::optional<PulseWeather> air;  // none: it is clear
    std::vector<PathHit> met;         // by the rays of a pulse, without the air's
    std::vector<std::size_t> metEnd;  // by ray: behind its hits
    std::vector<RayEnd> ends;         // by ray
  };

  // Traces pulses [from, to) of a tile; packets are those of the whole of it.
  void traceTile(std::size_t from, std::size_t to, std::uint64_t firstPulse, Work& work) const {
    const std::size_t rays = rays_.raysPerPulse();
    work.firstHits.resize(work.tile.names.size() * rays);
    const bool hasPermeable = learned_ != nullptr && learned_->needsPulses();
    if (hasPermeable) numberRays(work);
    if constexpr (!Source::isStill) timeRays(work);
    findFirstHits(source_, scene_.packetWidth, work.tile.rays, from * rays, to * rays,
                  rangeLimits(sensor_).maxM, work.firstHits,
                  hasPermeable ? work.pulses.data() : nullptr,
                  hasPermeable ? &learned_->draws() : nullptr,
                  Source::isStill ? nullptr : work.timesNs.data());
    for (std::size_t ray = from * rays; ray < to * rays; ++ray) {
      FacetHit& first = work.firstHits[ray];
      const PathRay path = pathRay(ray, work);
      first = offOwnSurface(source_, scene_.instances, path, first, rangeLimits(sensor_).maxM);
    }
    if (learned_ != nullptr && learned_->lines() != nullptr) meetElements(work);
    if (learned_ != nullptr && work.out.storesSupport) {
      storeSupports(from, to, firstPulse, work);
    }
    for (std::size_t pulse = from; pulse < to; ++pulse) {
      followRays(pulse, work);
      work.signal.report(work.tile, pulse, work.tile.names[pulse].number - firstPulse, work.visitor,
                         work.out);
    }
  }

  // Ray `ray` of the tile.
  PathRay pathRay(std::size_t ray, const Work& work) const {
    PathRay path{work.tile.rays.origin(ray), work.tile.rays.direction(ray)};
    path.pulse = work.tile.names[ray / rays_.raysPerPulse()].number;
    if (learned_ != nullptr) path.draws = &learned_->draws();
    if constexpr (!Source::isStill) path.timeNs = work.timesNs[ray];
    return path;
  }

  void numberRays(Work& work) const {
    work.pulses.clear();
    for (const PulseName& name : work.tile.names) {
      work.pulses.insert(work.pulses.end(), rays_.raysPerPulse(), name.number);
    }
    work.pulses.resize(work.pulses.size() + RayArrays::padding);
  }

  void timeRays(Work& work) const {
    work.timesNs.clear();
    for (const AimedPulse& aim : work.tile.aims) {
      work.timesNs.insert(work.timesNs.end(), rays_.raysPerPulse(), aim.reported.frame.timeNs);
    }
    work.timesNs.resize(work.timesNs.size() + RayArrays::padding);
  }

  // The line of a pulse: its axis, or its one ray.
  void aimLines(Work& work) const {
    static_assert(PulseLines::width >= pulsesPerGroup);
    work.lines.count = 0;
    for (std::size_t pulse = 0; pulse < work.tile.names.size(); ++pulse) {
      const PulseAxes& axes = work.tile.aims[pulse].axes;
      const bool isOneRay = rays_.raysPerPulse() == 1;
      work.lines.add(isOneRay ? work.tile.rays.origin(pulse) : axes.origin,
                     isOneRay ? work.tile.rays.direction(pulse) : axes.axis,
                     work.tile.names[pulse].number, work.tile.aims[pulse].reported.frame.timeNs);
    }
  }

  void meetElements(Work& work) const {
    aimLines(work);
    learned_->lines()->first(work.lines, rangeLimits(sensor_).maxM, learned_->draws(), work.stops,
                             work.out.storesSupport ? &work.trails : nullptr);
  }

  void storeSupports(std::size_t from, std::size_t to, std::uint64_t firstPulse, Work& work) const {
    if (learned_->lines() == nullptr) {
      aimLines(work);
      work.stops.clear();
    }
    std::array<std::uint32_t, PulseLines::width> supports{};
    findSupports(source_, *learned_, rangeLimits(sensor_).maxM, work.lines, work.stops, work.trails,
                 supports);
    for (std::size_t pulse = from; pulse < to; ++pulse) {
      work.out.support[work.tile.names[pulse].number - firstPulse] = supports[pulse];
    }
  }

  // The end of the rays of a pulse at a learned model; nullopt: only triangles end them.
  std::optional<LineStop> stopOf(std::size_t pulse, const Work& work) const {
    if (learned_ == nullptr || learned_->lines() == nullptr) return std::nullopt;
    if (!work.stops.isHit(pulse)) return std::nullopt;
    return learned_->stopOf(work.lines, work.stops, pulse);
  }

  // The whole paths of a pulse's rays.
  void followRays(std::size_t pulse, Work& work) const {
    const std::span<const StencilRay> beam = rays_.beamOf(work.tile, pulse);
    const std::optional<LineStop> stop = stopOf(pulse, work);
    work.signal.clear();
    if (work.air) return followInAir(pulse, beam, stop ? &*stop : nullptr, work);
    std::vector<PathHit>& hits = work.signal.hits();
    for (std::uint32_t ray = 0; ray < beam.size(); ++ray) {
      const std::size_t firstHit = hits.size();
      followRay(pulse, tracedRay(pulse, ray), stop ? &*stop : nullptr, hits, work);
      work.signal.addHitsOfRay(ray, static_cast<float>(beam[ray].weight), firstHit);
    }
  }

  // Number of ray `ray` of a pulse among those of the tile.
  std::size_t tracedRay(std::size_t pulse, std::uint32_t ray) const {
    return pulse * rays_.raysPerPulse() + rays_.indexOfRay(ray);
  }

  void followRay(std::size_t pulse, std::size_t traced, const LineStop* stop,
                 std::vector<PathHit>& hits, Work& work) const {
    const std::size_t firstHit = hits.size();
    work.follower.follow(pathRay(traced, work), work.firstHits[traced], hits, stop);
    if (!hasOwnOrigins_) return;
    for (std::size_t hit = firstHit; hit < hits.size(); ++hit) {
      hits[hit].towards = reportedTowards(pulse, traced, hits[hit].towards, hits[hit].rangeM, work);
    }
  }

  // A direction from where the sensor reports to where the ray is at that range.
  Vec3f reportedTowards(std::size_t pulse, std::size_t traced, Vec3f towards, float rangeM,
                        const Work& work) const {
    if (!hasOwnOrigins_) return towards;
    return towardsFrom(work.tile.aims[pulse].reported.frame.rayOriginM,
                       work.tile.rays.origin(traced), towards, rangeM);
  }

  // The same with what the air sends back in front of the rays' ends.
  void followInAir(std::size_t pulse, std::span<const StencilRay> beam, const LineStop* stop,
                   Work& work) const {
    work.met.clear();
    work.metEnd.clear();
    work.ends.clear();
    for (std::uint32_t ray = 0; ray < beam.size(); ++ray) {
      const std::size_t firstHit = work.met.size();
      const std::size_t traced = tracedRay(pulse, ray);
      followRay(pulse, traced, stop, work.met, work);
      work.metEnd.push_back(work.met.size());
      work.ends.push_back(
          {straightEndM(work.firstHits[traced], std::span(work.met).subspan(firstHit)),
           static_cast<float>(beam[ray].weight)});
    }
    const AimedPulse& aim = work.tile.aims[pulse];
    const std::span<const AirHit> inAir =
        work.air->hitsOf(work.tile.names[pulse].number,
                         {aim.reported.frame.timeNs, aim.axes.origin, aim.axes.axis}, work.ends);
    std::vector<PathHit>& hits = work.signal.hits();
    std::size_t met = 0;
    std::size_t next = 0;
    for (std::uint32_t ray = 0; ray < beam.size(); ++ray) {
      const std::size_t firstHit = hits.size();
      float left = 1.0F;  // of the ray, behind the surfaces so far
      while (met < work.metEnd[ray] || (next < inAir.size() && inAir[next].ray == ray)) {
        const bool isAir = next < inAir.size() && inAir[next].ray == ray &&
                           (met == work.metEnd[ray] || inAir[next].rangeM < work.met[met].rangeM);
        if (isAir) {
          hits.push_back(hitInAir(pulse, tracedRay(pulse, ray), inAir[next++], left, work));
        } else {
          left -= work.met[met].share;
          PathHit& hit = hits.emplace_back(work.met[met++]);
          work.air->dim(hit, hit.share, ray);
        }
      }
      work.signal.addHitsOfRay(ray, work.ends[ray].weight, firstHit);
    }
  }

  // How far a ray goes straight on. `hits`: its own.
  float straightEndM(const FacetHit& first, std::span<const PathHit> hits) const {
    const float maxM = rangeLimits(sensor_).maxM;
    float share = 0.0F;
    for (const PathHit& hit : hits) {
      if (hit.isTurned) return first.rangeM;
      share += hit.share;
    }
    if (hits.empty()) return first.isHit ? first.rangeM : maxM;
    return share >= 1.0F - static_cast<float>(minShare) ? hits.back().rangeM : maxM;
  }

  PathHit hitInAir(std::size_t pulse, std::size_t traced, const AirHit& from, float left,
                   const Work& work) const {
    const Vec3f direction = work.tile.rays.direction(traced);
    PathHit hit;
    hit.rangeM = from.rangeM;
    hit.received = from.received * left;
    hit.reflectance = from.backscatter * left;
    hit.intensity = sensor_.radiometry == Radiometry::relative ? hit.reflectance : hit.received;
    hit.share = from.share * left;
    hit.cosIncidence = 1.0F;
    hit.towards = reportedTowards(pulse, traced, direction, from.rangeM, work);
    hit.normal = direction * -1.0F;
    hit.arrival = direction;
    hit.instance = noInstance;
    hit.air = airNumber(from.kind);
    return hit;
  }

  const Source& source_;
  const SceneTruth& scene_;
  const SensorRecipe& sensor_;
  const SceneOptics& optics_;
  const SensorWeather& weather_;
  const PulseRays& rays_;
  const LearnedContext* learned_;  // null: no learned models
  std::uint64_t seed_;
  bool hasOwnOrigins_;
};

}  // namespace understory
