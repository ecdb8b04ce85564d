// Splits where the surface area heuristic costs least, over 16 bins (Wald 2007).
#include "learn/boxTree.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/parallel.h"

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

// Items of one bin.
struct Bin {
  Boundsf box;
  std::uint32_t count = 0;
};

using Bins = std::array<Bin, bins>;

// Items [from, to) below a node.
struct Range {
  std::uint32_t node;
  std::uint32_t from;
  std::uint32_t to;
  std::uint32_t depth;

  std::uint32_t count() const { return to - from; }
};

// Lowers `best` to the cheapest border between bins along an axis.
void considerAxis(const Bins& along, std::size_t axis, std::uint32_t count, Split& best) {
  std::array<float, bins> rightCosts{};
  Boundsf right;
  std::uint32_t rightCount = 0;
  for (std::size_t bin = bins - 1; bin > 0; --bin) {
    if (along[bin].count > 0) extendBy(right, along[bin].box);
    rightCount += along[bin].count;
    rightCosts[bin] = halfArea(right) * static_cast<float>(rightCount);
  }
  Boundsf left;
  std::uint32_t leftCount = 0;
  for (std::size_t bin = 1; bin < bins; ++bin) {
    if (along[bin - 1].count > 0) extendBy(left, along[bin - 1].box);
    leftCount += along[bin - 1].count;
    const float cost = halfArea(left) * static_cast<float>(leftCount) + rightCosts[bin];
    if (leftCount > 0 && leftCount < count && cost < best.cost) best = {axis, bin, cost};
  }
}

}  // namespace

// Orders the items of a tree and divides them.
class BoxTree::Builder {
 public:
  Builder(const std::vector<Boundsf>& boxes, std::vector<std::uint32_t>& items)
      : boxes_(boxes), items_(items), centresM_(boxes.size()) {
    for (std::uint32_t item = 0; item < boxes.size(); ++item) {
      if (isEmpty(boxes[item])) continue;
      centresM_[item] = (boxes[item].min + boxes[item].max) * 0.5F;
      items_.push_back(item);
    }
  }

  // Appends what lies below the node of `root`. Ranges of up to `maxLeft` items are left to `left`; 0: none is.
  void divide(Range root, std::uint32_t maxLeft, std::vector<Node>& nodes, std::vector<Range>& left,
              const Watch& watch) {
    std::vector<Range> todo{root};
    while (!todo.empty()) {
      const Range range = todo.back();
      todo.pop_back();
      if (range.count() <= maxLeft) {
        left.push_back(range);
        continue;
      }
      if (range.count() >= itemsBetweenChecks) watch.throwIfCancelled();
      Boundsf box;
      Boundsf middle;
      for (std::uint32_t at = range.from; at < range.to; ++at) {
        extendBy(box, boxes_[items_[at]]);
        extend(middle, centresM_[items_[at]]);
      }
      nodes[range.node].box = widened(box);
      if (range.count() <= maxLeafItems) {
        nodes[range.node].first = range.from;
        nodes[range.node].count = range.count();
        continue;
      }
      const std::uint32_t cut = cutOf(range, middle);
      const auto child = static_cast<std::uint32_t>(nodes.size());
      nodes[range.node].first = child;
      nodes.emplace_back();
      nodes.emplace_back();
      todo.push_back({child, range.from, cut, range.depth + 1});
      todo.push_back({child + 1, cut, range.to, range.depth + 1});
    }
  }

 private:
  static constexpr std::uint32_t itemsBetweenChecks = 1U << 16U;

  // The first item of the right side, with those of the left before it. `middle`: bounds of the centres.
  std::uint32_t cutOf(Range range, const Boundsf& middle) {
    const std::uint32_t even = range.from + range.count() / 2;
    const Vec3f size = middle.max - middle.min;
    const bool isOnePlace = !(std::max({size.x, size.y, size.z}) > 0.0F);
    if (isOnePlace || range.depth >= maxUnevenDepth) return even;
    const auto binOf = [&](std::uint32_t item, std::size_t axis) {
      const float share =
          (partOf(centresM_[item], axis) - partOf(middle.min, axis)) / partOf(size, axis);
      return std::min(bins - 1, static_cast<std::size_t>(share * static_cast<float>(bins)));
    };
    std::array<Bins, 3> binsOfAxes;
    for (std::uint32_t at = range.from; at < range.to; ++at) {
      const std::uint32_t item = items_[at];
      for (std::size_t axis = 0; axis < 3; ++axis) {
        if (!(partOf(size, axis) > 0.0F)) continue;
        Bin& bin = binsOfAxes[axis][binOf(item, axis)];
        extendBy(bin.box, boxes_[item]);
        ++bin.count;
      }
    }
    Split best;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (partOf(size, axis) > 0.0F) considerAxis(binsOfAxes[axis], axis, range.count(), best);
    }
    if (best.bin == 0) return even;
    const auto border = std::stable_partition(
        items_.begin() + range.from, items_.begin() + range.to,
        [&](std::uint32_t item) { return binOf(item, best.axis) < best.bin; });
    return static_cast<std::uint32_t>(border - items_.begin());
  }

  const std::vector<Boundsf>& boxes_;
  std::vector<std::uint32_t>& items_;
  std::vector<Vec3f> centresM_;
};

BoxTree::BoxTree(const std::vector<Boundsf>& boxes, const Watch& watch) {
  Builder builder(boxes, items_);
  if (items_.empty()) return;
  nodes_.reserve(items_.size());
  nodes_.emplace_back();
  const auto size = static_cast<std::uint32_t>(items_.size());
  // Why of a fixed size: the tree does not depend on the number of threads.
  constexpr std::uint32_t itemsOfBranch = 1U << 17U;
  std::vector<Range> roots;
  builder.divide({0, 0, size, 0}, itemsOfBranch, nodes_, roots, watch);
  std::vector<std::vector<Node>> branches(roots.size());
  inPieces(roots.size(), 1, watch, "tree of boxes", [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      Range root = roots[at];
      root.node = 0;
      branches[at].emplace_back();
      std::vector<Range> none;
      builder.divide(root, 0, branches[at], none, watch);
    }
  });
  for (std::size_t at = 0; at < roots.size(); ++at) append(branches[at], roots[at].node);
}

// The first node of a branch takes the place of `root`.
void BoxTree::append(const std::vector<Node>& branch, std::uint32_t root) {
  const auto shift = static_cast<std::uint32_t>(nodes_.size()) - 1;
  const auto shifted = [&](Node node) {
    if (node.count == 0) node.first += shift;
    return node;
  };
  nodes_[root] = shifted(branch.front());
  for (std::size_t at = 1; at < branch.size(); ++at) nodes_.push_back(shifted(branch[at]));
}

}  // namespace understory
