// Lines are shared out to threads in pieces; each piece has lists of its own.
#include "learn/piercedLines.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>

#include "core/mutation.h"
#include "learn/counting.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t probedEach = 61;
// An element that is not the owner of a return may be its origin within so many deviations, its own or those of surfaces.
constexpr double maxDeviations = 6.0;
// In opaque runs all ends within so many deviations of a mean are as likely. Why: elements of one surface differ in range by
// noise. By the normal law itself it is likeliest that beams pass one of them to end in the next, whose mean is nearer.
constexpr double evenDeviations = 1.5;
// Elements of surfaces along a line whose spans of so many deviations overlap are one run.
constexpr double runDeviations = 3.5;
// An element may be one of a surface where it is flat, or no deeper along the line than so many deviations of the noise of
// surfaces. Plants before a wall are neither, however large their elements are.
constexpr double surfaceDeviations = 1.5;

constexpr std::uint32_t maxElement = 0x3fff'ffffU;

std::uint16_t roundedCost(double cost) {
  return static_cast<std::uint16_t>(std::min(cost * costsPerOne + 0.5, static_cast<double>(costs)));
}

}  // namespace

std::size_t PiercedLines::step() const {
  std::atomic<std::size_t> found{0};
  const std::size_t probes = beams_.size() / probedEach + 1;
  inPieces(probes, pieceOfLines, {}, "", [&](std::size_t from, std::size_t to) {
    PiercedLists lists;
    for (std::size_t probe = from; probe < to; ++probe) {
      if (probe * probedEach < beams_.size()) append(probe * probedEach, lists);
    }
    found += lists.pierced.size();
  });
  const double all = static_cast<double>(found.load()) * static_cast<double>(probedEach);
  return 1 + static_cast<std::size_t>(all / static_cast<double>(maxStoredCrossings));
}

std::vector<PiercedLists> PiercedLines::lists(std::size_t step, const Watch& watch) const {
  const std::size_t chosen = (beams_.size() + step - 1) / step;
  std::vector<PiercedLists> lists((chosen + pieceOfBeams - 1) / pieceOfBeams);
  inPieces(chosen, pieceOfBeams, watch, "lines", [&](std::size_t from, std::size_t to) {
    PiercedLists& own = lists[from / pieceOfBeams];
    for (std::size_t at = from; at < to; ++at) append(at * step, own);
    own.pierced.shrink_to_fit();
  });
  return lists;
}

void PiercedLines::append(std::size_t beam, PiercedLists& lists) const {
  const bool isReturn = beams_.isReturn(beam);
  if (!isReturn && !beams_.isMiss(beam)) return;
  struct Met {
    double rangeM;
    double sigmaM;
    std::uint32_t element;
  };
  static thread_local std::vector<Met> met;
  met.clear();
  ellipsoids_.alongLine(beams_.originM[beam], beams_.direction[beam], reach_.maxM(beam),
                        [&](std::uint32_t element, const Crossing& crossing) {
                          met.push_back({crossing.rangeM, crossing.sigmaM, element});
                        });
  std::ranges::sort(met, [](const Met& a, const Met& b) {
    return a.rangeM != b.rangeM ? a.rangeM < b.rangeM : a.element < b.element;
  });
  const auto rangeM = static_cast<double>(beams_.rangeM[beam]);
  const std::uint32_t owner = isReturn ? ownerOf_[beam] : noGroup;
  const auto mayBe = [&](const Met& one) {
    const double unitM = std::max(one.sigmaM, noiseM_);
    return one.element == owner || std::abs(rangeM - one.rangeM) <= maxDeviations * unitM;
  };
  // −ln of the density at the return, but for a constant.
  const auto costOf = [&](const Met& one) {
    const double z = (rangeM - one.rangeM) / one.sigmaM;
    return 0.5 * z * z + std::log(one.sigmaM);
  };
  const auto evenCostOf = [&](const Met& one) {
    const double beyondM =
        std::max(std::abs(rangeM - one.rangeM) - evenDeviations * one.sigmaM, 0.0);
    const double z = beyondM / std::max(one.sigmaM, noiseM_);
    return 0.5 * z * z + std::log(one.sigmaM);
  };
  double minCost = std::numeric_limits<double>::infinity();
  double minEvenCost = minCost;
  for (const Met& one : met) {
    if (owner == noGroup || !mayBe(one)) continue;
    minCost = std::min(minCost, costOf(one));
    minEvenCost = std::min(minEvenCost, evenCostOf(one));
  }
  const bool isOwned = std::isfinite(minCost);
  double runEndM = -std::numeric_limits<double>::infinity();
  for (const Met& one : met) {
    if (isReturn && !isOwned && one.rangeM >= rangeM &&
        activeMutation() != Mutation::earlyEndsAsMisses)
      break;
    const bool isOrigin = isOwned && mayBe(one);
    const double cost = isOrigin ? costOf(one) - minCost : costs;
    const double evenCost = isOrigin ? evenCostOf(one) - minEvenCost : costs;
    const bool isOfRun =
        ellipsoids_.elements()[one.element].isFlat || one.sigmaM <= surfaceDeviations * noiseM_;
    const double halfM = runDeviations * one.sigmaM;
    const bool startsRun = isOfRun && one.rangeM - halfM > runEndM;
    if (isOfRun) runEndM = std::max(runEndM, one.rangeM + halfM);
    lists.pierced.push_back({one.element & maxElement, isOfRun ? 1U : 0U, startsRun ? 1U : 0U,
                             roundedCost(cost), roundedCost(evenCost)});
  }
  lists.ends.push_back(lists.pierced.size());
}

}  // namespace understory
