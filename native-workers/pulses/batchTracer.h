// Traces one batch of slots. Guarantee: what a batch yields depends on the scene, the sensor, the trajectory, the seed
// and the batch's number only. Packets are formed inside the batch in a fixed order, so no interval, chunk or thread
// can change which rays travel together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "aim/beamRays.h"
#include "aim/pulseRays.h"
#include "contract/sensorRecipe.h"
#include "core/optics/sceneOptics.h"
#include "core/returns/detection.h"
#include "core/sensor/pulses.h"
#include "core/sensor/trajectory.h"
#include "core/weather/sensorWeather.h"
#include "pulses/falseAlarms.h"
#include "pulses/fastPath.h"
#include "pulses/learnedContext.h"
#include "pulses/pulseTrace.h"
#include "pulses/pulseTracer.h"
#include "pulses/reporting.h"
#include "pulses/tracedBatch.h"
#include "surfaces/hits.h"

namespace understory {

struct TraceOptions {
  std::uint64_t seed = 0;           // of everything random
  bool alwaysFollowsPaths = false;  // through PulseTracer, also where the fast path fits
  std::span<const Puff> puffs{};    // of a plume, in the frame of the trajectory
};

// Shared part of all batches of a scan, independent of the source of hits.
class BatchTracer {
 public:
  virtual ~BatchTracer() = default;
  BatchTracer(const BatchTracer&) = delete;
  BatchTracer& operator=(const BatchTracer&) = delete;

  // The order of rays within a group that packets are cut from. Why columns: measured with bench.raw on
  // the HDL-64E in the courtyard (busy machine, million rays a second of processor time), packets of 16
  // trace 5.01 by columns, 4.54 by pulses, 2.15 by rays; packets of 8 4.75 and 4.13, of 4 3.29 and 2.95.
  static constexpr RayOrder rayOrder = RayOrder::columns;

  // Traces the slots `range` of batch `batch`. Packets are those of the whole batch; the ones without a
  // ray of the range are left out, so the range changes nothing in what its pulses meet. Fills the
  // frames of all slots, and of pulses those in the range. `out` is reused between calls of one thread:
  // nothing is allocated after the first. Several threads may call at once.
  // `visitor` needs alwaysFollowsPaths; it sees returns without noise.
  void trace(std::uint64_t batch, SlotRange range, TracedBatch& out,
             const PulseVisitor* visitor = nullptr) const;

  const SceneTruth& scene() const { return scene_; }
  const SensorRecipe& sensor() const { return sensor_; }
  const PulseNumbering& numbering() const { return numbering_; }
  const Detector& detector() const { return detector_; }
  const BeamOptics& optics() const { return plan_.group.beam; }
  // Null: the scene has no learned models.
  const LearnedContext* learned() const { return learned_.get(); }
  std::size_t raysOfPulse() const { return rays_ ? rays_->raysPerPulse() : raysPerPulse; }

 protected:
  // Scene, sensor and trajectory outlive the tracer.
  BatchTracer(const SceneTruth& scene, const SensorRecipe& sensor, const Trajectory& trajectory,
              TraceOptions options);

  // Both fill the returns of the slots `range`, without noise.
  virtual void traceFast(const PulseAims& aims, SlotRange range, TracedBatch& out) const = 0;
  virtual void tracePaths(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range,
                          TracedBatch& out, const PulseVisitor* visitor) const = 0;

  const FastPathPlan& plan() const { return plan_; }
  const SceneOptics& sceneOptics() const { return sceneOptics_; }
  const SensorWeather& weather() const { return weather_; }
  const PulseRays& pulseRays() const { return *rays_; }
  std::uint64_t seed() const { return seed_; }

 private:
  void prepareFastPath(std::uint64_t firstSlot, TracedBatch& out) const;
  void silenceDeadLasers(std::uint64_t firstSlot, SlotRange range, TracedBatch& out) const;
  void reportAims(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range,
                  TracedBatch& out) const;

  SceneTruth scene_;
  const SensorRecipe& sensor_;
  const Trajectory& trajectory_;
  std::uint64_t seed_;
  PulseNumbering numbering_;
  SensorWeather weather_;
  SceneOptics sceneOptics_;
  FastPathPlan plan_;
  std::unique_ptr<const LearnedContext> learned_;
  Detector detector_;
  Reporting reporting_;
  FalseAlarms falseAlarms_;
  std::vector<std::uint8_t> isDead_;  // by ring; empty: none
  std::optional<PulseRays> rays_;     // none: fast path
};

// With the source of its hits, chosen once: everything below is compiled for it.
template <HitSource Source>
class SourceTracer final : public BatchTracer {
 public:
  // All others outlive the tracer.
  SourceTracer(std::shared_ptr<const Source> source, const SceneTruth& scene,
               const SensorRecipe& sensor, const Trajectory& trajectory, TraceOptions options = {})
      : BatchTracer(scene, sensor, trajectory, options),
        held_(std::move(source)),
        source_(*held_) {}
  // The source outlives it, too.
  SourceTracer(const Source& source, const SceneTruth& scene, const SensorRecipe& sensor,
               const Trajectory& trajectory, TraceOptions options = {})
      : BatchTracer(scene, sensor, trajectory, options), source_(source) {}

 private:
  void traceFast(const PulseAims& aims, SlotRange range, TracedBatch& out) const override {
    switch (scene().packetWidth) {
      case 16:
        return traceWide<16>(aims, range, out);
      case 8:
        return traceWide<8>(aims, range, out);
      default:
        return traceWide<4>(aims, range, out);
    }
  }

  template <std::size_t Width>
  void traceWide(const PulseAims& aims, SlotRange range, TracedBatch& out) const {
    traceFastPath<Width>(source_, scene(), plan(), {sceneOptics(), weather(), learned()}, aims,
                         range, out);
  }

  void tracePaths(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range,
                  TracedBatch& out, const PulseVisitor* visitor) const override {
    const PulseTracer<Source> tracer(source_, scene(), sensor(), sceneOptics(), weather(),
                                     pulseRays(), learned(), seed(), plan().hasReportedPoses);
    tracer.trace(firstSlot, firstPulse, range, out, visitor);
  }

  std::shared_ptr<const Source> held_;
  const Source& source_;
};

}  // namespace understory
