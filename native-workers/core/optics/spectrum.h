// Shares and coefficients by wavelength, and how recipes have them.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "contract/contract.h"

namespace understory {

class FieldReader;

// A share, or a coefficient, by wavelength: linear between its points, constant before the first and after the last.
class Spectrum {
 public:
  // The same at every wavelength.
  Spectrum(double value = 0.0) : points_{{0.0, value}} {}
  // [wavelength in nm, value], wavelengths rising, at least one.
  explicit Spectrum(std::vector<std::array<double, 2>> points) : points_(std::move(points)) {}

  double at(double wavelengthNm) const;
  const std::vector<std::array<double, 2>>& points() const { return points_; }

 private:
  std::vector<std::array<double, 2>> points_;
};

// Both throw UnderstoryError 'bad-input' with the path of what is not as the contract says.
Spectrum readShare(FieldReader& from, const Field& field);
Spectrum readAbsorption(FieldReader& from, const Field& field);
std::array<float, 3> readColour(FieldReader& from, const NumbersField& field);

}  // namespace understory
