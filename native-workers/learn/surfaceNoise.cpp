// Bins of 5° up to 85°; sums of pieces are added in the order of the pieces.
#include "learn/surfaceNoise.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "learn/gaussians.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr double patchM = 0.5;
constexpr std::size_t minReturns = 30;
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
  for (const Bin& bin : sums) {
    if (bin.weight < minReturns) continue;
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
  if (w == 0.0) return published;
  const double determinant = w * wxx - wx * wx;
  double slope = determinant > 1e-9 * w * wxx ? (w * wxy - wx * wy) / determinant : 0.0;
  slope = std::max(slope, 0.0);
  double constant = (wy - slope * wx) / w;
  if (constant < 0.0) {
    constant = 0.0;
    slope = wxx > 0.0 ? wxy / wxx : 0.0;
  }
  return {std::sqrt(constant), std::sqrt(slope), static_cast<std::size_t>(returns)};
}

}  // namespace

SurfaceNoise learnSurfaceNoise(const Beams& beams, const Watch& watch) {
  const PointGroups patches = groupByVoxel(beams, {}, patchM, minReturns, watch);
  const std::vector<Gaussian> planes = fitGaussians(beams, patches, 1e-6, watch);
  std::vector<Bins> pieces((patches.size() + pieceOfPatches - 1) / pieceOfPatches);
  inPieces(patches.size(), pieceOfPatches, watch, "noise", [&](std::size_t from, std::size_t to) {
    for (std::size_t patch = from; patch < to; ++patch) {
      if (isFlat(planes[patch])) {
        addPatch(beams, patches, patch, planes[patch], pieces[from / pieceOfPatches]);
      }
    }
  });
  Bins sums{};
  for (const Bins& piece : pieces) {
    for (std::size_t bin = 0; bin < angleBins; ++bin) {
      sums[bin].weight += piece[bin].weight;
      sums[bin].squares += piece[bin].squares;
      sums[bin].incidence += piece[bin].incidence;
    }
  }
  return fitNoise(sums);
}

}  // namespace understory
