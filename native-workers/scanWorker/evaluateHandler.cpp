// Metrics as JSON, which has no NaN; points for drawings as columns.
#include "scanWorker/evaluateHandler.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "contract/requests.h"
#include "core/error.h"
#include "core/fieldReader.h"
#include "core/learned/learnedFile.h"
#include "core/log/logReader.h"
#include "core/regularFile.h"
#include "core/scene/readers/meshFile.h"
#include "learn/evaluation.h"
#include "learn/learnModel.h"
#include "learn/learningMemory.h"
#include "learn/logComparison.h"
#include "scanWorker/learnHandler.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

using nlohmann::json;

constexpr double sliceWidthRad = 5.0 * piRad / 180.0;

json numberOrNull(double value) { return std::isnan(value) ? json() : json(value); }

// Nothing overlaps: as the papers say, infinitely far; JSON has none.
json distanceOrNull(double value) { return std::isfinite(value) ? json(value) : json(); }

void addCounts(json& to, const PairCounts& counts) {
  to["beams"] = counts.beams;
  to["returns"] = counts.returns;
  to["misses"] = counts.misses;
  to["hitsDetected"] = numberOrNull(counts.hitsDetected);
  to["missesDetected"] = numberOrNull(counts.missesDetected);
  to["behind"] = numberOrNull(counts.behind);
  to["cloudM"] = numberOrNull(counts.cloudM);
  to["negLogL"] = numberOrNull(counts.negLogL);
  to["underSampled"] = numberOrNull(counts.underSampled);
}

void addGroups(json& to, const PairMetrics& metrics) {
  to["classes"] = json::array();
  for (const ClassMetrics& group : metrics.classes) {
    json& entry = to["classes"].emplace_back();
    entry["name"] = group.name.empty() ? json() : json(group.name);
    addCounts(entry, group.counts);
  }
  to["ranges"] = json::array();
  for (const RangeMetrics& group : metrics.ranges) {
    json& entry = to["ranges"].emplace_back();
    entry["fromM"] = group.fromM;
    entry["toM"] = std::isfinite(group.toM) ? json(group.toM) : json();
    addCounts(entry, group.counts);
  }
}

json histogramsJson(const PairHistograms& histograms) {
  return {{"rangeStepM", histograms.rangeStepM},
          {"logReturns", histograms.logReturns},
          {"otherReturns", histograms.otherReturns},
          {"minDecade", PairHistograms::minDecade},
          {"decadesPerBin", PairHistograms::decadesPerBin},
          {"likelihood", histograms.likelihood}};
}

// Numbers of a model as Browning 2012, table 8, counts them: 10 a Gaussian, 9 a triangle and 10 a permeable one, 3 a
// point.
std::size_t parametersOf(const LearnedModel& model) {
  const std::size_t ofTriangle = model.kind == LearnedKind::surface ? 9 : 10;
  return 10 * model.elements.size() + ofTriangle * model.surface.size() + 3 * model.points.size();
}

// The largest range that a log states, or that its returns have where none states one.
double maxRangeOfLogs(const std::vector<LogReader>& logs, const std::vector<Beams>& beams) {
  double statedM = 0.0;
  for (const LogReader& log : logs) statedM = std::max(statedM, log.head().maxRangeM.value_or(0.0));
  if (statedM > 0.0) return statedM;
  double farthestM = 0.0;
  for (const Beams& ofLog : beams) {
    for (const float rangeM : ofLog.rangeM) {
      if (!std::isnan(rangeM)) farthestM = std::max(farthestM, static_cast<double>(rangeM));
    }
  }
  return farthestM > 0.0 ? farthestM : 1.0;  // there are no ranges to count
}

void addPoint(Vec3f point, std::vector<float>& x, std::vector<float>& y, std::vector<float>& z) {
  x.push_back(point.x);
  y.push_back(point.y);
  z.push_back(point.z);
}

std::size_t stepFor(std::size_t count, std::size_t most) { return count / most + 1; }

// Every n-th return of the log and of the model.
void samplePoints(const Beams& beams, const Evaluation& result, std::size_t maxPoints,
                  EvaluationRows& rows) {
  const std::size_t step = stepFor(beams.size(), maxPoints);
  for (std::size_t beam = 0; beam < beams.size(); beam += step) {
    if (beams.isReturn(beam)) {
      addPoint(toFloat(beams.endM(beam)), rows.logXM, rows.logYM, rows.logZM);
      rows.logClass.push_back(beams.classIds.empty() ? std::uint16_t{0} : beams.classIds[beam]);
    }
    const float drawnM = result.drawnM[beam];
    if (std::isnan(drawnM)) continue;
    addPoint(beams.originM[beam] + beams.direction[beam] * drawnM, rows.modelXM, rows.modelYM,
             rows.modelZM);
    rows.modelIsVolume.push_back(result.isVolume[beam]);
  }
}

// The laser with most returns, about the middle of its azimuths.
void sampleSlice(const Beams& beams, const Evaluation& result, EvaluationRows& rows) {
  std::vector<std::size_t> returns;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (!beams.isReturn(beam)) continue;
    const std::size_t laser = beams.laser[beam];
    if (laser >= returns.size()) returns.resize(laser + 1);
    ++returns[laser];
  }
  if (returns.empty()) return;
  const auto laser =
      static_cast<std::uint16_t>(std::ranges::max_element(returns) - returns.begin());
  double left = 0.0;
  double up = 0.0;
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    if (beams.laser[beam] != laser || !beams.isReturn(beam)) continue;
    left += std::cos(static_cast<double>(beams.azimuthRad[beam]));
    up += std::sin(static_cast<double>(beams.azimuthRad[beam]));
  }
  const double middleRad = std::atan2(up, left);
  for (std::size_t beam = 0; beam < beams.size(); ++beam) {
    const double offsetRad = static_cast<double>(beams.azimuthRad[beam]) - middleRad;
    const double wrappedRad = std::remainder(offsetRad, 2.0 * piRad);
    const bool isKnown = beams.isReturn(beam) || beams.isMiss(beam);
    if (beams.laser[beam] != laser || !isKnown || std::abs(wrappedRad) > sliceWidthRad / 2.0) {
      continue;
    }
    rows.sliceAzimuthRad.push_back(static_cast<float>(middleRad + wrappedRad));
    rows.sliceLogRangeM.push_back(beams.rangeM[beam]);
    rows.sliceModelRangeM.push_back(result.drawnM[beam]);
  }
}

}  // namespace

LearnedModel learnedModelIn(const std::string& path, const Watch& watch) {
  return readLearnedModel(RegularFile(path, maxMeshFileBytes).readWhole(watch), path, watch);
}

double statedMaxRangeM(const LogHead& head, const LearnedModel* model) {
  double maxM = head.maxRangeM.value_or(0.0);
  if (!(maxM > 0.0) && model != nullptr && model->sensor) maxM = model->sensor->maxRangeM;
  if (maxM > 0.0) return maxM;
  throw UnderstoryError(ErrorCode::badInput,
                        "neither the log nor the model states the sensor's largest range");
}

Message handleEvaluate(const Frame& request, Call& call) {
  const Stopwatch stopwatch;
  const auto job = readObject(request.header.at("body"), "request", readEvaluateRequest);
  const Watch watch = watchOf(call);
  const std::vector<LogReader> logs{openLog(job.log)};
  const LogHead& head = logs.front().head();
  const std::uint64_t logBeams = logs.front().counts().beams;
  refuseAboveLimit(3 * regularFileBytes(job.model) + learningBytes(LearnedKind::topDown, logBeams),
                   logBeams, "beams", job.memoryLimitBytes);
  const LearnedModel model = learnedModelIn(job.model, watch);
  const Beams beams = readBeams(logs, logBeams, watch, BeamParts::raysAndLasers);
  EvaluationOptions options;
  options.window = {head.minRangeM.value_or(0.0), statedMaxRangeM(head, &model)};
  options.classes = head.classes;
  options.rangeStepM = head.rangeStepM.value_or(0.0);
  options.seed = job.seed;
  const Evaluation result =
      evaluateModel(model, beams, head.originM - model.originM, options, watch);
  const auto rows = std::make_shared<EvaluationRows>();
  if (job.maxPoints > 0) {
    samplePoints(beams, result, job.maxPoints, *rows);
    if (!std::isnan(result.bhattacharyya)) sampleSlice(beams, result, *rows);
  }
  Message reply;
  reply.body = {{"model", wordOf(model.kind)},
                {"elements", model.elements.size()},
                {"triangles", model.surface.size()},
                {"points", model.points.size()},
                {"parameters", parametersOf(model)},
                {"sweepM", numberOrNull(result.sweepM)},
                {"bhattacharyya", distanceOrNull(result.bhattacharyya)},
                {"classNames", head.classes},
                {"histograms", histogramsJson(result.metrics.histograms)},
                {"seconds", stopwatch.seconds()},
                {"peakRssBytes", peakRssBytes()}};
  addCounts(reply.body, result.metrics.whole);
  addGroups(reply.body, result.metrics);
  forEachColumnOfEvaluationRows(
      [&](auto column, const auto& values) { reply.columns.push_back(viewOf(column, values)); },
      *rows);
  reply.storage = rows;
  return reply;
}

Message handleCompare(const Frame& request, Call& call) {
  const Stopwatch stopwatch;
  const auto job = readObject(request.header.at("body"), "request", readCompareRequest);
  const Watch watch = watchOf(call);
  std::vector<LogReader> logs;
  std::uint64_t count = 0;
  for (const std::string& path : job.logs) count += logs.emplace_back(openLog(path)).counts().beams;
  refuseAboveLimit(learningBytes(LearnedKind::topDown, count), count, "beams",
                   job.memoryLimitBytes);
  const LogHead& head = logs.front().head();
  const Vec3d originM = head.originM;
  std::vector<Beams> beams;
  for (const LogReader& log : logs) {
    beams.push_back(readBeams({log}, log.counts().beams, watch, BeamParts::raysAndLasers));
    const Vec3d offsetM = log.head().originM - originM;
    for (Vec3f& place : beams.back().originM) place = toFloat(toDouble(place) + offsetM);
  }
  const HistogramBins bins;
  const LogComparison result =
      logs.size() == 1
          ? compareWithItself(beams.front(), bins, watch)
          : compareLogs(beams.front(), beams.back(), head.classes, logs.back().head().classes,
                        maxRangeOfLogs(logs, beams), bins, watch);
  Message reply;
  reply.body = {{"haveSameBeams", result.haveSameBeams},
                {"otherBeams", logs.back().counts().beams - logs.back().counts().unknown},
                {"otherReturns", logs.back().counts().returns},
                {"sweepM", numberOrNull(result.sweepM)},
                {"sweeps", result.sweeps},
                {"bhattacharyya", distanceOrNull(result.bhattacharyya)},
                {"seconds", stopwatch.seconds()},
                {"peakRssBytes", peakRssBytes()}};
  addCounts(reply.body, result.metrics.whole);
  addGroups(reply.body, result.metrics);
  return reply;
}

}  // namespace understory
