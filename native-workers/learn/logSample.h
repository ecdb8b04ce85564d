// A log as views need it: its beams in memory, or as many of them as fit, chosen at random by their number in the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/log/logReader.h"

namespace understory {

struct LogSample {
  LogHead head;
  LogCounts counts;
  std::string hash;
  Beams beams;                         // relative to head.originM
  std::vector<std::uint64_t> numbers;  // of each beam in the log; empty: all are held
  double share = 1.0;                  // of the beams of the log that are held, in the mean

  std::uint64_t numberOf(std::size_t beam) const { return numbers.empty() ? beam : numbers[beam]; }
};

// Holds at most `maxBeams` beams. Reports phase 'log' in chunks; throws 'cancelled', and as the reader does.
LogSample readLogSample(const LogReader& log, std::size_t maxBeams, const Watch& watch);

// Whether a beam is of a share of all. A share holds the beams of every smaller one.
bool isChosen(std::uint64_t number, double share);

// The share of `beams` that has at most `most` of them, but for one log in a million.
double shareOf(std::uint64_t beams, std::size_t most);

}  // namespace understory
