// Swaying plants as geometry of ours in a tree of Embree.
#include "surfaces/embree/swayingScene.h"

#include <cstring>
#include <optional>

#include "core/mutation.h"
#include "core/scene/sway.h"
#include "surfaces/embree/packetQuery.h"
#include "surfaces/embree/swayPieces.h"
#include "surfaces/embree/userGeometry.h"

namespace understory {
namespace {

// sin(2 pi turns), within 2e-7. Why ours: the bytes of a scan depend on no library.
float sineOf(double turns) {
  // Why not std::floor: it is a call. So many turns are thousands of years.
  double part = turns - static_cast<double>(static_cast<std::int64_t>(turns));
  if (part > 0.5) part -= 1.0;
  if (part < -0.5) part += 1.0;
  if (part > 0.25) part = 0.5 - part;
  if (part < -0.25) part = -0.5 - part;
  const double x = 2.0 * piRad * part;
  const double square = x * x;
  double sum = 1.0;
  for (const double factor : {1.0 / 110.0, 1.0 / 72.0, 1.0 / 42.0, 1.0 / 20.0, 1.0 / 6.0}) {
    sum = 1.0 - square * factor * sum;
  }
  return static_cast<float>(x * sum);
}

float topAt(const SwayingPlant& plant, std::int64_t timeNs) {
  if (activeMutation() == Mutation::rayTimeIgnored) timeNs = 0;
  const double turns = plant.frequencyHz * (static_cast<double>(timeNs) * 1e-9) + plant.phase;
  return plant.leanM + plant.swingM * sineOf(turns);
}

// `timesNs`: by ids of rays; null: all at 0. Neighbours are mostly rays of one pulse.
template <std::size_t Width>
void findTops(const SwayingPlant& plant, const std::int64_t* timesNs, const unsigned* ids,
              RaysInPlant<Width>& rays) {
  std::optional<std::int64_t> known;
  float topM = 0.0F;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    if (rays.active[lane] != 0) {
      const std::int64_t timeNs = timesNs == nullptr ? 0 : timesNs[ids[lane]];
      if (known != timeNs) topM = topAt(plant, timeNs);
      known = timeNs;
    }
    rays.topM[lane] = topM;
  }
}

template <typename Vector, typename Value>
void read(Vector& lanes, const Value& first) {
  std::memcpy(&lanes, &first, sizeof lanes);
}

template <std::size_t Width, typename Ray>
void readRays(const Ray& ray, const int* valid, RaysInPlant<Width>& rays) {
  read(rays.originX, laneOf(ray.org_x, 0));
  read(rays.originY, laneOf(ray.org_y, 0));
  read(rays.originZ, laneOf(ray.org_z, 0));
  read(rays.directionX, laneOf(ray.dir_x, 0));
  read(rays.directionY, laneOf(ray.dir_y, 0));
  read(rays.directionZ, laneOf(ray.dir_z, 0));
  read(rays.fromM, laneOf(ray.tnear, 0));
  read(rays.toM, laneOf(ray.tfar, 0));
  read(rays.active, *valid);
}

// Sets the fields that all pieces have in common.
template <std::size_t Width>
void prepare(RayPieces<Width>& pieces) {
  auto& ray = pieces.packet.ray;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    laneOf(ray.time, lane) = 0.0F;
    laneOf(ray.mask, lane) = 0xFFFFFFFFU;
    laneOf(ray.id, lane) = static_cast<unsigned>(lane);
    laneOf(ray.flags, lane) = 0U;
  }
}

// Traces piece after piece, until each ray has met something or left the plant.
template <std::size_t Width, typename Packet, typename Trace>
void meet(const SwayingPlant& plant, const RTCIntersectFunctionNArguments& arguments, Packet& query,
          const Trace& trace) {
  RaysInPlant<Width> rays;
  readRays(query.ray, arguments.valid, rays);
  enterPlant(plant, rays);
  findTops(plant, RayQuery::timesOf(arguments), &laneOf(query.ray.id, 0), rays);
  RayPieces<Width> pieces;
  prepare(pieces);
  const auto isAnyActive = [&rays] {
    int any = 0;
    for (std::size_t lane = 0; lane < Width; ++lane) any |= rays.active[lane];
    return any != 0;
  };
  while (isAnyActive()) {
    cutPieces(plant, rays, pieces);
    trace(pieces);
    for (std::size_t lane = 0; lane < Width; ++lane) {
      if (pieces.active[lane] == 0) continue;
      if (!isHit(pieces.packet, lane)) continue;
      rays.active[lane] = 0;
      // The inverse of a shear has the opposite sign.
      Vec3f normal = plant.frame.normal(normalOf(pieces.packet, lane));
      normal.z -= pieces.shear[lane] * (plant.towards.x * normal.x + plant.towards.y * normal.y);
      takeHit(query, lane,
              {laneOf(pieces.packet.ray.tfar, lane), plant.instance,
               laneOf(pieces.packet.hit.primID, lane), normal});
    }
  }
}

template <std::size_t Width>
void meetTogether(const SwayingPlant& plant, const RTCIntersectFunctionNArguments& arguments) {
  using Packet = typename PacketOf<Width>::RayHit;
  PacketQuery of;
  of.setInstance(plant.instance);
  meet<Width>(plant, arguments, *reinterpret_cast<Packet*>(arguments.rayhit),
              [&](RayPieces<Width>& pieces) {
                const auto* valid = reinterpret_cast<const int*>(&pieces.active);
                of.intersect<Width>(valid, plant.model, pieces.packet);
              });
}

void meetAlone(const SwayingPlant& plant, const RTCIntersectFunctionNArguments& arguments) {
  RayQuery of(false);
  of.setInstance(plant.instance);
  of.setPassed(RayQuery::passedOf(arguments));
  meet<1>(plant, arguments, *reinterpret_cast<RTCRayHit*>(arguments.rayhit),
          [&](RayPieces<1>& pieces) { of.intersect(plant.model, pieces.packet); });
}

const SwayingPlant& plantAt(const void* plants, unsigned number) {
  return static_cast<const SwayingPlant*>(plants)[number];
}

void meetPlant(const RTCIntersectFunctionNArguments* arguments) {
  const SwayingPlant& plant = plantAt(arguments->geometryUserPtr, arguments->primID);
  switch (arguments->N) {
    case 16:
      return meetTogether<16>(plant, *arguments);
    case 8:
      return meetTogether<8>(plant, *arguments);
    case 4:
      return meetTogether<4>(plant, *arguments);
    default:
      return meetAlone(plant, *arguments);
  }
}

void boundPlant(const RTCBoundsFunctionArguments* arguments) {
  const SwayingPlant& plant = plantAt(arguments->geometryUserPtr, arguments->primID);
  const auto& [low, high] = plant.reachM;
  setBounds(*arguments->bounds_o, {low + plant.rootM, high + plant.rootM});
}

SwayingPlant plantOf(const EmbreeScene& models, const Scene& scene, std::uint32_t index) {
  const Instance& instance = scene.instances[index];
  const Sway sway = swayOf(scene, instance);
  const Placement placement{instance.positionM - sway.rootM, instance.rotation, instance.scale};
  Boundsf reachM = worldBounds(placement, scene.models[instance.model].bounds);
  const Vec3f maxM = toFloat(sway.towards * sway.maxM());
  extend(reachM, reachM.min + maxM);
  extend(reachM, reachM.max + maxM);
  const Vec3f rootM = toFloat(sway.rootM);
  // Rounding of rays and of boxes, which lie in the world.
  const float slackM = 1e-4F + 2.0F * minHitM(rootM);
  const Vec3f slack{slackM, slackM, slackM};
  return {models.model(instance.model),
          index,
          rootM,
          {reachM.min - slack, reachM.max + slack},
          ModelFrame(placement),
          static_cast<float>(sway.heightM / static_cast<double>(swaySlabs)),
          {static_cast<float>(sway.towards.x), static_cast<float>(sway.towards.y)},
          static_cast<float>(sway.leanM),
          static_cast<float>(sway.swingM),
          sway.frequencyHz,
          sway.phase};
}

}  // namespace

SwayingScene::SwayingScene(const EmbreeScene& models, const Scene& scene, const Watch& watch)
    : UserScene(models.device().handle()) {
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    if (sways(scene, scene.instances[index])) plants_.push_back(plantOf(models, scene, index));
  }
  build(plants_.size(), plants_.data(), {boundPlant, meetPlant}, watch);
}

SwayingScene::~SwayingScene() = default;

}  // namespace understory
