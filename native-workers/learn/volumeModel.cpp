// Elements in the order of their groups.
#include "learn/volumeModel.h"

#include <algorithm>
#include <map>

#include "core/learned/elementShape.h"
#include "core/mutation.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfElements = 256;

// Mutants: elements that count by the rule `ellipsoid` though the model has the rule `owner`.
bool isMutated(const Gaussian& gaussian) {
  constexpr double thinM = 0.03;
  if (activeMutation() == Mutation::flatByLength) return gaussian.variancesM2[0] < thinM * thinM;
  return activeMutation() == Mutation::screensByEllipsoid &&
         isFlatElement(singleOf(gaussian.covarianceM2));
}

BeamCounts countsOf(const Beams& beams, const PointGroups& groups,
                    const std::vector<Gaussian>& gaussians, const VolumeOptions& options,
                    const BeamReach& reach, const Watch& watch) {
  const Ellipsoids ellipsoids(gaussians, options.mahalanobisLimit, options.counting);
  const std::vector<std::uint32_t> ownerOf = groupOfBeam(groups, beams.size());
  BeamCounts counts =
      countBeams(beams, ellipsoids, ownerOf, {options.counting, options.noiseM}, reach, watch);
  if (std::ranges::none_of(gaussians, isMutated)) return counts;
  const BeamCounts others =
      countBeams(beams, ellipsoids, ownerOf, CountingRule::ellipsoid, reach, watch);
  for (std::size_t element = 0; element < gaussians.size(); ++element) {
    if (!isMutated(gaussians[element])) continue;
    counts.hits[element] = others.hits[element];
    counts.misses[element] = others.misses[element];
  }
  return counts;
}

}  // namespace

double boundedReflectance(double intensity, double intensityOfWhite) {
  return std::clamp(intensity / intensityOfWhite, 0.0, maxReflectance);
}

MeanReflectance reflectanceOf(const Beams& beams, const std::uint32_t* members, std::size_t count,
                              double intensityOfWhite) {
  if (!(intensityOfWhite > 0.0)) return {};
  double sum = 0.0;
  double squares = 0.0;
  double known = 0.0;
  for (std::size_t at = 0; at < count; ++at) {
    const auto intensity = static_cast<double>(beams.intensity[members[at]]);
    if (std::isnan(intensity)) continue;
    const double reflectance = boundedReflectance(intensity, intensityOfWhite);
    sum += reflectance;
    squares += reflectance * reflectance;
    known += 1.0;
  }
  if (known == 0.0) return {};
  const double mean = sum / known;
  const double variance = std::max(squares / known - mean * mean, 0.0);
  return {static_cast<float>(mean), static_cast<float>(std::sqrt(variance))};
}

std::uint16_t classOf(const Beams& beams, const std::uint32_t* members, std::size_t count) {
  if (beams.classIds.empty()) return 0;
  std::map<std::uint16_t, std::size_t> votes;
  for (std::size_t at = 0; at < count; ++at) ++votes[beams.classIds[members[at]]];
  return std::ranges::max_element(votes, {}, [](const auto& vote) { return vote.second; })->first;
}

std::vector<Gaussian> gaussiansOf(const LearnedElements& elements) {
  std::vector<Gaussian> gaussians;
  gaussians.reserve(elements.size());
  for (std::size_t element = 0; element < elements.size(); ++element) {
    Symmetric3 covariance{};
    for (std::size_t part = 0; part < 6; ++part) {
      covariance[part] = static_cast<double>(elements.covariancesM2[element][part]);
    }
    gaussians.push_back(gaussianOf(toDouble(elements.meansM[element]), covariance, 1e-6));
  }
  return gaussians;
}

LearnedElements elementsOf(const Beams& beams, const PointGroups& groups,
                           const VolumeOptions& options, const BeamReach& reach,
                           const Watch& watch) {
  const std::vector<Gaussian> gaussians = fitGaussians(beams, groups, options.minSigmaM, watch);
  const BeamCounts counts = countsOf(beams, groups, gaussians, options, reach, watch);
  return elementsOf(beams, groups, gaussians, counts, options, watch);
}

LearnedElements elementsOf(const Beams& beams, const PointGroups& groups,
                           const std::vector<Gaussian>& gaussians, const BeamCounts& counts,
                           const VolumeOptions& options, const Watch& watch) {
  LearnedElements elements;
  const std::size_t size = gaussians.size();
  Observations& seen = elements.seen;
  elements.meansM.resize(size);
  seen.hits.resize(size);
  seen.misses.resize(size);
  elements.covariancesM2.resize(size);
  seen.permeability.resize(size);
  seen.support.resize(size);
  seen.reflectance.resize(size);
  seen.reflectanceSigma.resize(size);
  seen.classIds.resize(size);
  inPieces(size, pieceOfElements, watch, "elements", [&](std::size_t from, std::size_t to) {
    for (std::size_t element = from; element < to; ++element) {
      const std::size_t first = groups.starts[element];
      const std::uint32_t* members = groups.members.data() + first;
      const std::size_t count = groups.starts[element + 1] - first;
      elements.meansM[element] = toFloat(gaussians[element].meanM);
      elements.covariancesM2[element] = singleOf(gaussians[element].covarianceM2);
      seen.permeability[element] = static_cast<float>(counts.permeability(element));
      seen.hits[element] = counts.wholeHits(element);
      seen.misses[element] = counts.wholeMisses(element);
      seen.support[element] = seen.hits[element] + seen.misses[element];
      const MeanReflectance reflectance =
          reflectanceOf(beams, members, count, options.intensityOfWhite);
      seen.reflectance[element] = reflectance.mean;
      seen.reflectanceSigma[element] = reflectance.sigma;
      seen.classIds[element] = classOf(beams, members, count);
    }
  });
  return elements;
}

}  // namespace understory
