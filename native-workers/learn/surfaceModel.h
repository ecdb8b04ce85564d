// Surfaces of a model: triangles with permeability, reflectance and class, and which of them are opaque in the middle.
#pragma once

#include "core/learned/learnedModel.h"
#include "learn/cellCloud.h"
#include "learn/opaqueCores.h"
#include "learn/triangleCounting.h"
#include "learn/volumeModel.h"

namespace understory {

// Why bounded again: at a grazing angle a surface is brighter than its returns.
inline float surfaceReflectance(double reflectance) {
  return static_cast<float>(std::min(reflectance, maxReflectance));
}

// `cloud`: that the triangles were made from.
LearnedSurface describedSurface(const Beams& beams, const CellCloud& cloud,
                                const Triangles& triangles, const TriangleCounts& counts,
                                bool isPermeable, const Watch& watch);

// Each triangle with the Gaussian of its returns.
OpaqueCores opaqueTriangles(const Beams& beams, const LearnedSurface& surface,
                            const std::vector<std::uint32_t>& ownerOf, const VolumeOptions& options,
                            const BeamReach& reach, const Watch& watch);

}  // namespace understory
