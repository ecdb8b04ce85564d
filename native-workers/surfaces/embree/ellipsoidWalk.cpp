// One line through a tree of ellipsoids: its box tests are of eight children side by side.
#include <array>
#include <bit>
#include <limits>

#include "core/mutation.h"
#include "surfaces/embree/ellipsoidLeaf.h"

namespace understory {
namespace ellipsoids {
namespace {

// The same for all boxes.
struct LinePart {
  float originM;
  float inverse;
  std::size_t nearSide;
  std::size_t farSide;

  UNDERSTORY_INLINE LinePart(float origin, float direction, std::size_t axis)
      : originM(origin),
        inverse(inverseOf(direction)),
        nearSide(inverse < 0.0F ? axis + 3 : axis),
        farSide(inverse < 0.0F ? axis : axis + 3) {}

  UNDERSTORY_INLINE void clip(const Node& node, Floats& nearM, Floats& farM) const {
    Floats side;
    load(side, node.sides[nearSide]);
    side = (side - originM) * inverse;
    nearM = side > nearM ? side : nearM;
    load(side, node.sides[farSide]);
    side = (side - originM) * inverse;
    farM = side < farM ? side : farM;
  }
};

}  // namespace
}  // namespace ellipsoids

UNDERSTORY_LANES
void meetEllipsoids(const void* root, EllipsoidLine& line) {
  using namespace ellipsoids;
  const bool isByCentre = activeMutation() == Mutation::elementsByCentre;
  struct Waiting {
    const void* child;
    float nearM;
  };
  std::array<Waiting, width*(maxDepth + 1)> waiting;
  std::size_t height = 0;
  const LinePart alongX(line.originM.x, line.direction.x, 0);
  const LinePart alongY(line.originM.y, line.direction.y, 1);
  const LinePart alongZ(line.originM.z, line.direction.z, 2);
  const void* current = root;
  while (true) {
    if (const Leaf* leaf = leafOf(current)) {
      LeafHits hits;
      findHits(*leaf, line, isByCentre, hits);
      drawHits(*leaf, hits, line);
    } else {
      const Node& node = *static_cast<const Node*>(current);
      Floats nearM = Floats{};
      Floats farM = Floats{} + std::numeric_limits<float>::infinity();
      alongX.clip(node, nearM, farM);
      alongY.clip(node, nearM, farM);
      alongZ.clip(node, nearM, farM);
      nearM = nearM * nearer;
      unsigned met = bitsOf((nearM <= farM * farther) & (nearM <= line.untilM));
      Lane nearOf;
      store(nearOf, nearM);
      // The nearest on top.
      const std::size_t bottom = height;
      for (; met != 0; met &= met - 1) {
        const auto child = static_cast<std::size_t>(std::countr_zero(met));
        std::size_t at = height++;
        while (at > bottom && waiting[at - 1].nearM < nearOf[child]) {
          waiting[at] = waiting[at - 1];
          --at;
        }
        waiting[at] = {node.children[child], nearOf[child]};
        prefetch(node.children[child]);
      }
    }
    do {
      if (height == 0) return;
      --height;
    } while (waiting[height].nearM > line.untilM);
    current = waiting[height].child;
  }
}

}  // namespace understory
