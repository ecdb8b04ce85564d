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
#include "core/optics/sceneOptics.h"
#include "core/returns/signal.h"
#include "core/sensor/aim.h"
#include "core/sensor/sensorRecipe.h"
#include "pulses/firstHits.h"
#include "pulses/learnedContext.h"
#include "pulses/lineSupport.h"
#include "pulses/pulseTrace.h"
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
              const SceneOptics& optics, const PulseRays& rays, const LearnedContext* learned,
              std::uint64_t seed, bool hasReportedPoses)
      : source_(source),
        scene_(scene),
        sensor_(sensor),
        optics_(optics),
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
          signal(tracer.sensor_, tracer.rays_, tracer.seed_) {}

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
  };

  // Traces pulses [from, to) of a tile; packets are those of the whole of it.
  void traceTile(std::size_t from, std::size_t to, std::uint64_t firstPulse, Work& work) const {
    const std::size_t rays = rays_.raysPerPulse();
    work.firstHits.resize(work.tile.names.size() * rays);
    const bool hasPermeable = learned_ != nullptr && learned_->hasPermeableSurfaces();
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
                     work.tile.names[pulse].number);
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
    std::array<std::int64_t, PulseLines::width> timesNs{};
    for (std::size_t pulse = 0; pulse < work.tile.aims.size(); ++pulse) {
      timesNs[pulse] = work.tile.aims[pulse].reported.frame.timeNs;
    }
    findSupports(source_, *learned_, rangeLimits(sensor_).maxM, work.lines, work.stops, work.trails,
                 timesNs, supports);
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
    std::vector<PathHit>& hits = work.signal.hits();
    for (std::uint32_t ray = 0; ray < beam.size(); ++ray) {
      const std::size_t firstHit = hits.size();
      const std::size_t traced = pulse * beam.size() + rays_.indexOfRay(ray);
      const RayArrays& arrays = work.tile.rays;
      const PathRay path = pathRay(traced, work);
      work.follower.follow(path, work.firstHits[traced], hits, stop ? &*stop : nullptr);
      if (hasOwnOrigins_) {
        const Vec3f reportedM = work.tile.aims[pulse].reported.frame.rayOriginM;
        for (std::size_t hit = firstHit; hit < hits.size(); ++hit) {
          hits[hit].towards =
              towardsFrom(reportedM, arrays.origin(traced), hits[hit].towards, hits[hit].rangeM);
        }
      }
      work.signal.addHitsOfRay(ray, static_cast<float>(beam[ray].weight), firstHit);
    }
  }

  const Source& source_;
  const SceneTruth& scene_;
  const SensorRecipe& sensor_;
  const SceneOptics& optics_;
  const PulseRays& rays_;
  const LearnedContext* learned_;  // null: no learned models
  std::uint64_t seed_;
  bool hasOwnOrigins_;
};

}  // namespace understory
