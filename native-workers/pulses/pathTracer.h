// Traces one block of slots for any sensor and any scene: the general form of BlockTracer's shortcut for nine
// rays and Lambertian surfaces. First hits in packets, what lets rays on is followed ray by ray.
// Guarantee: as BlockTracer's: packets are formed inside the block in a fixed order, so that what a pulse
// yields depends on the scene, the sensor, the trajectory, the seed and its number alone.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/optics/sceneOptics.h"
#include "core/returns/signal.h"
#include "core/sensor/beamSampler.h"
#include "core/sensor/pulses.h"
#include "core/sensor/sensorRecipe.h"
#include "core/sensor/trajectory.h"
#include "surfaces/embree/embreeScene.h"
#include "aim/rayGroups.h"
#include "pulses/rayPath.h"
#include "pulses/tracedBlock.h"

namespace understory {

// One pulse with everything that was found on its way to returns. Spans last for the call they come with.
struct PulseTrace {
  PulseName name;
  std::size_t numberInBlock = 0;
  const AimedPulse& aim;
  std::span<const StencilRay> rays;
  std::span<const PathHit> hits;              // ray by ray, along each ray by range
  std::span<const std::uint32_t> rayOfHit;    // by index in `hits`
  std::span<const SignalHit> signal;          // the same in order of range; `place` is the index in `hits`
  std::span<const PulseReturn> returns;       // without noise
  std::span<const std::uint8_t> returnOfHit;  // by index in `signal`: the return from 1 it went into, 0: none
};

// Called for the pulses asked for, laser by laser: not in order of their numbers.
using PulseVisitor = std::function<void(const PulseTrace&)>;

class PathTracer {
 public:
  // All but `seed` outlive the tracer. `seed`: of beams that differ from pulse to pulse, and of pointing
  // errors.
  PathTracer(const EmbreeScene& scene, const SensorRecipe& sensor, const Trajectory& trajectory,
             const SceneOptics& optics, std::uint64_t seed);

  std::size_t raysPerPulse() const { return sampler_.raysPerPulse(); }

  // Traces the slots `range` of block `block`, as BlockTracer::trace, which has set out.firstPulse. Several
  // threads may call at once.
  void trace(std::uint64_t block, SlotRange range, TracedBlock& out,
             const PulseVisitor* visitor = nullptr) const;

 private:
  struct Work;

  void traceBatch(const RayGroup& group, std::size_t from, std::size_t to, Work& work) const;
  void takePulse(std::size_t pulse, Work& work) const;
  void followRays(std::size_t pulse, std::span<const StencilRay> beam, Work& work) const;
  void report(std::size_t pulse, std::size_t number, std::span<const PulseReturn> returns,
              Work& work) const;

  const EmbreeScene& scene_;
  const SensorRecipe& sensor_;
  const Trajectory& trajectory_;
  const SceneOptics& optics_;
  std::uint64_t seed_;
  PulseNumbering numbering_;
  BeamSampler sampler_;
  std::vector<RayScale> scales_;  // of rays that are the same for every pulse
  // Of a pulse in packets, by ray. Why not as it is: packets are faster from left to right (RayOrder::columns); N
  // rays come so from their sampler.
  std::vector<std::uint32_t> placeOfRay_;
  std::uint32_t axisRay_ = 0;     // the one nearest to the axis
};

}  // namespace understory
