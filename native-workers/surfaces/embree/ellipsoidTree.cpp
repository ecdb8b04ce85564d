// Embree builds the tree (rtcBuildBVH); nodes and leaves are our own, in Embree's memory.
#include "surfaces/embree/ellipsoidTree.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <new>
#include <vector>

#include "core/learned/elementShape.h"
#include "core/maths/lanes.h"
#include "core/mutation.h"
#include "surfaces/embree/embree.h"

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace understory {
namespace {

constexpr std::size_t width = 8;
constexpr unsigned maxDepth = 32;

using Floats = float __attribute__((vector_size(width * sizeof(float))));
using Masks = std::int32_t __attribute__((vector_size(width * sizeof(float))));
using Lane = std::array<float, width>;

// Boxes of the children; those that a node lacks are empty.
struct alignas(32) Node {
  std::array<Lane, 6> sides;  // least x, y, z, then greatest
  std::array<const void*, width> children;
};

struct alignas(32) Leaf {
  std::array<Lane, 3> meanM;
  std::array<Lane, 6> whitening;
  Lane limitSquared;  // below 0: there is none
  Lane permeability;
  std::array<std::uint32_t, width> support;
  std::array<std::uint32_t, width> element;
};

// Pointers to leaves are odd.
void* marked(Leaf* leaf) { return reinterpret_cast<std::byte*>(leaf) + 1; }
UNDERSTORY_INLINE const Leaf* leafOf(const void* child) {
  const auto address = reinterpret_cast<std::uintptr_t>(child);
  return (address & 1U) != 0 ? reinterpret_cast<const Leaf*>(address - 1) : nullptr;
}

struct Build {
  const LearnedModel& model;
  BuildMeter& meter;
};

void* newNode(RTCThreadLocalAllocator allocator, unsigned, void*) {
  auto* node = new (rtcThreadLocalAlloc(allocator, sizeof(Node), alignof(Node))) Node;
  for (std::size_t side = 0; side < 6; ++side) {
    const float outside = std::numeric_limits<float>::infinity();
    node->sides[side].fill(side < 3 ? outside : -outside);
  }
  node->children.fill(nullptr);
  return node;
}

void setChildren(void* to, void** children, unsigned count, void*) {
  std::copy_n(children, count, static_cast<Node*>(to)->children.begin());
}

void setSides(void* to, const RTCBounds** bounds, unsigned count, void*) {
  Node& node = *static_cast<Node*>(to);
  for (std::size_t child = 0; child < count; ++child) {
    const RTCBounds& box = *bounds[child];
    const std::array sides{box.lower_x, box.lower_y, box.lower_z,
                           box.upper_x, box.upper_y, box.upper_z};
    for (std::size_t side = 0; side < 6; ++side) node.sides[side][child] = sides[side];
  }
}

void* newLeaf(RTCThreadLocalAllocator allocator, const RTCBuildPrimitive* primitives,
              std::size_t count, void* build) {
  const LearnedModel& model = static_cast<const Build*>(build)->model;
  auto* leaf = new (rtcThreadLocalAlloc(allocator, sizeof(Leaf), alignof(Leaf))) Leaf{};
  leaf->limitSquared.fill(-1.0F);
  // Why: no lane without an element divides by 0.
  for (const std::size_t diagonal : {0, 2, 5}) leaf->whitening[diagonal].fill(1.0F);
  for (std::size_t lane = 0; lane < count; ++lane) {
    const std::uint32_t element = primitives[lane].primID;
    const ElementShape shape =
        elementShape(model.elements.meansM[element], model.elements.covariancesM2[element],
                     model.elements.seen.permeability[element], elementLimit(model, element));
    leaf->meanM[0][lane] = shape.meanM.x;
    leaf->meanM[1][lane] = shape.meanM.y;
    leaf->meanM[2][lane] = shape.meanM.z;
    for (std::size_t part = 0; part < 6; ++part) {
      leaf->whitening[part][lane] = shape.whitening[part];
    }
    leaf->limitSquared[lane] = shape.limitSquared;
    leaf->permeability[lane] = shape.permeability;
    leaf->support[lane] = model.elements.seen.support[element];
    leaf->element[lane] = element;
  }
  return marked(leaf);
}

bool continues(void* build, double share) {
  return static_cast<const Build*>(build)->meter.continues(share);
}

UNDERSTORY_INLINE void load(Floats& lanes, const Lane& from) {
  std::memcpy(&lanes, from.data(), sizeof lanes);
}

UNDERSTORY_INLINE void store(Lane& to, const Floats& lanes) {
  std::memcpy(to.data(), &lanes, sizeof lanes);
}

// Bit n: lane n holds.
UNDERSTORY_INLINE unsigned bitsOf(const Masks& lanes) {
#if defined(__SSE__)
  struct Halves {
    __m128 low;
    __m128 high;
  } halves;
  std::memcpy(&halves, &lanes, sizeof lanes);
  return static_cast<unsigned>(_mm_movemask_ps(halves.low) | _mm_movemask_ps(halves.high) << 4);
#else
  unsigned bits = 0;
  for (std::size_t lane = 0; lane < width; ++lane) {
    bits |= (static_cast<std::uint32_t>(lanes[lane]) >> 31U) << lane;
  }
  return bits;
#endif
}

// Why: most children are not in the cache, and those that wait are read while the nearest is met.
UNDERSTORY_INLINE void prefetch(const void* child) {
  constexpr std::size_t lineBytes = 64;
  const Leaf* leaf = leafOf(child);
  const auto* from = static_cast<const std::byte*>(leaf != nullptr ? leaf : child);
  const std::size_t size = leaf != nullptr ? sizeof(Leaf) : sizeof(Node);
  for (std::size_t at = 0; at < size; at += lineBytes) __builtin_prefetch(from + at);
}

// Why no greater: of a direction in a plane of sides, 0 by infinity would be no number.
UNDERSTORY_INLINE float inverseOf(float part) {
  constexpr float least = 1e-18F;
  if (std::abs(part) >= least) return 1.0F / part;
  return part < 0.0F ? -1.0F / least : 1.0F / least;
}

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

// onLine() of core/learned/elementShape.h, lane by lane: the same operations in the same order.
struct LanesOnLine {
  Floats meanM;
  Floats perM2;
  Floats distanceSquared;
  Floats centreM;  // Mutation::elementsByCentre: where the centre lies along the line

  UNDERSTORY_INLINE LanesOnLine(const Leaf& leaf, const EllipsoidLine& line) {
    Floats x, y, z;
    load(x, leaf.meanM[0]);
    load(y, leaf.meanM[1]);
    load(z, leaf.meanM[2]);
    x = x - line.originM.x;
    y = y - line.originM.y;
    z = z - line.originM.z;
    const Vec3f& d = line.direction;
    if (activeMutation() == Mutation::elementsByCentre) {
      centreM = (x * d.x + y * d.y + z * d.z) / dot(d, d);
    }
    Floats w, ux, uy, uz, vx, vy, vz;
    load(w, leaf.whitening[0]);
    ux = w * d.x;
    vx = w * x;
    load(w, leaf.whitening[1]);
    uy = w * d.x;
    vy = w * x;
    load(w, leaf.whitening[2]);
    uy = uy + w * d.y;
    vy = vy + w * y;
    load(w, leaf.whitening[3]);
    uz = w * d.x;
    vz = w * x;
    load(w, leaf.whitening[4]);
    uz = uz + w * d.y;
    vz = vz + w * y;
    load(w, leaf.whitening[5]);
    uz = uz + w * d.z;
    vz = vz + w * z;
    perM2 = ux * ux + uy * uy + uz * uz;
    meanM = (ux * vx + uy * vy + uz * vz) / perM2;
    vx = vx - ux * meanM;
    vy = vy - uy * meanM;
    vz = vz - uz * meanM;
    distanceSquared = vx * vx + vy * vy + vz * vz;
  }
};

// Whether something at `orderM` comes before the line's stop.
UNDERSTORY_INLINE bool isBefore(const EllipsoidLine& line, float orderM, std::uint32_t primitive) {
  if (orderM != line.untilM) return orderM < line.untilM;
  if (line.stopInstance == noInstance) return true;
  if (line.instance != line.stopInstance) return line.instance < line.stopInstance;
  return primitive < line.stopPrimitive;
}

UNDERSTORY_INLINE void meetLeaf(const Leaf& leaf, EllipsoidLine& line) {
  const LanesOnLine met(leaf, line);
  const bool isByCentre = activeMutation() == Mutation::elementsByCentre;
  Floats limit;
  load(limit, leaf.limitSquared);
  const Floats& order = isByCentre ? met.centreM : met.meanM;
  unsigned left =
      bitsOf((met.distanceSquared < limit) & (met.meanM > 0.0F) & (order <= line.untilM));
  if (left == 0) return;
  Lane orderM;
  Lane meanM;
  Lane perM2;
  store(orderM, order);
  store(meanM, met.meanM);
  store(perM2, met.perM2);
  // Why the nearest first: those behind it are drawn only where it is passed.
  while (left != 0) {
    auto lane = static_cast<std::size_t>(std::countr_zero(left));
    for (unsigned others = left & (left - 1); others != 0; others &= others - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(others));
      if (orderM[other] < orderM[lane]) lane = other;
    }
    left &= ~(1U << lane);
    if (orderM[lane] > line.untilM) return;
    if (line.minSupport != nullptr) {
      *line.minSupport = std::min(*line.minSupport, leaf.support[lane]);
      continue;
    }
    if (line.trail != nullptr) line.trail->add(meanM[lane], leaf.support[lane]);
    const std::uint32_t primitive = line.firstElement + leaf.element[lane];
    if (!isBefore(line, orderM[lane], primitive)) continue;
    if (line.draws->passes(line.instance, primitive, line.pulse, leaf.permeability[lane])) continue;
    line.untilM = orderM[lane];
    line.meanM = meanM[lane];
    line.sigmaM = 1.0F / std::sqrt(perM2[lane]);
    line.stopInstance = line.instance;
    line.stopPrimitive = primitive;
  }
}

}  // namespace

void EllipsoidTree::Release::operator()(RTCBVHTy* tree) const { rtcReleaseBVH(tree); }

EllipsoidTree::EllipsoidTree(RTCDeviceTy* device, const LearnedModel& model, BuildMeter& meter)
    : tree_(rtcNewBVH(device)) {
  const std::size_t size = model.elements.size();
  std::vector<RTCBuildPrimitive> primitives(size);
  for (std::size_t element = 0; element < size; ++element) {
    const Boundsf box =
        elementBounds(model.elements.meansM[element], model.elements.covariancesM2[element],
                      elementLimit(model, element));
    extend(bounds_, box.min);
    extend(bounds_, box.max);
    primitives[element] = {box.min.x, box.min.y, box.min.z, 0,
                           box.max.x, box.max.y, box.max.z, static_cast<unsigned>(element)};
  }
  Build build{model, meter};
  RTCBuildArguments arguments = rtcDefaultBuildArguments();
  arguments.maxBranchingFactor = width;
  arguments.maxDepth = maxDepth;
  arguments.sahBlockSize = width;
  arguments.maxLeafSize = width;
  arguments.bvh = tree_.get();
  arguments.primitives = primitives.data();
  arguments.primitiveCount = size;
  arguments.primitiveArrayCapacity = size;
  arguments.createNode = newNode;
  arguments.setNodeChildren = setChildren;
  arguments.setNodeBounds = setSides;
  arguments.createLeaf = newLeaf;
  arguments.buildProgress = continues;
  arguments.userPtr = &build;
  meter.follow(size, [&] { root_ = rtcBuildBVH(&arguments); });
}

void EllipsoidTree::meet(EllipsoidLine& line) const { meetEllipsoids(root_, line); }

UNDERSTORY_LANES
void meetEllipsoids(const void* root, EllipsoidLine& line) {
  // Why a little nearer and farther: the rounding of both must not lose a box that is grazed.
  constexpr float nearer = 0.999999F;
  constexpr float farther = 1.000001F;
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
      meetLeaf(*leaf, line);
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
