// How many beams reach each element, where one line of several beams is known. Derivation: PHYSICS.md, 2.5.
#pragma once

#include <vector>

#include "learn/elementSums.h"
#include "learn/piercedLines.h"

namespace understory {

class LineSample {
 public:
  // `beamsOfLine`: that a line represents.
  LineSample(std::size_t elements, double beamsOfLine)
      : beamsOfLine_(beamsOfLine), lines_(elements), hits_(elements), reachedByHits_(elements) {}

  double beamsOfLine() const { return beamsOfLine_; }

  // Counts the lines through each element.
  void count(const std::vector<PiercedLists>& lines);
  // By the lines counted last.
  bool isPierced(std::size_t element) const { return lines_[element].load() > 0; }
  // Removes what was added, but not the lines.
  void clear();
  // A share of a line's return that is the element's own, and the share of beams on the line that reach the element.
  void add(std::uint32_t element, double share, double reaches) {
    addUnits(hits_[element], unitsOf(share));
    addUnits(reachedByHits_[element], unitsOf(reaches * share));
  }

  // Beams that reach an element, in units. Those that pass are estimated from the sampled lines, which reach it, and those that
  // it returned from the hits of all beams.
  double beamsThatReach(std::size_t element, std::uint64_t reachedOnLines, double hits) const;

 private:
  double beamsOfLine_;
  ElementSums lines_;
  ElementSums hits_;
  ElementSums reachedByHits_;
};

}  // namespace understory
