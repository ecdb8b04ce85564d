// The ellipsoids of a learned model in a tree of their own, eight side by side in a leaf. Guarantee: what a line meets is
// a function of the elements and the line, not of the tree. Why no user geometry of Embree's: that calls back for each
// element, and eight side by side cost little more than one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>

#include "core/learned/learnedDraws.h"
#include "core/learned/learnedModel.h"
#include "surfaces/embree/buildMeter.h"
#include "surfaces/hits.h"
#include "surfaces/supportTrail.h"

struct RTCBVHTy;
struct RTCDeviceTy;

namespace understory {

// A line in the frame of a model, and the first ellipsoid on it that it does not pass.
struct EllipsoidLine {
  Vec3f originM;
  Vec3f direction;
  std::uint32_t instance = 0;      // of the model
  std::uint32_t firstElement = 0;  // number of its first element among its primitives

  const LearnedDraws* draws = nullptr;
  std::uint64_t pulse = 0;
  SupportTrail* trail = nullptr;  // notes the ellipsoids up to `untilM`; null: nothing is noted
  // Not null: all ellipsoids are passed, and lower it to the fewest beams that observed one.
  std::uint32_t* minSupport = nullptr;

  float untilM = std::numeric_limits<
      float>::infinity();  // where the line ends, then where its stop stands in order
  float meanM = 0.0F;      // of the stop
  float sigmaM = 0.0F;
  std::uint32_t stopInstance = noInstance;  // noInstance: there is no stop
  std::uint32_t stopPrimitive = 0;
};

class EllipsoidTree {
 public:
  // `model` has elements. `meter` counts them. Errors are Embree's; the tree is not used then.
  EllipsoidTree(RTCDeviceTy* device, const LearnedModel& model, BuildMeter& meter);

  // Adds the elements of the tree that the line meets to those that it has met in other models.
  void meet(EllipsoidLine& line) const;
  // Several at once, up to PulseLines::width: each as meet() does.
  void meetTogether(std::span<EllipsoidLine> lines) const;
  const Boundsf& bounds() const { return bounds_; }

 private:
  struct Release {
    void operator()(RTCBVHTy* tree) const;
  };

  std::unique_ptr<RTCBVHTy, Release> tree_;
  const void* root_ = nullptr;
  Boundsf bounds_;
};

// meet() for the root of a tree. Why by itself: g++ makes copies of functions for instruction sets, not of members.
void meetEllipsoids(const void* root, EllipsoidLine& line);
void meetEllipsoidsTogether(const void* root, std::span<EllipsoidLine> lines);

}  // namespace understory
