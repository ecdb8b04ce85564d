// One line a beam, or one of several beams, through the tree of ellipsoids. Counts are integers: their sums have no order.
#include "learn/opaqueCores.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "learn/elementSums.h"
#include "learn/parallel.h"

namespace understory {
namespace {

// The middle of an element is within one deviation of its mean. Returns of a round pole of radius R deviate by R/√2 across it:
// lines so near to its axis meet it.
constexpr double coreDistance2 = 1.0;
// A beam that ends within so many deviations along its line ended in the element.
constexpr double endDeviations = 2.0;
// Behind its end a beam may have an element that it ended in.
constexpr double behindEndM = 2.0;
// A middle is opaque where less than this passes: with `noneOf` more than were seen, the limit of 95 % where none was.
constexpr double maxCoreShare = 0.1;
constexpr double noneOf = 3.0;
// Elements that let less pass are taken as opaque.
constexpr float minPermeability = 0.2F;

// From so many beams on, the share that is looked at falls with the third root of their number, as what a line pierces grows
// with it.
constexpr double maxAllBeams = 250'000.0;

// Whether the middle of an element is opaque, or, where few beams meet it, those of all elements that reach it and of those
// that reach these.
bool isOpaqueNear(std::uint32_t element, const Ellipsoids& ellipsoids, const ElementCounts& ends,
                  const ElementCounts& passes) {
  std::vector<std::uint32_t> near{element};
  const auto share = [&] {
    double passed = noneOf;
    double all = 0.0;
    for (const std::uint32_t one : near) {
      passed += passes[one].load();
      all += passes[one].load() + ends[one].load();
    }
    return passed / all;
  };
  const auto widen = [&] {
    const std::vector<std::uint32_t> from = near;
    for (const std::uint32_t one : from) {
      ellipsoids.around(ellipsoids.elements()[one].meanM,
                        [&](std::uint32_t other) { near.push_back(other); });
    }
    std::ranges::sort(near);
    near.erase(std::ranges::unique(near).begin(), near.end());
  };
  if (share() <= maxCoreShare) return true;
  widen();
  if (share() > 2.0 * maxCoreShare) return false;
  widen();
  return share() <= maxCoreShare;
}

// One of `beamsOfOne` beams by chance. Why not each so many-th one: lasers fire in turn.
bool isDrawn(std::size_t beam, std::uint64_t beamsOfOne) {
  constexpr std::uint64_t golden = 0x9E37'79B9'7F4A'7C15;
  return ((beam * golden) >> 32U) % beamsOfOne == 0;
}

}  // namespace

OpaqueCores opaqueCores(const Beams& beams, const LearnedElements& elements,
                        const Ellipsoids& ellipsoids, const BeamReach& reach, const Watch& watch) {
  ElementCounts ends(elements.size());
  ElementCounts passes(elements.size());
  const auto count = [&](std::size_t beam) {
    const bool isReturn = beams.isReturn(beam);
    if (!isReturn && !beams.isMiss(beam)) return;
    const auto rangeM = static_cast<double>(beams.rangeM[beam]);
    const double maxM =
        isReturn ? std::min(rangeM + behindEndM, reach.maxM(beam)) : reach.maxM(beam);
    ellipsoids.alongLine(beams.originM[beam], beams.direction[beam], maxM,
                         [&](std::uint32_t element, const Crossing& crossing) {
                           if (crossing.distance2 > coreDistance2) return;
                           const double beyondM = isReturn ? rangeM - crossing.rangeM : maxM;
                           const double nearM = endDeviations * crossing.sigmaM;
                           if (beyondM > nearM) return addOne(passes[element]);
                           if (beyondM > -nearM) addOne(ends[element]);
                         });
  };
  const double ratio = std::cbrt(static_cast<double>(beams.size()) / maxAllBeams);
  const auto beamsOfOne = static_cast<std::uint64_t>(std::max(std::ceil(ratio), 1.0));
  inPieces(beams.size(), pieceOfBeams, watch, "opaque cores",
           [&](std::size_t from, std::size_t to) {
             for (std::size_t beam = from; beam < to; ++beam) {
               if (isDrawn(beam, beamsOfOne)) count(beam);
             }
           });
  OpaqueCores cores;
  double lines = 0.0;
  for (std::size_t element = 0; element < elements.size(); ++element) {
    const auto permeability = elements.seen.permeability[element];
    const std::uint32_t ended = ends[element].load();
    if (permeability < minPermeability || ended == 0) continue;
    if (!isOpaqueNear(static_cast<std::uint32_t>(element), ellipsoids, ends, passes)) continue;
    ++cores.elements;
    lines += ended;
    cores.meanPermeability += ended * static_cast<double>(permeability);
  }
  if (lines > 0.0) cores.meanPermeability /= lines;
  return cores;
}

}  // namespace understory
