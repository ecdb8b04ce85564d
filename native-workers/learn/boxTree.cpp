// Splits where the surface area heuristic costs least, over 16 bins (Wald 2007).
#include "learn/boxTree.h"

#include <algorithm>
#include <cmath>

namespace understory {
namespace {

constexpr std::size_t bins = 16;
constexpr std::uint32_t maxLeafItems = 4;
// Below this depth halves are split evenly, so that the stack of a query is bounded.
constexpr std::uint32_t maxUnevenDepth = 60;

void extendBy(Boundsf& box, const Boundsf& other) {
  extend(box, other.min);
  extend(box, other.max);
}

float halfArea(const Boundsf& box) {
  if (isEmpty(box)) return 0.0F;
  const Vec3f size = box.max - box.min;
  return size.x * size.y + size.y * size.z + size.z * size.x;
}

float partOf(Vec3f v, std::size_t axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// Why: a query is in single precision, as are the boxes.
Boundsf widened(const Boundsf& box) {
  const auto slack = [](float low, float high) {
    return 1e-6F * (std::abs(low) + std::abs(high)) + 1e-6F;
  };
  const Vec3f by{slack(box.min.x, box.max.x), slack(box.min.y, box.max.y),
                 slack(box.min.z, box.max.z)};
  return {box.min - by, box.max + by};
}

struct Split {
  std::size_t axis = 0;
  std::size_t bin = 0;  // the first of the right side
  float cost = std::numeric_limits<float>::infinity();
};

struct Range {
  std::uint32_t node;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t depth;
};

}  // namespace

BoxTree::BoxTree(const std::vector<Boundsf>& boxes) {
  std::vector<Vec3f> centres(boxes.size());
  for (std::uint32_t item = 0; item < boxes.size(); ++item) {
    if (isEmpty(boxes[item])) continue;
    centres[item] = (boxes[item].min + boxes[item].max) * 0.5F;
    items_.push_back(item);
  }
  if (items_.empty()) return;
  nodes_.reserve(items_.size());
  nodes_.emplace_back();
  std::vector<Range> todo{{0, 0, static_cast<std::uint32_t>(items_.size()), 0}};
  while (!todo.empty()) {
    const Range range = todo.back();
    todo.pop_back();
    Boundsf box;
    Boundsf middle;
    for (std::uint32_t at = range.from; at < range.to; ++at) {
      extendBy(box, boxes[items_[at]]);
      extend(middle, centres[items_[at]]);
    }
    nodes_[range.node].box = widened(box);
    const std::uint32_t count = range.to - range.from;
    const Vec3f size = middle.max - middle.min;
    const float widest = std::max({size.x, size.y, size.z});
    if (count <= maxLeafItems) {
      nodes_[range.node].first = range.from;
      nodes_[range.node].count = count;
      continue;
    }
    std::uint32_t cut = range.from + count / 2;
    if (widest > 0.0F && range.depth < maxUnevenDepth) {
      Split best;
      const auto binOf = [&](std::uint32_t item, std::size_t axis) {
        const float share =
            (partOf(centres[item], axis) - partOf(middle.min, axis)) / partOf(size, axis);
        return std::min(bins - 1, static_cast<std::size_t>(share * static_cast<float>(bins)));
      };
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(partOf(size, axis) > 0.0F)) continue;
        std::array<Boundsf, bins> binBoxes;
        std::array<std::uint32_t, bins> counts{};
        for (std::uint32_t at = range.from; at < range.to; ++at) {
          const std::size_t bin = binOf(items_[at], axis);
          extendBy(binBoxes[bin], boxes[items_[at]]);
          ++counts[bin];
        }
        std::array<float, bins> rightCosts{};
        Boundsf right;
        std::uint32_t rightCount = 0;
        for (std::size_t bin = bins - 1; bin > 0; --bin) {
          if (counts[bin] > 0) extendBy(right, binBoxes[bin]);
          rightCount += counts[bin];
          rightCosts[bin] = halfArea(right) * static_cast<float>(rightCount);
        }
        Boundsf left;
        std::uint32_t leftCount = 0;
        for (std::size_t bin = 1; bin < bins; ++bin) {
          if (counts[bin - 1] > 0) extendBy(left, binBoxes[bin - 1]);
          leftCount += counts[bin - 1];
          const float cost = halfArea(left) * static_cast<float>(leftCount) + rightCosts[bin];
          if (leftCount > 0 && leftCount < count && cost < best.cost) best = {axis, bin, cost};
        }
      }
      if (best.bin > 0) {
        const auto first = items_.begin() + range.from;
        const auto last = items_.begin() + range.to;
        const auto border = std::stable_partition(
            first, last, [&](std::uint32_t item) { return binOf(item, best.axis) < best.bin; });
        cut = static_cast<std::uint32_t>(border - items_.begin());
      }
    }
    const auto child = static_cast<std::uint32_t>(nodes_.size());
    nodes_[range.node].first = child;
    nodes_.emplace_back();
    nodes_.emplace_back();
    todo.push_back({child, range.from, cut, range.depth + 1});
    todo.push_back({child + 1, cut, range.to, range.depth + 1});
  }
}

}  // namespace understory
