// Radial laws of energy, and the square laid onto disc or rectangle.
#include "core/sensor/spotProfile.h"

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/maths/maths.h"

namespace understory {
namespace {

constexpr double gaussianCut = 1.5;
// Share of a Gaussian's energy within the cut.
const double gaussianKept = -std::expm1(-2.0 * gaussianCut * gaussianCut);

[[noreturn]] void refuseTable(const char* expected) {
  throwBadInput("sensor", "beam.rays.profile", expected);
}

}  // namespace

SpotProfile::SpotProfile(const BeamRecipe& beam)
    : profile_(beam.stencil == StencilKind::rays ? beam.rays.profile.kind : BeamProfile::uniform),
      isRectangular_(beam.shape == SpotShape::rectangular && profile_ != BeamProfile::gaussian),
      halfLeft_(std::tan(0.5 * beam.divergenceHorizontalRad)),
      halfUp_(std::tan(0.5 * beam.divergenceVerticalRad)) {
  if (profile_ == BeamProfile::tabulated) {
    const auto& table = beam.rays.profile.table;
    if (table.size() < 2 || table.front()[0] != 0.0) refuseTable("points from distance 0 outwards");
    for (std::size_t point = 1; point < table.size(); ++point) {
      const auto [from, before] = table[point - 1];
      const auto [to, after] = table[point];
      const bool isRising = to > from && std::isfinite(to);
      if (!isRising) refuseTable("distances that rise");
      const bool isLight = before >= 0.0 && after >= 0.0 && std::isfinite(before + after);
      if (!isLight) refuseTable("irradiances of at least 0");
      const double slope = (after - before) / (to - from);
      const Piece piece{from, to, before - slope * from, slope, energy_};
      energy_ += energyOf(piece, to);
      pieces_.push_back(piece);
    }
    if (!(energy_ > 0.0)) refuseTable("an irradiance above 0");
  }
  // Along one axis half of s^2 lies on a circle, on the outline of a square (1 + 1/3) / 2 of it.
  const double share = isRectangular_ ? 2.0 / 3.0 : 0.5;
  leftSquared_ = share * meanSquaredDistance() * halfLeft_ * halfLeft_;
  upSquared_ = share * meanSquaredDistance() * halfUp_ * halfUp_;
}

SpotPoint SpotProfile::at(double across, double along) const {
  const double left = 1.0 - 2.0 * across;
  const double up = 1.0 - 2.0 * along;
  // Squares about the middle hold the energy of their area: s^2 of it.
  const double side = std::max(std::abs(left), std::abs(up));
  if (side == 0.0) return {};
  const double distance = distanceWithin(side * side);
  if (isRectangular_) {
    return {halfLeft_ * left * (distance / side), halfUp_ * up * (distance / side)};
  }
  // Shirley and Chiu 1997: concentric squares onto concentric circles, areas kept.
  if (std::abs(left) > std::abs(up)) {
    const double turn = 0.25 * piRad * (up / left);
    const double signedDistance = std::copysign(distance, left);
    return {halfLeft_ * signedDistance * std::cos(turn), halfUp_ * signedDistance * std::sin(turn)};
  }
  const double turn = 0.25 * piRad * (left / up);
  const double signedDistance = std::copysign(distance, up);
  return {halfLeft_ * signedDistance * std::sin(turn), halfUp_ * signedDistance * std::cos(turn)};
}

// Energy of a piece from its beginning: the integral of irradiance s ds.
double SpotProfile::energyOf(const Piece& piece, double to) const {
  const double squares = to * to - piece.from * piece.from;
  const double cubes = to * to * to - piece.from * piece.from * piece.from;
  return piece.fixed * squares / 2.0 + piece.slope * cubes / 3.0;
}

double SpotProfile::distanceOf(const SpotPoint& point) const {
  return std::hypot(point.left / halfLeft_, point.up / halfUp_);
}

double SpotProfile::distanceWithin(double energyShare) const {
  switch (profile_) {
    case BeamProfile::uniform:
      return std::sqrt(energyShare);
    case BeamProfile::gaussian:
      return std::sqrt(-0.5 * std::log1p(-energyShare * gaussianKept));
    case BeamProfile::tabulated:
      return tabulatedDistance(energyShare);
  }
  return 0.0;
}

double SpotProfile::tabulatedDistance(double energyShare) const {
  const double energy = energyShare * energy_;
  const auto after = std::upper_bound(
      pieces_.begin() + 1, pieces_.end(), energy,
      [](double sought, const Piece& piece) { return sought < piece.energyBefore; });
  const Piece& piece = *(after - 1);
  // Newton's steps, halving where one would leave the bracket: the energy only grows with distance.
  double low = piece.from;
  double high = piece.to;
  double distance = 0.5 * (low + high);
  for (int step = 0; step < 60 && high - low > 1e-15 * piece.to; ++step) {
    const double excess = piece.energyBefore + energyOf(piece, distance) - energy;
    (excess > 0.0 ? high : low) = distance;
    const double slope = (piece.fixed + piece.slope * distance) * distance;
    const double next = slope > 0.0 ? distance - excess / slope : low;
    if (next == distance) break;
    distance = next > low && next < high ? next : 0.5 * (low + high);
  }
  return distance;
}

double SpotProfile::meanSquaredDistance() const {
  switch (profile_) {
    case BeamProfile::uniform:
      return 0.5;
    case BeamProfile::gaussian: {
      // 2 s^2 is exponential with mean 1, cut at x: its mean is 1 - x exp(-x) / (1 - exp(-x)).
      const double cut = 2.0 * gaussianCut * gaussianCut;
      return 0.5 * (1.0 - cut * std::exp(-cut) / gaussianKept);
    }
    case BeamProfile::tabulated: {
      double sum = 0.0;
      for (const Piece& piece : pieces_) {
        sum += piece.fixed * (std::pow(piece.to, 4) - std::pow(piece.from, 4)) / 4.0 +
               piece.slope * (std::pow(piece.to, 5) - std::pow(piece.from, 5)) / 5.0;
      }
      return sum / energy_;
    }
  }
  return 0.0;
}

}  // namespace understory
