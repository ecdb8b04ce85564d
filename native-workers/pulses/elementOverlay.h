// Learned models on the fast path: what the lines of a group's pulses meet replaces the hits of rays to which nothing
// lies before it, and learned triangles get reflectances of their own.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "aim/groupKernels.h"
#include "aim/rangeLimits.h"
#include "pulses/learnedContext.h"

namespace understory {

// The absolute numbers of a group's pulses.
using PulseNumbers = std::array<std::uint64_t, pulsesPerGroup>;

class ElementOverlay {
 public:
  // `context` outlives it.
  ElementOverlay(const LearnedContext& context, RangeLimits limits)
      : context_(context), limits_(limits) {}

  const LearnedContext& context() const { return context_; }

  // Pulses [from, to) of a group, before shading. `hits`: ranges of rays that met no triangle are infinite.
  void apply(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
             const PulseNumbers& numbers, const GroupRays& rays, GroupHits& hits);

 private:
  void colourSurfaces(std::size_t from, std::size_t to, const PulseNumbers& numbers,
                      GroupHits& hits) const;
  void end(const LineStop& stop, std::size_t cell, Vec3f direction, GroupHits& hits) const;
  void drawByRay(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
                 const PulseNumbers& numbers, const GroupRays& rays, GroupHits& hits);

  const LearnedContext& context_;
  RangeLimits limits_;
  LineHits met_{};
};

}  // namespace understory
