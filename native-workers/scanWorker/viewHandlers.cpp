// Beams of a log beside what models return for them.
#include "scanWorker/viewHandlers.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "contract/requests.h"
#include "core/error.h"
#include "core/fieldReader.h"
#include "learn/parallel.h"
#include "learn/placeRanges.h"
#include "scanWorker/evaluateHandler.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/viewRows.h"

namespace understory {
namespace {

using nlohmann::json;
namespace at = columns::view;

// JSON has no NaN.
json numberJson(double value) { return std::isnan(value) ? json() : json(value); }

// Beams of a cloud of at most `maxPoints`: the same ones in the log and in a model.
std::vector<std::uint32_t> beamsToShow(const LogSample& log, std::size_t maxPoints) {
  const double share = std::min(log.share, shareOf(log.counts.beams, maxPoints));
  std::vector<std::uint32_t> chosen;
  for (std::size_t beam = 0; beam < log.beams.size() && chosen.size() < maxPoints; ++beam) {
    if (isChosen(log.numberOf(beam), share)) chosen.push_back(static_cast<std::uint32_t>(beam));
  }
  return chosen;
}

struct PlaceJob {
  std::vector<std::string> models;
  std::string log;
  PlaceQuery query;
  std::uint64_t memoryLimitBytes = 0;
};

PlaceJob parsePlace(FieldReader& body) {
  namespace of = fields::placeRequest;
  PlaceJob job;
  job.models = body.texts(of::models);
  job.log = body.text(of::log);
  job.query.placeM = vectorOf(body.numbers<3>(of::placeM));
  job.query.radiusM = body.number(of::radiusM);
  job.query.windowM = body.number(of::windowM);
  job.query.bins = body.integer<std::size_t>(of::bins);
  job.query.draws = body.integer<std::size_t>(of::draws);
  job.query.seed = body.integer<std::uint64_t>(of::seed);
  job.memoryLimitBytes = body.integer<std::uint64_t>(of::memoryLimitBytes);
  return job;
}

json outcomesJson(const PlaceOutcomes& outcomes) {
  return {{"before", outcomes.before},
          {"within", outcomes.within},
          {"behind", outcomes.behind},
          {"missed", outcomes.missed}};
}

}  // namespace

Message handleCloud(ViewCache& cache, const Frame& request, Call& call) {
  const auto job = readObject(request.header.at("body"), "request", readCloudRequest);
  const auto log = cache.log(job.log, job.memoryLimitBytes, watchOf(call));
  const Beams& beams = log->beams;
  std::vector<std::uint32_t> shown = beamsToShow(*log, job.maxPoints);
  std::erase_if(shown, [&](std::uint32_t beam) { return !beams.isReturn(beam); });
  std::vector<float> places;
  std::vector<float> intensities;
  std::vector<std::uint16_t> classIds;
  inChunks(
      shown.size(),
      [&](std::size_t row) {
        push(places, toFloat(beams.endM(shown[row])));
        intensities.push_back(beams.intensity[shown[row]]);
        classIds.push_back(beams.classIds.empty() ? std::uint16_t{0} : beams.classIds[shown[row]]);
      },
      [&](std::size_t rows) {
        send(call, {{"rows", rows}},
             {viewOf(at::position, places), viewOf(at::intensity, intensities),
              viewOf(at::classId, classIds)});
        places.clear();
        intensities.clear();
        classIds.clear();
      });
  const auto sensorAt = [&](std::size_t beam) {
    return beams.size() == 0 ? json()
                             : vectorJson(toDouble(beams.originM[beam]) + log->head.originM);
  };
  Message reply;
  reply.body = {{"originM", vectorJson(log->head.originM)},
                {"beams", log->counts.beams},
                {"returns", log->counts.returns},
                {"misses", log->counts.misses + log->counts.missesInferred},
                {"sent", shown.size()},
                {"share", std::min(log->share, shareOf(log->counts.beams, job.maxPoints))},
                {"firstM", sensorAt(0)},
                {"lastM", sensorAt(beams.size() - 1)},
                {"classes", beams.classIds.empty() ? json::array() : json(log->head.classes)},
                {"hash", log->hash},
                {"peakRssBytes", peakRssBytes()}};
  return reply;
}

Message handleSample(ViewCache& cache, const Frame& request, Call& call) {
  const auto job = readObject(request.header.at("body"), "request", readSampleRequest);
  const Watch watch = watchOf(call);
  const auto log = cache.log(job.log, job.memoryLimitBytes, watch);
  const auto model = cache.model(job.model, job.memoryLimitBytes, watch);
  const LearnedLines& lines = model->withLines();
  const double maxM = statedMaxRangeM(log->head, &model->model);
  const Vec3d modelFromLogM = log->head.originM - model->model.originM;
  const Beams& beams = log->beams;
  std::vector<std::uint32_t> shown = beamsToShow(*log, job.maxPoints);
  std::erase_if(shown,
                [&](std::uint32_t beam) { return !beams.isReturn(beam) && !beams.isMiss(beam); });
  std::vector<DrawnRange> drawn(shown.size());
  inPieces(shown.size(), pieceOfLines, watch, "sample", [&](std::size_t from, std::size_t to) {
    std::vector<MetMember> met;
    for (std::size_t row = from; row < to; ++row) {
      const std::uint32_t beam = shown[row];
      const Vec3f originM = toFloat(toDouble(beams.originM[beam]) + modelFromLogM);
      lines.meet(originM, beams.direction[beam], maxM, met);
      drawn[row] = drawRange(met, job.seed, log->numberOf(beam), {0.0, maxM});
    }
  });
  std::vector<float> places;
  std::vector<std::uint8_t> underSampled;
  std::size_t returns = 0;
  std::size_t sent = 0;
  inChunks(
      shown.size(),
      [&](std::size_t row) {
        const std::uint32_t beam = shown[row];
        returns += beams.isReturn(beam) ? 1 : 0;
        if (std::isnan(drawn[row].rangeM)) return;
        ++sent;
        push(places, toFloat(toDouble(beams.originM[beam]) +
                             toDouble(beams.direction[beam]) * drawn[row].rangeM));
        underSampled.push_back(drawn[row].isUnderSampled ? 1 : 0);
      },
      [&](std::size_t) {
        if (underSampled.empty()) return;
        send(call, {{"rows", underSampled.size()}},
             {viewOf(at::position, places), viewOf(at::underSampled, underSampled)});
        places.clear();
        underSampled.clear();
      });
  Message reply;
  reply.body = {{"originM", vectorJson(log->head.originM)},
                {"beams", shown.size()},
                {"returns", returns},
                {"sent", sent},
                {"peakRssBytes", peakRssBytes()}};
  return reply;
}

Message handlePlace(ViewCache& cache, const Frame& request, Call& call) {
  PlaceJob job = readObject(request.header.at("body"), "request", parsePlace);
  const Watch watch = watchOf(call);
  const auto log = cache.log(job.log, job.memoryLimitBytes, watch);
  std::vector<std::shared_ptr<HeldModel>> models;
  std::vector<ViewedModel> viewed;
  const LearnedModel* stated = nullptr;
  for (const std::string& path : job.models) {
    const auto& held = models.emplace_back(cache.model(path, job.memoryLimitBytes, watch));
    viewed.push_back({held->withLines(), log->head.originM - held->model.originM});
    if (held->model.sensor) stated = &held->model;
  }
  job.query.placeM = job.query.placeM - log->head.originM;
  if (!viewed.empty()) job.query.maxM = statedMaxRangeM(log->head, stated);
  const PlaceRanges ranges = rangesAt(*log, viewed, job.query, watch);
  auto counts = std::make_shared<std::vector<std::uint32_t>>();
  json outcomes = json::array();
  for (const PlaceOutcomes& one : ranges.outcomes) {
    outcomes.push_back(outcomesJson(one));
    counts->insert(counts->end(), one.bins.begin(), one.bins.end());
  }
  Message reply;
  reply.body = {{"beams", ranges.beams},
                {"share", log->share},
                {"sensorM", numberJson(ranges.meanM)},
                {"nearestM", numberJson(ranges.nearestM)},
                {"farthestM", numberJson(ranges.farthestM)},
                {"outcomes", std::move(outcomes)},
                {"peakRssBytes", peakRssBytes()}};
  reply.columns = {viewOf(at::counts, *counts)};
  reply.storage = counts;
  return reply;
}

}  // namespace understory
