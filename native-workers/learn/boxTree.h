// A tree of boxes: what a line may meet. Its leaves hold items by number; the caller tests them. Why not Embree: a line
// that counts meets all items on its course, in double precision, and core knows no ray tracing library.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/maths/maths.h"
#include "core/watch.h"

namespace understory {

class BoxTree {
 public:
  BoxTree() = default;
  // A pure function of the boxes; empty ones are never met. Throws 'cancelled'.
  explicit BoxTree(const std::vector<Boundsf>& boxes, const Watch& watch = {});

  // Calls visit(item) for each item whose box the line from `originM` along `direction` meets between 0 and `maxM`,
  // in no useful order; also for a few whose box it barely misses.
  template <typename Visit>
  void alongLine(Vec3f originM, Vec3f direction, float maxM, Visit&& visit) const {
    betweenRanges(originM, direction, 0.0F, maxM, visit);
  }
  // The same between `minM` and `maxM`.
  template <typename Visit>
  void betweenRanges(Vec3f originM, Vec3f direction, float minM, float maxM, Visit&& visit) const {
    if (nodes_.empty()) return;
    const Vec3f inverse{1.0F / direction.x, 1.0F / direction.y, 1.0F / direction.z};
    std::array<std::uint32_t, 128> stack{};
    std::size_t height = 0;
    if (meets(nodes_[0].box, originM, inverse, minM, maxM)) stack[height++] = 0;
    while (height > 0) {
      const Node& node = nodes_[stack[--height]];
      if (node.count > 0) {
        for (std::uint32_t at = 0; at < node.count; ++at) visit(items_[node.first + at]);
        continue;
      }
      if (meets(nodes_[node.first + 1].box, originM, inverse, minM, maxM))
        stack[height++] = node.first + 1;
      if (meets(nodes_[node.first].box, originM, inverse, minM, maxM)) stack[height++] = node.first;
    }
  }

  // The same for the items whose box holds a point.
  template <typename Visit>
  void at(Vec3f pointM, Visit&& visit) const {
    // A line of no length meets the boxes that hold its start.
    alongLine(pointM, {1.0F, 0.0F, 0.0F}, 0.0F, visit);
  }

 private:
  struct Node {
    Boundsf box;
    std::uint32_t first = 0;  // of its items, or its first child; the second follows
    std::uint32_t count = 0;  // of its items; 0: it has children
  };
  class Builder;

  void append(const std::vector<Node>& branch, std::uint32_t root);

  // Why the order of the operands: a NaN (0 · ∞, where the line runs in a side of the box) is dropped by both.
  static bool meets(const Boundsf& box, Vec3f originM, Vec3f inverse, float minM, float maxM) {
    float from = minM;
    float to = maxM;
    const auto clip = [&](float low, float high, float origin, float scale) {
      const float a = (low - origin) * scale;
      const float b = (high - origin) * scale;
      from = std::max(from, std::min(a, b));
      to = std::min(to, std::max(a, b));
    };
    clip(box.min.x, box.max.x, originM.x, inverse.x);
    clip(box.min.y, box.max.y, originM.y, inverse.y);
    clip(box.min.z, box.max.z, originM.z, inverse.z);
    return from <= to;
  }

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> items_;
};

}  // namespace understory
