// How far each beam counts: to the maximum range of its own sensor, whatever other logs state.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/log/beams.h"
#include "core/log/logHead.h"

namespace understory {

class BeamReach {
 public:
  // All beams to the same range.
  explicit BeamReach(double maxRangeM) : maxM_{maxRangeM} {}
  // `heads`: of the logs of the beams, in order. A log that does not state its maximum has that of its farthest return.
  BeamReach(const Beams& beams, const std::vector<LogHead>& heads);

  double maxM(std::size_t beam) const {
    return maxM_[static_cast<std::size_t>(std::ranges::upper_bound(starts_, beam) -
                                          starts_.begin())];
  }
  // The greatest of all.
  double maxM() const { return *std::ranges::max_element(maxM_); }
  // Returns beyond the range that their log states: no model gives them back.
  std::size_t beyond(const Beams& beams) const;

 private:
  std::vector<std::size_t> starts_;  // of the second log and those behind it
  std::vector<double> maxM_;         // by log
};

}  // namespace understory
