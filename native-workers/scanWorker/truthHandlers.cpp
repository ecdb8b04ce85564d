// The truth of plants as columns.
#include "scanWorker/truthHandlers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "contract/requests.h"
#include "core/error.h"
#include "core/fieldReader.h"
#include "scanWorker/scanHandler.h"
#include "scanWorker/viewRows.h"
#include "truth/gapTruth.h"
#include "truth/plantParts.h"
#include "truth/plantTruth.h"
#include "truth/voxelTruth.h"

namespace understory {
namespace {

void sendPlants(Call& call, PlantTruthRows& rows) {
  if (rows.size() == 0) return;
  std::vector<ColumnView> columns;
  forEachColumnOfPlantTruthRows(
      [&](auto column, const auto& values) { columns.push_back(viewOf(column, values)); }, rows);
  send(call, {{"rows", rows.size()}}, columns);
  forEachColumnOfPlantTruthRows([](auto, auto& values) { values.clear(); }, rows);
}

double knownSum(const std::vector<double>& values) {
  double sum = 0.0;
  for (const double value : values) sum += std::isnan(value) ? 0.0 : value;
  return sum;
}

VoxelSpace parseGrid(FieldReader& body) {
  namespace at = fields::voxelTruthRequest;
  const std::vector<std::uint32_t> split = body.integerList<std::uint32_t>(at::split);
  return {vectorOf(body.numbers<3>(at::minM)),
          body.numbers<3>(at::stepM),
          {split[0], split[1], split[2]}};
}

void refuseAboveLimit(const VoxelSpace& grid, std::uint64_t limitBytes) {
  const std::uint64_t neededBytes = voxelTruthBytes(grid);
  if (neededBytes <= limitBytes) return;
  const auto megabytes = [](std::uint64_t bytes) {
    return std::to_string((bytes + 999'999) / 1'000'000) + " MB";
  };
  throw UnderstoryError(ErrorCode::sceneTooLarge,
                        std::to_string(grid.voxels()) + " voxels need " + megabytes(neededBytes) +
                            "; the limit is " + megabytes(limitBytes),
                        {{"neededBytes", neededBytes}, {"limitBytes", limitBytes}});
}

void sendVoxels(Call& call, const VoxelTruth& truth, std::size_t voxels) {
  std::vector<double> leafAreaM2;
  std::vector<double> woodAreaM2;
  for (std::size_t from = 0; from < voxels; from += bounds::truthChunkRows) {
    leafAreaM2.clear();
    woodAreaM2.clear();
    const std::size_t end = std::min(voxels, from + bounds::truthChunkRows);
    for (std::size_t voxel = from; voxel < end; ++voxel) {
      leafAreaM2.push_back(truth.areaM2(PlantPart::leaf, voxel));
      woodAreaM2.push_back(truth.areaM2(PlantPart::wood, voxel));
    }
    namespace at = columns::voxelTruth;
    send(call, {{"from", from}, {"rows", end - from}},
         {viewOf(at::leafAreaM2, leafAreaM2), viewOf(at::woodAreaM2, woodAreaM2)});
  }
}

// The columns of a reply to truth.voxels that are no vectors of numbers before.
struct VoxelReplyColumns {
  std::vector<double> topM;
  std::vector<double> groundM;
  std::vector<double> leafShownM2;
  std::vector<double> woodShownM2;
};

VoxelReplyColumns replyColumns(const Scene& scene, const VoxelSpace& grid,
                               const VoxelTruth& truth) {
  VoxelReplyColumns made;
  for (const auto& top : truth.topsM) {
    const double heightM = top.load();
    made.topM.push_back(std::isfinite(heightM) ? heightM
                                               : std::numeric_limits<double>::quiet_NaN());
  }
  for (std::uint32_t i = 0; i < grid.split[0]; ++i) {
    for (std::uint32_t j = 0; j < grid.split[1]; ++j) {
      const double xM = grid.minM.x + (i + 0.5) * grid.voxelM[0];
      const double yM = grid.minM.y + (j + 0.5) * grid.voxelM[1];
      made.groundM.push_back(scene.groundHeightM ? scene.groundHeightM(xM, yM) : 0.0);
    }
  }
  const auto ofPart = [&](PlantPart part) {
    const ByZenith& shown = truth.shownM2[static_cast<std::size_t>(part)];
    return std::vector<double>(shown.begin(), shown.end());
  };
  made.leafShownM2 = ofPart(PlantPart::leaf);
  made.woodShownM2 = ofPart(PlantPart::wood);
  return made;
}

// Where the feet of plants may be.
class FootBox {
 public:
  explicit FootBox(const PlantTruthRequest& request)
      : from_(cornerOf(request.minM, -unbounded)), to_(cornerOf(request.maxM, unbounded)) {}

  Vec3d from() const { return from_; }
  Vec3d to() const { return to_; }
  bool has(Vec3d footM) const {
    return footM.x >= from_.x && footM.y >= from_.y && footM.z >= from_.z && footM.x <= to_.x &&
           footM.y <= to_.y && footM.z <= to_.z;
  }

 private:
  static constexpr double unbounded = std::numeric_limits<double>::infinity();

  static Vec3d cornerOf(const std::optional<std::array<double, 3>>& corner, double leftOut) {
    if (!corner) return {leftOut, leftOut, leftOut};
    return {(*corner)[0], (*corner)[1], (*corner)[2]};
  }

  Vec3d from_;
  Vec3d to_;
};

}  // namespace

Message handlePlantTruth(const TracedScene& scene, const Frame& request, Call& call) {
  const Scene& all = scene.scene();
  const FootBox feet(readObject(request.header.at("body"), "request", readPlantTruthRequest));
  const PlantTruth truth(
      all, [&](std::size_t model) { return scene.triangles().meshOf(model); }, watchOf(call));
  PlantTruthRows rows;
  std::uint64_t plants = 0;
  double leafAreaM2 = 0.0;
  double woodAreaM2 = 0.0;
  double woodVolumeM3 = 0.0;
  Boundsf box;
  const auto flush = [&] {
    plants += rows.size();
    leafAreaM2 += knownSum(rows.leafAreaM2);
    woodAreaM2 += knownSum(rows.woodAreaM2);
    woodVolumeM3 += knownSum(rows.woodVolumeM3);
    sendPlants(call, rows);
  };
  const auto add = [&](const Instance& instance) {
    if (!feet.has(instance.positionM + all.originM) || !truth.addRow(instance, rows)) return;
    const Boundsf own = worldBounds({instance.positionM, instance.rotation, instance.scale},
                                    all.models[instance.model].bounds);
    extend(box, own.min);
    extend(box, own.max);
    if (rows.size() == bounds::truthChunkRows) flush();
  };
  std::ranges::for_each(all.instances, add);
  for (const Landscape& landscape : all.landscapes) {
    landscape.forEachSquareIn(
        feet.from() - all.originM, feet.to() - all.originM, [&](std::uint32_t square) {
          landscape.forEachPlantOf(
              square, [&](PlantIndices place) { add(all.instanceAt(landscape.numberOf(place))); });
        });
  }
  flush();
  const auto cornerOf = [&](Vec3f corner) {
    return isEmpty(box) ? vectorJson(Vec3d{}) : vectorJson(toDouble(corner) + all.originM);
  };
  Message reply;
  reply.body = {{"plants", plants},          {"leafAreaM2", leafAreaM2},
                {"woodAreaM2", woodAreaM2},  {"woodVolumeM3", woodVolumeM3},
                {"minM", cornerOf(box.min)}, {"maxM", cornerOf(box.max)}};
  return reply;
}

Message handleVoxelTruth(const TracedScene& scene, const Frame& request, Call& call) {
  const VoxelSpace grid = readObject(request.header.at("body"), "request", [](FieldReader& body) {
    namespace at = fields::voxelTruthRequest;
    VoxelSpace parsed = parseGrid(body);
    refuseAboveLimit(parsed, body.integer<std::uint64_t>(at::memoryLimitBytes));
    return parsed;
  });
  const VoxelTruth truth = voxelTruth(scene, grid, watchOf(call));
  sendVoxels(call, truth, grid.voxels());
  const auto made =
      std::make_shared<const VoxelReplyColumns>(replyColumns(scene.scene(), grid, truth));
  const auto sumOf = [&](PlantPart part) { return truth.sumM2[static_cast<std::size_t>(part)]; };
  Message reply;
  reply.body = {{"leafAreaM2", sumOf(PlantPart::leaf)},
                {"woodAreaM2", sumOf(PlantPart::wood)},
                {"peakRssBytes", peakRssBytes()}};
  namespace at = columns::voxelTruth;
  reply.columns = {viewOf(at::topM, made->topM), viewOf(at::groundM, made->groundM),
                   viewOf(at::leafShownM2, made->leafShownM2),
                   viewOf(at::woodShownM2, made->woodShownM2)};
  reply.storage = made;
  return reply;
}

Message handleGapTruth(const TracedScene& scene, const Frame& request, Call& call) {
  const GapRequest asked = readObject(request.header.at("body"), "request", [](FieldReader& body) {
    namespace at = fields::gapTruthRequest;
    GapRequest parsed{vectorOf(body.numbers<3>(at::minM)), vectorOf(body.numbers<3>(at::maxM)),
                      body.integer<std::uint64_t>(at::rays), body.integer<std::uint64_t>(at::seed)};
    if (!(parsed.minM.x < parsed.maxM.x && parsed.minM.y < parsed.maxM.y)) {
      body.refuse(at::maxM.item.name, "a corner beyond minM");
    }
    return parsed;
  });
  const auto truth = std::make_shared<const GapTruth>(gapTruth(scene, asked, watchOf(call)));
  Message reply;
  reply.body = {{"raysPerZenith", truth->raysPerZenith}};
  namespace at = columns::gapTruth;
  reply.columns = {viewOf(at::gapFraction, truth->gapFraction),
                   viewOf(at::leafGapFraction, truth->leafGapFraction)};
  reply.storage = truth;
  return reply;
}

}  // namespace understory
