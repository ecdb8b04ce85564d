// The materials and the air of a scene as one sensor sees them: at its wavelength, in its radiometry.
// Computed once for a scan.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "contract/sensorRecipe.h"
#include "core/optics/air.h"
#include "core/optics/material.h"

namespace understory {

struct MaterialOptics {
  Surface surface;
  double reflectance = 0.0;          // diffuse
  double gapFraction = 0.0;          // share of a ray that meets nothing
  double specularReflectance = 1.0;  // of a mirror
  double absorptionPerM = 0.0;       // of glass and water
};

struct SceneOptics {
  std::vector<MaterialOptics> materials;  // by material index
  std::vector<float> reflectances;        // of the same, for packets of rays
  Radiometry radiometry = Radiometry::relative;
  Air air;
  std::uint32_t mirrorDepth = 0;
  // Whether every surface is Lambertian and opaque: a ray ends at the first surface, which sends reflectance times
  // cosine back.
  bool endsRays = true;
};

SceneOptics sceneOptics(std::span<const Material> materials, const Air& air,
                        std::uint32_t mirrorDepth, const SensorRecipe& sensor);

}  // namespace understory
