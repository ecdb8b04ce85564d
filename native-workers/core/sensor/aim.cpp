// Aims by kind of scan.
#include "core/sensor/aim.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"
#include "core/mutation.h"
#include "core/sensor/pulses.h"
#include "core/sensor/serial.h"

namespace understory {
namespace {

// How fast azimuth, or the mirror's angle, advances between two slots, in radians per second.
double turningRadPerS(const SensorRecipe& sensor) {
  if (sensor.isTurning) return (sensor.isClockwise ? -2.0 : 2.0) * piRad * sensor.rateHz;
  if (sensor.isInstant || sensor.slotsPerScan < 2) return 0.0;
  return (sensor.maxAzimuthRad - sensor.minAzimuthRad) /
         static_cast<double>(sensor.slotsPerScan - 1) * sensor.slotsPerSecond;
}

double wrapped(double azimuthRad) {
  const double turned = std::fmod(azimuthRad, 2.0 * piRad);
  if (turned >= 0.0) return turned;
  // Why: next to nothing below 0 rounds to the whole turn.
  return turned + 2.0 * piRad < 2.0 * piRad ? turned + 2.0 * piRad : 0.0;
}

// Gschwandtner 2011, section 3, exact: an emitter of pitch p looks at a mirror turned by phi. The direction is
// (cos p cos phi - sin p sin^2 phi, sin phi (cos p + sin p cos phi), sin p cos phi), of length 1.
void turnByMirror(double mirrorRad, double pitchRad, PulseAim& aim) {
  const double cosTurn = std::cos(mirrorRad);
  const double sinTurn = std::sin(mirrorRad);
  const double cosPitch = std::cos(pitchRad);
  const double sinPitch = std::sin(pitchRad);
  aim.azimuthRad = std::atan2(sinTurn * (cosPitch + sinPitch * cosTurn),
                              cosPitch * cosTurn - sinPitch * sinTurn * sinTurn);
  aim.elevationRad = std::asin(sinPitch * cosTurn);
}

template <typename Value>
bool isAllZero(const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(), [](Value value) { return value == Value{}; });
}

}  // namespace

PulseAim aimOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank,
               std::size_t laser) {
  const LaserBank& lasers = sensor.banks[bank];
  PulseAim aim{slotTimeNs(sensor, slot), slotAzimuthRad(sensor, slot), lasers.elevationsRad[laser]};
  if (!lasers.firingOffsetsNs.empty()) {
    const std::int64_t laterNs = lasers.firingOffsetsNs[laser];
    aim.timeNs += laterNs;
    aim.azimuthRad += turningRadPerS(sensor) * static_cast<double>(laterNs) * 1e-9;
  }
  aim.elevationRad = slotElevationRad(sensor, slot).value_or(aim.elevationRad);
  if (sensor.isMirrored) turnByMirror(aim.azimuthRad, aim.elevationRad, aim);
  if (sensor.isInstant) {
    // The row's height on the plane 1 m ahead, seen from the origin past the column's place on it.
    aim.elevationRad = std::atan(std::tan(aim.elevationRad) * std::cos(aim.azimuthRad));
  }
  if (!lasers.horizontalOffsetsM.empty()) aim.leverLeftM = lasers.horizontalOffsetsM[laser];
  if (!lasers.verticalOffsetsM.empty()) aim.leverUpM = lasers.verticalOffsetsM[laser];
  if (!lasers.azimuthOffsetsRad.empty()) aim.azimuthRad += lasers.azimuthOffsetsRad[laser];
  // Why not always: what lies in [0, 2 pi) stays as it is, to the last bit.
  const bool isInTurn = aim.azimuthRad >= 0.0 && aim.azimuthRad < 2.0 * piRad;
  if (sensor.isTurning && !isInTurn) aim.azimuthRad = wrapped(aim.azimuthRad);
  return aim;
}

PulseAim reportedAim(const SensorRecipe& sensor, PulseAim aim) {
  if (sensor.azimuthStepRad <= 0.0) return aim;
  const double steps = aim.azimuthRad / sensor.azimuthStepRad;
  // Why a billionth of a step more: an azimuth on a step's edge may have been rounded to just before it.
  const double early = activeMutation() == Mutation::encoderToNearest ? 0.5 : 1e-9;
  const double counted = sensor.isClockwise ? std::ceil(steps - early) : std::floor(steps + early);
  aim.azimuthRad = counted * sensor.azimuthStepRad;
  if (sensor.isTurning && aim.azimuthRad >= 2.0 * piRad) aim.azimuthRad = 0.0;
  return aim;
}

bool sharesSlotAim(const SensorRecipe& sensor) {
  if (sensor.isMirrored || sensor.isInstant) return false;
  if (sensor.noise.pointingSigmaRad > 0.0 || hasMountError(sensor)) return false;
  return std::all_of(sensor.banks.begin(), sensor.banks.end(), [](const LaserBank& bank) {
    return isAllZero(bank.azimuthOffsetsRad) && isAllZero(bank.firingOffsetsNs) &&
           isAllZero(bank.horizontalOffsetsM) && isAllZero(bank.verticalOffsetsM);
  });
}

bool hasOwnOrigins(const SensorRecipe& sensor) {
  const bool hasAperture =
      sensor.beam.apertureHorizontalM > 0.0 || sensor.beam.apertureVerticalM > 0.0;
  if (hasAperture || hasMountError(sensor)) return true;
  return sensor.azimuthStepRad > 0.0 &&
         std::any_of(sensor.banks.begin(), sensor.banks.end(), [](const LaserBank& bank) {
           return !isAllZero(bank.horizontalOffsetsM) || !isAllZero(bank.verticalOffsetsM);
         });
}

bool hasStencilRays(const SensorRecipe& sensor) { return sensor.beam.stencil != StencilKind::rays; }

}  // namespace understory
