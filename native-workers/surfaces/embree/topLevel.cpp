// Rays through Embree: packets coherently where that loses nothing, single rays one by one.
#include "surfaces/embree/topLevel.h"

#include <array>
#include <cstring>
#include <utility>

#include "core/maths/lanes.h"
#include "surfaces/embree/buildMeter.h"
#include "surfaces/embree/embreeErrors.h"
#include "surfaces/embree/packetQuery.h"
#include "surfaces/embree/setRay.h"

namespace understory {

// A packet with the mask of its active lanes.
template <std::size_t Width>
struct Prepared {
  typename PacketOf<Width>::RayHit packet;
  alignas(64) std::array<int, Width> valid;
};

namespace {

static_assert(RTC_INVALID_GEOMETRY_ID == noInstance);

template <typename Value, std::size_t Width>
UNDERSTORY_INLINE void fill(Value (&values)[Width], Value value) {
  typedef Value Vector __attribute__((vector_size(Width * sizeof(Value))));
  const Vector all = value - Vector{};
  std::memcpy(values, &all, sizeof(all));
}

template <typename Value, std::size_t Width>
UNDERSTORY_INLINE void copy(Value (&values)[Width], const Value* from) {
  typedef Value Vector __attribute__((vector_size(Width * sizeof(Value))));
  Vector all;
  std::memcpy(&all, from, sizeof(all));
  std::memcpy(values, &all, sizeof(all));
}

// minHitM of every ray.
template <std::size_t Width>
UNDERSTORY_INLINE void fillLeastDistances(float (&values)[Width], const RayLanes& rays) {
  typedef float Vector __attribute__((vector_size(Width * sizeof(float))));
  Vector most{};
  for (const float* from : {rays.originX, rays.originY, rays.originZ}) {
    Vector all;
    std::memcpy(&all, from, sizeof(all));
    all = all < 0.0F ? -all : all;
    most = most > all ? most : all;
  }
  most = 1e-5F + 0x1.0p-22F * most;
  std::memcpy(&values, &most, sizeof(most));
}

// Rays from minHitM on, not from the minimum range: a surface nearer than that blocks the ray. Returns whether the
// packet is coherent. Why whole vectors: Embree loads them as such, and a load waits for smaller stores.
template <std::size_t Width>
UNDERSTORY_INLINE bool setRays(Prepared<Width>& prepared, const RayLanes& rays, std::size_t active,
                               const PacketHits<Width>& limits) {
  auto& [ray, hit] = prepared.packet;
  copy(ray.org_x, rays.originX);
  copy(ray.org_y, rays.originY);
  copy(ray.org_z, rays.originZ);
  copy(ray.dir_x, rays.directionX);
  copy(ray.dir_y, rays.directionY);
  copy(ray.dir_z, rays.directionZ);
  fillLeastDistances<Width>(ray.tnear, rays);
  copy(ray.tfar, limits.rangeM.data());
  fill(ray.time, 0.0F);
  fill(ray.mask, 0xFFFFFFFFU);
  for (std::size_t lane = 0; lane < Width; ++lane) ray.id[lane] = static_cast<unsigned>(lane);
  fill(ray.flags, 0U);
  fill(hit.Ng_x, 0.0F);
  fill(hit.Ng_y, 0.0F);
  fill(hit.Ng_z, 0.0F);
  fill(hit.u, 0.0F);
  fill(hit.v, 0.0F);
  fill(hit.primID, 0U);
  fill(hit.geomID, RTC_INVALID_GEOMETRY_ID);
  fill(hit.instID[0], RTC_INVALID_GEOMETRY_ID);
  for (std::size_t lane = 0; lane < Width; ++lane) prepared.valid[lane] = lane < active ? -1 : 0;
  return PacketQuery::isCoherent<Width>(prepared.valid.data(), ray);
}

template <std::size_t Width, typename Packet>
void readHits(const Packet& packet, PacketHits<Width>& hits) {
#pragma GCC ivdep
  for (std::size_t lane = 0; lane < Width; ++lane) {
    hits.rangeM[lane] = packet.ray.tfar[lane];
    hits.facetX[lane] = packet.hit.Ng_x[lane];
    hits.facetY[lane] = packet.hit.Ng_y[lane];
    hits.facetZ[lane] = packet.hit.Ng_z[lane];
    hits.instance[lane] = packet.hit.instID[0][lane];
    hits.primitive[lane] = packet.hit.primID[lane];
  }
}

}  // namespace

// Overloads, not a template. Why: g++ makes no copies of a template for instruction sets.
UNDERSTORY_LANES
bool prepare(Prepared<4>& prepared, const RayLanes& rays, std::size_t active,
             const PacketHits<4>& limits) {
  return setRays(prepared, rays, active, limits);
}
UNDERSTORY_LANES
bool prepare(Prepared<8>& prepared, const RayLanes& rays, std::size_t active,
             const PacketHits<8>& limits) {
  return setRays(prepared, rays, active, limits);
}
UNDERSTORY_LANES
bool prepare(Prepared<16>& prepared, const RayLanes& rays, std::size_t active,
             const PacketHits<16>& limits) {
  return setRays(prepared, rays, active, limits);
}

template <std::size_t Width>
void TopLevel::nearestInPacket(const RayLanes& rays, std::size_t active,
                               PacketHits<Width>& hits) const {
  Prepared<Width> prepared;
  const bool isCoherent = prepare(prepared, rays, active, hits);
  PacketQuery query;
  if (rays.draws != nullptr) query.setPulses({rays.draws, rays.pulse, nullptr});
  if (rays.timeNs != nullptr) query.setTimes(rays.timeNs);
  query.intersect(prepared.valid.data(), scene_, prepared.packet, isCoherent);
  readHits(prepared.packet, hits);
}

void TopLevel::nearest(const RayLanes& rays, std::size_t active, PacketHits<4>& hits) const {
  nearestInPacket(rays, active, hits);
}
void TopLevel::nearest(const RayLanes& rays, std::size_t active, PacketHits<8>& hits) const {
  nearestInPacket(rays, active, hits);
}
void TopLevel::nearest(const RayLanes& rays, std::size_t active, PacketHits<16>& hits) const {
  nearestInPacket(rays, active, hits);
}

FacetHit TopLevel::nearest(const PathRay& ray, float fromM, float limitM) const {
  RTCRayHit query{};
  setRay(query, 0, ray, fromM, limitM);
  RayQuery of(false);
  if (!ray.passed.empty()) of.setPassed(&ray.passed);
  if (ray.draws != nullptr) of.setPulses({ray.draws, &ray.pulse, ray.minSupport});
  of.setTimes(&ray.timeNs);
  of.intersect(scene_, query);
  return {query.ray.tfar,
          {query.hit.Ng_x, query.hit.Ng_y, query.hit.Ng_z},
          query.hit.instID[0],
          query.hit.primID,
          query.hit.geomID != RTC_INVALID_GEOMETRY_ID};
}

bool TopLevel::isBlocked(const PathRay& ray, float fromM, float limitM) const {
  RTCRayHit query{};
  setRay(query, 0, ray, fromM, limitM);
  RayQuery(false).occluded(scene_, query.ray);
  return query.ray.tfar < 0.0F;
}

RTCSceneTy* newEmbreeScene(RTCDeviceTy* device) {
  RTCScene scene = rtcNewScene(device);
  rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  return scene;
}

TopLevel::TopLevel(RTCDeviceTy* device) : device_(device), scene_(newEmbreeScene(device)) {}

TopLevel::TopLevel(TopLevel&& other) noexcept
    : device_(other.device_),
      scene_(std::exchange(other.scene_, nullptr)),
      copies_(other.copies_) {}

TopLevel::~TopLevel() {
  if (scene_ != nullptr) rtcReleaseScene(scene_);
}

void TopLevel::place(std::uint32_t number, RTCSceneTy* model, const Placement& placement) {
  place(number, model, columnMajor3x4(placement));
}

void TopLevel::place(std::uint32_t number, RTCSceneTy* model,
                     const std::array<float, 12>& worldFromModel) {
  RTCGeometry geometry = rtcNewGeometry(device_, RTC_GEOMETRY_TYPE_INSTANCE);
  rtcSetGeometryInstancedScene(geometry, model);
  rtcSetGeometryTransform(geometry, 0, RTC_FORMAT_FLOAT3X4_COLUMN_MAJOR, worldFromModel.data());
  rtcCommitGeometry(geometry);
  rtcAttachGeometryByID(scene_, geometry, number);
  rtcReleaseGeometry(geometry);
  ++copies_;
}

void TopLevel::commit(const Watch& watch) {
  BuildMeter(watch, "top-level", copies_).commit(scene_, copies_);
  failOnEmbreeError(device_, "building the scene");
}

}  // namespace understory
