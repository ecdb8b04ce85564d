// Cells and sizes.
#include "core/weather/particleField.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"
#include "core/sensor/receiver.h"

namespace understory {
namespace {

constexpr double drawnBelowSigmas = 3.5;
// Lengths of cells: a share of the range, but not less.
constexpr double cellShare = 0.02;
constexpr double minCellM = 0.1;
constexpr double mmPerM = 1e3;

// The share of the extinction that drops of more than Dmin have.
double shareAbove(double x) { return std::exp(-x) * (1.0 + x + 0.5 * x * x); }

double halfUniform(std::uint32_t half) { return (static_cast<double>(half) + 0.5) * 0x1.0p-16; }

}  // namespace

ParticleField::ParticleField(const Particles& particles, std::uint32_t index,
                             const SensorRecipe& sensor, const Detector& detector, const Air& air)
    : particles_(particles),
      firstNumber_(index << 24U),
      stream_(sensor.stream),
      beam_(sensor.beam),
      overlap_(air.overlap) {
  double before = 0.0;
  for (double fromM = std::max(sensor.minRangeM, overlap_.fromM); fromM < sensor.maxRangeM;) {
    Cell cell;
    cell.fromM = fromM;
    cell.toM = std::min(fromM + std::max(minCellM, cellShare * fromM), sensor.maxRangeM);
    // Why no cell across it: the section of the beam grows, what the receiver sees of it does not.
    if (fromM < overlap_.fullM) cell.toM = std::min(cell.toM, overlap_.fullM);
    cell.section = sectionM2(cell.toM);
    cell.minMm = minMm(cell, detector, air);
    cell.before = before;
    cell.mean = cell.section * (cell.toM - cell.fromM) * particles.numberPerM3Mm /
                particles.sizesPerMm * std::exp(-particles.sizesPerMm * cell.minMm);
    before += cell.mean;
    fromM = cell.toM;
    cells_.push_back(cell);
  }
}

double ParticleField::sectionM2(double rangeM) const {
  const double area = (beam_.apertureHorizontalM + beam_.divergenceHorizontalRad * rangeM) *
                      (beam_.apertureVerticalM + beam_.divergenceVerticalRad * rangeM);
  return beam_.shape == SpotShape::rectangular ? area : 0.25 * piRad * area;
}

// By the least section, range and gain, and all that the receiver can see.
double ParticleField::minMm(const Cell& cell, const Detector& detector, const Air& air) const {
  const double least =
      std::max(detector.minSignal(), (detector.threshold() - drawnBelowSigmas * detector.sigma()) /
                                         detector.gainAt(cell.fromM));
  if (!(least > 0.0)) return 0.0;
  const double returned = std::exp(-2.0 * air.extinctionPerM * cell.fromM) * overlap_.at(cell.toM);
  const double share = least * cell.fromM * cell.fromM / (particles_.reflectance * returned);  // b
  const double discM = std::sqrt(4.0 / piRad * share * sectionM2(cell.fromM));
  return discM * mmPerM / particles_.sizeFactor;
}

std::optional<Drop> ParticleField::dropIn(const Cell& cell, double part,
                                          const std::array<std::uint32_t, 4>& random) const {
  const double rangeM = cell.fromM + part * (cell.toM - cell.fromM);
  const double section = sectionM2(rangeM);
  if (halfUniform(random[3] & 0xFFFFU) * cell.section >= section) return std::nullopt;
  const double uniform = (static_cast<double>(random[2]) + 0.5) * 0x1.0p-32;
  const double diameterMm = cell.minMm - std::log(uniform) / particles_.sizesPerMm;
  const double discM = particles_.sizeFactor * diameterMm / mmPerM;
  return Drop{rangeM, 0.25 * piRad * discM * discM / section, halfUniform(random[3] >> 16U)};
}

void ParticleField::addUndrawn(RangeTable& depths) const {
  const double extinction = extinctionPerM(particles_);
  std::size_t cell = 0;
  double depth = 0.0;
  for (std::size_t step = 1; step < depths.values.size(); ++step) {
    const double rangeM = (static_cast<double>(step) - 0.5) * depths.stepM;
    while (cell < cells_.size() && cells_[cell].toM <= rangeM) ++cell;
    const bool isDrawn = cell < cells_.size() && cells_[cell].fromM <= rangeM;
    const double drawn = isDrawn ? shareAbove(particles_.sizesPerMm * cells_[cell].minMm) : 0.0;
    depth += extinction * (1.0 - drawn) * depths.stepM;
    depths.values[step] += depth;
  }
}

}  // namespace understory
