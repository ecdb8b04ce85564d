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
  if (sensor.scan.isTurning)
    return (sensor.scan.isClockwise ? -2.0 : 2.0) * piRad * sensor.scan.rateHz;
  if (sensor.scan.isInstant || sensor.scan.slotsPerScan < 2) return 0.0;
  return (sensor.scan.maxAzimuthRad - sensor.scan.minAzimuthRad) /
         static_cast<double>(sensor.scan.slotsPerScan - 1) * sensor.slotsPerSecond /
         sensor.scan.activeShare;
}

double wrapped(double azimuthRad) {
  const double turned = std::fmod(azimuthRad, 2.0 * piRad);
  if (turned >= 0.0) return turned;
  // Why: next to nothing below 0 rounds to the whole turn.
  return turned + 2.0 * piRad < 2.0 * piRad ? turned + 2.0 * piRad : 0.0;
}

// Gschwandtner 2011, section 3, exact: an emitter of pitch p looks at a mirror turned by phi. The direction is
// (cos p cos phi - sin p sin^2 phi, sin phi (cos p + sin p cos phi), sin p cos phi), of length 1. The mirror at 45° of
// normal (cos phi, sin phi, 1) turns the whole bundle: what lies to the left in it at phi = 0 leaves along
// (-sin phi cos phi, cos^2 phi, -sin phi), for p = 0 the spot turns by phi.
void turnByMirror(double mirrorRad, double pitchRad, PulseAim& aim) {
  const double cosTurn = std::cos(mirrorRad);
  const double sinTurn = std::sin(mirrorRad);
  const double cosPitch = std::cos(pitchRad);
  const double sinPitch = std::sin(pitchRad);
  aim.azimuthRad = std::atan2(sinTurn * (cosPitch + sinPitch * cosTurn),
                              cosPitch * cosTurn - sinPitch * sinTurn * sinTurn);
  aim.elevationRad = std::asin(sinPitch * cosTurn);
  if (activeMutation() == Mutation::spotUnturned) return;
  const Vec3d left{-sinTurn * cosTurn, cosTurn * cosTurn, -sinTurn};
  const double cosAzimuth = std::cos(aim.azimuthRad);
  const double sinAzimuth = std::sin(aim.azimuthRad);
  const Vec3d level{-sinAzimuth, cosAzimuth, 0.0};
  const double sine = std::sin(aim.elevationRad);
  const Vec3d up{-cosAzimuth * sine, -sinAzimuth * sine, std::cos(aim.elevationRad)};
  aim.rollRad = std::atan2(-dot(left, up), dot(left, level));
}

// Added by a table to the azimuth of a laser.
double offsetRad(const LaserBank& lasers, std::size_t laser) {
  return lasers.azimuthOffsetsRad.empty() ? 0.0 : lasers.azimuthOffsetsRad[laser];
}

// A slot at the time of one of its lasers: the azimuth is the angle of the head, or of the mirror, as the laser fires.
SlotAim shotOf(const SensorRecipe& sensor, std::uint64_t slot, const LaserBank& lasers,
               std::size_t laser) {
  SlotAim shot = slotAim(sensor, slot);
  if (!lasers.firingOffsetsNs.empty()) {
    const std::int64_t laterNs = lasers.firingOffsetsNs[laser];
    shot.timeNs += laterNs;
    shot.azimuthRad += turningRadPerS(sensor) * static_cast<double>(laterNs) * 1e-9;
  }
  if (activeMutation() == Mutation::encoderAfterOffsets) {
    shot.azimuthRad += offsetRad(lasers, laser);
  }
  return shot;
}

double countedRad(const SensorRecipe& sensor, double angleRad) {
  const double steps = angleRad / sensor.quantisation.azimuthRad;
  // Why a billionth of a step more: an angle on a step's edge may have been rounded to just before it.
  const double early = activeMutation() == Mutation::encoderToNearest ? 0.5 : 1e-9;
  const double counted =
      sensor.scan.isClockwise ? std::ceil(steps - early) : std::floor(steps + early);
  return counted * sensor.quantisation.azimuthRad;
}

PulseAim aimAt(const SensorRecipe& sensor, const SlotAim& shot, const LaserBank& lasers,
               std::size_t laser) {
  PulseAim aim{shot.timeNs, shot.azimuthRad,
               shot.elevationRad.value_or(lasers.elevationsRad[laser])};
  if (sensor.scan.isMirrored) turnByMirror(shot.azimuthRad, aim.elevationRad, aim);
  if (sensor.scan.isInstant) {
    // The row's height on the plane 1 m ahead, seen from the origin past the column's place on it.
    aim.elevationRad = std::atan(std::tan(aim.elevationRad) * std::cos(aim.azimuthRad));
  }
  if (!lasers.horizontalOffsetsM.empty()) aim.leverLeftM = lasers.horizontalOffsetsM[laser];
  if (!lasers.verticalOffsetsM.empty()) aim.leverUpM = lasers.verticalOffsetsM[laser];
  if (activeMutation() != Mutation::encoderAfterOffsets) {
    aim.azimuthRad += offsetRad(lasers, laser);
  }
  // Why not always: what lies in [0, 2 pi) stays as it is, to the last bit.
  const bool isInTurn = aim.azimuthRad >= 0.0 && aim.azimuthRad < 2.0 * piRad;
  if (sensor.scan.isTurning && !isInTurn) aim.azimuthRad = wrapped(aim.azimuthRad);
  return aim;
}

template <typename Value>
bool isAllZero(const std::vector<Value>& values) {
  return std::all_of(values.begin(), values.end(), [](Value value) { return value == Value{}; });
}

}  // namespace

BothAims aimsOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank,
                std::size_t laser) {
  const LaserBank& lasers = sensor.banks[bank];
  SlotAim shot = shotOf(sensor, slot, lasers, laser);
  BothAims aims{aimAt(sensor, shot, lasers, laser)};
  if (sensor.quantisation.azimuthRad > 0.0) {
    shot.azimuthRad = countedRad(sensor, shot.azimuthRad);
    aims.reported = aimAt(sensor, shot, lasers, laser);
  }
  return aims;
}

PulseAim aimOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank,
               std::size_t laser) {
  return aimsOf(sensor, slot, bank, laser).actual;
}

PulseAim reportedAimOf(const SensorRecipe& sensor, std::uint64_t slot, std::size_t bank,
                       std::size_t laser) {
  const BothAims aims = aimsOf(sensor, slot, bank, laser);
  return aims.reported.value_or(aims.actual);
}

bool sharesSlotAim(const SensorRecipe& sensor) {
  if (sensor.scan.isMirrored || sensor.scan.isInstant) return false;
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
  return sensor.quantisation.azimuthRad > 0.0 &&
         std::any_of(sensor.banks.begin(), sensor.banks.end(), [](const LaserBank& bank) {
           return !isAllZero(bank.horizontalOffsetsM) || !isAllZero(bank.verticalOffsetsM);
         });
}

bool hasStencilRays(const SensorRecipe& sensor) { return sensor.beam.stencil != StencilKind::rays; }

}  // namespace understory
