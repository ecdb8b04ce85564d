// Rays of a query that enter a box of ours, traced to a model in its own frame.
#pragma once

#include <cstddef>
#include <cstdint>

#include "core/maths/maths.h"
#include "surfaces/embree/packetQuery.h"
#include "surfaces/embree/setRay.h"
#include "surfaces/embree/userGeometry.h"

namespace understory {

// The tree of a model, and the number of the instance of it.
struct FramedModel {
  RTCSceneTy* tree;
  std::uint32_t number;
};

// A point and a direction, whose length says how long a metre is in the frame.
struct FramedLine {
  Vec3f originM;
  Vec3f direction;
};

template <typename Packet>
FramedLine lineOf(const Packet& query, std::size_t lane) {
  return {
      {laneOf(query.ray.org_x, lane), laneOf(query.ray.org_y, lane), laneOf(query.ray.org_z, lane)},
      {laneOf(query.ray.dir_x, lane), laneOf(query.ray.dir_y, lane),
       laneOf(query.ray.dir_z, lane)}};
}

// One lane of a query, by itself.
template <typename Packet, typename Frames>
void traceLane(const RTCIntersectFunctionNArguments& arguments, const FramedModel& model,
               Packet& query, std::size_t lane, Frames& frames) {
  const FramedLine line = frames.enter(lane, laneOf(query.ray.id, lane), lineOf(query, lane));
  RTCRayHit traced;
  setLine(traced, 0, line.originM, line.direction);
  traced.ray.tnear = laneOf(query.ray.tnear, lane);
  traced.ray.tfar = laneOf(query.ray.tfar, lane);
  traced.ray.time = 0.0F;
  traced.ray.mask = laneOf(query.ray.mask, lane);
  traced.ray.id = laneOf(query.ray.id, lane);
  traced.ray.flags = 0;
  traced.hit.geomID = RTC_INVALID_GEOMETRY_ID;
  traced.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  RayQuery of(false);
  of.setInstance(model.number);
  of.setPulses(RayQuery::pulsesOf(arguments));
  of.setPassed(RayQuery::passedOf(arguments));
  of.intersect(model.tree, traced);
  if (!isHit(traced, 0)) return;
  takeHit(
      query, lane,
      {traced.ray.tfar, model.number, traced.hit.primID, frames.leave(lane, normalOf(traced, 0))});
}

template <std::size_t Width, typename Frames>
void traceLanes(const RTCIntersectFunctionNArguments& arguments, const FramedModel& model,
                Frames& frames) {
  using Packet = typename PacketOf<Width>::RayHit;
  Packet& query = *reinterpret_cast<Packet*>(arguments.rayhit);
  std::size_t active = 0;
  for (std::size_t lane = 0; lane < Width; ++lane) active += arguments.valid[lane] != 0 ? 1 : 0;
  // Few rays are traced sooner one by one than as lanes of a packet.
  if (active <= Width / 2) {
    for (std::size_t lane = 0; lane < Width; ++lane) {
      if (arguments.valid[lane] != 0) traceLane(arguments, model, query, lane, frames);
    }
    return;
  }
  Packet traced = query;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    traced.hit.geomID[lane] = RTC_INVALID_GEOMETRY_ID;
    if (arguments.valid[lane] == 0) continue;
    const FramedLine line = frames.enter(lane, query.ray.id[lane], lineOf(query, lane));
    setLine(traced, lane, line.originM, line.direction);
  }
  PacketQuery of;
  of.setInstance(model.number);
  of.setPulses(RayQuery::pulsesOf(arguments));
  of.intersect<Width>(arguments.valid, model.tree, traced);
  for (std::size_t lane = 0; lane < Width; ++lane) {
    if (arguments.valid[lane] == 0 || !isHit(traced, lane)) continue;
    takeHit(query, lane,
            {traced.ray.tfar[lane], model.number, traced.hit.primID[lane],
             frames.leave(lane, normalOf(traced, lane))});
  }
}

// `frames`: enter(lane, id of the ray, line) gives the line in the model's frame, leave(lane,
// normal) the normal in that of FacetHit::facet. Called in the order of lanes, only for active ones.
template <typename Frames>
void traceFramed(const RTCIntersectFunctionNArguments& arguments, const FramedModel& model,
                 Frames& frames) {
  switch (arguments.N) {
    case 16:
      return traceLanes<16>(arguments, model, frames);
    case 8:
      return traceLanes<8>(arguments, model, frames);
    case 4:
      return traceLanes<4>(arguments, model, frames);
    default:
      if (arguments.valid[0] == 0) return;
      traceLane(arguments, model, *reinterpret_cast<RTCRayHit*>(arguments.rayhit), 0, frames);
  }
}

}  // namespace understory
