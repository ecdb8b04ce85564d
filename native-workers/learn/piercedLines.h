// The parts that beams pierce, beam by beam, with what the balance of permeabilities (balancedCounts.h) asks of them: whether a
// part may have given the return, and which parts are one surface. Found once; the rounds over them are cheap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/log/beams.h"
#include "core/watch.h"
#include "learn/beamReach.h"
#include "learn/counting.h"
#include "learn/piercedModel.h"

namespace understory {

inline constexpr std::size_t bytesPerCrossing = 8;
// Crossings that are left for each beam where a line represents several. An element then has, in the mean, so many sampled lines
// for each return, and the variance of its permeability grows by up to one part in so many (PHYSICS.md, 2.5).
inline constexpr std::size_t sampledCrossingsPerBeam = 8;
// The same where they are more than the limit.
inline constexpr std::size_t minCrossingsPerBeam = 4;

// Crossings of lines that represent several beams.
constexpr std::size_t sampledCrossings(std::size_t beams, std::size_t limit) {
  return std::max(minCrossingsPerBeam * beams, std::min(sampledCrossingsPerBeam * beams, limit));
}

// Costs are −ln of likelihoods relative to the greatest, in units of 1/256. From `costs` on: the element did not give the
// return.
inline constexpr double costsPerOne = 256.0;
inline constexpr std::size_t costs = 4096;

struct Pierced {
  std::uint32_t element : 30;
  // A run is the elements of one surface along the line. Elements of plants, which may lie between, are of none.
  std::uint32_t isOfRun : 1;
  std::uint32_t startsRun : 1;
  // Costs of the return, if the element gave it: by its normal law, and by one that is even in the middle.
  std::uint16_t cost;
  std::uint16_t evenCost;
};
static_assert(sizeof(Pierced) == bytesPerCrossing);

// Elements along beams, in the order in which they are met.
struct PiercedLists {
  std::vector<Pierced> pierced;
  std::vector<std::size_t> ends;  // of each beam
};

class PiercedLines {
 public:
  // `ownerOf`: by beam the element that its return became, or noGroup.
  PiercedLines(const Beams& beams, PiercedModel& parts, const std::vector<std::uint32_t>& ownerOf,
               std::size_t maxCrossings, const BeamReach& reach)
      : beams_(beams), parts_(parts), ownerOf_(ownerOf), limit_(maxCrossings), reach_(reach) {}

  // Beams that one line has to represent; 1: all crossings are few enough to be stored.
  std::size_t beamsOfLine() const;
  // In pieces, of one beam of each `beamsOfLine` neighbours, drawn at random. Why neighbours: the density of lines follows
  // that of beams to within one line. Why at random: lasers fire in turn, and a fixed stride may meet some of them alone.
  // Draws of several numbers share no line but by chance.
  std::vector<PiercedLists> lines(std::size_t beamsOfLine, std::uint64_t draw,
                                  const Watch& watch) const;

  // To be called before the functions below. They use the part of a line from the first to the last element that may be the origin
  // of a return: its shares depend on nothing else.
  void prepareReturns(const Watch& watch);
  // Returns that one has to represent, so that the parts are within the limit.
  std::size_t returnsOfOne() const;
  // In pieces, of one of each `returnsOfOne` returns with an owner, drawn at random from neighbours in the order of owners.
  std::vector<PiercedLists> returns(std::size_t returnsOfOne, const Watch& watch) const;
  // Calls visit(lists), on any thread, for pieces of all returns with an owner.
  void visitReturns(const Watch& watch,
                    const std::function<void(const PiercedLists&)>& visit) const;

 private:
  // Appends what a beam says: nothing where it is not known to have been fired.
  void append(std::size_t beam, PiercedLists& lists) const;
  void appendReturn(std::size_t beam, PiercedLists& lists) const;
  // Crossings of all of so many, where visit(n, lists) appends those of the n-th. A part of them is counted.
  std::size_t crossingsOf(std::size_t count,
                          const std::function<void(std::size_t, PiercedLists&)>& append) const;
  // `met`: in no order.
  void appendMet(std::size_t beam, std::vector<PiercedPart>& met, PiercedLists& lists) const;

  const Beams& beams_;
  PiercedModel& parts_;
  const std::vector<std::uint32_t>& ownerOf_;
  std::size_t limit_;
  const BeamReach& reach_;
  // Beams with an owner, those of one part after those of another: neighbours share the same parts.
  std::vector<std::uint32_t> byOwner_;
};

}  // namespace understory
