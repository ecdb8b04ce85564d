// What lines meet in a learned model, and the ranges that it draws: for judging models against logs.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "core/learned/learnedModel.h"
#include "learn/ellipsoids.h"
#include "learn/lineMixture.h"
#include "learn/surfaceNoise.h"
#include "learn/triangleCounting.h"

namespace understory {

// What a line meets, with what the model knows of it.
struct MetMember : LineMember {
  std::uint32_t support = 0;
};

class LearnedLines {
 public:
  // `model` must outlive it.
  explicit LearnedLines(const LearnedModel& model);

  // Elements, triangles and the nearest point that a line meets up to `maxM`, in order.
  void meet(Vec3f originM, Vec3f direction, double maxM, std::vector<MetMember>& met) const;

 private:
  void meetPoint(Vec3f originM, Vec3f direction, double maxM, std::vector<MetMember>& met) const;

  const LearnedModel& model_;
  SurfaceNoise noise_;
  Ellipsoids ellipsoids_;
  Triangles triangles_;
  BoxTree points_;
};

struct DrawnRange {
  double rangeM = 0.0;          // NaN: none
  bool isUnderSampled = false;  // it passed or met what fewer than 10 beams observed
};

// One draw along a line, keyed by (seed, beam). Ranges beyond `maxM` are none.
DrawnRange drawRange(const std::vector<MetMember>& met, std::uint64_t seed, std::uint64_t beam,
                     double maxM);

}  // namespace understory
