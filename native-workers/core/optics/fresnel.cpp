// Fresnel's equations, polarisation by polarisation.
#include "core/optics/fresnel.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace understory {
namespace {

// Why not 0: along a face everything is mirrored, whatever the index; the quotients below have no value there.
constexpr double minCosine = 1e-9;

// Cosine of the angle behind the face; 0 where the light is totally reflected.
double cosBehind(double cosIncidence, double index) {
  const double sine2 = (1.0 - cosIncidence * cosIncidence) / (index * index);
  return std::sqrt(std::max(0.0, 1.0 - sine2));
}

// Reflectance of one face for s and p.
std::array<double, 2> faceReflectances(double cosIncidence, double index) {
  const double behind = cosBehind(cosIncidence, index);
  const double s = (cosIncidence - index * behind) / (cosIncidence + index * behind);
  const double p = (index * cosIncidence - behind) / (index * cosIncidence + behind);
  return {s * s, p * p};
}

}  // namespace

SplitLight splitAtFace(double cosIncidence, double index) {
  const auto [s, p] = faceReflectances(std::max(cosIncidence, minCosine), index);
  const double mirrored = 0.5 * (s + p);
  return {1.0 - mirrored, mirrored};
}

SplitLight splitAtPane(double cosIncidence, double index, double absorptionPerM,
                       double thicknessM) {
  const double cosine = std::max(cosIncidence, minCosine);
  const double behind = cosBehind(cosine, index);
  if (behind <= 0.0) return {0.0, 1.0};
  const double passes = std::exp(-absorptionPerM * thicknessM / behind);
  SplitLight mean;
  for (const double face : faceReflectances(cosine, index)) {
    const double through =
        passes * (1.0 - face) * (1.0 - face) / (1.0 - passes * passes * face * face);
    mean.transmitted += 0.5 * through;
    mean.mirrored += 0.5 * face * (1.0 + passes * through);
  }
  return mean;
}

Vec3d refracted(Vec3d direction, Vec3d normal, double index) {
  const double cosIncidence = -dot(direction, normal);
  return normalized(direction * (1.0 / index) +
                    normal * (cosIncidence / index - cosBehind(cosIncidence, index)));
}

}  // namespace understory
