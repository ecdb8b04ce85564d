// Surfaces seen from where they are lit, and the radar equation (PHYSICS.md, 1.2).
#include "core/optics/shading.h"

#include <algorithm>
#include <cmath>

#include "core/mutation.h"

namespace understory {
namespace {

// Oren and Nayar 1994 (Generalization of Lambert's Reflectance Model, eq. 30), without interreflection:
//   L / L_white = rho cos i (A + B max(0, cos(phi_r - phi_i)) sin(alpha) tan(beta)),
//   A = 1 - 0.5 s²/(s² + 0.33), B = 0.45 s²/(s² + 0.09), alpha = max(i, r), beta = min(i, r).
// Light that comes back to its source has i = r and phi_r = phi_i: what is left is rho (A cos i + B sin² i).
double orenNayar(double roughnessRad, double reflectance, double cosine) {
  const double variance = roughnessRad * roughnessRad;
  const double a = 1.0 - 0.5 * variance / (variance + 0.33);
  const double b = 0.45 * variance / (variance + 0.09);
  const double squared = 1.0 - cosine * cosine;
  const double rough = activeMutation() == Mutation::orenNayarSine ? std::sqrt(squared) : squared;
  return reflectance * (a * cosine + b * rough);
}

// A Gaussian lobe over the angle of incidence, gain 2^-(i/h)², and never less than the surface is by its
// diffuse reflectance alone.
double retroreflector(const Surface& surface, double reflectance, double cosine) {
  const double part = std::acos(std::min(1.0, cosine)) / surface.halfWidthRad;
  const bool isNatural = activeMutation() == Mutation::lobeToOneOverE;
  const double lobe = isNatural ? std::exp(-part * part) : std::exp2(-part * part);
  return std::max(surface.gain * lobe, reflectance * cosine);
}

}  // namespace

double backscatter(const Surface& surface, double reflectance, double cosIncidence, bool isFront) {
  switch (surface.kind) {
    case SurfaceKind::mirror:
      return 0.0;
    case SurfaceKind::orenNayar:
      // Why apart: without roughness it is Lambert's law to the last digit.
      if (surface.roughnessRad == 0.0) break;
      return orenNayar(surface.roughnessRad, reflectance, cosIncidence);
    case SurfaceKind::retroreflector:
      if (!isFront) break;
      return retroreflector(surface, reflectance, cosIncidence);
    case SurfaceKind::lambertian:
    case SurfaceKind::glass:
    case SurfaceKind::water:
      break;
  }
  return reflectance * cosIncidence;
}

double equivalentReflectance(const Surface& surface, double reflectance, double cosIncidence,
                             bool isFront) {
  // Why apart: a quotient of a product is not its factor to the last digit, and at cosine 0 it has no value.
  if (surface.kind == SurfaceKind::lambertian) return reflectance;
  constexpr double minCosine = 1e-6;
  return backscatter(surface, reflectance, cosIncidence, isFront) /
         std::max(cosIncidence, minCosine);
}

float receivedSignal(float backscattered, const Air& air, double airM, double spreadM) {
  const double clear = static_cast<double>(backscattered) / (spreadM * spreadM);
  return static_cast<float>(air.isVacuum() ? clear : clear * air.returned(airM));
}

}  // namespace understory
