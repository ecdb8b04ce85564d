// The result of tracing a batch of slots: its pulses with their returns.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "aim/beamRays.h"
#include "aim/interval.h"
#include "aim/pulseFrame.h"
#include "core/maths/angles.h"
#include "core/returns/returns.h"
#include "core/returns/signal.h"
#include "surfaces/hits.h"

namespace understory {

// Angle between a ray and a facet's normal, 0 to pi/2, whichever way the normal points; both of length 1. Why not by
// the cosine: near head-on its last digit is an angle of 3.5e-4.
inline float incidenceRad(Vec3f normal, Vec3f direction) {
  return angleOf(length(cross(normal, direction)), std::abs(dot(normal, direction)));
}

// A return with the ground truth of the hit that decided it.
struct TracedReturn {
  PulseReturn reported;
  float trueRangeM = 0.0F;    // along the whole path of its ray
  float cosIncidence = 0.0F;  // 0 to 1; incidenceRad() is exact near head-on
  Vec3f
      rayDirection;  // the hit lies at origin + rayDirection * trueRangeM, of length 1 unless turned
  Vec3f normal;      // world, unit, towards where the ray comes from
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint16_t material = 0;
  std::uint8_t mirrors = 0;  // on the path to the hit
  std::uint8_t air = 0;      // what it was in the air, 1 + AirKind; its instance is noInstance then
  float cleanRangeM = 0.0F;  // as it would be reported without noise
  float turnedIncidenceRad =
      -1.0F;  // where mirrors or water turned the path; below 0: it is straight

  // 0 to pi/2, within 2e-7.
  float incidenceRad() const {
    return turnedIncidenceRad < 0.0F ? understory::incidenceRad(normal, rayDirection)
                                     : turnedIncidenceRad;
  }
};

// Columns of a return that few requests ask for.
struct EchoShape {
  float signal = 0.0F;  // S of its rays (core/returns/signal.h)
  float widthM = 0.0F;
  float cleanIntensity = 0.0F;
};

// The shape of a return of the pulse that `evaluator` evaluated last.
inline EchoShape shapeOf(const SignalEvaluator& evaluator, const FormedReturn& formed,
                         const PulseReturn& reported) {
  return {static_cast<float>(evaluator.signalOfRays(formed)),
          static_cast<float>(evaluator.widthM(formed)), reported.intensity};
}

// A return that is a false alarm of the receiver: its instance is noInstance, and it has no truth.
struct FalseAlarm {
  std::uint32_t pulse = 0;  // of the batch
  TracedReturn made;
};

// One traced batch: pulses in order of their numbers.
struct TracedBatch {
  std::array<SlotFrame, slotsPerBatch> slots;   // as the sensor reports them
  std::array<SlotFrame, slotsPerBatch> traced;  // as rays have them, where reported poses differ
  std::array<std::uint32_t, slotsPerBatch + 1> firstPulse{};  // within the batch, by slot
  // By pulse: what its sensor reports of its time and direction. Empty: those of its slot and its laser.
  std::vector<PulseFrame> aims;
  std::vector<std::uint8_t> returnCounts;  // by pulse
  std::vector<std::uint32_t> rayHits;      // by pulse: rays to which something sends light back
  std::size_t maxReturns = 0;              // room for each pulse, used or not
  std::vector<TracedReturn> returns;       // by pulse * maxReturns + (return_no - 1)
  std::vector<FalseAlarm> falseAlarms;     // by pulse; beside `returns`, which they are no part of
  bool storesShapes = false;               // set by the caller
  std::vector<EchoShape> shapes;           // then: by the index of `returns`
  bool storesSupport = false;              // set by the caller; only with learned models
  std::vector<std::uint32_t> support;      // then, by pulse: pulses/lineSupport.h
  bool storesDirections = false;           // set by the caller
  std::vector<Vec3f> directions;           // then: as they were traced, by pulse and ray
};

}  // namespace understory
