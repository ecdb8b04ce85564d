// Lines are shared out to threads in pieces; each piece has lists of its own.
#include "learn/piercedLines.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/maths/morton.h"
#include "core/mutation.h"
#include "core/random/philox.h"
#include "learn/counting.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t probedEach = 61;
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

// Beams [from, to), neighbours one after the other: in Morton's order of where they are at their mean range. Why: each of several
// neighbours may represent all of them, and lines beside each other meet the same elements, which are in the processor's cache then.
std::vector<std::uint32_t> neighboursOf(const Beams& beams, std::size_t from, std::size_t to) {
  double sumM = 0.0;
  double returns = 0.0;
  for (std::size_t beam = from; beam < to; ++beam) {
    if (!beams.isReturn(beam)) continue;
    sumM += static_cast<double>(beams.rangeM[beam]);
    returns += 1.0;
  }
  const auto meanM = static_cast<float>(returns > 0.0 ? sumM / returns : 1.0);
  const auto placeOf = [&](std::size_t beam) {
    return beams.originM[beam] + beams.direction[beam] * meanM;
  };
  Boundsf box;
  std::vector<std::uint32_t> sorted(to - from);
  std::iota(sorted.begin(), sorted.end(), static_cast<std::uint32_t>(from));
  for (const std::uint32_t beam : sorted) extend(box, placeOf(beam));
  sortAlongCurve(box, sorted, placeOf);
  return sorted;
}

// The index of one of `each` neighbours from `at` on; fewer at the end of `size`.
std::size_t drawnOf(RandomStream& random, std::size_t at, std::size_t each, std::size_t size) {
  const std::size_t count = std::min(each, size - at);
  return at + (count > 1 ? random.nextWord() % count : 0);
}

// Draws of lines have the numbers before.
constexpr std::uint64_t drawOfReturns = 2;

}  // namespace

std::size_t PiercedLines::crossingsOf(
    std::size_t count, const std::function<void(std::size_t, PiercedLists&)>& append) const {
  std::atomic<std::size_t> found{0};
  const std::size_t probes = count / probedEach + 1;
  inPieces(probes, pieceOfLines, {}, "", [&](std::size_t from, std::size_t to) {
    PiercedLists lists;
    for (std::size_t probe = from; probe < to; ++probe) {
      if (probe * probedEach < count) append(probe * probedEach, lists);
    }
    found += lists.pierced.size();
  });
  return found.load() * probedEach;
}

std::size_t PiercedLines::beamsOfLine() const {
  const std::size_t all = crossingsOf(
      beams_.size(), [&](std::size_t beam, PiercedLists& lists) { append(beam, lists); });
  if (all <= limit_) return 1;
  const std::size_t stored = sampledCrossings(beams_.size(), limit_);
  return (all + stored - 1) / stored;
}

std::vector<PiercedLists> PiercedLines::lines(std::size_t beamsOfLine, std::uint64_t draw,
                                              const Watch& watch) const {
  const std::size_t chosen = (beams_.size() + beamsOfLine - 1) / beamsOfLine;
  std::vector<PiercedLists> lists((chosen + pieceOfBeams - 1) / pieceOfBeams);
  inPieces(chosen, pieceOfBeams, watch, "lines", [&](std::size_t from, std::size_t to) {
    PiercedLists& own = lists[from / pieceOfBeams];
    const std::size_t end = std::min(to * beamsOfLine, beams_.size());
    const std::vector<std::uint32_t> piece = neighboursOf(beams_, from * beamsOfLine, end);
    RandomStream random(draw, RandomPurpose::sampledLine, from);
    for (std::size_t at = 0; at < piece.size(); at += beamsOfLine) {
      append(piece[drawnOf(random, at, beamsOfLine, piece.size())], own);
    }
    own.pierced.shrink_to_fit();
  });
  return lists;
}

void PiercedLines::prepareReturns(const Watch& watch) {
  parts_.prepareReturns(watch);
  byOwner_ = groupsOfOwners(ownerOf_, parts_.size()).members;
}

std::size_t PiercedLines::returnsOfOne() const {
  const std::size_t all = crossingsOf(byOwner_.size(), [&](std::size_t at, PiercedLists& lists) {
    appendReturn(byOwner_[at], lists);
  });
  return 1 + all / std::max<std::size_t>(limit_, byOwner_.size());
}

std::vector<PiercedLists> PiercedLines::returns(std::size_t returnsOfOne,
                                                const Watch& watch) const {
  const std::size_t chosen = (byOwner_.size() + returnsOfOne - 1) / returnsOfOne;
  std::vector<PiercedLists> lists((chosen + pieceOfBeams - 1) / pieceOfBeams);
  inPieces(chosen, pieceOfBeams, watch, "returns", [&](std::size_t from, std::size_t to) {
    PiercedLists& own = lists[from / pieceOfBeams];
    RandomStream random(drawOfReturns, RandomPurpose::sampledLine, from);
    for (std::size_t at = from; at < to; ++at) {
      appendReturn(byOwner_[drawnOf(random, at * returnsOfOne, returnsOfOne, byOwner_.size())],
                   own);
    }
    own.pierced.shrink_to_fit();
  });
  return lists;
}

void PiercedLines::visitReturns(const Watch& watch,
                                const std::function<void(const PiercedLists&)>& visit) const {
  inPieces(byOwner_.size(), pieceOfBeams, watch, "all returns",
           [&](std::size_t from, std::size_t to) {
             PiercedLists lists;
             for (std::size_t at = from; at < to; ++at) appendReturn(byOwner_[at], lists);
             visit(lists);
           });
}

void PiercedLines::append(std::size_t beam, PiercedLists& lists) const {
  if (!beams_.isReturn(beam) && !beams_.isMiss(beam)) return;
  static thread_local std::vector<PiercedPart> met;
  met.clear();
  parts_.alongLine(beams_.originM[beam], beams_.direction[beam], reach_.maxM(beam), met);
  appendMet(beam, met, lists);
}

void PiercedLines::appendReturn(std::size_t beam, PiercedLists& lists) const {
  if (!beams_.isReturn(beam)) return;
  static thread_local std::vector<PiercedPart> met;
  met.clear();
  parts_.aroundReturn({beams_.originM[beam], beams_.direction[beam],
                       static_cast<double>(beams_.rangeM[beam]), reach_.maxM(beam), ownerOf_[beam]},
                      met);
  appendMet(beam, met, lists);
}

void PiercedLines::appendMet(std::size_t beam, std::vector<PiercedPart>& met,
                             PiercedLists& lists) const {
  const bool isReturn = beams_.isReturn(beam);
  const double noiseM = parts_.noiseM();
  std::ranges::sort(met, [](const PiercedPart& a, const PiercedPart& b) {
    return a.rangeM != b.rangeM ? a.rangeM < b.rangeM : a.part < b.part;
  });
  const auto rangeM = static_cast<double>(beams_.rangeM[beam]);
  const std::uint32_t owner = isReturn ? ownerOf_[beam] : noGroup;
  const auto mayBe = [&](const PiercedPart& one) {
    return one.part == owner || parts_.isNear(rangeM, one.rangeM, one.sigmaM);
  };
  // −ln of the density at the return, but for a constant.
  const auto costOf = [&](const PiercedPart& one) {
    const double z = (rangeM - one.rangeM) / one.sigmaM;
    return 0.5 * z * z + std::log(one.sigmaM);
  };
  const auto evenCostOf = [&](const PiercedPart& one) {
    const double beyondM =
        std::max(std::abs(rangeM - one.rangeM) - evenDeviations * one.sigmaM, 0.0);
    const double z = beyondM / std::max(one.sigmaM, noiseM);
    return 0.5 * z * z + std::log(one.sigmaM);
  };
  double minCost = std::numeric_limits<double>::infinity();
  double minEvenCost = minCost;
  for (const PiercedPart& one : met) {
    if (owner == noGroup || !mayBe(one)) continue;
    minCost = std::min(minCost, costOf(one));
    minEvenCost = std::min(minEvenCost, evenCostOf(one));
  }
  const bool isOwned = std::isfinite(minCost);
  double runEndM = -std::numeric_limits<double>::infinity();
  for (const PiercedPart& one : met) {
    if (isReturn && !isOwned && one.rangeM >= rangeM &&
        activeMutation() != Mutation::earlyEndsAsMisses)
      break;
    const bool isOrigin = isOwned && mayBe(one);
    const double cost = isOrigin ? costOf(one) - minCost : costs;
    const double evenCost = isOrigin ? evenCostOf(one) - minEvenCost : costs;
    const bool isOfRun = parts_.isFlat(one.part) || one.sigmaM <= surfaceDeviations * noiseM;
    const double halfM = runDeviations * one.sigmaM;
    const bool startsRun = isOfRun && one.rangeM - halfM > runEndM;
    if (isOfRun) runEndM = std::max(runEndM, one.rangeM + halfM);
    lists.pierced.push_back({one.part & maxElement, isOfRun ? 1U : 0U, startsRun ? 1U : 0U,
                             roundedCost(cost), roundedCost(evenCost)});
  }
  lists.ends.push_back(lists.pierced.size());
}

}  // namespace understory
