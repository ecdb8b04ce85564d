// Reading of materials and atmosphere. The host has checked them; what a recipe of other origin holds is checked here.
#include "core/optics/opticsRecipe.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr double maxPerM = 1e6;  // of an absorption

// A number, or rising wavelengths with a number each, 0 to `most`.
Spectrum parseSpectrum(FieldReader& object, const Field& field, double most) {
  const json& given = object.any(field);
  const NumberField one{field.name, 0.0, most, false, false};
  if (given.is_number()) return {object.checkedNumber(given, one, {})};
  const auto points = object.rows<2>({field.name, 1, SIZE_MAX});
  for (std::size_t point = 0; point < points.size(); ++point) {
    const auto& [wavelengthNm, value] = points[point];
    const double beforeNm = point == 0 ? -1.0 : points[point - 1][0];
    if (wavelengthNm < 0.0 || wavelengthNm <= beforeNm || value < 0.0 || value > most) {
      object.refuse(field.name,
                    most == 1.0 ? "rising wavelengths, and shares of 0 to 1"
                                : "rising wavelengths, and coefficients from 0 on",
                    point);
    }
  }
  return Spectrum(points);
}

Surface parseSurface(FieldReader& surface) {
  Surface result;
  result.kind = surface.kind<SurfaceKind>(fields::lambertian::kind);
  switch (result.kind) {
    case SurfaceKind::lambertian:
      break;
    case SurfaceKind::mirror:
      if (surface.has(fields::mirrorSurface::specularReflectance)) {
        result.specularReflectance =
            parseSpectrum(surface, fields::mirrorSurface::specularReflectance, 1.0);
      }
      break;
    case SurfaceKind::glass:
      result.refractiveIndex = surface.number(fields::glass::refractiveIndex);
      result.absorptionPerM = parseSpectrum(surface, fields::glass::absorptionPerM, maxPerM);
      result.thicknessM = surface.number(fields::glass::thicknessM);
      break;
    case SurfaceKind::water:
      result.refractiveIndex = surface.number(fields::water::refractiveIndex);
      result.absorptionPerM = parseSpectrum(surface, fields::water::absorptionPerM, maxPerM);
      result.depthM = surface.number(fields::water::depthM);
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
  material.reflectance = parseSpectrum(value, at::reflectance, 1.0);
  const auto colour = value.numbers<3>(at::colourRgb);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    material.colourRgb[channel] = static_cast<float>(colour[channel]);
  }
  if (value.has(at::surface)) material.surface = value.object(at::surface, parseSurface);
  if (value.has(at::transmittance)) {
    material.transmittance = parseSpectrum(value, at::transmittance, 1.0);
  }
  material.gapFraction = value.number(at::gapFraction, 0.0);
  material.wetness = value.number(at::wetness, 0.0);
  if (value.has(at::part)) material.part = value.word(at::part);
  for (const Spectrum* spectrum : {&material.reflectance, &material.transmittance}) {
    for (const auto& [wavelengthNm, share] : spectrum->points()) {
      const double sum =
          material.reflectance.at(wavelengthNm) + material.transmittance.at(wavelengthNm);
      // Reflected and transmitted energy cannot exceed what arrived; sums of decimals round.
      if (sum <= 1.0 + 1e-9) continue;
      value.refuse(at::transmittance.name, "reflectance and transmittance of at most 1 together");
    }
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
