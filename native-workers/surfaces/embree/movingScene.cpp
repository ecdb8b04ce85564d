// Rays in the frames of what moves, as geometry of ours in trees of Embree.
#include "surfaces/embree/movingScene.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/mutation.h"
#include "surfaces/embree/modelFrame.h"
#include "surfaces/embree/packetQuery.h"
#include "surfaces/embree/setRay.h"
#include "surfaces/embree/userGeometry.h"

namespace understory {

// An instance during a window.
struct MovingCopy {
  RTCSceneTy* model;
  std::uint32_t number;
  std::size_t window;
  const Instance* instance;
  const Motions* motions;
  Boundsf reachM;
};

namespace {

// How rays come into the frame of an instance. Why relative to its position: numbers are as precise there as its model's.
struct MovedFrame {
  Vec3f positionM;
  ModelFrame frame;

  explicit MovedFrame(const Placement& placed)
      : positionM(toFloat(placed.positionM)),
        frame({placed.positionM - toDouble(positionM), placed.rotation, placed.scale}) {}
};

// Mutation::matrixInterpolation: halfway between two matrices a model shrinks by the cosine of half the angle.
MovedFrame frameBetweenMatrices(const MovingCopy& copy, std::int64_t timeNs) {
  const std::int64_t fromNs = timeNs / motionStepNs * motionStepNs;
  const float share = static_cast<float>(timeNs - fromNs) / static_cast<float>(motionStepNs);
  MovedFrame moved(displacedAt(*copy.motions, *copy.instance, timeNs));
  const MovedFrame from(displacedAt(*copy.motions, *copy.instance, fromNs));
  const MovedFrame to(displacedAt(*copy.motions, *copy.instance, fromNs + motionStepNs));
  for (std::size_t cell = 0; cell < 9; ++cell) {
    const float first = from.frame.modelFromWorld[cell];
    moved.frame.modelFromWorld[cell] = first + share * (to.frame.modelFromWorld[cell] - first);
  }
  return moved;
}

MovedFrame frameAt(const MovingCopy& copy, std::int64_t timeNs) {
  if (activeMutation() == Mutation::matrixInterpolation) return frameBetweenMatrices(copy, timeNs);
  if (activeMutation() == Mutation::rayTimeIgnored) {
    timeNs = (copy.motions->firstWindow + static_cast<std::int64_t>(copy.window)) * motionWindowNs;
  }
  return MovedFrame(displacedAt(*copy.motions, *copy.instance, timeNs));
}

// `trace` traces a packet, or a ray, to the model.
template <std::size_t Width, typename Packet, typename Trace>
void meet(const MovingCopy& copy, const RTCIntersectFunctionNArguments& arguments,
          const Trace& trace) {
  Packet& query = *reinterpret_cast<Packet*>(arguments.rayhit);
  const std::int64_t* const timesNs = RayQuery::timesOf(arguments);
  Packet traced = query;
  std::array<std::optional<MovedFrame>, Width> frames;
  // Neighbours are mostly rays of one pulse.
  std::optional<MovedFrame> last;
  std::int64_t lastNs = 0;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    laneOf(traced.hit.geomID, lane) = RTC_INVALID_GEOMETRY_ID;
    if (arguments.valid[lane] == 0) continue;
    const std::int64_t timeNs = timesNs == nullptr ? 0 : timesNs[laneOf(query.ray.id, lane)];
    if (!last || timeNs != lastNs) last = frameAt(copy, timeNs);
    lastNs = timeNs;
    frames[lane] = last;
    const Vec3f originM{laneOf(query.ray.org_x, lane), laneOf(query.ray.org_y, lane),
                        laneOf(query.ray.org_z, lane)};
    const Vec3f direction{laneOf(query.ray.dir_x, lane), laneOf(query.ray.dir_y, lane),
                          laneOf(query.ray.dir_z, lane)};
    setLine(traced, lane, last->frame.point(originM - last->positionM),
            last->frame.direction(direction));
  }
  trace(traced);
  for (std::size_t lane = 0; lane < Width; ++lane) {
    if (!frames[lane] || !isHit(traced, lane)) continue;
    takeHit(query, lane,
            {laneOf(traced.ray.tfar, lane), copy.number, laneOf(traced.hit.primID, lane),
             frames[lane]->frame.normal(normalOf(traced, lane))});
  }
}

template <std::size_t Width>
void meetTogether(const MovingCopy& copy, const RTCIntersectFunctionNArguments& arguments) {
  using Packet = typename PacketOf<Width>::RayHit;
  PacketQuery of;
  of.setInstance(copy.number);
  of.setPulses(RayQuery::pulsesOf(arguments));
  meet<Width, Packet>(copy, arguments, [&](Packet& traced) {
    of.intersect<Width>(arguments.valid, copy.model, traced);
  });
}

void meetAlone(const MovingCopy& copy, const RTCIntersectFunctionNArguments& arguments) {
  if (arguments.valid[0] == 0) return;
  RayQuery of(false);
  of.setInstance(copy.number);
  of.setPulses(RayQuery::pulsesOf(arguments));
  of.setPassed(RayQuery::passedOf(arguments));
  meet<1, RTCRayHit>(copy, arguments, [&](RTCRayHit& traced) { of.intersect(copy.model, traced); });
}

const MovingCopy& copyAt(const void* copies, unsigned number) {
  return static_cast<const MovingCopy*>(copies)[number];
}

void meetCopy(const RTCIntersectFunctionNArguments* arguments) {
  const MovingCopy& copy = copyAt(arguments->geometryUserPtr, arguments->primID);
  switch (arguments->N) {
    case 16:
      return meetTogether<16>(copy, *arguments);
    case 8:
      return meetTogether<8>(copy, *arguments);
    case 4:
      return meetTogether<4>(copy, *arguments);
    default:
      return meetAlone(copy, *arguments);
  }
}

void boundCopy(const RTCBoundsFunctionArguments* arguments) {
  setBounds(*arguments->bounds_o, copyAt(arguments->geometryUserPtr, arguments->primID).reachM);
}

}  // namespace

MovingScene::MovingScene(const EmbreeScene& models, const Scene& scene, const Motions& motions,
                         const Watch& watch)
    : motions_(motions) {
  std::vector<std::uint32_t> moving;
  for (std::uint32_t index = 0; index < scene.instances.size(); ++index) {
    const Instance& instance = scene.instances[index];
    if (instance.isMoving() && models.hasTriangles(instance.model)) moving.push_back(index);
  }
  if (moving.empty()) return;
  copies_.resize(motions.windows());
  for (std::size_t window = 0; window < copies_.size(); ++window) {
    watch.throwIfCancelled();
    std::vector<MovingCopy>& copies = copies_[window];
    for (const std::uint32_t index : moving) {
      const Instance& instance = scene.instances[index];
      Boundsf reachM = reachOf(motions, instance, scene.models[instance.model].bounds, window);
      // Rounding of rays and of boxes.
      const float slackM = 1e-4F + 2.0F * std::max(minHitM(reachM.min), minHitM(reachM.max));
      const Vec3f slack{slackM, slackM, slackM};
      copies.push_back({models.model(instance.model),
                        index,
                        window,
                        &instance,
                        &motions,
                        {reachM.min - slack, reachM.max + slack}});
    }
    windows_.emplace_back(models.device().handle())
        .build(copies.size(), copies.data(), {boundCopy, meetCopy}, watch);
  }
}

MovingScene::~MovingScene() = default;

}  // namespace understory
