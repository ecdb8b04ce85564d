// Chunk by chunk: of a log that does not fit, one chunk is in memory beside what is held.
#include "learn/logSample.h"

#include <algorithm>
#include <cmath>

namespace understory {
namespace {

void addBeam(const Beams& from, std::size_t beam, Beams& to) {
  to.originM.push_back(from.originM[beam]);
  to.direction.push_back(from.direction[beam]);
  to.rangeM.push_back(from.rangeM[beam]);
  to.state.push_back(from.state[beam]);
  to.intensity.push_back(from.intensity[beam]);
  to.sweep.push_back(from.sweep[beam]);
  if (!from.label.empty()) to.label.push_back(from.label[beam]);
  if (!from.classIds.empty()) to.classIds.push_back(from.classIds[beam]);
}

}  // namespace

bool isChosen(std::uint64_t number, double share) {
  if (share >= 1.0) return true;
  // SplitMix64 (Steele 2014). Why not every n-th: with n lasers that would be one laser.
  std::uint64_t mixed = number + 0x9E3779B97F4A7C15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
  mixed ^= mixed >> 31U;
  return static_cast<double>(mixed >> 11U) * 0x1p-53 < share;
}

double shareOf(std::uint64_t beams, std::size_t most) {
  if (beams <= most) return 1.0;
  // Five standard deviations of a binomial law below the limit.
  const auto limit = static_cast<double>(most);
  return std::max(0.0, limit - 5.0 * std::sqrt(limit)) / static_cast<double>(beams);
}

LogSample readLogSample(const LogReader& log, std::size_t maxBeams, const Watch& watch) {
  expectPulses(log);
  LogSample held;
  held.head = log.head();
  held.counts = log.counts();
  held.hash = log.hash();
  held.share = shareOf(log.counts().beams, maxBeams);
  std::uint64_t number = 0;
  Sha256 sum = log.headSum();
  for (std::size_t chunk = 0; chunk < log.chunks(); ++chunk) {
    watch.throwIfCancelled();
    if (held.share >= 1.0) {
      log.appendChunk(chunk, held.head.originM, held.beams, sum);
    } else {
      Beams beams;
      log.appendChunk(chunk, held.head.originM, beams, sum);
      for (std::size_t beam = 0; beam < beams.size(); ++beam, ++number) {
        if (held.beams.size() >= maxBeams || !isChosen(number, held.share)) continue;
        addBeam(beams, beam, held.beams);
        held.numbers.push_back(number);
      }
    }
    if (watch.onProgress) watch.onProgress("log", chunk + 1, log.chunks());
  }
  log.expectHash(sum);
  return held;
}

}  // namespace understory
