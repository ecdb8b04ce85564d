// One line a beam.
#include "learn/evaluation.h"

#include <cmath>

#include "learn/cloudDistance.h"
#include "learn/learnedLines.h"
#include "learn/parallel.h"

namespace understory {
namespace {

double rounded(double rangeM, double stepM) {
  return stepM > 0.0 ? std::round(rangeM / stepM) * stepM : rangeM;
}

OtherResult drawnBeams(const LearnedModel& model, const Beams& beams, Vec3d modelFromLogM,
                       const EvaluationOptions& options, std::vector<std::uint8_t>& isVolume,
                       const Watch& watch) {
  const LearnedLines lines(model, watch);
  isVolume.resize(beams.size());
  OtherResult drawn{std::vector<float>(beams.size(), noValue),
                    std::vector<float>(beams.size(), noValue),
                    std::vector<std::uint8_t>(beams.size())};
  inPieces(beams.size(), pieceOfLines, watch, "evaluation", [&](std::size_t from, std::size_t to) {
    std::vector<MetMember> met;
    std::vector<LineMember> members;
    for (std::size_t beam = from; beam < to; ++beam) {
      if (!beams.isReturn(beam) && !beams.isMiss(beam)) continue;
      const Vec3f originM = toFloat(toDouble(beams.originM[beam]) + modelFromLogM);
      lines.meet(originM, beams.direction[beam], options.window.maxM, met);
      members.assign(met.begin(), met.end());
      drawn.costs[beam] = static_cast<float>(
          negativeLogLikelihood(members, static_cast<double>(beams.rangeM[beam]), options.window));
      const DrawnRange range = drawRange(met, options.seed, beam, options.window);
      drawn.rangesM[beam] = static_cast<float>(rounded(range.rangeM, options.rangeStepM));
      drawn.isUnderSampled[beam] = range.isUnderSampled ? 1 : 0;
      isVolume[beam] = range.isVolume ? 1 : 0;
    }
  });
  return drawn;
}

}  // namespace

Evaluation evaluateModel(const LearnedModel& model, const Beams& beams, Vec3d modelFromLogM,
                         const EvaluationOptions& options, const Watch& watch) {
  Evaluation result;
  OtherResult drawn = drawnBeams(model, beams, modelFromLogM, options, result.isVolume, watch);
  result.metrics = pairMetricsOf(beams, drawn, options.classes, options.window.maxM, watch);
  result.sweepM = sweepDistanceM(beams, beams.rangeM, drawn.rangesM, watch);
  result.bhattacharyya =
      isStationary(beams, options.bins)
          ? bhattacharyya(rangeHistogramOf(beams, beams.rangeM, 0, beams.size(), options.bins),
                          rangeHistogramOf(beams, drawn.rangesM, 0, beams.size(), options.bins))
          : unknownNumber;
  result.drawnM = std::move(drawn.rangesM);
  return result;
}

}  // namespace understory
