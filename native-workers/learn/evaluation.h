// A learned model against the beams of a log: every beam is drawn once (Browning 2012, section 5).
#pragma once

#include "core/learned/learnedModel.h"
#include "learn/lineMixture.h"
#include "learn/pairMetrics.h"
#include "learn/rangeHistogram.h"

namespace understory {

struct EvaluationOptions {
  RangeWindow window;
  std::vector<std::string> classes;  // of the log
  HistogramBins bins;
  double rangeStepM = 0.0;  // of the sensor: drawn ranges are rounded to it; 0: not known
  std::uint64_t seed = 0;
};

struct Evaluation {
  PairMetrics metrics;
  double sweepM = 0.0;         // D_pp in the mean over sweeps; NaN: none has returns in both
  double bhattacharyya = 0.0;  // of range histograms; NaN: the sensor moved
  std::vector<float> drawnM;   // by beam; NaN: none
  std::vector<std::uint8_t> isVolume;  // by beam: drawn on an element
};

// `modelFromLogM` moves positions of the beams to the model's origin. A pure function of its arguments. Throws 'cancelled'.
Evaluation evaluateModel(const LearnedModel& model, const Beams& beams, Vec3d modelFromLogM,
                         const EvaluationOptions& options, const Watch& watch);

}  // namespace understory
