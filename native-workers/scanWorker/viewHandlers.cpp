// Rows are sent in chunks of bounds::viewChunkRows.
#include "scanWorker/viewHandlers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/fieldReader.h"
#include "learn/modelView.h"
#include "learn/parallel.h"
#include "learn/placeRanges.h"
#include "scanWorker/evaluateHandler.h"
#include "scanWorker/scanHandler.h"

namespace understory {
namespace {

using nlohmann::json;
namespace at = columns::view;

json vectorJson(Vec3d value) { return {value.x, value.y, value.z}; }
// JSON has no NaN.
json numberJson(double value) { return std::isnan(value) ? json() : json(value); }

// Throws 'cancelled'.
void send(Call& call, const json& body, const std::vector<ColumnView>& columns) {
  if (!call.chunk(body, columns)) throw cancelledError();
}

// Calls add(row) for each row of [0, rows) and flush(rowsOfChunk) behind each chunk.
template <typename Add, typename Flush>
void inChunks(std::size_t rows, Add&& add, Flush&& flush) {
  for (std::size_t from = 0; from < rows; from += bounds::viewChunkRows) {
    const std::size_t to = std::min(rows, from + bounds::viewChunkRows);
    for (std::size_t row = from; row < to; ++row) add(row);
    flush(to - from);
  }
}

void push(std::vector<float>& values, Vec3f place) {
  values.insert(values.end(), {place.x, place.y, place.z});
}

// Beams of a cloud of at most `maxPoints`: the same ones in the log and in a model.
std::vector<std::uint32_t> beamsToShow(const HeldLog& log, std::size_t maxPoints) {
  const double share = std::min(log.share, shareOf(log.counts.beams, maxPoints));
  std::vector<std::uint32_t> chosen;
  for (std::size_t beam = 0; beam < log.beams.size() && chosen.size() < maxPoints; ++beam) {
    if (isChosen(log.numberOf(beam), share)) chosen.push_back(static_cast<std::uint32_t>(beam));
  }
  return chosen;
}

// Values of elements, triangles or points.
struct ObservedColumns {
  std::vector<float> permeability;
  std::vector<float> reflectance;
  std::vector<std::uint32_t> support;
  std::vector<std::uint16_t> classIds;

  void add(const Observations& seen, std::size_t index) {
    permeability.push_back(seen.permeability[index]);
    reflectance.push_back(seen.reflectance[index]);
    support.push_back(seen.support[index]);
    classIds.push_back(seen.classIds[index]);
  }
  std::vector<ColumnView> views() const {
    return {viewOf(at::permeability, permeability), viewOf(at::reflectance, reflectance),
            viewOf(at::support, support), viewOf(at::classId, classIds)};
  }
};

void sendPart(Call& call, ViewPart part, std::size_t rows, const ObservedColumns& observed,
              std::initializer_list<ColumnView> places) {
  std::vector<ColumnView> columns = observed.views();
  columns.insert(columns.end(), places);
  send(call, {{"part", wordOf(part)}, {"rows", rows}}, columns);
}

void sendElements(Call& call, const LearnedElements& elements,
                  const std::vector<std::uint32_t>& shown) {
  ObservedColumns observed;
  std::vector<float> means;
  std::vector<float> factors;
  inChunks(
      shown.size(),
      [&](std::size_t row) {
        const std::uint32_t element = shown[row];
        push(means, elements.meansM[element]);
        const std::array<float, 6> factor = choleskyFactor(elements.covariancesM2[element]);
        factors.insert(factors.end(), factor.begin(), factor.end());
        observed.add(elements.seen, element);
      },
      [&](std::size_t rows) {
        sendPart(call, ViewPart::elements, rows, std::exchange(observed, {}),
                 {viewOf(at::mean, means), viewOf(at::factor, factors)});
        means.clear();
        factors.clear();
      });
}

void sendTriangles(Call& call, const LearnedSurface& surface, const SurfaceView& view) {
  ObservedColumns observed;
  std::vector<float> corners;
  inChunks(
      view.triangles.size(),
      [&](std::size_t row) {
        for (const Vec3f corner : view.cornersM[row]) push(corners, corner);
        observed.add(surface.seen, view.triangles[row]);
      },
      [&](std::size_t rows) {
        sendPart(call, ViewPart::triangles, rows, std::exchange(observed, {}),
                 {viewOf(at::corners, corners)});
        corners.clear();
      });
}

// Returns how many were sent.
std::size_t sendPoints(Call& call, const LearnedPoints& points, std::size_t maxPoints) {
  std::vector<std::uint32_t> shown;
  const double share = shareOf(points.size(), maxPoints);
  for (std::size_t point = 0; point < points.size() && shown.size() < maxPoints; ++point) {
    if (isChosen(point, share)) shown.push_back(static_cast<std::uint32_t>(point));
  }
  ObservedColumns observed;
  std::vector<float> places;
  inChunks(
      shown.size(),
      [&](std::size_t row) {
        push(places, points.positionsM[shown[row]]);
        observed.add(points.seen, shown[row]);
      },
      [&](std::size_t rows) {
        sendPart(call, ViewPart::points, rows, std::exchange(observed, {}),
                 {viewOf(at::position, places)});
        places.clear();
      });
  return shown.size();
}

struct CloudJob {
  std::string log;
  std::size_t maxPoints = 0;
  std::uint64_t memoryLimitBytes = 0;
};

struct ElementsJob {
  std::string model;
  std::size_t maxElements = 0;
  std::size_t maxTriangles = 0;
  std::size_t maxPoints = 0;
  std::optional<Vec3d> eyeM;
  std::uint64_t memoryLimitBytes = 0;
};

struct SampleJob : CloudJob {
  std::string model;
  std::uint64_t seed = 0;
};

struct PlaceJob {
  std::vector<std::string> models;
  std::string log;
  PlaceQuery query;
  std::uint64_t memoryLimitBytes = 0;
};

Vec3d vectorOf(const std::array<double, 3>& values) { return {values[0], values[1], values[2]}; }

ElementsJob parseElements(FieldReader& body) {
  namespace of = fields::elementsRequest;
  ElementsJob job;
  job.model = body.text(of::model);
  job.maxElements = body.integer<std::size_t>(of::maxElements);
  job.maxTriangles = body.integer<std::size_t>(of::maxTriangles);
  job.maxPoints = body.integer<std::size_t>(of::maxPoints);
  if (body.has(of::eyeM.item)) job.eyeM = vectorOf(body.numbers<3>(of::eyeM));
  job.memoryLimitBytes = body.integer<std::uint64_t>(of::memoryLimitBytes);
  return job;
}

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
  namespace of = fields::cloudRequest;
  const auto job = readObject(request.header.at("body"), "request", [](FieldReader& body) {
    return CloudJob{body.text(of::log), body.integer<std::size_t>(of::maxPoints),
                    body.integer<std::uint64_t>(of::memoryLimitBytes)};
  });
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

Message handleElements(ViewCache& cache, const Frame& request, Call& call) {
  const ElementsJob job = readObject(request.header.at("body"), "request", parseElements);
  const Watch watch = watchOf(call);
  const auto held = cache.model(job.model, job.memoryLimitBytes, watch);
  const LearnedModel& model = held->model;
  std::optional<Vec3d> eyeM = job.eyeM;
  if (eyeM) eyeM = *eyeM - model.originM;
  const std::vector<std::uint32_t> elements = elementsToShow(model.elements, job.maxElements, eyeM);
  const SurfaceView surface = surfaceToShow(model.surface, job.maxTriangles, watch);
  sendTriangles(call, model.surface, surface);
  sendElements(call, model.elements, elements);
  const std::size_t points = sendPoints(call, model.points, job.maxPoints);
  Message reply;
  reply.body = {{"kind", wordOf(model.kind)},
                {"originM", vectorJson(model.originM)},
                {"elements", model.elements.size()},
                {"triangles", model.surface.size()},
                {"points", model.points.size()},
                {"sentElements", elements.size()},
                {"sentTriangles", surface.triangles.size()},
                {"sentPoints", points},
                {"cellM", surface.cellM},
                {"mahalanobisLimit", model.mahalanobisLimit},
                {"classes", model.classes},
                {"peakRssBytes", peakRssBytes()}};
  return reply;
}

Message handleSample(ViewCache& cache, const Frame& request, Call& call) {
  namespace of = fields::sampleRequest;
  const auto job = readObject(request.header.at("body"), "request", [](FieldReader& body) {
    SampleJob parsed;
    parsed.model = body.text(of::model);
    parsed.log = body.text(of::log);
    parsed.maxPoints = body.integer<std::size_t>(of::maxPoints);
    parsed.seed = body.integer<std::uint64_t>(of::seed);
    parsed.memoryLimitBytes = body.integer<std::uint64_t>(of::memoryLimitBytes);
    return parsed;
  });
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
