// Parts of a learned model that lines meet, and the ranges that it draws: for judging models against logs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/learned/learnedModel.h"
#include "learn/ellipsoids.h"
#include "learn/lineMixture.h"
#include "learn/triangles.h"

namespace understory {

// A part that a line meets, with its support.
struct MetMember : LineMember {
  std::uint32_t support = 0;
  std::uint32_t primitive = 0;  // primitivesOf(LearnedModel)
};

class LearnedLines {
 public:
  // `model` must outlive it.
  explicit LearnedLines(const LearnedModel& model, const Watch& watch = {});

  // Elements, triangles and the nearest point that a line meets up to `maxM`, in order.
  void meet(Vec3f originM, Vec3f direction, double maxM, std::vector<MetMember>& met) const;

 private:
  void meetPoint(Vec3f originM, Vec3f direction, double maxM, std::vector<MetMember>& met) const;

  const LearnedModel& model_;
  Ellipsoids ellipsoids_;
  Triangles triangles_;
  BoxTree points_;
};

struct DrawnRange {
  double rangeM = 0.0;          // NaN: none
  bool isUnderSampled = false;  // it passed or met what fewer than 10 beams observed
  bool isVolume = false;        // it was drawn on an element
};

// One draw along a line: the range that a scan gives of pulse `beam` of the first sensor, with one ray, the seed `seed`
// and the model as instance 1 of its scene. Ranges outside of `window` are none.
DrawnRange drawRange(const std::vector<MetMember>& met, std::uint64_t seed, std::uint64_t beam,
                     const RangeWindow& window);

}  // namespace understory
