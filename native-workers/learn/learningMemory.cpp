// Measured with logs of up to ten million beams.
#include "learn/learningMemory.h"

#include <algorithm>

#include "core/log/beams.h"
#include "learn/counting.h"
#include "learn/piercedLines.h"

namespace understory {

std::uint64_t learningBytes(LearnedKind kind, std::uint64_t beams) {
  constexpr std::uint64_t basis = std::uint64_t{100} << 20U;
  const std::uint64_t sorting = 16 + 4 + 4 + 8;  // entries of a sort, members, owners, starts
  switch (kind) {
    case LearnedKind::voxel:
      return basis + beams * (bytesPerBeam + sorting);
    case LearnedKind::topDown:
      return basis + beams * (bytesPerBeam + sorting + 16);
    default:
      // Cells of clouds with their moments: where returns are thin there are as many as returns.
      return basis + beams * (bytesPerBeam + sorting + 16 + 100);
  }
}

std::uint64_t countingBytes(LearnedKind kind, std::uint64_t beams) {
  constexpr std::uint64_t crossingsPerBeam = 90;  // measured with ten million beams among plants
  constexpr std::uint64_t endsAndOrder = 8 + 4;   // by beam
  const bool isPermeable = kind != LearnedKind::nearestNeighbors && kind != LearnedKind::surface;
  const std::uint64_t all = crossingsPerBeam * beams;
  // Else lines that represent several beams, and parts of the lines of returns.
  const std::uint64_t crossings = all <= maxCrossingsOfAllLines
                                      ? all
                                      : sampledCrossings(beams, maxCrossingsOfAllLines) +
                                            std::max<std::uint64_t>(maxCrossingsOfAllLines, beams);
  return isPermeable ? bytesPerCrossing * crossings + endsAndOrder * beams : 0;
}

}  // namespace understory
