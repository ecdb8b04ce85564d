// The echo of fog, smoke or dust that fills the air (PHYSICS.md, 2.8). Each metre of range sends back
//   pi beta exp(-2 depth) O(r) / r²,
// beta = extinction over the lidar ratio, in the unit of surfaces: a white one that fills the beam sends 1/r². The
// receiver sees it through the emitted pulse, a Gaussian: one bump where beam and receiver begin to overlap, of a height
// as a lone hit would have that sends back so much. It ends where the ray ends.
#pragma once

#include <limits>
#include <vector>

#include "contract/contract.h"
#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/optics/weather.h"

namespace understory {

struct MediumHit {
  double rangeM = 0.0;
  double signal = 0.0;  // of a ray with all of the beam's energy, in 1/m²
};

class MediumEcho {
 public:
  // `minSignal`: a bump that sends back less is left out. Nothing without media, or without a pulse.
  MediumEcho(const std::vector<Medium>& media, const SensorRecipe& sensor, const Air& air,
             double minSignal);

  bool isEmpty() const { return hits_.empty() && slices_.empty(); }
  // Kind of the medium that sends back most.
  AirKind kind() const { return kind_; }
  // The bump in front of a ray's end; a signal of 0: there is none.
  MediumHit before(double endM) const;
  // With a waveform: slices of range, each half of the pulse's standard deviation long, as far as they matter. The
  // waveform forms the bump.
  const std::vector<MediumHit>& slices() const { return slices_; }

 private:
  double signalPerM(double rangeM) const;
  MediumHit bumpOf(std::size_t samples, const std::vector<double>& signal, double sigmaM) const;

  Air air_;
  AirKind kind_ = AirKind::fog;
  double backscatterPerMSr_ = 0.0;
  double fromM_ = 0.0;
  double stepM_ = 1.0;
  std::vector<MediumHit> hits_;  // by the steps in front of the end; the last: of all
  std::vector<MediumHit> slices_;
};

}  // namespace understory
