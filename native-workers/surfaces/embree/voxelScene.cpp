// Draws of leaves along rays through voxels.
#include "surfaces/embree/voxelScene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "core/learned/learnedDraws.h"
#include "core/mutation.h"
#include "core/voxels/voxelGrid.h"
#include "surfaces/embree/modelFrame.h"
#include "surfaces/embree/userGeometry.h"

namespace understory {

// An instance of a voxel model.
struct PlacedVoxels {
  const VoxelModel* model;
  std::uint32_t number;
  Vec3f positionM;  // relative to Scene::originM
  ModelFrame frame;
  Boundsf reachM;
};

namespace {

// A ray in the frame of a model.
struct RayInModel {
  Vec3d originM;
  Vec3d direction;      // length: one over the scale
  double cellM;         // edge of cubes whose sections across the ray are as large as leaves
  std::uint64_t pulse;  // moves the cubes
};

struct VoxelHit {
  double rangeM;
  std::uint32_t voxel;
  LeafDraw leaf;
};

// Leaves are discs.
double areaOfLeafM2(const VoxelModel& model) {
  return 0.25 * piRad * model.leafSizeM * model.leafSizeM;
}

std::uint32_t mixed(std::uint32_t key, std::uint32_t with) {
  key = (key ^ with) * 0x85EBCA77U;
  return key ^ key >> 15U;
}

// Rays that pass the middle of a voxel in one cube of the size of leaves share its draw. Each voxel and pulse has cubes of
// its own, so that rays which share one draw need not share the next.
std::uint32_t cellOf(const RayInModel& ray, std::size_t voxel, Vec3d middleM) {
  const Vec3d& along = ray.direction;
  const Vec3d besideM =
      ray.originM + along * (dot(middleM - ray.originM, along) / dot(along, along)) - middleM;
  std::uint32_t key = mixed(static_cast<std::uint32_t>(voxel) * 0x9E3779B1U, 0x7FEB352DU);
  const std::uint32_t offsets = mixed(mixed(key, static_cast<std::uint32_t>(ray.pulse)),
                                      static_cast<std::uint32_t>(ray.pulse >> 32U));
  std::uint32_t axis = 0;
  for (const double partM : {besideM.x, besideM.y, besideM.z}) {
    const double offset = 0x1p-10 * (offsets >> 10U * axis++ & 1023U);
    key = mixed(key, static_cast<std::uint32_t>(
                         static_cast<std::int64_t>(std::floor(partM / ray.cellM + offset))));
  }
  return key;
}

// The edge of cubes whose planes part two rays as often as squares of `widthM` across them. Rounded, so that rays of a
// pulse mostly have the same cubes; where laws of angles or the rounding change it, they are parted.
double cellFor(double widthM, Vec3d unit) {
  const auto across = [](double part) { return std::sqrt(std::max(0.0, 1.0 - part * part)); };
  return widthM * std::round(8.0 * (across(unit.x) + across(unit.y) + across(unit.z))) / 16.0;
}

// The path from the entry into a voxel of n leaves of area a to the first of them: n·λ₁·s is the optical depth of a path s for
// small leaves, and (1 − λ₁·s)ⁿ the share that passes leaves of a size (λ₁ = G·a/volume, PHYSICS.md, 2.14). A voxel with less
// than a leaf has a part of one.
double pathTo(const LeafDraw& leaf, double perM, double leaves) {
  const double count = std::max(1.0, leaves);
  return -std::expm1(-leaf.depth / count) * count / perM;
}

// The first leaf from `fromM` to `toM`; nothing: there is none. `perDensity`: optical depth for a unit of the ray's length
// and of density; `drawIn`: the draw for a cell. Why a draw in each voxel: exponential paths have no memory, and what a
// ray meets does not depend on where it is asked from.
template <typename DrawIn>
std::optional<VoxelHit> firstLeaf(const VoxelModel& model, const RayInModel& ray, double fromM,
                                  double toM, double perDensity, const DrawIn& drawIn) {
  const VoxelSpace& space = model.grid.space;
  const double leavesPerDensity =
      space.voxelM[0] * space.voxelM[1] * space.voxelM[2] / areaOfLeafM2(model);
  std::optional<VoxelHit> hit;
  const VoxelLine line(space, ray.originM, ray.direction);
  line.walk(space, 0.0, toM,
            [&](const std::array<std::uint32_t, 3>& at, double enterM, double leaveM) {
              const std::size_t voxel = space.indexOf(at);
              const auto density = static_cast<double>(model.grid.densityPerM[voxel]);
              const double rate = perDensity * density;
              if (!(rate > 0.0) || leaveM < fromM) return true;
              const Vec3d middleM{space.minM.x + space.voxelM[0] * (at[0] + 0.5),
                                  space.minM.y + space.voxelM[1] * (at[1] + 0.5),
                                  space.minM.z + space.voxelM[2] * (at[2] + 0.5)};
              const LeafDraw leaf = drawIn(cellOf(ray, voxel, middleM));
              const double rangeM = enterM + pathTo(leaf, rate, density * leavesPerDensity);
              if (!(rangeM >= fromM && rangeM <= leaveM)) return true;
              hit = {rangeM, static_cast<std::uint32_t>(voxel), leaf};
              return false;
            });
  return hit;
}

// A vector of length 1 at a cosine to `direction` (length 1), turned about it.
Vec3d besideOf(Vec3d direction, double cosine, double turnRad) {
  const Vec3d other = std::abs(direction.z) < 0.9 ? Vec3d{0.0, 0.0, 1.0} : Vec3d{1.0, 0.0, 0.0};
  const Vec3d right = normalized(cross(direction, other));
  const Vec3d up = cross(right, direction);
  const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
  return direction * cosine + right * (sine * std::cos(turnRad)) + up * (sine * std::sin(turnRad));
}

std::optional<LaneHit> meetLane(const PlacedVoxels& placed, const PassedPulses& pulses,
                                const PathRay& ray, float fromM, float toM) {
  const VoxelModel& model = *placed.model;
  const Vec3d direction = toDouble(placed.frame.direction(ray.direction));
  const double perScale = length(direction);
  const Vec3d unit = direction * (1.0 / perScale);
  const double cosZenith = std::abs(unit.z);
  const double projection = model.leaves.projection(cosZenith);
  const double widthM = activeMutation() == Mutation::leafDrawsUnshared
                            ? 1e-6
                            : std::sqrt(projection * areaOfLeafM2(model));
  const RayInModel inModel{toDouble(placed.frame.point(ray.originM - placed.positionM)), direction,
                           cellFor(widthM, unit), ray.pulse};
  const std::optional<VoxelHit> met = firstLeaf(
      model, inModel, static_cast<double>(fromM), static_cast<double>(toM), projection * perScale,
      [&](std::uint32_t cell) {
        // Without pulses, as in pictures, leaves stay where they are.
        return pulses.draws == nullptr ? leafDraw(0, 0, 0, cell)
                                       : pulses.draws->leaf(placed.number, ray.pulse, cell);
      });
  if (!met) return std::nullopt;
  const double cosine = model.leaves.cosineAt(cosZenith, met->leaf.share);
  return LaneHit{static_cast<float>(met->rangeM), placed.number, met->voxel,
                 toFloat(besideOf(unit * -1.0, std::max(cosine, 1e-3), met->leaf.turnRad))};
}

template <typename Packet>
void meetLanes(const PlacedVoxels& placed, const RTCIntersectFunctionNArguments& arguments,
               std::size_t width) {
  Packet& query = *reinterpret_cast<Packet*>(arguments.rayhit);
  const PassedPulses& pulses = RayQuery::pulsesOf(arguments);
  for (std::size_t lane = 0; lane < width; ++lane) {
    if (arguments.valid[lane] == 0) continue;
    PathRay ray{{laneOf(query.ray.org_x, lane), laneOf(query.ray.org_y, lane),
                 laneOf(query.ray.org_z, lane)},
                {laneOf(query.ray.dir_x, lane), laneOf(query.ray.dir_y, lane),
                 laneOf(query.ray.dir_z, lane)}};
    if (pulses.draws != nullptr) ray.pulse = pulses.pulses[laneOf(query.ray.id, lane)];
    const auto hit =
        meetLane(placed, pulses, ray, laneOf(query.ray.tnear, lane), laneOf(query.ray.tfar, lane));
    if (hit) takeHit(query, lane, *hit);
  }
}

const PlacedVoxels& voxelsAt(const void* placed, unsigned number) {
  return static_cast<const PlacedVoxels*>(placed)[number];
}

void meetVoxels(const RTCIntersectFunctionNArguments* arguments) {
  const PlacedVoxels& placed = voxelsAt(arguments->geometryUserPtr, arguments->primID);
  switch (arguments->N) {
    case 16:
      return meetLanes<RTCRayHit16>(placed, *arguments, 16);
    case 8:
      return meetLanes<RTCRayHit8>(placed, *arguments, 8);
    case 4:
      return meetLanes<RTCRayHit4>(placed, *arguments, 4);
    default:
      return meetLanes<RTCRayHit>(placed, *arguments, 1);
  }
}

void boundVoxels(const RTCBoundsFunctionArguments* arguments) {
  setBounds(*arguments->bounds_o, voxelsAt(arguments->geometryUserPtr, arguments->primID).reachM);
}

}  // namespace

VoxelScene::VoxelScene(const EmbreeDevice& device, const Scene& scene, const Watch& watch)
    : UserScene(device.handle()) {
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& instance = scene.instances[index];
    const VoxelModel* const model = scene.models[instance.model].voxels.get();
    if (model == nullptr) continue;
    const Placement placement{instance.positionM, instance.rotation, instance.scale};
    const Boundsf box = worldBounds(placement, model->grid.space.bounds());
    const float slackM = 1e-4F + 2.0F * std::max(minHitM(box.min), minHitM(box.max));
    const Vec3f slack{slackM, slackM, slackM};
    const Vec3f positionM = toFloat(instance.positionM);
    placed_.push_back(
        {model,
         index,
         positionM,
         ModelFrame({instance.positionM - toDouble(positionM), instance.rotation, instance.scale}),
         {box.min - slack, box.max + slack}});
  }
  build(placed_.size(), placed_.data(), {boundVoxels, meetVoxels}, watch);
}

VoxelScene::~VoxelScene() = default;

}  // namespace understory
