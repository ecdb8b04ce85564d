// Paths of rays through voxels (Amanatides and Woo 1987).
#include "surfaces/embree/voxelScene.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

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

struct PathThroughVoxels {
  Vec3d originM;
  Vec3d direction;  // length: one over the scale
  double fromM;
  double toM;
  std::size_t along;  // the largest part of the direction
};

struct VoxelHit {
  double rangeM;
  std::uint32_t voxel;
  LeafDraw leaf;
};

double partOf(Vec3d v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// Shortens a path to the part inside of the grid; false: there is none.
bool clip(const VoxelGrid& grid, PathThroughVoxels& path) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double lowM = partOf(grid.minM, axis);
    const double highM = lowM + partOf(grid.voxelM, axis) * grid.voxels[axis];
    const double origin = partOf(path.originM, axis);
    const double direction = partOf(path.direction, axis);
    if (direction == 0.0) {
      if (origin < lowM || origin >= highM) return false;
      continue;
    }
    const double a = (lowM - origin) / direction;
    const double b = (highM - origin) / direction;
    path.fromM = std::max(path.fromM, std::min(a, b));
    path.toM = std::min(path.toM, std::max(a, b));
  }
  return path.fromM < path.toM;
}

// Rays that cross the middle of a voxel, across the largest part of their direction, in one square of the leaves' size
// share its draw.
std::uint32_t squareOf(const VoxelModel& model, const PathThroughVoxels& path, std::size_t voxel,
                       double middleM) {
  const double atM =
      (middleM - partOf(path.originM, path.along)) / partOf(path.direction, path.along);
  const Vec3d placeM = path.originM + path.direction * atM;
  const double sizeM = activeMutation() == Mutation::leafDrawsUnshared ? 1e-6 : model.leafSizeM;
  const auto square = [&](std::size_t axis) {
    return static_cast<std::uint32_t>(
        static_cast<std::int64_t>(std::floor(partOf(placeM, axis) / sizeM)));
  };
  std::uint32_t key = static_cast<std::uint32_t>(voxel) * 0x9E3779B1U;
  key = (key ^ key >> 15U ^ square(path.along == 0 ? 1 : 0)) * 0x85EBCA77U;
  return (key ^ key >> 13U ^ square(path.along == 2 ? 1 : 2)) * 0xC2B2AE3DU;
}

// The first leaf at or beyond `fromM`; an infinite range: there is none. `perDensity`: optical depth for a unit of the
// ray's length and of density; `drawIn`: the draw for a square. Why a draw in each voxel: exponential paths have no memory,
// and what a ray meets does not depend on where it is asked from.
template <typename DrawIn>
VoxelHit march(const VoxelModel& model, const PathThroughVoxels& path, double fromM,
               double perDensity, const DrawIn& drawIn) {
  const VoxelGrid& grid = model.grid;
  constexpr double never = std::numeric_limits<double>::infinity();
  std::array<std::int64_t, 3> at{};
  std::array<std::int64_t, 3> step{};
  std::array<double, 3> nextM{};
  std::array<double, 3> perVoxelM{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double edgeM = partOf(grid.voxelM, axis);
    const double lowM = partOf(grid.minM, axis);
    const double direction = partOf(path.direction, axis);
    const double enterM = partOf(path.originM, axis) + path.fromM * direction;
    const auto last = static_cast<std::int64_t>(grid.voxels[axis]) - 1;
    at[axis] = std::clamp(static_cast<std::int64_t>(std::floor((enterM - lowM) / edgeM)),
                          std::int64_t{0}, last);
    step[axis] = direction > 0.0 ? 1 : direction < 0.0 ? -1 : 0;
    if (step[axis] == 0) {
      nextM[axis] = never;
      continue;
    }
    const double sideM = lowM + edgeM * static_cast<double>(at[axis] + (step[axis] > 0 ? 1 : 0));
    nextM[axis] = (sideM - partOf(path.originM, axis)) / direction;
    perVoxelM[axis] = edgeM / std::abs(direction);
  }
  double hereM = path.fromM;
  while (true) {
    const std::size_t axis =
        nextM[0] <= nextM[1] ? (nextM[0] <= nextM[2] ? 0 : 2) : (nextM[1] <= nextM[2] ? 1 : 2);
    const double leaveM = std::min(nextM[axis], path.toM);
    const std::size_t voxel =
        grid.numberOf(static_cast<std::size_t>(at[0]), static_cast<std::size_t>(at[1]),
                      static_cast<std::size_t>(at[2]));
    const double rate = perDensity * static_cast<double>(grid.densityPerM[voxel]);
    if (rate > 0.0 && leaveM > fromM) {
      const double middleM =
          partOf(grid.minM, path.along) +
          partOf(grid.voxelM, path.along) * (static_cast<double>(at[path.along]) + 0.5);
      const LeafDraw leaf = drawIn(squareOf(model, path, voxel, middleM));
      const double rangeM = hereM + leaf.depth / rate;
      if (rangeM >= fromM && rangeM <= leaveM) {
        return {rangeM, static_cast<std::uint32_t>(voxel), leaf};
      }
    }
    hereM = std::max(hereM, leaveM);
    at[axis] += step[axis];
    if (nextM[axis] >= path.toM || at[axis] < 0 ||
        at[axis] >= static_cast<std::int64_t>(grid.voxels[axis])) {
      return {never, 0, {}};
    }
    nextM[axis] += perVoxelM[axis];
  }
}

// A vector of length 1 at a cosine to `direction` (length 1), turned about it.
Vec3d besideOf(Vec3d direction, double cosine, double turnRad) {
  const Vec3d other = std::abs(direction.z) < 0.9 ? Vec3d{0.0, 0.0, 1.0} : Vec3d{1.0, 0.0, 0.0};
  const Vec3d right = normalized(cross(direction, other));
  const Vec3d up = cross(right, direction);
  const double sine = std::sqrt(std::max(0.0, 1.0 - cosine * cosine));
  return direction * cosine + right * (sine * std::cos(turnRad)) + up * (sine * std::sin(turnRad));
}

void meetLane(const PlacedVoxels& placed, const PassedPulses& pulses, PathRay ray, float fromM,
              float toM, FacetHit& hit) {
  const VoxelModel& model = *placed.model;
  const Vec3d direction = toDouble(placed.frame.direction(ray.direction));
  const Vec3d size{std::abs(direction.x), std::abs(direction.y), std::abs(direction.z)};
  const std::size_t along =
      size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  PathThroughVoxels path{toDouble(placed.frame.point(ray.originM - placed.positionM)), direction,
                         0.0, static_cast<double>(toM), along};
  if (!clip(model.grid, path)) return;
  const double perScale = length(path.direction);
  const Vec3d unit = path.direction * (1.0 / perScale);
  const double cosZenith = std::abs(unit.z);
  const double perDensity = model.leaves.projection(cosZenith) * perScale;
  const VoxelHit met =
      march(model, path, static_cast<double>(fromM), perDensity, [&](std::uint32_t square) {
        // Without pulses, as in pictures, leaves stay where they are.
        return pulses.draws == nullptr ? leafDraw(0, 0, 0, square)
                                       : pulses.draws->leaf(placed.number, ray.pulse, square);
      });
  if (!(met.rangeM <= path.toM)) return;
  const double cosine = model.leaves.cosineAt(cosZenith, met.leaf.share);
  hit.isHit = true;
  hit.rangeM = static_cast<float>(met.rangeM);
  hit.primitive = met.voxel;
  hit.facet = toFloat(besideOf(unit * -1.0, std::max(cosine, 1e-3), met.leaf.turnRad));
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
    FacetHit hit;
    meetLane(placed, pulses, ray, laneOf(query.ray.tnear, lane), laneOf(query.ray.tfar, lane), hit);
    if (!hit.isHit) continue;
    const bool hasOther = laneOf(query.hit.geomID, lane) != RTC_INVALID_GEOMETRY_ID;
    if (hasOther && hit.rangeM == laneOf(query.ray.tfar, lane) &&
        laneOf(query.hit.instID[0], lane) < placed.number) {
      continue;
    }
    laneOf(query.ray.tfar, lane) = hit.rangeM;
    setNormal(query, lane, hit.facet);
    laneOf(query.hit.u, lane) = 0.0F;
    laneOf(query.hit.v, lane) = 0.0F;
    laneOf(query.hit.primID, lane) = hit.primitive;
    laneOf(query.hit.geomID, lane) = 0U;
    laneOf(query.hit.instID[0], lane) = placed.number;
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
    : top_(device.handle()) {
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& instance = scene.instances[index];
    const VoxelModel* const model = scene.models[instance.model].voxels.get();
    if (model == nullptr) continue;
    const Placement placement{instance.positionM, instance.rotation, instance.scale};
    const Boundsf box = worldBounds(placement, model->grid.bounds());
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
  if (placed_.empty()) return;
  attachUserGeometry(device.handle(), top_.handle(), placed_.size(), placed_.data(), boundVoxels,
                     meetVoxels);
  // Why without progress: boxes are few beside triangles.
  top_.commit({nullptr, watch.isCancelled});
}

VoxelScene::~VoxelScene() = default;

}  // namespace understory
