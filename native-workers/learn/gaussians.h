// Normal distributions of groups of returns, by maximum likelihood (Browning 2012, eq. 3 and 4).
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/learned/learnedModel.h"
#include "core/watch.h"
#include "learn/voxelGroups.h"

namespace understory {

// A symmetric 3 × 3 matrix: xx, xy, xz, yy, yz, zz.
using Symmetric3 = std::array<double, 6>;

// v · vᵀ
inline Symmetric3 outerOf(Vec3d v) {
  return {v.x * v.x, v.x * v.y, v.x * v.z, v.y * v.y, v.y * v.z, v.z * v.z};
}

struct Gaussian {
  Vec3d meanM;
  Symmetric3 covarianceM2{};
  Symmetric3 inverse{};
  std::array<double, 3> variancesM2{};  // along its axes, ascending
  Vec3d thinAxis;                       // unit, along the least variance
  double meanIntensity = 0.0;           // NaN where no return has one
  std::uint32_t points = 0;
};

// As files have it.
inline Symmetric3f singleOf(const Symmetric3& m) {
  Symmetric3f result{};
  for (std::size_t part = 0; part < 6; ++part) result[part] = static_cast<float>(m[part]);
  return result;
}

// v · M · w
inline double between(const Symmetric3& m, Vec3d v, Vec3d w) {
  return v.x * (m[0] * w.x + m[1] * w.y + m[2] * w.z) +
         v.y * (m[1] * w.x + m[3] * w.y + m[4] * w.z) +
         v.z * (m[2] * w.x + m[4] * w.y + m[5] * w.z);
}

// Variances and axes of a covariance, the least first.
struct PrincipalAxes {
  std::array<double, 3> variancesM2{};
  std::array<Vec3d, 3> axes{};
};
PrincipalAxes principalAxes(const Symmetric3& covarianceM2);

// The Gaussian of a covariance whose variances are raised to `minSigmaM`² where they are less.
Gaussian gaussianOf(Vec3d meanM, const Symmetric3& covarianceM2, double minSigmaM);

// One for each group, in order. Sums run over a group in the order of its members.
std::vector<Gaussian> fitGaussians(const Beams& beams, const PointGroups& groups, double minSigmaM,
                                   const Watch& watch);

}  // namespace understory
