// Spectra, and what water makes of them.
#include "core/optics/material.h"

#include <algorithm>

namespace understory {

double Spectrum::at(double wavelengthNm) const {
  const auto after = std::find_if(points_.begin(), points_.end(),
                                  [&](const auto& point) { return point[0] > wavelengthNm; });
  if (after == points_.begin()) return points_.front()[1];
  if (after == points_.end()) return points_.back()[1];
  const auto& [fromNm, from] = *(after - 1);
  const auto& [toNm, to] = *after;
  return from + (to - from) * (wavelengthNm - fromNm) / (toNm - fromNm);
}

double wetReflectance(double reflectance) {
  constexpr double waterIndex = 1.33;
  return reflectance / (waterIndex * waterIndex * (1.0 - reflectance) + reflectance);
}

double reflectanceAt(const Material& material, double wavelengthNm) {
  const double dry = material.reflectance.at(wavelengthNm);
  return dry + material.wetness * (wetReflectance(dry) - dry);
}

}  // namespace understory
