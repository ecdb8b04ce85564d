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
// Of that limit. Why: nearer to it the noisier patches are missing, and the noise comes out too small.
constexpr double trustedShare = 0.8;
constexpr std::size_t minReturns = 30;
constexpr std::size_t minReturnsInAll = 1000;
// Growth by incidence is learned from bins with so many returns, so far apart, the last from 55°. Why: sin²θ/cos⁴θ is below
// 1 before 50°, so that errors of some per cent there would be metres of noise at 80°.
constexpr double minReturnsOfGrowth = 300.0;
constexpr std::size_t minBinsApart = 3;
constexpr std::size_t minBinOfGrowth = 11;
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

// Whether a face of the patch's voxel cuts its returns off: one nearly parallel to the plane, within four deviations of
// it. Why: the halves of a wall on a face are half-normal, with 0.60 of its deviation.
bool isCut(const Gaussian& patch, double patchM, double cornerM) {
  constexpr double nearlyParallel = 0.9;
  const std::array axis{patch.thinAxis.x, patch.thinAxis.y, patch.thinAxis.z};
  const std::array mean{patch.meanM.x, patch.meanM.y, patch.meanM.z};
  const double reachM = 4.0 * std::sqrt(patch.variancesM2[0]);
  for (std::size_t at = 0; at < 3; ++at) {
    const double along = std::abs(axis[at]);
    if (along < nearlyParallel) continue;
    // Where the plane is tilted against the face it comes nearer to it towards the patch's side.
    const double tiltM = 0.5 * patchM * std::sqrt(1.0 - std::min(along * along, 1.0)) / along;
    const double inCell = (mean[at] - cornerM) / patchM;
    const double share = inCell - std::floor(inCell);
    if (std::min(share, 1.0 - share) * patchM < reachM + tiltM) return true;
  }
  return false;
}

bool isFlat(const Gaussian& patch) {
  const auto& [least, middle, most] = patch.variancesM2;
  return least < flatSphericity * (least + middle + most) && middle > minWidthRatio * most;
}

void addPatch(const Beams& beams, const PointGroups& patches, std::size_t patch,
              const Gaussian& plane, Bins& sums) {
  const std::size_t from = patches.starts[patch];
  const std::size_t to = patches.starts[patch + 1];
  const auto count = static_cast<double>(to - from);
  const double unbiased = count / (count - 3.0);
  for (std::size_t at = from; at < to; ++at) {
    const std::uint32_t beam = patches.members[at];
    const double cosine = std::abs(dot(plane.thinAxis, toDouble(beams.direction[beam])));
    const auto bin = static_cast<std::size_t>(std::acos(std::min(cosine, 1.0)) / binRad);
    if (bin >= angleBins) continue;
    const double residualM = dot(plane.thinAxis, beams.endM(beam) - plane.meanM) / cosine;
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
  const bool hasGrowth = lastBin >= minBinOfGrowth && lastBin >= firstBin + minBinsApart &&
                         determinant > 1e-9 * w * wxx;
  double slope = hasGrowth ? std::max((w * wxy - wx * wy) / determinant, 0.0) : 0.0;
  double constant = (wy - slope * wx) / w;
  if (constant < 0.0) {
    constant = 0.0;
    slope = wxx > 0.0 ? wxy / wxx : 0.0;
  }
  return {std::sqrt(constant), std::sqrt(slope), static_cast<std::size_t>(returns)};
}

// Adds the flat patches of a grid.
void addGrid(const Beams& beams, double patchM, double cornerM, const Watch& watch, Bins& sums) {
  const PointGroups patches = groupByVoxel(beams, {}, patchM, minReturns, watch, cornerM);
  const std::vector<Gaussian> planes = fitGaussians(beams, patches, 1e-6, watch);
  std::vector<Bins> pieces((patches.size() + pieceOfPatches - 1) / pieceOfPatches);
  inPieces(patches.size(), pieceOfPatches, watch, "noise", [&](std::size_t from, std::size_t to) {
    for (std::size_t patch = from; patch < to; ++patch) {
      if (isFlat(planes[patch]) && !isCut(planes[patch], patchM, cornerM)) {
        addPatch(beams, patches, patch, planes[patch], pieces[from / pieceOfPatches]);
      }
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
    // Why two grids: a plane that a face of one cuts lies within the voxels of the other.
    for (const double cornerM : {0.0, 0.5 * patchM}) addGrid(beams, patchM, cornerM, watch, sums);
    const SurfaceNoise noise = fitNoise(sums);
    const bool isTrusted = noise.sigmaM < trustedShare * maxSigmaOfPatch * patchM;
    if (noise.returns > 0 && isTrusted) return noise;
  }
  return published;
}

}  // namespace understory
