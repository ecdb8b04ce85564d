// Light that the dust of a plume sends back (PHYSICS.md, 2.8 and 2.10): bumps wherever along the beam the signal has a maximum, and
// one in front of where the ray ends.
#pragma once

#include <vector>

#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/returns/detection.h"
#include "core/weather/bump.h"
#include "core/weather/mediumEcho.h"
#include "core/weather/plume.h"

namespace understory {

class PlumeEcho {
 public:
  // `air`: without the plume.
  PlumeEcho(const PlumeLaw& law, const SensorRecipe& sensor, const Air& air);

  // The length of slices, of the line of every call.
  double sliceM() const { return sliceM_; }
  // Adds the hits of the first `slices` slices of a line; with a waveform, which forms the bumps, a hit of each slice.
  void addHits(const DustLine& line, std::size_t slices, std::vector<MediumHit>& hits);

 private:
  bool mayBeSeen(const DustLine& line, std::size_t slices) const;
  void fillSignal(const DustLine& line, std::size_t slices);

  double backscatterShare_;  // of extinction, per sr
  Air air_;
  Detector detector_;
  double sliceM_;
  bool hasWaveform_;
  double minRangeM_;
  SlicedPulse pulse_;
  std::vector<double> signal_;  // by slice
  std::vector<double> height_;  // of the bump at each slice
};

}  // namespace understory
