// Traces slot batches of sensors whose pulses are nine rays of a stencil, in scenes where a ray ends at the first
// surface. Same bits as PulseTracer (a test compares them), several times as fast.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "aim/groupKernels.h"
#include "aim/rayGroups.h"
#include "contract/sensorRecipe.h"
#include "core/optics/sceneOptics.h"
#include "core/returns/returns.h"
#include "core/returns/signal.h"
#include "pulses/groupTracer.h"
#include "pulses/learnedContext.h"
#include "pulses/pulseWeather.h"
#include "pulses/tracedBatch.h"
#include "surfaces/hits.h"

namespace understory {

// Whether a sensor's pulses fit the fast path. All others, and scenes where rays continue behind a surface
// (SceneOptics::endsRays), go through PulseTracer.
bool fitsFastPath(const SensorRecipe& sensor);

// The rule for pulses whose hits are all one echo that is certainly seen, and for all pulses where nothing is lost.
// SignalEvaluator finds the returns of the others.
enum class SimpleRule {
  strongestRay,  // the strongest of a pulse's hits, and only counts of the others
  paper,         // evaluateReturns
  oneEcho,       // all hits are one echo
  none           // SignalEvaluator
};

// A sensor as the fast path needs it, computed once.
struct FastPathPlan {
  // `reportsOtherPoses`: the poses that are reported differ from the true ones.
  explicit FastPathPlan(const SensorRecipe& recipe, bool reportsOtherPoses = false);

  const SensorRecipe& sensor;
  GroupOptics group;
  SimpleRule rule;
  bool hasLimit;   // of detection
  bool sharesAim;  // pulses are aimed from the frames of their slots; otherwise each by itself
  bool hasReportedPoses;
  bool hasOwnOrigins;  // rays start elsewhere than where the sensor reports
};

// How pulses are aimed that do not share their slots' aim.
struct PulseAims {
  const Trajectory& trajectory;
  std::uint64_t seed;
  Vec3d sceneOriginM;
  std::uint64_t firstSlot;   // of the batch
  std::uint64_t firstPulse;  // of the batch
};

// Where the pulses of a group go, and where their sensor reports their origins.
struct GroupAim {
  GroupAxes axes{};
  std::array<Vec3f, pulsesPerGroup> reportedM{};  // relative to the scene's origin
};

// Aims a group; fills out.aims of pulses that do not share their slots' aim.
void aimOfGroup(const FastPathPlan& plan, const RayGroup& group, const PulseAims& aims,
                GroupAim& aim, TracedBatch& out);

// When a pulse of a group that was aimed leaves the sensor.
inline std::int64_t timeNsOf(const FastPathPlan& plan, const RayGroup& group, std::size_t pulse,
                             const TracedBatch& out) {
  const std::size_t slot = group.slots[pulse];
  return plan.sharesAim ? out.slots[slot].timeNs
                        : out.aims[out.firstPulse[slot] + group.laser].frame.timeNs;
}

// Notes the same for all pulses of a group.
void timesOfGroup(const FastPathPlan& plan, const RayGroup& group, const TracedBatch& out,
                  GroupPulses& names);

// A group after it was traced.
struct TracedGroup {
  const GroupAim& aim;
  const GroupHits& hits;
  const GroupRays& rays;
};

// A scene as a sensor sees it, without its surfaces.
struct FastPathScene {
  const SceneOptics& optics;
  const SensorWeather& weather;
  const LearnedContext* learned;  // null without learned models
};

// The hits of a group become returns of the batch. One for each call of traceFastPath.
class GroupReturns {
 public:
  // `firstPulse`: absolute number of the batch's first. All outlive it.
  GroupReturns(const FastPathPlan& plan, const FastPathScene& scene, std::uint64_t seed,
               std::uint64_t firstPulse, TracedBatch& out);

  // Pulses [wanted.from, wanted.to) of `group`.
  void reportHits(const RayGroup& group, PulseRange wanted, const TracedGroup& traced);
  void report(const RayGroup& group, PulseRange wanted, const TracedGroup& traced);

  // Whether pulses are reported from their lines alone, in scenes of learned elements and nothing else.
  bool takesLines() const;
  // `lines`, `met`: of the pulses [wanted.from, wanted.to).
  void reportLines(const RayGroup& group, PulseRange wanted, const GroupAim& aim,
                   const PulseLines& lines, const LineHits& met);

 private:
  bool isSimple(const GroupHits& hits, std::size_t pulse);
  bool hasOneHit(const GroupHits& hits, std::size_t pulse) const;
  void reportStrongest(const TracedGroup& traced, std::size_t pulse, std::size_t number);
  void reportByPaper(const TracedGroup& traced, std::size_t pulse, std::size_t number);
  void reportOneEcho(const TracedGroup& traced, std::size_t pulse, std::size_t number);
  std::span<const AirHit> hitsInAir(const RayGroup& group, const TracedGroup& traced,
                                    std::size_t pulse, std::size_t number);
  void evaluate(const TracedGroup& traced, std::size_t pulse, std::size_t number,
                std::span<const AirHit> inAir = {});
  SignalHit signalOfCell(const GroupHits& hits, std::size_t cell) const;
  void storeAir(const TracedGroup& traced, std::size_t pulse, const AirHit& hit,
                const PulseReturn& reported, TracedReturn& to) const;
  void store(const TracedGroup& traced, std::size_t cell, const PulseReturn& reported,
             TracedReturn& to) const;
  TracedReturn& start(std::size_t number, std::size_t rayHits, std::size_t returns);

  const FastPathPlan& plan_;
  const Air& air_;
  std::uint64_t firstPulse_;
  const LearnedContext* learned_;
  bool hasCertainHits_;
  TracedBatch& out_;
  SignalEvaluator evaluator_;
  RaySpread spread_;
  EchoFinder finder_;
  std::optional<PulseWeather> weather_;  // none: it is clear
  std::array<RayEnd, raysPerPulse> ends_{};
  std::vector<SignalHit> signal_;
  OrderedHits ordered_{};
  std::span<const std::size_t> echoEnds_;  // of the ordered hits
  // Signals of the group.
  GroupSignals signals_{};
  GroupSums sums_{};
  GroupStrongest strongest_{};
};

// Traces the slots `range` of the batch that `aims` says, whose slot frames are in out.slots (and out.traced).
template <std::size_t Width, HitSource Source>
void traceFastPath(const Source& source, const SceneTruth& scene, const FastPathPlan& plan,
                   const FastPathScene& seen, const PulseAims& aims, SlotRange range,
                   TracedBatch& out) {
  const LearnedContext* learned = seen.learned;
  std::optional<ElementOverlay> overlay;
  if (learned != nullptr) overlay.emplace(*learned, rangeLimits(plan.sensor), out.storesSupport);
  GroupTracer<Source, Width> tracer(source, scene.instances, plan.group, seen.optics.reflectances,
                                    rangeLimits(plan.sensor), overlay ? &*overlay : nullptr);
  GroupReturns returns(plan, seen, aims.seed, aims.firstPulse, out);
  const bool hasLinesOnly = learned != nullptr && learned->lines() != nullptr &&
                            !learned->hasPoints() && source.isEmpty() && returns.takesLines();
  GroupAim aim;
  GroupPulses names;
  std::array<std::uint32_t, PulseLines::width> supports{};
  const auto storeSupports = [&](const RayGroup& group, PulseRange wanted) {
    for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
      out.support[out.firstPulse[group.slots[pulse]] + group.laser] = supports[pulse - wanted.from];
    }
  };
  PulseLines lines;
  LineHits met;
  LineTrails trails;
  forEachGroup(plan.sensor, aims.firstSlot, [&](const RayGroup& group) {
    const PulseRange wanted = pulsesIn(group, range);
    if (wanted.from == wanted.to) return;
    aimOfGroup(plan, group, aims, aim, out);
    for (std::size_t pulse = 0; learned != nullptr && pulse < group.slots.size(); ++pulse) {
      names.numbers[pulse] = aims.firstPulse + out.firstPulse[group.slots[pulse]] + group.laser;
    }
    if constexpr (!Source::isStill) timesOfGroup(plan, group, out, names);
    if (hasLinesOnly) {
      lines.count = 0;
      for (std::size_t pulse = wanted.from; pulse < wanted.to; ++pulse) {
        lines.add(aim.axes[pulse].origin, aim.axes[pulse].axis, names.numbers[pulse],
                  names.timesNs[pulse]);
      }
      const float maxM = rangeLimits(plan.sensor).maxM;
      learned->lines()->first(lines, maxM, learned->draws(), met,
                              out.storesSupport ? &trails : nullptr);
      learned->prefetchStops(met, lines.count);
      if (out.storesSupport) {
        findSupports(source, *learned, maxM, lines, met, trails, supports);
        storeSupports(group, wanted);
      }
      return returns.reportLines(group, wanted, aim, lines, met);
    }
    tracer.trace(std::span(aim.axes).first(group.slots.size()), wanted.from, wanted.to, names);
    if (learned != nullptr && out.storesSupport) {
      tracer.findSupports(supports);
      storeSupports(group, wanted);
    }
    returns.report(group, wanted, {aim, tracer.hits(), tracer.rays()});
  });
}

}  // namespace understory
