// Rays in the frames of what moves, as geometry of ours in trees of Embree.
#include "surfaces/embree/movingScene.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/mutation.h"
#include "surfaces/embree/framedTrace.h"
#include "surfaces/embree/modelFrame.h"

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

// Frames of the lanes of a query, at the time of each.
class LaneFrames {
 public:
  LaneFrames(const MovingCopy& copy, const std::int64_t* timesNs)
      : copy_(copy), timesNs_(timesNs) {}

  FramedLine enter(std::size_t lane, unsigned ray, const FramedLine& line) {
    const std::int64_t timeNs = timesNs_ == nullptr ? 0 : timesNs_[ray];
    // Neighbours are mostly rays of one pulse.
    if (!last_ || timeNs != lastNs_) last_ = frameAt(copy_, timeNs);
    lastNs_ = timeNs;
    frames_[lane] = last_;
    return {last_->frame.point(line.originM - last_->positionM),
            last_->frame.direction(line.direction)};
  }
  Vec3f leave(std::size_t lane, Vec3f normal) const { return frames_[lane]->frame.normal(normal); }

 private:
  const MovingCopy& copy_;
  const std::int64_t* timesNs_;
  std::array<std::optional<MovedFrame>, 16> frames_;
  std::optional<MovedFrame> last_;
  std::int64_t lastNs_ = 0;
};

const MovingCopy& copyAt(const void* copies, unsigned number) {
  return static_cast<const MovingCopy*>(copies)[number];
}

void meetCopy(const RTCIntersectFunctionNArguments* arguments) {
  const MovingCopy& copy = copyAt(arguments->geometryUserPtr, arguments->primID);
  LaneFrames frames(copy, RayQuery::timesOf(*arguments));
  traceFramed(*arguments, {copy.model, copy.number}, frames);
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
