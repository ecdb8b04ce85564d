// The materials and the air of a scene as one sensor sees them: at its wavelength, in its radiometry.
// Worked out once for a scan.
#pragma once

#include <cstdint>
#include <vector>

#include "core/optics/material.h"
#include "core/scene/scene.h"
#include "core/sensor/sensorRecipe.h"

namespace understory {

struct MaterialOptics {
  Surface surface;
  double reflectance = 0.0;    // diffuse
  double transmittance = 0.0;  // share of a ray that goes straight on; of a mirror, nothing does
};

struct SceneOptics {
  std::vector<MaterialOptics> materials;  // by material index
  std::vector<float> reflectances;        // of the same, for packets of rays
  Radiometry radiometry = Radiometry::relative;
  double extinctionPerM = 0.0;
  std::uint32_t mirrorDepth = 0;
  // Whether every surface is Lambertian and lets nothing through: a ray ends where it first meets something,
  // and sends reflectance times cosine back.
  bool isPlain = true;
};

SceneOptics sceneOptics(const Scene& scene, const SensorRecipe& sensor);

}  // namespace understory
