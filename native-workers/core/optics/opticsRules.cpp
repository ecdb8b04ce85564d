// Reading of spectra and colours, and rules across the fields of materials and media.
#include "core/fieldReader.h"
#include "core/optics/material.h"

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

}  // namespace

Spectrum readShare(FieldReader& from, const Field& field) {
  return parseSpectrum(from, field, 1.0);
}

Spectrum readAbsorption(FieldReader& from, const Field& field) {
  return parseSpectrum(from, field, maxPerM);
}

std::array<float, 3> readColour(FieldReader& from, const NumbersField& field) {
  const auto [red, green, blue] = from.numbers<3>(field);
  return {static_cast<float>(red), static_cast<float>(green), static_cast<float>(blue)};
}

void check(const Material& material, const FieldReader& from) {
  for (const Spectrum* spectrum : {&material.reflectance, &material.transmittance}) {
    for (const auto& [wavelengthNm, share] : spectrum->points()) {
      const double sum =
          material.reflectance.at(wavelengthNm) + material.transmittance.at(wavelengthNm);
      // Reflected and transmitted energy cannot exceed what arrived; sums of decimals round.
      if (sum <= 1.0 + 1e-9) continue;
      from.refuse(fields::material::transmittance.name,
                  "reflectance and transmittance of at most 1 together");
    }
  }
}

void check(const Medium& medium, const FieldReader& from) {
  if ((medium.visibilityKm > 0.0) == (medium.extinctionPerM > 0.0)) {
    from.refuse(fields::medium::extinctionPerM.name, "either this or a visibility");
  }
}

}  // namespace understory
