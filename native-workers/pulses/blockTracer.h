// Traces one block of slots. Guarantee: what a block yields depends on the scene, the sensor, the
// trajectory, the seed and the block's number only. Packets are formed inside the block in a fixed order, so no
// interval, chunk or thread can change which rays travel together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/optics/sceneOptics.h"
#include "core/sensor/pulses.h"
#include "core/sensor/sensorRecipe.h"
#include "core/sensor/trajectory.h"
#include "aim/beamRays.h"
#include "surfaces/embree/embreeScene.h"
#include "aim/groupKernels.h"
#include "pulses/pathTracer.h"
#include "aim/rayGroups.h"
#include "pulses/reporting.h"
#include "pulses/tracedBlock.h"

namespace understory {

template <std::size_t Width>
class GroupTracer;

// Whether a sensor's rays are the nine of a stencil around the axes of its slots and lasers.
bool hasPlainRays(const SensorRecipe& sensor);

// Whether a sensor's pulses are nine rays whose returns are single rays, aimed as their slot and their laser
// are: what the shortcut for nine rays takes, in scenes where a ray ends at the first surface it meets. All
// others, and all other scenes, go through PathTracer.
bool isPlainSensor(const SensorRecipe& sensor);

struct TraceOptions {
  std::uint64_t seed = 0;           // of everything random
  bool alwaysFollowsPaths = false;  // through PathTracer, plain or not
};

// What is the same for all blocks of a scan.
class BlockTracer {
 public:
  // Scene, sensor and trajectory outlive the tracer.
  BlockTracer(const EmbreeScene& scene, const SensorRecipe& sensor, const Trajectory& trajectory,
              TraceOptions options = {});
  BlockTracer(const BlockTracer&) = delete;
  BlockTracer& operator=(const BlockTracer&) = delete;

  // The order of rays within a group that packets are cut from. Why columns: measured with bench.raw on
  // the HDL-64E in the courtyard (busy machine, million rays a second of processor time), packets of 16
  // trace 5.01 by columns, 4.54 by pulses, 2.15 by rays; packets of 8 4.75 and 4.13, of 4 3.29 and 2.95.
  static constexpr RayOrder rayOrder = RayOrder::columns;

  // Traces the slots `range` of block `block`. Packets are those of the whole block; the ones without a
  // ray of the range are left out, so the range changes nothing of what its pulses meet. Fills the
  // frames of all slots, and of pulses those in the range. `out` is reused between calls of one thread:
  // nothing is allocated after the first. Several threads may call at once.
  // `visitor` needs alwaysFollowsPaths; it sees returns without noise.
  void trace(std::uint64_t block, SlotRange range, TracedBlock& out,
             const PulseVisitor* visitor = nullptr) const;

  const EmbreeScene& scene() const { return scene_; }
  const SensorRecipe& sensor() const { return sensor_; }
  const PulseNumbering& numbering() const { return numbering_; }
  const BeamOptics& optics() const { return group_.beam; }
  std::size_t raysOfPulse() const { return paths_ ? paths_->raysPerPulse() : raysPerPulse; }

 private:
  void tracePlain(std::uint64_t firstSlot, SlotRange range, TracedBlock& out) const;
  void reportAims(std::uint64_t firstSlot, std::uint64_t firstPulse, SlotRange range,
                  TracedBlock& out) const;
  template <std::size_t Width>
  void tracePackets(std::uint64_t firstSlot, SlotRange range, TracedBlock& out) const;
  template <std::size_t Width>
  void traceGroup(const RayGroup& group, SlotRange range, GroupTracer<Width>& tracer,
                  TracedBlock& out) const;
  template <std::size_t Width>
  void takeStrongest(const GroupTracer<Width>& tracer, const GroupStrongest& strongest,
                     std::size_t pulse, std::size_t number, TracedBlock& out) const;
  template <std::size_t Width>
  void takePulse(const GroupTracer<Width>& tracer, std::size_t pulse, std::size_t number,
                 TracedBlock& out) const;
  template <std::size_t Width>
  void keep(const GroupTracer<Width>& tracer, std::size_t cell, const PulseReturn& reported,
            TracedReturn& to) const;

  const EmbreeScene& scene_;
  const SensorRecipe& sensor_;
  const Trajectory& trajectory_;
  PulseNumbering numbering_;
  SceneOptics sceneOptics_;
  GroupOptics group_;
  bool takesStrongest_;  // of a pulse's hits, and nothing but counts of the others
  Reporting reporting_;
  std::optional<PathTracer> paths_;  // none: plain
};

}  // namespace understory
