// Several sources of hits as one: each ray gets the nearest hit of all. Guarantee: neither the order of the sources
// nor one that is empty changes a hit; an empty source is not queried.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <tuple>

#include "surfaces/hits.h"

namespace understory {

template <HitSource... Sources>
class CombinedSource {
 public:
  static constexpr bool isStill = (Sources::isStill && ...);

  // The sources outlive it.
  explicit CombinedSource(const Sources&... sources) : sources_(sources...) {}

  bool isEmpty() const {
    return std::apply([](const auto&... source) { return (source.isEmpty() && ...); }, sources_);
  }

  template <std::size_t Width>
  void nearest(const RayLanes& rays, std::size_t active, PacketHits<Width>& hits) const {
    hits.instance.fill(noInstance);
    std::apply([&](const auto&... source) { (merge(source, rays, active, hits), ...); }, sources_);
  }

  FacetHit nearest(const PathRay& ray, float fromM, float limitM) const {
    FacetHit hit;
    const auto ask = [&](const auto& source) {
      if (source.isEmpty()) return;
      const FacetHit found = source.nearest(ray, fromM, hit.isHit ? beyond(hit.rangeM) : limitM);
      if (found.isHit && (!hit.isHit || isBefore(found, hit))) hit = found;
    };
    std::apply([&](const auto&... source) { (ask(source), ...); }, sources_);
    return hit;
  }

 private:
  // Why beyond: the limit of the next source includes a hit at the same range, so that the order of instances
  // decides and not that of sources. The next number, of one that is not negative.
  static float beyond(float rangeM) {
    return std::bit_cast<float>(std::bit_cast<std::uint32_t>(rangeM) + 1U);
  }

  template <typename Source, std::size_t Width>
  static void merge(const Source& source, const RayLanes& rays, std::size_t active,
                    PacketHits<Width>& hits) {
    if (source.isEmpty()) return;
    PacketHits<Width> found;
    for (std::size_t lane = 0; lane < Width; ++lane) {
      const float limitM =
          hits.instance[lane] == noInstance ? hits.rangeM[lane] : beyond(hits.rangeM[lane]);
      found.rangeM[lane] = lane < active ? limitM : 0.0F;
    }
    found.instance.fill(noInstance);
    source.nearest(rays, active, found);
    // isBefore(). Why without branches: the compiler compares several lanes at a time.
    std::array<std::int32_t, Width> isReplaced;
    for (std::size_t lane = 0; lane < Width; ++lane) {
      const bool isFound = (lane < active) & (found.instance[lane] != noInstance);
      const bool isFirst = hits.instance[lane] == noInstance;
      const bool isNearer = found.rangeM[lane] < hits.rangeM[lane];
      const bool isEqual = found.rangeM[lane] == hits.rangeM[lane];
      const bool isLower = (found.instance[lane] < hits.instance[lane]) |
                           ((found.instance[lane] == hits.instance[lane]) &
                            (found.primitive[lane] < hits.primitive[lane]));
      isReplaced[lane] = (isFound & (isFirst | isNearer | (isEqual & isLower))) ? -1 : 0;
    }
    hits.replace(isReplaced, found);
  }

  std::tuple<const Sources&...> sources_;
};

}  // namespace understory
