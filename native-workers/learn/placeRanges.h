// Ranges at a place: of the beams of a log that pass it, and of what models draw for the same beams (Deschaud 2012,
// figure 1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "learn/learnedLines.h"
#include "learn/logSample.h"

namespace understory {

struct PlaceQuery {
  Vec3d placeM;          // relative to the origin of the log
  double radiusM = 0.1;  // beams pass nearer than this
  double windowM = 1.0;  // ranges so far before and behind the place
  std::size_t bins = 50;
  std::size_t draws = 0;  // of a model in all
  std::uint64_t seed = 0;
  double maxM = 0.0;  // the sensor's largest range
};

struct ViewedModel {
  const LearnedLines& lines;
  Vec3d modelFromLogM;  // moves positions of the log to the model's origin
};

// Numbers of beams past the place, by where they end.
struct PlaceOutcomes {
  std::uint64_t before = 0;  // returns more than the window before the place
  std::uint64_t within = 0;
  std::uint64_t behind = 0;
  std::uint64_t missed = 0;
  std::vector<std::uint32_t> bins;  // of those within, from the near end of the window
};

struct PlaceRanges {
  std::size_t beams = 0;
  double meanM = 0.0;  // of the sensor from the place; NaN without beams, like the other two
  double nearestM = 0.0;
  double farthestM = 0.0;
  std::vector<PlaceOutcomes> outcomes;  // of the log, then of each model
};

// At most 20,000 beams, evenly chosen; a model draws `draws` ranges in all, at least one for each of them. The same on
// any number of threads. Throws 'cancelled'.
PlaceRanges rangesAt(const LogSample& log, std::span<const ViewedModel> models,
                     const PlaceQuery& query, const Watch& watch);

}  // namespace understory
