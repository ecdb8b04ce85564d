// Traces one block of slots. Guarantee: what a block yields depends on the scene, the sensor, the
// trajectory and the block's number only. Packets are formed inside the block in a fixed order, so no
// interval, chunk or thread can change which rays travel together.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/returns/returns.h"
#include "core/sensor/pulses.h"
#include "core/sensor/sensorRecipe.h"
#include "core/sensor/stencil.h"
#include "core/sensor/trajectory.h"
#include "trace/embreeScene.h"

namespace understory {

// Slots of a block, aligned to the absolute slot number. Why 64: a laser that fires in every fourth slot
// still fills whole groups of 16 pulses, which are 144 rays: nine packets of 16, eighteen of 8.
inline constexpr std::uint64_t slotsPerBlock = 64;

// Time, place and axes of one slot. A pulse of elevation e points along ahead cos e + zenith sin e.
struct SlotFrame {
  std::int64_t timeNs = 0;
  double azimuthRad = 0.0;
  Vec3d originM;
  Vec3d ahead;   // world direction of the slot's azimuth in the sensor's xy plane
  Vec3d left;    // world direction to the left of it
  Vec3d zenith;  // world direction of the sensor's z axis
};

// A return with the ground truth of the hit that decided it.
struct TracedReturn {
  PulseReturn reported;
  float trueRangeM = 0.0F;
  float cosIncidence = 0.0F;  // 0 to 1
  Vec3f rayDirection;
  Vec3f normal;  // world, unit, towards the sensor
  std::uint32_t instance = 0;
  std::uint16_t material = 0;
};

// One traced block: pulses in order of their numbers.
struct TracedBlock {
  std::array<SlotFrame, slotsPerBlock> slots;
  std::array<std::uint32_t, slotsPerBlock + 1> firstPulse{};  // within the block, by slot
  std::vector<std::uint8_t> returnCounts;                     // by pulse
  std::vector<std::uint8_t> rayHits;                          // by pulse: rays within the range limits
  std::vector<TracedReturn> returns;  // maxReturnsPerPulse places for each pulse
};

// What is the same for all blocks of a scan.
class BlockTracer {
 public:
  BlockTracer(const EmbreeScene& scene, const SensorRecipe& sensor, const Trajectory& trajectory);

  // Traces slots [block * slotsPerBlock, (block + 1) * slotsPerBlock). `out` is reused between calls
  // of one thread: nothing is allocated after the first. Several threads may call at once.
  void trace(std::uint64_t block, TracedBlock& out) const;

  const EmbreeScene& scene() const { return scene_; }
  const SensorRecipe& sensor() const { return sensor_; }
  const PulseNumbering& numbering() const { return numbering_; }

 private:
  struct RayGroup;
  template <std::size_t Width>
  struct PacketGroup;

  template <std::size_t Width>
  void tracePackets(TracedBlock& out, std::uint64_t firstSlot) const;
  void aimRays(const TracedBlock& out, std::span<const std::size_t> slots, double elevationRad,
               RayGroup& rays) const;
  template <std::size_t Width>
  void takePulse(const PacketGroup<Width>& group, std::size_t index, std::size_t number,
                 TracedBlock& out) const;

  const EmbreeScene& scene_;
  const SensorRecipe& sensor_;
  const Trajectory& trajectory_;
  PulseNumbering numbering_;
  // The stencil with its normalisation: a ray is ahead * axis + left * a + up * b, of length 1.
  std::array<float, raysPerPulse> axisScale_{};
  std::array<float, raysPerPulse> leftScale_{};
  std::array<float, raysPerPulse> upScale_{};
  std::array<float, raysPerPulse> weights_{};
};

}  // namespace understory
