// Drops, flakes and media in the air of a scene (src-main/contract/worker/weatherRecipe.ts): the former each a disc of its
// own, the latter extinction and backscatter alone (PHYSICS.md, 2.8).
#pragma once

#include <optional>
#include <vector>

#include "contract/contract.h"
#include "core/fieldReader.h"
#include "core/maths/maths.h"

namespace understory {

// N(D) = numberPerM3Mm exp(-sizesPerMm D) in each cubic metre and millimetre of D; seen as discs of diameter
// sizeFactor D.
struct Particles {
  AirKind kind = AirKind::rain;
  double numberPerM3Mm = 0.0;
  double sizesPerMm = 1.0;
  double sizeFactor = 1.0;
  double reflectance = 0.0;  // Lambertian

  // kappa, one way: half of pi N0 f^2 / Lambda^3, of discs that take what meets them.
  double extinctionPerM() const;
};

struct Medium {
  AirKind kind = AirKind::fog;
  double visibilityKm = 0.0;    // 0: extinctionPerM
  double extinctionPerM = 0.0;  // one way
  double lidarRatioSr = 1.0;    // extinction over backscatter

  double extinctionAt(double wavelengthNm) const;
};

// How dust that wheels have raised drifts, spreads and settles (core/weather/plume.h).
struct PlumeLaw {
  Vec3d windMPerS;
  double firstM = 1.0;  // standard deviation of a puff when it is raised
  double mixingM2PerS = 1.0;
  double settlingMPerS = 0.0;
  double lidarRatioSr = 1.0;  // extinction over backscatter
};

struct Weather {
  std::vector<Particles> particles;
  std::vector<Medium> media;
  std::optional<PlumeLaw> plume{};

  bool isClear() const { return particles.empty() && media.empty() && !plume; }
};

// Throws UnderstoryError 'bad-input' with the path of what is not as the contract says.
Weather parseWeather(FieldReader& value);

}  // namespace understory
