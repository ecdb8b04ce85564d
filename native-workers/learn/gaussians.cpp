// Two passes, so that nothing cancels far from the origin.
#include "learn/gaussians.h"

#include <Eigen/Eigenvalues>
#include <limits>

#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfGroups = 256;

void addOuter(Symmetric3& sum, Vec3d d, double weight) {
  sum[0] += weight * d.x * d.x;
  sum[1] += weight * d.x * d.y;
  sum[2] += weight * d.x * d.z;
  sum[3] += weight * d.y * d.y;
  sum[4] += weight * d.y * d.z;
  sum[5] += weight * d.z * d.z;
}

Gaussian fitGroup(const Beams& beams, const PointGroups& groups, std::size_t group,
                  double minSigmaM) {
  const std::size_t from = groups.starts[group];
  const std::size_t to = groups.starts[group + 1];
  const double share = 1.0 / static_cast<double>(to - from);
  Vec3d mean;
  double intensity = 0.0;
  std::size_t intensities = 0;
  for (std::size_t at = from; at < to; ++at) {
    const std::uint32_t beam = groups.members[at];
    mean = mean + beams.endM(beam) * share;
    const float value = beams.intensity[beam];
    if (std::isnan(value)) continue;
    intensity += static_cast<double>(value);
    ++intensities;
  }
  Symmetric3 covariance{};
  for (std::size_t at = from; at < to; ++at) {
    addOuter(covariance, beams.endM(groups.members[at]) - mean, share);
  }
  Gaussian gaussian = gaussianOf(mean, covariance, minSigmaM);
  gaussian.points = static_cast<std::uint32_t>(to - from);
  gaussian.meanIntensity = intensities > 0 ? intensity / static_cast<double>(intensities)
                                           : std::numeric_limits<double>::quiet_NaN();
  return gaussian;
}

}  // namespace

PrincipalAxes principalAxes(const Symmetric3& m) {
  Eigen::Matrix3d matrix;
  matrix << m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5];
  const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> solver(matrix);
  PrincipalAxes result;
  for (int axis = 0; axis < 3; ++axis) {
    const auto column = solver.eigenvectors().col(axis);
    const auto at = static_cast<std::size_t>(axis);
    result.variancesM2[at] = solver.eigenvalues()(axis);
    result.axes[at] = {column(0), column(1), column(2)};
  }
  return result;
}

Gaussian gaussianOf(Vec3d meanM, const Symmetric3& covarianceM2, double minSigmaM) {
  const PrincipalAxes principal = principalAxes(covarianceM2);
  Gaussian gaussian;
  gaussian.meanM = meanM;
  gaussian.thinAxis = principal.axes[0];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double variance = std::max(principal.variancesM2[axis], minSigmaM * minSigmaM);
    gaussian.variancesM2[axis] = variance;
    addOuter(gaussian.covarianceM2, principal.axes[axis], variance);
    addOuter(gaussian.inverse, principal.axes[axis], 1.0 / variance);
  }
  return gaussian;
}

std::vector<Gaussian> fitGaussians(const Beams& beams, const PointGroups& groups, double minSigmaM,
                                   const Watch& watch) {
  std::vector<Gaussian> gaussians(groups.size());
  inPieces(groups.size(), pieceOfGroups, watch, "gaussians", [&](std::size_t from, std::size_t to) {
    for (std::size_t group = from; group < to; ++group) {
      gaussians[group] = fitGroup(beams, groups, group, minSigmaM);
    }
  });
  return gaussians;
}

}  // namespace understory
