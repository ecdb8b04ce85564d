// Metrics of Browning 2012, section 5: a learned model against the beams of a log.
#pragma once

#include "core/learned/learnedModel.h"
#include "core/log/beams.h"
#include "core/watch.h"
#include "learn/lineMixture.h"

namespace understory {

struct Evaluation {
  std::size_t beams = 0;        // with a return, or known to have none
  std::size_t returns = 0;      // of the log
  std::size_t misses = 0;       // known ones of the log
  double hitsDetected = 0.0;    // share of the log's returns that the model returns, too
  double missesDetected = 0.0;  // share of its misses; NaN: it has none
  double sweepM = 0.0;          // D_pp in the mean over sweeps; NaN: none has returns in both
  double cloudM = 0.0;          // D_pp of all returns; NaN: the model has none
  double negLogL = 0.0;         // mean -ln likelihood
  double underSampled = 0.0;    // share of beams that met what fewer than 10 beams observed
};

// Draws one range for each beam. `modelFromLogM` moves positions of the beams to the model's origin. A pure function of its
// arguments. Throws 'cancelled'.
Evaluation evaluateModel(const LearnedModel& model, const Beams& beams, Vec3d modelFromLogM,
                         const RangeWindow& window, std::uint64_t seed, const Watch& watch);

// D_pp of two clouds (eq. 15 and 16): the larger of the two directed means of the distances to the nearest point. NaN
// where one is empty.
double cloudDistanceM(const std::vector<Vec3f>& one, const std::vector<Vec3f>& other,
                      const Watch& watch);

}  // namespace understory
