// The drops or flakes in a sensor's beam (PHYSICS.md, 2.8).
//
// Along the beam, in each metre of range: A(r) N(D), A the section of the beam there. A drop sends back
//   S = rho b O(r) t / r², b = pi/4 (f D)² / A(r), t what the air leaves,
// and the detection limit sees none of far less than its threshold. So only drops of at least Dmin(r) are drawn, whose S
// is within drawnBelowSigmas of the threshold: of those that are seen, all but one in ten thousand. The others are
// extinction: of what kappa is, the part of smaller drops,
//   kappa (1 - e^-x (1 + x + x²/2)), x = Lambda Dmin.
// Cells of range, each a share of it long, have one Dmin: the least that any drop in it needs.
// Keys of random numbers: purpose particle, pulse: the pulse, number: the drop, from 0 by range, and the index of the
// field times 2^24. Words: gap (2), diameter, and halves of one for whether it lies in the beam, and for its ray.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/optics/weather.h"
#include "core/random/philox.h"
#include "core/returns/detection.h"

namespace understory {

// A drop in the beam.
struct Drop {
  double rangeM = 0.0;
  double share = 0.0;  // b: of the beam's section
  double place = 0.0;  // uniform: of all rays by weight, which one it lies in
};

class ParticleField {
 public:
  // `air`: without these drops. `index`: of the field in the weather.
  ParticleField(const Particles& particles, std::uint32_t index, const SensorRecipe& sensor,
                const Detector& detector, const Air& air);

  const Particles& particles() const { return particles_; }
  // Mean number of drops that are drawn for a pulse that nothing ends.
  double meanDrops() const {
    return cells_.empty() ? 0.0 : cells_.back().before + cells_.back().mean;
  }
  // Calls `take` with the drops of a pulse up to a range, the nearest first. A pure function of the key and the pulse.
  template <typename Take>
  void draw(std::uint64_t seed, std::uint64_t pulse, double toM, Take&& take) const;
  // Adds the optical depth, one way, of drops that are not drawn.
  void addUndrawn(RangeTable& depths) const;

 private:
  struct Cell {
    double fromM = 0.0;
    double toM = 0.0;
    double minMm = 0.0;    // Dmin
    double section = 0.0;  // the greatest A
    double before = 0.0;   // mean number of the cells in front
    double mean = 0.0;     // of its own
  };

  double sectionM2(double rangeM) const;
  double minMm(const Cell& cell, const Detector& detector, const Air& air) const;
  // The drop of a block of random numbers; nullopt: it lies beside the beam.
  std::optional<Drop> dropIn(const Cell& cell, double part,
                             const std::array<std::uint32_t, 4>& random) const;

  Particles particles_;
  std::uint32_t firstNumber_ = 0;
  std::uint32_t stream_ = 0;
  BeamRecipe beam_;
  Overlap overlap_;
  std::vector<Cell> cells_;
};

template <typename Take>
void ParticleField::draw(std::uint64_t seed, std::uint64_t pulse, double toM, Take&& take) const {
  if (cells_.empty()) return;
  std::size_t cell = 0;
  double at = 0.0;  // in mean numbers
  for (std::uint32_t number = firstNumber_;; ++number) {
    const auto random = pulseBlock(seed, RandomPurpose::particle, stream_, pulse, number);
    at -= std::log(1.0 - uniformFrom(random[0], random[1]));
    while (at >= cells_[cell].before + cells_[cell].mean) {
      if (++cell == cells_.size()) return;
    }
    if (cells_[cell].fromM >= toM) return;
    const double part = (at - cells_[cell].before) / cells_[cell].mean;
    const std::optional<Drop> drop = dropIn(cells_[cell], part, random);
    if (drop && drop->rangeM < toM) take(*drop);
  }
}

}  // namespace understory
