// Packets of Embree through placed voxel models.
#include "surfaces/embree/voxelScene.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/learned/learnedDraws.h"
#include "surfaces/embree/userGeometry.h"
#include "surfaces/embree/voxelRays.h"

namespace understory {

// An instance of a voxel model.
struct PlacedVoxels {
  VoxelPlace place;
  std::uint32_t number;
  Boundsf reachM;
};

namespace {

template <typename Value>
void copyLanes(VoxelRays::ByRay<Value>& to, const Value* from, std::size_t count) {
  if (count < VoxelRays::width) to.fill(*from);
  std::copy_n(from, count, to.begin());
}

// Rays of a packet; those beyond it are as the first. Why whole arrays: what follows loads them as vectors, and a load
// waits for smaller stores.
void takeRays(const RayLanes& lanes, std::size_t count, VoxelRays& rays) {
  copyLanes(rays.originM[0], lanes.originX, count);
  copyLanes(rays.originM[1], lanes.originY, count);
  copyLanes(rays.originM[2], lanes.originZ, count);
  copyLanes(rays.direction[0], lanes.directionX, count);
  copyLanes(rays.direction[1], lanes.directionY, count);
  copyLanes(rays.direction[2], lanes.directionZ, count);
}

// The keys of active rays. `pulseOf`: the number of the pulse of a ray; not asked for without draws.
template <typename PulseOf>
void takeKeys(const LearnedDraws* draws, std::uint32_t instance, const PulseOf& pulseOf,
              VoxelRays& rays) {
  // Without pulses, as in pictures, leaves stay where they are.
  LeafKey key{};
  if (draws == nullptr) key = leafKey(0, 0, 0);
  bool isKeyed = false;
  std::uint64_t keyed = 0;
  for (std::size_t ray = 0; ray < VoxelRays::width; ++ray) {
    if (draws != nullptr && rays.isActive[ray] != 0) {
      const std::uint64_t pulse = pulseOf(ray);
      if (!isKeyed || pulse != keyed) key = draws->leafKey(instance, pulse);
      isKeyed = true;
      keyed = pulse;
    }
    for (std::size_t word = 0; word < key.size(); ++word) rays.key[word][ray] = key[word];
  }
}

Vec3f normalOf(const VoxelHits& hits, std::size_t ray) {
  return {hits.normal[0][ray], hits.normal[1][ray], hits.normal[2][ray]};
}

template <typename Packet>
void meetLanes(const PlacedVoxels& placed, const RTCIntersectFunctionNArguments& arguments,
               std::size_t width) {
  Packet& query = *reinterpret_cast<Packet*>(arguments.rayhit);
  auto& ray = query.ray;
  VoxelRays rays;
  takeRays({&laneOf(ray.org_x, 0), &laneOf(ray.org_y, 0), &laneOf(ray.org_z, 0),
            &laneOf(ray.dir_x, 0), &laneOf(ray.dir_y, 0), &laneOf(ray.dir_z, 0)},
           width, rays);
  copyLanes(rays.fromM, &laneOf(ray.tnear, 0), width);
  copyLanes(rays.toM, &laneOf(ray.tfar, 0), width);
  rays.isActive.fill(0);
  std::copy_n(arguments.valid, width, rays.isActive.begin());
  const PassedPulses& pulses = RayQuery::pulsesOf(arguments);
  takeKeys(
      pulses.draws, placed.number,
      [&](std::size_t lane) { return pulses.pulses[laneOf(ray.id, lane)]; }, rays);
  VoxelHits hits;
  meetLeaves(placed.place, rays, hits);
  for (std::size_t lane = 0; lane < width; ++lane) {
    if (hits.isHit[lane] == 0) continue;
    takeHit(query, lane,
            {hits.rangeM[lane], placed.number, hits.voxel[lane], normalOf(hits, lane)});
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
  std::map<const VoxelModel*, const VoxelLeaves*> leavesOf;
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& instance = scene.instances[index];
    const VoxelModel* const model = scene.models[instance.model].voxels.get();
    if (model == nullptr) continue;
    const VoxelLeaves*& leaves = leavesOf[model];
    if (leaves == nullptr) {
      leaves_.push_back(std::make_unique<const VoxelLeaves>(*model));
      leaves = leaves_.back().get();
    }
    const Placement placement{instance.positionM, instance.rotation, instance.scale};
    const Boundsf box = worldBounds(placement, model->grid.space.bounds());
    const float slackM = 1e-4F + 2.0F * std::max(minHitM(box.min), minHitM(box.max));
    const Vec3f slack{slackM, slackM, slackM};
    const Vec3d cornerM = worldFromModel(placement, model->grid.space.minM);
    const Vec3f roundedM = toFloat(cornerM);
    const ModelFrame frame({cornerM - toDouble(roundedM), instance.rotation, instance.scale});
    placed_.push_back({{leaves, roundedM, frame}, index, {box.min - slack, box.max + slack}});
  }
  isFew_ = placed_.size() <= 2;
  build(placed_.size(), placed_.data(), {boundVoxels, meetVoxels}, watch);
}

VoxelScene::~VoxelScene() = default;

template <std::size_t Width>
void VoxelScene::nearestInPacket(const RayLanes& rays, std::size_t active,
                                 PacketHits<Width>& hits) const {
  hits.instance.fill(noInstance);
  for (const PlacedVoxels& placed : placed_) {
    VoxelRays own;
    takeRays(rays, Width, own);
    for (std::size_t lane = 0; lane < VoxelRays::width; ++lane) {
      own.fromM[lane] = minHitM({own.originM[0][lane], own.originM[1][lane], own.originM[2][lane]});
      own.isActive[lane] = lane < active ? -1 : 0;
    }
    copyLanes(own.toM, hits.rangeM.data(), Width);
    takeKeys(
        rays.draws, placed.number, [&](std::size_t lane) { return rays.pulse[lane]; }, own);
    VoxelHits met;
    meetLeaves(placed.place, own, met);
    PacketHits<Width> found;
    std::array<std::int32_t, Width> isNearest;
    found.instance.fill(placed.number);
    std::copy_n(met.rangeM.begin(), Width, found.rangeM.begin());
    std::copy_n(met.normal[0].begin(), Width, found.facetX.begin());
    std::copy_n(met.normal[1].begin(), Width, found.facetY.begin());
    std::copy_n(met.normal[2].begin(), Width, found.facetZ.begin());
    std::copy_n(met.voxel.begin(), Width, found.primitive.begin());
    for (std::size_t lane = 0; lane < Width; ++lane) {
      // Instances come by their numbers: of two at one range the first stays.
      const bool isFirst = hits.instance[lane] == noInstance;
      const bool isNearer = met.rangeM[lane] < hits.rangeM[lane];
      isNearest[lane] = (isFirst | isNearer) ? met.isHit[lane] : 0;
    }
    hits.replace(isNearest, found);
  }
}

void VoxelScene::nearestOfAll(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const {
  nearestInPacket(rays, active, hits);
}
void VoxelScene::nearestOfAll(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const {
  nearestInPacket(rays, active, hits);
}
void VoxelScene::nearestOfAll(const RayLanes& rays, std::size_t active,
                              PacketHits<16>& hits) const {
  nearestInPacket(rays, active, hits);
}

}  // namespace understory
