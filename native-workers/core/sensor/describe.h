// A sensor as it is simulated, without a scene: the rays of its beam, the pulses of one scan, its lasers. From
// the very functions that scans aim with, so that pictures and checks need no model of their own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/sensor/aim.h"
#include "core/sensor/stencil.h"

namespace understory {

// Weighted, of offsets on the plane 1 m ahead; second moments about the axis.
struct BeamMoments {
  double weight = 0.0;
  double left = 0.0;
  double up = 0.0;
  double leftSquared = 0.0;
  double upSquared = 0.0;
  double leftUp = 0.0;
};

struct DescribedPulse {
  std::uint16_t ring = 0;
  PulseAim aim;  // without pointing error
  PulseAim reported;
};

struct DescribedLaser {
  std::uint16_t ring = 0;
  double elevationRad = 0.0;  // with a mirror: of the emitter; of an image: of the row's middle
  double azimuthOffsetRad = 0.0;
  std::int64_t firingOffsetNs = 0;
  double rangeBiasM = 0.0;
};

struct SensorDescription {
  std::size_t raysPerPulse = 0;
  bool differsByPulse = false;   // in its rays
  std::vector<StencilRay> rays;  // of the first pulses, one after another
  BeamMoments beam;              // of these rays, a mean over their pulses
  BeamMoments profile;           // of the spot they represent
  double pulsesPerSecond = 0.0;
  double pulsesPerScan = 0.0;          // a mean: revolutions need not hold a whole number
  bool isWholeScan = true;             // whether `pulses` are all of it
  std::vector<DescribedPulse> pulses;  // of the first scan, by number; of some lines of a long one
  std::vector<DescribedLaser> lasers;  // by ring
};

struct DescribeOptions {
  std::uint64_t seed = 0;      // of rays that differ by pulse, and of biases
  std::size_t beamPulses = 1;  // whose rays are described; where pulses do not differ, 1 is enough
  std::size_t maxPulses = 200000;  // of a scan: as many slots as fit
};

// Throws UnderstoryError 'bad-input' where the sensor is not sound.
SensorDescription describeSensor(const SensorRecipe& sensor, const DescribeOptions& options);

// Full axes of the spot at a range, 2 R tan(gamma/2): across (first) and up; the 1/e^2 contour of a Gaussian.
struct SpotSize {
  double widthM = 0.0;
  double heightM = 0.0;
};
SpotSize spotSize(const BeamRecipe& beam, double rangeM);

}  // namespace understory
