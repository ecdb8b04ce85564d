// How a surface treats light (src-main/contract/worker/recipe.ts, MaterialRecipe; PHYSICS.md, 1.2). Plain data.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "contract/contract.h"

namespace understory {

// A share by wavelength: linear between its points, constant before the first and after the last.
class Spectrum {
 public:
  // The same at every wavelength.
  Spectrum(double share = 0.0) : points_{{0.0, share}} {}
  // [wavelength in nm, share], wavelengths rising, at least one.
  explicit Spectrum(std::vector<std::array<double, 2>> points) : points_(std::move(points)) {}

  double at(double wavelengthNm) const;
  const std::vector<std::array<double, 2>>& points() const { return points_; }

 private:
  std::vector<std::array<double, 2>> points_;
};

struct Surface {
  SurfaceKind kind = SurfaceKind::lambertian;
  double roughnessRad = 0.0;  // orenNayar: standard deviation of the facets' slope angle
  double gain = 0.0;          // retroreflector: of head-on light, a white diffuse surface being 1
  double halfWidthRad = 0.0;  // retroreflector: incidence at which half the gain is left
};

struct Material {
  std::string name;
  Spectrum reflectance;              // diffuse, both sides, 0 to 1
  std::array<float, 3> colourRgb{};  // 0 to 1, for pictures
  Surface surface{};
  double transmittance = 0.0;  // share of a ray that goes straight on

  // Whether a ray that meets it may go on.
  bool letsRaysOn() const { return surface.kind == SurfaceKind::mirror || transmittance > 0.0; }
};

}  // namespace understory
