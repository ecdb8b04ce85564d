// Triangles first, then elements, then points, each thinned to what can be shown.
#include "scanWorker/elementsHandler.h"

#include <optional>
#include <utility>

#include "contract/requests.h"
#include "core/fieldReader.h"
#include "learn/modelView.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/viewRows.h"

namespace understory {
namespace {

namespace at = columns::view;

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

}  // namespace

Message handleElements(ViewCache& cache, const Frame& request, Call& call) {
  const auto job = readObject(request.header.at("body"), "request", readElementsRequest);
  const Watch watch = watchOf(call);
  const auto held = cache.model(job.model, job.memoryLimitBytes, watch);
  const LearnedModel& model = held->model;
  std::optional<Vec3d> eyeM;
  if (job.eyeM) eyeM = vectorOf(*job.eyeM) - model.originM;
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

}  // namespace understory
