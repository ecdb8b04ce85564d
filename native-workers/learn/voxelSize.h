// The voxel size of a model by held-out likelihood.
#pragma once

#include "learn/volumeModel.h"

namespace understory {

// Sizes that are tried, in metres.
const std::vector<double>& voxelSizes();

// The size under which a tenth of the beams, drawn by the seed, is likeliest given a model of the others; at most 100,000
// of them are judged. The smallest of equally good ones.
double chooseVoxelSize(const Beams& beams, const VolumeOptions& options, std::uint32_t minPoints,
                       std::uint64_t seed, const BeamReach& reach, const Watch& watch);

}  // namespace understory
