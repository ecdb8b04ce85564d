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

struct GroupPulses {
  std::array<std::uint64_t, pulsesPerGroup> numbers{};  // absolute; only with learned models
  std::array<std::int64_t, pulsesPerGroup> timesNs{};   // only where the source is not still
};

class ElementOverlay {
 public:
  // `context` outlives it. `notesSupport`: whether trails() are asked for.
  ElementOverlay(const LearnedContext& context, RangeLimits limits, bool notesSupport)
      : context_(context), limits_(limits), notesSupport_(notesSupport) {}

  const LearnedContext& context() const { return context_; }

  // Pulses [from, to) of a group, before shading. `hits`: ranges of rays that met no triangle are infinite.
  void apply(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
             const GroupPulses& names, const GroupRays& rays, GroupHits& hits);
  // The lines of the pulses of apply(), from the first of them on; what they met, and their trails.
  const PulseLines& lines() const { return lines_; }
  const LineHits& met() const { return met_; }
  const LineTrails& trails() const { return trails_; }
  // The same pulses, after shading: elements send back their reflectance, whatever the angle.
  void settle(std::size_t from, std::size_t to, GroupHits& hits) const;

 private:
  void colourSurfaces(std::size_t from, std::size_t to, const GroupPulses& names,
                      GroupHits& hits) const;
  void end(const LineStop& stop, std::size_t cell, Vec3f direction, GroupHits& hits) const;
  void drawByRay(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
                 const GroupPulses& names, const GroupRays& rays, GroupHits& hits);

  const LearnedContext& context_;
  RangeLimits limits_;
  bool notesSupport_;
  PulseLines lines_;
  LineHits met_{};
  LineTrails trails_;
};

}  // namespace understory
