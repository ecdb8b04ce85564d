// How the energy of a pulse lies across its spot (PHYSICS.md, 1.1), as a map from the unit square: equal areas of
// the square become equal shares of the energy, and neighbours stay neighbours.
//
// Uniform: the whole spot alike, to its edge at the half axes tan(gamma/2). Gaussian: exp(-2 s^2), s the distance
// from the axis in half axes (1/e^2 at 1), cut at 1.5 and renormalised: <s^2> = 0.475; its contours are ellipses,
// in a rectangular spot too. Tabulated: linear between its points, nothing beyond the last; s is the distance in
// half axes along an ellipse's contours, or along a rectangle's in a rectangular spot. A stencil of nine rays
// means the uniform profile.
#pragma once

#include <vector>

#include "contract/sensorRecipe.h"

namespace understory {

// On the plane 1 m ahead of the sensor.
struct SpotPoint {
  double left = 0.0;
  double up = 0.0;
};

class SpotProfile {
 public:
  // Throws UnderstoryError 'bad-input' where a table's distances do not rise from 0 or it holds no energy.
  explicit SpotProfile(const BeamRecipe& beam);

  // The point of (across, along), both from 0 to 1: across from left to right, along from top to bottom.
  SpotPoint at(double across, double along) const;
  // Whether the energy follows a law of the distance from the axis that middles of equal pieces meet only roughly.
  bool isGaussian() const { return profile_ == BeamProfile::gaussian; }
  // The distance in half axes within which this share of the energy lies, along the profile's contours.
  double distanceWithin(double energyShare) const;
  // The distance of a point from the axis in half axes, along ellipses.
  double distanceOf(const SpotPoint& point) const;
  // Second moments <left^2> and <up^2> of the whole spot; its centroid is 0, and so is <left up>.
  double leftSquared() const { return leftSquared_; }
  double upSquared() const { return upSquared_; }

 private:
  // A piece of the table: irradiance fixed + slope s.
  struct Piece {
    double from = 0.0;
    double to = 0.0;
    double fixed = 0.0;
    double slope = 0.0;
    double energyBefore = 0.0;  // of all pieces before it, over 2 pi
  };

  double energyOf(const Piece& piece, double to) const;
  double tabulatedDistance(double energyShare) const;
  double meanSquaredDistance() const;

  BeamProfile profile_ = BeamProfile::uniform;
  bool isRectangular_ = false;  // in its contours
  double halfLeft_ = 0.0;
  double halfUp_ = 0.0;
  std::vector<Piece> pieces_;
  double energy_ = 0.0;
  double leftSquared_ = 0.0;
  double upSquared_ = 0.0;
};

}  // namespace understory
