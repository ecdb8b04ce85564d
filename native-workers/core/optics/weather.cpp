// Coefficients, and the reading of a recipe.
#include "core/optics/weather.h"

#include <array>

#include "core/optics/atmosphere.h"

namespace understory {
namespace {

Particles parseParticles(FieldReader& value) {
  namespace at = fields::particles;
  return {value.word(at::kind), value.number(at::numberPerM3Mm), value.number(at::sizesPerMm),
          value.number(at::sizeFactor), value.number(at::reflectance)};
}

Medium parseMedium(FieldReader& value) {
  namespace at = fields::medium;
  Medium medium;
  medium.kind = value.word(at::kind);
  medium.visibilityKm = value.number(at::visibilityKm, 0.0);
  medium.extinctionPerM = value.number(at::extinctionPerM, 0.0);
  medium.lidarRatioSr = value.number(at::lidarRatioSr);
  if ((medium.visibilityKm > 0.0) == (medium.extinctionPerM > 0.0)) {
    value.refuse(at::extinctionPerM.name, "either this or a visibility");
  }
  return medium;
}

PlumeLaw parsePlume(FieldReader& value) {
  namespace at = fields::plume;
  value.any(at::raised);  // the host makes puffs by it
  const std::array<double, 2> wind = value.numbers<2>(at::windMPerS);
  return {{wind[0], wind[1], 0.0},
          value.number(at::firstM),
          value.number(at::mixingM2PerS),
          value.number(at::settlingMPerS),
          value.number(at::lidarRatioSr)};
}

}  // namespace

double Particles::extinctionPerM() const {
  constexpr double m2PerMm2 = 1e-6;
  return 0.5 * piRad * numberPerM3Mm * sizeFactor * sizeFactor * m2PerMm2 /
         (sizesPerMm * sizesPerMm * sizesPerMm);
}

double Medium::extinctionAt(double wavelengthNm) const {
  if (visibilityKm <= 0.0) return extinctionPerM;
  Atmosphere air;
  air.visibilityKm = visibilityKm;
  air.law = VisibilityLaw::kim;
  return understory::extinctionPerM(air, wavelengthNm);
}

Weather parseWeather(FieldReader& value) {
  namespace at = fields::weather;
  return {value.list(at::particles, parseParticles), value.list(at::media, parseMedium),
          value.optionalObject(at::plume, parsePlume)};
}

}  // namespace understory
