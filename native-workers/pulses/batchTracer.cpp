// The choice between the fast path and whole paths, and what both need before and after.
#include "pulses/batchTracer.h"

#include "core/mutation.h"
#include "core/sensor/aim.h"
#include "core/sensor/serial.h"

namespace understory {

BatchTracer::BatchTracer(const SceneTruth& scene, const SensorRecipe& sensor,
                         const Trajectory& trajectory, TraceOptions options)
    : scene_(scene),
      sensor_(sensor),
      trajectory_(trajectory),
      seed_(options.seed),
      numbering_(pulseNumbering(sensor_)),
      weather_(scene.scene.weather, scene.scene.atmosphere, sensor_, options.puffs,
               scene.scene.originM),
      sceneOptics_(understory::sceneOptics(scene.scene.materials, weather_.air(),
                                           scene.scene.mirrorDepth, sensor_)),
      plan_(sensor_, !trajectory.reported.empty()),
      learned_(LearnedContext::of(scene, sensor_, options.seed)),
      detector_(sensor_, options.seed),
      reporting_(sensor_, options.seed, weather_.air(), learned_.get()),
      falseAlarms_(sensor_, options.seed),
      isDead_(deadLasers(sensor_)) {
  static_assert(rayOrder == RayOrder::columns, "the kernels of a group expect columns");
  const bool isFast = fitsFastPath(sensor_) && sceneOptics_.endsRays && !options.alwaysFollowsPaths;
  if (!isFast) rays_.emplace(sensor_, trajectory_, options.seed, scene.scene.originM);
}

void BatchTracer::trace(std::uint64_t batch, SlotRange range, TracedBatch& out,
                        const PulseVisitor* visitor) const {
  const std::uint64_t firstSlot = batch * slotsPerBatch;
  const std::uint64_t firstPulse = firstPulseOfSlot(numbering_, firstSlot);
  for (std::uint64_t slot = 0; slot <= slotsPerBatch; ++slot) {
    out.firstPulse[slot] =
        static_cast<std::uint32_t>(firstPulseOfSlot(numbering_, firstSlot + slot) - firstPulse);
  }
  if (rays_) {
    tracePaths(firstSlot, firstPulse, range, out, visitor);
  } else {
    prepareFastPath(firstSlot, out);
    traceFast({trajectory_, seed_, scene_.scene.originM, firstSlot, firstPulse}, range, out);
    if (plan_.sharesAim && sensor_.quantisation.azimuthRad > 0.0)
      reportAims(firstSlot, firstPulse, range, out);
  }
  reporting_.apply(batch, range, out);
  falseAlarms_.draw(firstPulse, range, out);
  if (!isDead_.empty()) silenceDeadLasers(firstSlot, range, out);
}

void BatchTracer::prepareFastPath(std::uint64_t firstSlot, TracedBatch& out) const {
  for (std::uint64_t slot = 0; slot < slotsPerBatch; ++slot) {
    out.slots[slot] =
        slotFrame(sensor_, trajectory_, firstSlot + slot, scene_.scene.originM, PoseKind::reported);
    if (plan_.hasReportedPoses) {
      out.traced[slot] = slotFrame(sensor_, trajectory_, firstSlot + slot, scene_.scene.originM);
    }
    if (activeMutation() == Mutation::poseOfFirstSlot) {
      out.slots[slot].rayOriginM = out.slots[0].rayOriginM;
    }
  }
  const std::size_t pulses = out.firstPulse[slotsPerBatch];
  if (!plan_.sharesAim) out.aims.resize(pulses);
  out.returnCounts.resize(pulses);
  out.rayHits.resize(pulses);
  out.maxReturns = maxReturnsOf(sensor_.returns);
  out.returns.resize(pulses * out.maxReturns);
  if (out.storesShapes) out.shapes.resize(pulses * out.maxReturns);
  if (out.storesDirections) out.directions.resize(pulses * raysPerPulse);
  if (out.storesSupport) out.support.resize(pulses);
}

// Their pulses are fired, traced and numbered like all others; nothing of them is received.
void BatchTracer::silenceDeadLasers(std::uint64_t firstSlot, SlotRange range,
                                    TracedBatch& out) const {
  for (std::size_t slot = range.from; slot < range.to; ++slot) {
    const LaserBank& bank = sensor_.banks[bankOfSlot(sensor_, firstSlot + slot)];
    for (std::size_t laser = 0; laser < bank.rings.size(); ++laser) {
      if (isDead_[bank.rings[laser]] == 0) continue;
      const auto pulse = static_cast<std::uint32_t>(out.firstPulse[slot] + laser);
      out.returnCounts[pulse] = 0;
      std::erase_if(out.falseAlarms, [&](const FalseAlarm& made) { return made.pulse == pulse; });
    }
  }
}

// Where the sensor reports other aims of its pulses than those of their slots and lasers.
void BatchTracer::reportAims(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range,
                             TracedBatch& out) const {
  out.aims.resize(out.firstPulse[slotsPerBatch]);
  for (std::size_t slot = range.from; slot < range.to; ++slot) {
    const std::size_t bank = bankOfSlot(sensor_, firstSlot + slot);
    for (std::size_t laser = 0; laser < sensor_.banks[bank].rings.size(); ++laser) {
      const std::size_t pulse = out.firstPulse[slot] + laser;
      out.aims[pulse] =
          reportedPulse(sensor_, trajectory_, {firstPulse + pulse, firstSlot + slot, bank, laser});
    }
  }
}

}  // namespace understory
