// Beams of logs -> a learned model: the six models of Browning 2012, table 1.
#pragma once

#include <string>
#include <vector>

#include "core/learned/learnedModel.h"
#include "core/log/logReader.h"
#include "learn/classification.h"
#include "learn/surface.h"
#include "learn/topDown.h"

namespace understory {

// Defaults are those of Browning 2012, table 12, with its symbols.
struct LearnOptions {
  LearnedKind kind = LearnedKind::voxel;
  CountingRule counting = CountingRule::owner;
  double voxelM = 0.4;             // s of the voxels
  bool choosesVoxel = false;       // by held-out likelihood; voxelM is then the result
  std::uint32_t minPoints = 5;     // N_v
  double mahalanobisLimit = 3.5;   // tau
  double minSigmaM = 0.001;        // least standard deviation of an element along any axis
  std::uint32_t means = 10;        // K
  std::uint32_t stopPoints = 120;  // N_p
  std::uint32_t restarts = 3;
  SurfaceOptions surface;      // s and K_s of surfaces
  double hitOffsetM = 0.5;     // Delta_r
  double pointRadiusM = 0.01;  // d_max
  ClassifierOptions classifier;
  bool learnsClassifier = true;  // where the logs have labels
  std::uint64_t seed = 0;
};

// Heads of the logs, beside their beams.
struct LearnSources {
  std::vector<LogHead> heads;
  std::vector<std::string> hashes;
};

// A pure function of its arguments: the same on any number of threads. Throws 'bad-input' where there are no returns,
// 'cancelled'.
LearnedModel learnModel(const Beams& beams, const LearnSources& sources, LearnOptions options,
                        const Watch& watch);

}  // namespace understory
