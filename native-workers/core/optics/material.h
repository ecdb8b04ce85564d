// How a surface treats light (src-main/contract/worker/recipe.ts, MaterialRecipe; PHYSICS.md, 1.2). Plain data.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "contract/contract.h"

namespace understory {

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

struct Surface {
  SurfaceKind kind = SurfaceKind::lambertian;
  double roughnessRad = 0.0;  // orenNayar: standard deviation of the facets' slope angle
  double gain = 0.0;          // retroreflector: of head-on light, a white diffuse surface being 1
  double halfWidthRad = 0.0;  // retroreflector: incidence at which half the gain is left
  Spectrum specularReflectance = 1.0;  // mirror
  double refractiveIndex = 1.0;        // glass, water: over that of air
  Spectrum absorptionPerM = 0.0;       // glass, water
  double thicknessM = 0.0;             // glass: of the pane
  double depthM = 0.0;                 // water: what lies deeper below the face returns nothing
};

// Reflectance of a diffuse surface under a film of water of refractive index n = 1.33: of the light that it scatters
// up, the share 1 - 1/n² comes back from the film's face, again and again: rho / (n² (1 - rho) + rho). Angstrom 1925,
// the albedo of various surfaces of ground, Geografiska Annaler 7; Lekner and Dorf 1988 (Applied Optics 27, 1278)
// refine it.
double wetReflectance(double reflectance);

struct Material {
  std::string name;
  Spectrum reflectance;              // diffuse, both sides, 0 to 1; dry
  std::array<float, 3> colourRgb{};  // 0 to 1, for pictures
  Surface surface{};
  double gapFraction = 0.0;         // share of a ray that meets nothing
  Spectrum transmittance = 0.0;     // diffuse: nothing of it goes straight on
  double wetness = 0.0;             // share under a film of water
  std::optional<PlantPart> part{};  // of a plant, in meshes

  // Diffuse reflectance at a wavelength, with what water takes of it.
  double reflectanceAt(double wavelengthNm) const;
};

}  // namespace understory
