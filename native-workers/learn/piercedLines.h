// The elements that beams pierce, beam by beam, with what the balance of permeabilities (balancedCounts.h) asks of them: whether an
// element may have given the return, and which elements are one surface. Found once; the rounds over them are cheap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/log/beams.h"
#include "core/watch.h"
#include "learn/beamReach.h"
#include "learn/ellipsoids.h"

namespace understory {

// Crossings of lines that are held at most, 8 bytes each: where there would be more, each n-th beam is used in the rounds,
// and all are in the last one.
inline constexpr std::size_t maxStoredCrossings = 150'000'000;
inline constexpr std::size_t bytesPerCrossing = 8;

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

  // Each n-th beam, so that the lists of all of them are within the limit.
  std::size_t step() const;
  // In pieces, of each `step`-th beam.
  std::vector<PiercedLists> lists(std::size_t step, const Watch& watch) const;
  // Appends what a beam says: nothing where it is not known to have been fired.
  void append(std::size_t beam, PiercedLists& lists) const;

 private:
  const Beams& beams_;
  const Ellipsoids& ellipsoids_;
  const std::vector<std::uint32_t>& ownerOf_;
  double noiseM_;
  const BeamReach& reach_;
};

}  // namespace understory
