// Traces slot batches of sensors whose pulses are nine rays around the axes of slots and lasers, in scenes where a ray
// ends at the first surface. Same bits as PulseTracer (a test compares them), several times as fast.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "aim/groupKernels.h"
#include "aim/rayGroups.h"
#include "core/returns/returns.h"
#include "core/sensor/sensorRecipe.h"
#include "pulses/groupTracer.h"
#include "pulses/tracedBatch.h"
#include "surfaces/hits.h"

namespace understory {

// Whether a sensor's pulses fit the fast path. All others, and scenes where rays continue behind a surface
// (SceneOptics::endsRays), go through PulseTracer.
bool fitsFastPath(const SensorRecipe& sensor);

// What the fast path needs of a sensor, computed once.
struct FastPathPlan {
  explicit FastPathPlan(const SensorRecipe& recipe);

  const SensorRecipe& sensor;
  GroupOptics group;
  bool usesStrongest;  // of a pulse's hits, and only counts of the others
};

// The hits of a group become returns of the batch.
class GroupReturns {
 public:
  explicit GroupReturns(const FastPathPlan& plan) : plan_(plan) {}

  // Pulses [wanted.from, wanted.to) of `group`.
  void reportHits(const RayGroup& group, PulseRange wanted, const GroupHits& hits,
                  const GroupRays& rays, TracedBatch& out) const;
  void report(const RayGroup& group, PulseRange wanted, const GroupHits& hits,
              const GroupRays& rays, TracedBatch& out) const;

 private:
  void reportStrongest(const GroupHits& hits, const GroupRays& rays,
                       const GroupStrongest& strongest, std::size_t pulse, std::size_t number,
                       TracedBatch& out) const;
  void reportPulse(const GroupHits& hits, const GroupRays& rays, std::size_t pulse,
                   std::size_t number, TracedBatch& out) const;

  const FastPathPlan& plan_;
};

// Traces the slots `range` of the batch that begins with slot `firstSlot`, whose slot frames are in out.slots.
template <std::size_t Width, HitSource Source>
void traceFastPath(const Source& source, const SceneTruth& scene, const FastPathPlan& plan,
                   std::span<const float> reflectances, std::uint64_t firstSlot, SlotRange range,
                   TracedBatch& out) {
  GroupTracer<Source, Width> tracer(source, scene.instances, plan.group, reflectances,
                                    rangeLimits(plan.sensor));
  const GroupReturns returns(plan);
  forEachGroup(plan.sensor, firstSlot, [&](const RayGroup& group) {
    const PulseRange wanted = pulsesIn(group, range);
    if (wanted.from == wanted.to) return;
    tracer.trace(out.slots, group.slots, plan.group.beam.lasers[group.bank][group.laser],
                 wanted.from, wanted.to);
    returns.report(group, wanted, tracer.hits(), tracer.rays(), out);
  });
}

}  // namespace understory
