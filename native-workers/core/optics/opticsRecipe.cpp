// Reading of materials and air. The host checked them already; the worker trusts nobody.
#include "core/optics/opticsRecipe.h"

#include <cmath>
#include <limits>

#include "core/error.h"

namespace understory {
namespace {

using nlohmann::json;

double numberWithin(const json& value, const std::string& what, double least, double most) {
  const double number = value.get<double>();
  if (std::isfinite(number) && number >= least && number <= most) return number;
  throw UnderstoryError("bad-input", "recipe: " + what + ": expected " + std::to_string(least) +
                                         " to " + std::to_string(most));
}

Spectrum parseReflectance(const json& value) {
  if (value.is_number()) return {numberWithin(value, "reflectance", 0.0, 1.0)};
  std::vector<std::array<double, 2>> points;
  for (const json& point : value) {
    const double least = points.empty() ? 0.0 : std::nextafter(points.back()[0], 1e9);
    points.push_back({numberWithin(point.at(0), "wavelength", least, 1e9),
                      numberWithin(point.at(1), "reflectance", 0.0, 1.0)});
  }
  if (points.empty()) throw UnderstoryError("bad-input", "recipe: reflectance: no wavelength");
  return Spectrum(std::move(points));
}

Surface parseSurface(const json& value) {
  const auto kind = value.at("kind").get<std::string>();
  if (kind == "lambertian") return {};
  if (kind == "mirror") return {SurfaceKind::mirror, 0.0, 0.0, 0.0};
  constexpr double maxRad = 1.6;
  if (kind == "oren-nayar") {
    const double roughness = numberWithin(value.at("roughnessRad"), "roughnessRad", 0.0, maxRad);
    return {SurfaceKind::orenNayar, roughness, 0.0, 0.0};
  }
  if (kind == "retroreflector") {
    return {SurfaceKind::retroreflector, 0.0, numberWithin(value.at("gain"), "gain", 0.0, 1e6),
            numberWithin(value.at("halfWidthRad"), "halfWidthRad", 1e-6, maxRad)};
  }
  throw UnderstoryError("bad-input", "recipe: no surface of kind '" + kind + "'");
}

}  // namespace

Material parseMaterial(const json& value) {
  Material material;
  material.name = value.at("name").get<std::string>();
  material.reflectance = parseReflectance(value.at("reflectance"));
  const json& colour = value.at("colourRgb");
  for (std::size_t channel = 0; channel < 3; ++channel) {
    material.colourRgb[channel] =
        static_cast<float>(numberWithin(colour.at(channel), "colourRgb", 0.0, 1.0));
  }
  if (value.contains("surface")) material.surface = parseSurface(value.at("surface"));
  if (value.contains("transmittance")) {
    material.transmittance = numberWithin(value.at("transmittance"), "transmittance", 0.0, 1.0);
    for (const auto& [wavelengthNm, share] : material.reflectance.points()) {
      // What is reflected and what is transmitted cannot exceed what arrives; sums of decimals round.
      if (share + material.transmittance <= 1.0 + 1e-9) continue;
      throw UnderstoryError("bad-input", "recipe: material '" + material.name +
                                             "': expected reflectance and transmittance of at most 1 together");
    }
  }
  return material;
}

Atmosphere parseAtmosphere(const json& value) {
  Atmosphere atmosphere;
  const auto partOf = [&](const char* key, double most) {
    return value.contains(key) ? numberWithin(value.at(key), key, 0.0, most) : 0.0;
  };
  atmosphere.visibilityKm = partOf("visibilityKm", 1e6);
  atmosphere.rainMmPerH = partOf("rainMmPerH", 1e6);
  atmosphere.extinctionPerM = partOf("extinctionPerM", 1e6);
  const std::string law = value.value("visibilityLaw", std::string("kruse"));
  if (law != "kruse" && law != "kim") {
    throw UnderstoryError("bad-input", "recipe: no law of visibility '" + law + "'");
  }
  atmosphere.law = law == "kim" ? VisibilityLaw::kim : VisibilityLaw::kruse;
  return atmosphere;
}

}  // namespace understory
