// Volume elements of a model: groups of returns -> Gaussians with permeability, intensity and class.
#pragma once

#include "core/learned/learnedModel.h"
#include "learn/counting.h"

namespace understory {

struct VolumeOptions {
  CountingRule counting = CountingRule::owner;
  double noiseM = 0.0;  // range noise of surfaces σ0
  double mahalanobisLimit = 3.5;
  double minSigmaM = 0.001;
  double intensityOfWhite = 0.0;  // 0: unknown; reflectances are then 0.5
};

// Elements with these counts. `gaussians`: of the groups.
LearnedElements elementsOf(const Beams& beams, const PointGroups& groups,
                           const std::vector<Gaussian>& gaussians, const BeamCounts& counts,
                           const VolumeOptions& options, const Watch& watch);
// The same of elements alone. `reach`: up to where a beam without a return passes elements.
LearnedElements elementsOf(const Beams& beams, const PointGroups& groups,
                           const VolumeOptions& options, const BeamReach& reach,
                           const Watch& watch);

// The Gaussians of a model that was stored.
std::vector<Gaussian> gaussiansOf(const LearnedElements& elements);

// The reflectance of a return, bounded to what a file of models holds. `intensityOfWhite`: above 0.
double boundedReflectance(double intensity, double intensityOfWhite);

// Mean and standard deviation of intensities as reflectances, where the scale is known; else 0.5 and 0.
struct MeanReflectance {
  float mean = 0.5F;
  float sigma = 0.0F;
};
MeanReflectance reflectanceOf(const Beams& beams, const std::uint32_t* members, std::size_t count,
                              double intensityOfWhite);

// The class that most of the beams have, the lowest of several; 0 where the log has none.
std::uint16_t classOf(const Beams& beams, const std::uint32_t* members, std::size_t count);

}  // namespace understory
