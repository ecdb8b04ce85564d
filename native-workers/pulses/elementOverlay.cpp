// Cells of a group that end on learned elements.
#include "pulses/elementOverlay.h"

#include <algorithm>

#include "core/mutation.h"

namespace understory {

void ElementOverlay::apply(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
                           const GroupPulses& names, const GroupRays& rays, GroupHits& hits) {
  if (context_.hasSurfaces()) colourSurfaces(from, to, names, hits);
  lines_.count = 0;
  for (std::size_t pulse = from; pulse < to; ++pulse) {
    lines_.add(pulses[pulse].origin, pulses[pulse].axis, names.numbers[pulse],
               names.timesNs[pulse]);
  }
  met_.clear();
  if (context_.lines() == nullptr) return;
  context_.lines()->first(lines_, limits_.maxM, context_.draws(), met_,
                          notesSupport_ ? &trails_ : nullptr);
  if (activeMutation() == Mutation::elementsByRay) {
    return drawByRay(pulses, from, to, names, rays, hits);
  }
  for (std::size_t pulse = from; pulse < to; ++pulse) {
    const std::size_t line = pulse - from;
    if (!met_.isHit(line)) continue;
    const LineStop stop = context_.stopOf(lines_, met_, line);
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      const std::size_t cell = ray * pulsesPerGroup + pulse;
      end(stop, cell, {rays.cellX[cell], rays.cellY[cell], rays.cellZ[cell]}, hits);
    }
  }
}

void ElementOverlay::end(const LineStop& stop, std::size_t cell, Vec3f direction,
                         GroupHits& hits) const {
  if (!(stop.meanM < hits.rangeM[cell])) return;
  const float rangeM = std::min(stop.rangeM, hits.rangeM[cell]);
  const LearnedModel& model = *context_.modelOf(stop.instance);
  const bool isElement = primitiveOf(model, stop.primitive).part == LearnedPart::element;
  const Vec3f facet = isElement ? direction * -1.0F : stop.facet;
  hits.rangeM[cell] = rangeM;
  hits.meets[cell] = static_cast<std::uint32_t>(rangeM >= limits_.minM && rangeM <= limits_.maxM);
  hits.facetX[cell] = facet.x;
  hits.facetY[cell] = facet.y;
  hits.facetZ[cell] = facet.z;
  hits.material[cell] = stop.material;
  hits.reflectance[cell] = stop.reflectance;
  hits.instance[cell] = stop.instance;
  hits.primitive[cell] = stop.primitive;
}

void ElementOverlay::settle(std::size_t from, std::size_t to, GroupHits& hits) const {
  if (context_.lines() == nullptr) return;
  for (std::size_t pulse = from; pulse < to; ++pulse) {
    for (std::size_t cell = pulse; cell < raysPerGroup; cell += pulsesPerGroup) {
      if (hits.meets[cell] == 0) continue;
      const LearnedModel* model = context_.modelOf(hits.instance[cell]);
      if (model == nullptr) continue;
      if (primitiveOf(*model, hits.primitive[cell]).part != LearnedPart::element) continue;
      hits.cosIncidence[cell] = 1.0F;
      hits.intensity[cell] = hits.reflectance[cell];
    }
  }
}

void ElementOverlay::colourSurfaces(std::size_t from, std::size_t to, const GroupPulses& names,
                                    GroupHits& hits) const {
  for (std::size_t pulse = from; pulse < to; ++pulse) {
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      const std::size_t cell = ray * pulsesPerGroup + pulse;
      const std::uint32_t instance = hits.instance[cell];
      if (hits.meets[cell] == 0 || context_.modelOf(instance) == nullptr) continue;
      hits.reflectance[cell] =
          context_.reflectance(instance, hits.primitive[cell], names.numbers[pulse]);
    }
  }
}

// Mutation::elementsByRay: rays of a pulse draw with one key, but where they pierce different elements apart.
void ElementOverlay::drawByRay(std::span<const PulseAxes> pulses, std::size_t from, std::size_t to,
                               const GroupPulses& names, const GroupRays& rays, GroupHits& hits) {
  LineHits met;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    PulseLines lines;
    for (std::size_t pulse = from; pulse < to; ++pulse) {
      const std::size_t cell = ray * pulsesPerGroup + pulse;
      lines.add(pulses[pulse].origin, {rays.cellX[cell], rays.cellY[cell], rays.cellZ[cell]},
                names.numbers[pulse], names.timesNs[pulse]);
    }
    context_.lines()->first(lines, limits_.maxM, context_.draws(), met, nullptr);
    for (std::size_t pulse = from; pulse < to; ++pulse) {
      const std::size_t line = pulse - from;
      const std::size_t cell = ray * pulsesPerGroup + pulse;
      if (!met.isHit(line)) continue;
      end(context_.stopOf(lines, met, line), cell,
          {rays.cellX[cell], rays.cellY[cell], rays.cellZ[cell]}, hits);
    }
  }
}

}  // namespace understory
