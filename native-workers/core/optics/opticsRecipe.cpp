// Reading of materials and atmosphere. The host has checked them; what a recipe of other origin holds is checked here.
#include "core/optics/opticsRecipe.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr NumberField shareField{"reflectance", 0.0, 1.0, false, false};

Spectrum parseReflectance(FieldReader& material) {
  const Field& field = fields::material::reflectance;
  const json& value = material.any(field);
  if (value.is_number()) return {material.checkedNumber(value, shareField, {})};
  const auto points = material.rows<2>({field.name, 1, SIZE_MAX});
  for (std::size_t point = 0; point < points.size(); ++point) {
    const auto& [wavelengthNm, share] = points[point];
    const double beforeNm = point == 0 ? -1.0 : points[point - 1][0];
    if (wavelengthNm < 0.0 || wavelengthNm <= beforeNm || share < 0.0 || share > 1.0) {
      material.refuse(field.name, "rising wavelengths, and shares of 0 to 1", point);
    }
  }
  return Spectrum(points);
}

Surface parseSurface(FieldReader& surface) {
  Surface result;
  result.kind = surface.kind<SurfaceKind>(fields::lambertian::kind);
  switch (result.kind) {
    case SurfaceKind::lambertian:
    case SurfaceKind::mirror:
      break;
    case SurfaceKind::orenNayar:
      result.roughnessRad = surface.number(fields::orenNayar::roughnessRad);
      break;
    case SurfaceKind::retroreflector:
      result.gain = surface.number(fields::retroreflector::gain);
      result.halfWidthRad = surface.number(fields::retroreflector::halfWidthRad);
      break;
  }
  return result;
}

}  // namespace

Material parseMaterial(FieldReader& value) {
  namespace at = fields::material;
  Material material;
  material.name = value.text(at::name);
  material.reflectance = parseReflectance(value);
  const auto colour = value.numbers<3>(at::colourRgb);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    material.colourRgb[channel] = static_cast<float>(colour[channel]);
  }
  if (value.has(at::surface)) material.surface = value.object(at::surface, parseSurface);
  material.transmittance = value.number(at::transmittance, 0.0);
  for (const auto& [wavelengthNm, share] : material.reflectance.points()) {
    // Reflected and transmitted energy cannot exceed what arrived; sums of decimals round.
    if (share + material.transmittance <= 1.0 + 1e-9) continue;
    value.refuse(at::transmittance.name, "reflectance and transmittance of at most 1 together");
  }
  return material;
}

Atmosphere parseAtmosphere(FieldReader& value) {
  namespace at = fields::atmosphere;
  Atmosphere atmosphere;
  atmosphere.visibilityKm = value.number(at::visibilityKm, 0.0);
  atmosphere.rainMmPerH = value.number(at::rainMmPerH, 0.0);
  atmosphere.extinctionPerM = value.number(at::extinctionPerM, 0.0);
  atmosphere.law = value.word(at::visibilityLaw, atmosphere.law);
  return atmosphere;
}

}  // namespace understory
