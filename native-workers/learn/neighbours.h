// Points near a point, by a k-d tree (nanoflann).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

struct Neighbour {
  std::uint32_t point = 0;
  float distance2M2 = 0.0F;
};

class Neighbours {
 public:
  // `points` must outlive it.
  explicit Neighbours(const std::vector<Vec3f>& points);
  ~Neighbours();
  Neighbours(const Neighbours&) = delete;
  Neighbours& operator=(const Neighbours&) = delete;

  // All points closer than `radiusM`, in an order that the points alone decide. Safe from any thread.
  void within(Vec3f centreM, float radiusM, std::vector<Neighbour>& found) const;
  // The `count` nearest, or all; the nearest first, by number where two are equally near.
  void nearest(Vec3f centreM, std::size_t count, std::vector<Neighbour>& found) const;

 private:
  struct Tree;
  std::unique_ptr<const Tree> tree_;
};

}  // namespace understory
