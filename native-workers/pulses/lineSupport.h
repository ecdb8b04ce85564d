// How well the space along the line of a pulse was observed when its models were learned.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>

#include "core/learned/learnedModel.h"
#include "pulses/learnedContext.h"
#include "surfaces/hits.h"
#include "surfaces/lines.h"

namespace understory {

// By line: the fewest beams of logs that observed an element or a triangle that the line passed or ended on, up to where
// it ends or to `maxM`; 0: it met neither. `stops` and `trails`: of the same lines.
template <HitSource Source>
void findSupports(const Source& source, const LearnedContext& learned, float maxM,
                  const PulseLines& lines, const LineHits& stops, const LineTrails& trails,
                  std::span<std::uint32_t> supports) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::array<float, PulseLines::width> untilM{};
  std::array<std::uint32_t, PulseLines::width> least{};
  least.fill(none);
  const auto consider = [&](std::size_t line, std::uint32_t instance, std::uint32_t primitive) {
    const LearnedModel* model = learned.modelOf(instance);
    if (model == nullptr) return;
    const LearnedPrimitive met = primitiveOf(*model, primitive);
    // Why not points: each is a return of the log itself, not a part of space that beams observed.
    if (met.part != LearnedPart::point) least[line] = std::min(least[line], met.support());
  };
  for (std::size_t line = 0; line < lines.count; ++line) {
    untilM[line] = stops.isHit(line) ? stops.meanM[line] : maxM;
    FacetHit hit;
    if (!source.isEmpty()) {
      PathRay ray{{lines.originX[line], lines.originY[line], lines.originZ[line]},
                  {lines.directionX[line], lines.directionY[line], lines.directionZ[line]}};
      ray.pulse = lines.pulse[line];
      if constexpr (!Source::isStill) ray.timeNs = lines.timeNs[line];
      ray.draws = &learned.draws();
      const float fromM = minHitM(ray.originM);
      hit = source.nearest(ray, fromM, untilM[line]);
      if (hit.isHit) untilM[line] = hit.rangeM;
      ray.minSupport = &least[line];
      if (learned.needsPulses()) source.nearest(ray, fromM, untilM[line]);
    }
    if (hit.isHit) {
      consider(line, hit.instance, hit.primitive);
    } else if (stops.isHit(line)) {
      consider(line, stops.instance[line], stops.primitive[line]);
    }
  }
  if (learned.lines() != nullptr) {
    bool hasOverflowed = false;
    for (std::size_t line = 0; line < lines.count; ++line) {
      hasOverflowed |= trails[line].hasOverflowed();
      least[line] = std::min(least[line], trails[line].minUntil(untilM[line], none));
    }
    if (hasOverflowed) learned.lines()->minSupport(lines, untilM, least);
  }
  for (std::size_t line = 0; line < lines.count; ++line) {
    supports[line] = least[line] == none ? 0 : least[line];
  }
}

}  // namespace understory
