// Spectra at one wavelength.
#include "core/optics/sceneOptics.h"

namespace understory {

SceneOptics sceneOptics(std::span<const Material> materials, const Air& air,
                        std::uint32_t mirrorDepth, const SensorRecipe& sensor) {
  SceneOptics optics;
  optics.radiometry = sensor.radiometry;
  optics.air = air;
  optics.mirrorDepth = mirrorDepth;
  for (const Material& material : materials) {
    // Why rounded: packets shade in single precision, and both paths must give the same numbers.
    const auto reflectance = static_cast<float>(reflectanceAt(material, sensor.wavelengthNm));
    optics.materials.push_back({material.surface, static_cast<double>(reflectance),
                                material.gapFraction,
                                material.surface.specularReflectance.at(sensor.wavelengthNm),
                                material.surface.absorptionPerM.at(sensor.wavelengthNm)});
    optics.reflectances.push_back(reflectance);
    optics.endsRays &=
        material.surface.kind == SurfaceKind::lambertian && material.gapFraction == 0.0;
  }
  return optics;
}

}  // namespace understory
