// Arithmetic over all rays of a group at a time: their directions, what their facets return, the strongest of a
// pulse's hits. Guarantee: each function is compiled for several instruction sets and
// chosen by the processor; every copy rounds each operation as IEEE 754 says and fuses none, so all give
// the same bits as the one-ray functions of beamRays.h and core/returns.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "aim/beamRays.h"
#include "aim/rayGroups.h"
#include "core/optics/air.h"
#include "core/returns/echoes.h"

namespace understory {

// Two numberings of a group's rays. Lane: in the order of packets, pulse by pulse and the rays of each
// by column. Cell: ray * pulsesPerGroup + pulse, so that pulses lie side by side.
template <typename Value>
using ByCell = std::array<Value, raysPerGroup>;
// Why longer: a pulse is written as a whole vector, of which the next pulse overwrites the rest.
inline constexpr std::size_t pulseLanes = 16;
template <typename Value>
using ByLane = std::array<Value, raysPerGroup + pulseLanes>;

// Shared data of a sensor's groups.
struct GroupOptics {
  BeamOptics beam;
  alignas(64) std::array<float, pulseLanes> axisScale{};  // by column; 0 beyond the rays of a pulse
  alignas(64) std::array<float, pulseLanes> leftScale{};
  alignas(64) std::array<float, pulseLanes> upScale{};
  alignas(64) std::array<float, pulseLanes> startLeftM{};
  alignas(64) std::array<float, pulseLanes> startUpM{};
  std::array<std::uint8_t, raysPerGroup> cellOfLane{};
  // The weights of 0 to 9 rays added one by one, where all rays weigh the same.
  std::array<double, raysPerPulse + 1> weightOfRays{};
  bool isEvenlyWeighted = false;
};

GroupOptics groupOptics(const SensorRecipe& sensor, const BeamOptics& beam);

// The rays of a group. Lanes without a pulse hold rays of no meaning.
struct GroupRays {
  alignas(64) ByLane<float> originX{};
  alignas(64) ByLane<float> originY{};
  alignas(64) ByLane<float> originZ{};
  alignas(64) ByLane<float> directionX{};
  alignas(64) ByLane<float> directionY{};
  alignas(64) ByLane<float> directionZ{};
  alignas(64) ByCell<float> cellX{};  // the same directions by cell
  alignas(64) ByCell<float> cellY{};
  alignas(64) ByCell<float> cellZ{};
};

// Axes of the pulses of a group.
using GroupAxes = std::array<PulseAxes, pulsesPerGroup>;

// `slots`: of the batch; `pulses`: at most 16 of them, one pulse of `laser` in each, aimed from its slot's frame.
void axesOfSlots(std::span<const SlotFrame> slots, std::span<const std::uint8_t> pulses,
                 const LaserAngle& laser, GroupAxes& axes);

// `pulses`: at most 16.
void aimGroup(const GroupOptics& optics, std::span<const PulseAxes> pulses, GroupRays& rays);

// The hits of a group by cell. Only `meets` has a meaning where a ray met nothing within the range
// limits; the rest holds for cells that were traced.
struct GroupHits {
  alignas(64) ByCell<float> rangeM{};
  alignas(64) ByCell<float> intensity{};
  alignas(64) ByCell<float> facetX{};  // world, not of length 1
  alignas(64) ByCell<float> facetY{};
  alignas(64) ByCell<float> facetZ{};
  alignas(64) ByCell<float> facetScale{};  // to length 1, and towards the sensor
  alignas(64) ByCell<float> cosIncidence{};
  alignas(64) ByCell<float> reflectance{};
  alignas(64) ByCell<std::uint32_t> instance{};
  alignas(64) ByCell<std::uint32_t> primitive{};
  // 1: within the range limits, and something comes back; otherwise 0
  alignas(64) ByCell<std::uint32_t> meets{};
  ByCell<std::uint16_t> material{};
};

// Whether any ray that met a facet starts within a distance of the facet's plane. Of cells without a hit, either.
bool startsNearPlane(const GroupRays& rays, const GroupHits& hits, float withinM);

// From facets and reflectances to cosines and intensities; what sends nothing back is met no longer.
// Goodin 2018, section 3.2.2: intensity is reflectance times the cosine of the incidence.
void shadeGroup(const GroupRays& rays, GroupHits& hits);

// S of every hit (core/returns/signal.h): its weight times its intensity by the radar equation, in 1/m^2.
using GroupSignals = ByCell<float>;
void signalsOfGroup(const BeamOptics& beam, const GroupHits& hits, const Air& air,
                    GroupSignals& signals);

// By pulse, over its hits: the nearest and the farthest, and sums that are exact (core/maths/exactSum.h).
struct GroupSums {
  alignas(64) std::array<float, pulsesPerGroup> nearestM;
  alignas(64) std::array<float, pulsesPerGroup> farthestM;
  alignas(64) std::array<double, pulsesPerGroup> signal;            // of S
  alignas(64) std::array<double, pulsesPerGroup> signalTimesRange;  // of S times range
  alignas(64) std::array<double, pulsesPerGroup> energy;            // of weight times intensity
};
void sumsOfGroup(const BeamOptics& beam, const GroupHits& hits, const GroupSignals& signals,
                 GroupSums& sums);

// The hits of a pulse by (range, instance, primitive, ray).
struct OrderedHits {
  std::array<EchoHit, raysPerPulse> hits{};
  std::array<std::uint8_t, raysPerPulse> cell{};
  std::size_t count = 0;

  std::span<const EchoHit> met() const { return std::span(hits).first(count); }
};
void orderHits(const GroupHits& hits, const GroupSignals& signals, const RaySpread& spread,
               std::size_t pulse, OrderedHits& ordered);

// By pulse: how many rays met something, the strongest of them and how many lie within the cutoff of it.
struct GroupStrongest {
  alignas(64) std::array<std::int32_t, pulsesPerGroup> hits;
  alignas(64) std::array<std::int32_t, pulsesPerGroup> ray;  // of the stencil; where there is a hit
  alignas(64) std::array<std::int32_t, pulsesPerGroup> isTied;  // another ray is just as strong
  alignas(64) std::array<std::int32_t, pulsesPerGroup> within;
};

// Strongest: of the greatest `strength`.
void strongestOfGroup(const GroupHits& hits, const ByCell<float>& strength, double cutoffM,
                      GroupStrongest& strongest);

}  // namespace understory
