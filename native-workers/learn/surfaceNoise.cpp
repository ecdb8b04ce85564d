// Bins of 5° up to 85°; sums of pieces are added in the order of the pieces.
#include "learn/surfaceNoise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learn/gaussians.h"
#include "learn/parallel.h"

namespace understory {
namespace {

// Tried in this order. Why: a patch of noise beyond a twentieth of its size is no flatter than foliage.
constexpr std::array patchesM{0.5, 1.0, 2.0};
// The noise at which a patch of 1 m is as spherical as `flatSphericity`: s = σ²/(σ² + 2/12).
constexpr double maxSigmaOfPatch = 0.0504;
// Share of that limit. Why: nearer to it the noisier patches are missing, and the noise would be too small.
constexpr double trustedShare = 0.8;
constexpr std::size_t minReturns = 30;
constexpr std::size_t minReturnsInAll = 1000;
// Growth by incidence is learned from bins with so many returns, so far apart, the last from 55°. Why: sin²θ/cos⁴θ is below
// 1 before 50°, so that errors of some per cent there would be metres of noise at 80°.
constexpr double minReturnsOfGrowth = 300.0;
constexpr std::size_t minBinsApart = 3;
constexpr std::size_t minBinOfGrowth = 11;
constexpr double minErrorsOfGrowth = 3.0;  // standard errors
constexpr double flatSphericity = 0.015;
constexpr double minWidthRatio =
    0.1;  // of the two long axes' variances: below, the patch is a line
constexpr std::size_t angleBins = 17;
constexpr double binRad = 5.0 * piRad / 180.0;
constexpr std::size_t pieceOfPatches = 256;
constexpr SurfaceNoise published{0.015, 0.0014, 0};

struct Bin {
  double weight = 0.0;  // returns
  double squares = 0.0;
  double incidence = 0.0;  // Σ (sin θ/cos² θ)²
};
using Bins = std::array<Bin, angleBins>;

double incidenceTerm(double cosine) {
  return (1.0 - cosine * cosine) / (cosine * cosine * cosine * cosine);
}

bool isFlat(const Gaussian& patch) {
  const auto& [least, middle, most] = patch.variancesM2;
  return least < flatSphericity * (least + middle + most) && middle > minWidthRatio * most;
}

// A voxel of the grid with a corner at `cornerM` along all axes.
struct Voxel {
  Vec3d minM;
  Vec3d maxM;

  bool holds(Vec3d pointM) const {
    return pointM.x >= minM.x && pointM.y >= minM.y && pointM.z >= minM.z && pointM.x <= maxM.x &&
           pointM.y <= maxM.y && pointM.z <= maxM.z;
  }
};

Voxel voxelOf(Vec3d pointM, double sizeM, double cornerM) {
  const auto low = [&](double valueM) {
    return cornerM + sizeM * std::floor((valueM - cornerM) / sizeM);
  };
  const Vec3d minM{low(pointM.x), low(pointM.y), low(pointM.z)};
  return {minM, minM + Vec3d{sizeM, sizeM, sizeM}};
}

// Adds the returns that no face of the voxel cuts off: at their place on the plane its normal lies within the voxel up to
// four deviations on either side. Why: the halves of a wall on a face are half-normal, with 0.60 of its deviation.
void addPatch(const Beams& beams, const PointGroups& patches, std::size_t patch,
              const Gaussian& plane, const Voxel& voxel, std::vector<std::uint8_t>& isUsed,
              Bins& sums) {
  const std::size_t from = patches.starts[patch];
  const std::size_t to = patches.starts[patch + 1];
  const auto count = static_cast<double>(to - from);
  const double unbiased = count / (count - 3.0);
  const Vec3d reachM = plane.thinAxis * (4.0 * std::sqrt(plane.variancesM2[0]));
  for (std::size_t at = from; at < to; ++at) {
    const std::uint32_t beam = patches.members[at];
    if (isUsed[beam] != 0) continue;
    const double cosine = std::abs(dot(plane.thinAxis, toDouble(beams.direction[beam])));
    const auto bin = static_cast<std::size_t>(std::acos(std::min(cosine, 1.0)) / binRad);
    if (bin >= angleBins) continue;
    const Vec3d endM = beams.endM(beam);
    const double offsetM = dot(plane.thinAxis, endM - plane.meanM);
    const Vec3d onPlaneM = endM - plane.thinAxis * offsetM;
    if (!voxel.holds(onPlaneM - reachM) || !voxel.holds(onPlaneM + reachM)) continue;
    isUsed[beam] = 1;
    const double residualM = offsetM / cosine;
    sums[bin].weight += 1.0;
    sums[bin].squares += unbiased * residualM * residualM;
    sums[bin].incidence += incidenceTerm(cosine);
  }
}

// σ0² and σa² of variance = σ0² + σa²·x by least squares, each bin weighted by returns over its variance squared.
SurfaceNoise fitNoise(const Bins& sums) {
  double w = 0.0;
  double wx = 0.0;
  double wxx = 0.0;
  double wy = 0.0;
  double wxy = 0.0;
  double returns = 0.0;
  std::size_t firstBin = angleBins;
  std::size_t lastBin = 0;
  for (std::size_t at = 0; at < angleBins; ++at) {
    const Bin& bin = sums[at];
    if (bin.weight < minReturns) continue;
    if (bin.weight >= minReturnsOfGrowth) {
      firstBin = std::min(firstBin, at);
      lastBin = at;
    }
    const double x = bin.incidence / bin.weight;
    const double y = bin.squares / bin.weight;
    const double weight = bin.weight / std::max(y * y, 1e-16);
    w += weight;
    wx += weight * x;
    wxx += weight * x * x;
    wy += weight * y;
    wxy += weight * x * y;
    returns += bin.weight;
  }
  if (returns < minReturnsInAll) return published;
  const double determinant = w * wxx - wx * wx;
  const bool reachesGrowth = lastBin >= minBinOfGrowth && lastBin >= firstBin + minBinsApart &&
                             determinant > 1e-9 * w * wxx;
  double slope = reachesGrowth ? (w * wxy - wx * wy) / determinant : 0.0;
  // The variance of a bin of n returns has the standard error √(2/n) of itself.
  if (slope < minErrorsOfGrowth * std::sqrt(2.0 * w / determinant)) slope = 0.0;
  double constant = (wy - slope * wx) / w;
  if (constant < 0.0) {
    constant = 0.0;
    slope = wxx > 0.0 ? wxy / wxx : 0.0;
  }
  return {std::sqrt(constant), std::sqrt(slope), static_cast<std::size_t>(returns)};
}

// Adds the returns of the flat patches of a grid that are not used yet.
void addGrid(const Beams& beams, double patchM, double cornerM, const Watch& watch,
             std::vector<std::uint8_t>& isUsed, Bins& sums) {
  const PointGroups patches = groupByVoxel(beams, {}, patchM, minReturns, watch, cornerM);
  const std::vector<Gaussian> planes = fitGaussians(beams, patches, 1e-6, watch);
  std::vector<Bins> pieces((patches.size() + pieceOfPatches - 1) / pieceOfPatches);
  inPieces(patches.size(), pieceOfPatches, watch, "noise", [&](std::size_t from, std::size_t to) {
    for (std::size_t patch = from; patch < to; ++patch) {
      if (!isFlat(planes[patch])) continue;
      const Voxel voxel = voxelOf(planes[patch].meanM, patchM, cornerM);
      addPatch(beams, patches, patch, planes[patch], voxel, isUsed, pieces[from / pieceOfPatches]);
    }
  });
  for (const Bins& piece : pieces) {
    for (std::size_t bin = 0; bin < angleBins; ++bin) {
      sums[bin].weight += piece[bin].weight;
      sums[bin].squares += piece[bin].squares;
      sums[bin].incidence += piece[bin].incidence;
    }
  }
}

}  // namespace

SurfaceNoise learnSurfaceNoise(const Beams& beams, const Watch& watch) {
  for (const double patchM : patchesM) {
    Bins sums{};
    std::vector<std::uint8_t> isUsed(beams.size());
    // Why two grids: a plane that a face of one cuts lies within the voxels of the other.
    for (const double cornerM : {0.0, 0.5 * patchM}) {
      addGrid(beams, patchM, cornerM, watch, isUsed, sums);
    }
    const SurfaceNoise noise = fitNoise(sums);
    const bool isTrusted = noise.sigmaM < trustedShare * maxSigmaOfPatch * patchM;
    if (noise.returns > 0 && isTrusted) return noise;
  }
  return published;
}

}  // namespace understory
