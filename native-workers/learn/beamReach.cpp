// One maximum a log.
#include "learn/beamReach.h"

#include "core/mutation.h"

namespace understory {

BeamReach::BeamReach(const Beams& beams, const std::vector<LogHead>& heads) {
  for (std::size_t log = 0; log < heads.size(); ++log) {
    const std::size_t from = log < beams.logStarts.size() ? beams.logStarts[log] : 0;
    const std::size_t to =
        log + 1 < beams.logStarts.size() ? beams.logStarts[log + 1] : beams.size();
    double maxM = heads[log].maxRangeM.value_or(0.0);
    for (std::size_t beam = from; beam < to && !(heads[log].maxRangeM > 0.0); ++beam) {
      if (beams.isReturn(beam)) maxM = std::max(maxM, static_cast<double>(beams.rangeM[beam]));
    }
    if (log > 0) starts_.push_back(from);
    maxM_.push_back(maxM);
  }
  if (maxM_.empty()) maxM_.push_back(0.0);
  if (activeMutation() == Mutation::greatestRangeOfAllLogs) std::ranges::fill(maxM_, maxM());
}

std::size_t BeamReach::beyond(const Beams& beams) const {
  std::size_t count = 0;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (beams.isReturn(beam) && static_cast<double>(beams.rangeM[beam]) > maxM(beam)) ++count;
  }
  return count;
}

}  // namespace understory
