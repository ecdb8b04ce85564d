// The elements that beams pierce, beam by beam, with what the balance of permeabilities (balancedCounts.h) asks of them: whether an
// element may have given the return, and which elements are one surface. Found once; the rounds over them are cheap.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "core/log/beams.h"
#include "core/watch.h"
#include "learn/beamReach.h"
#include "learn/ellipsoids.h"

namespace understory {

// Crossings of lines that are stored at most, 8 bytes each: so many, or two for each beam where that is more. Where there would
// be more, one beam of each n stands for them. Why two for each beam: lines that pierce an element are then, in the mean, at least
// twice as many as its returns, so that they add less to the error of its permeability than its returns do (PHYSICS.md, 2.5).
inline constexpr std::size_t bytesPerCrossing = 8;
constexpr std::size_t maxStoredCrossings(std::size_t beams) {
  constexpr std::size_t always = 150'000'000;
  return std::max(always, 2 * beams);
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
  // `ownerOf`: by beam the element that its return became, or noGroup. `noiseM`: range noise of surfaces σ0.
  PiercedLines(const Beams& beams, const Ellipsoids& ellipsoids,
               const std::vector<std::uint32_t>& ownerOf, double noiseM, const BeamReach& reach)
      : beams_(beams), ellipsoids_(ellipsoids), ownerOf_(ownerOf), noiseM_(noiseM), reach_(reach) {}

  // One beam of so many, so that the lists of all of them are within the limit.
  std::size_t step() const;
  // In pieces, of one beam in each `step` that follow one another, drawn at random. Why at random: lasers fire in turn, and a
  // fixed stride may meet some of them alone.
  std::vector<PiercedLists> lists(std::size_t step, const Watch& watch) const;
  // What may be the origin of each return with an owner, and what lies between: calls visit(lists) with the lists of a part
  // of the beams, on any thread. The shares of a return depend on nothing else along its line.
  void origins(const Watch& watch, const std::function<void(const PiercedLists&)>& visit) const;

 private:
  struct Met {
    double rangeM;
    double sigmaM;
    std::uint32_t element;
  };

  // Appends what a beam says: nothing where it is not known to have been fired.
  void append(std::size_t beam, PiercedLists& lists) const;
  void appendOrigins(std::size_t beam, const BoxTree& tree, PiercedLists& lists) const;
  // `met`: in no order.
  void appendMet(std::size_t beam, std::vector<Met>& met, PiercedLists& lists) const;
  // Whether a return may be of an element that gives ranges by this normal law, whatever its owner.
  bool isNear(double rangeM, double meanM, double sigmaM) const;

  const Beams& beams_;
  const Ellipsoids& ellipsoids_;
  const std::vector<std::uint32_t>& ownerOf_;
  double noiseM_;
  const BeamReach& reach_;
};

}  // namespace understory
