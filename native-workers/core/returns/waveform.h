// The full waveform that a receiver samples, and the returns found in it (PHYSICS.md, 1.3).
//
// Every hit sends back a copy of the emitted pulse, a Gaussian in time of the recipe's full width at half
// maximum, around t = 2R/c; the receiver adds up what arrives (there is no interference) and samples it in bins.
// In ranges R = ct/2: bin k holds the energy of [k b, (k + 1) b), b = c binNs / 2, so that bins of all pulses
// share one grid from range 0; sigma = c FWHM / (2 sqrt(8 ln 2)), of a hit on an inclined surface in quadrature with the
// extent of its ray's share of the beam (RaySpread). A hit's energy in a bin is the pulse's integral
// over it, E/2 (erf(x2) - erf(x1)), x = (edge - R) / (sigma sqrt(2)), to 2e-10 of E; beyond 6 sigma the pulse's
// tail (1e-9 of its energy) is put into the outermost bin: the sum over bins is the sum over hits.
//
// A peak is a maximum that is apart from the next (core/returns/maxima.h). Its place within the bins is the vertex of
// the parabola through the logarithms of the three bins around it: exact for a sampled Gaussian, and a bin's integral is
// to fourth order of b/sigma that of a Gaussian of variance sigma^2 + b^2/12. Two equal targets nearer to each other than
// 3.33 sigma are one peak (a ghost point), farther ones two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/sensor/receiver.h"

namespace understory {

// Energy from one hit: rayWeight times intensity.
struct EnergyAt {
  double rangeM = 0.0;
  double energy = 0.0;
  double spreadM = 0.0;  // in quadrature with the pulse's
};

struct WaveformPeak {
  double rangeM = 0.0;
  double strength = 0.0;  // energy of a lone hit that would make a peak of this height
  double sigmaM =
      0.0;  // standard deviation of the Gaussian through it, in range: above the pulse's own
            // where what sent it back lies stretched along the beam
  double valleyM = 0.0;  // range of the valley behind it
};

class ReceiverWaveform {
 public:
  explicit ReceiverWaveform(const WaveformRecipe& recipe);

  double binM() const { return binM_; }
  double sigmaM() const { return sigmaM_; }
  // Bins [from, to) that a hit reaches.
  struct BinRange {
    std::int64_t from = 0;
    std::int64_t to = 0;
  };
  BinRange binsOf(const EnergyAt& hit) const;
  // Adds the pulse that a hit sends back to those of its bins that lie within bins [firstBin, firstBin + size).
  void add(const EnergyAt& hit, std::int64_t firstBin, std::span<double> bins) const;

  // The maxima, by range, of the waveform of hits in order of range. Keeps its bins for the next call.
  void findPeaks(std::span<const EnergyAt> hits, std::vector<WaveformPeak>& peaks);

 private:
  double sigmaOfM(const EnergyAt& hit) const;
  void findPeaksOfBins(std::int64_t firstBin, std::vector<WaveformPeak>& peaks) const;
  WaveformPeak peakAt(std::size_t place, std::int64_t firstBin) const;

  double binM_ = 0.0;
  double sigmaM_ = 0.0;
  double centredShare_ = 1.0;  // of a pulse's energy in the bin around its middle
  std::vector<double> bins_;
  std::vector<std::int64_t> reachesBack_;  // by hit: the least bin that it or one behind it reaches
};

}  // namespace understory
