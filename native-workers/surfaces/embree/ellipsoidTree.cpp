// Embree builds the tree (rtcBuildBVH); nodes and leaves are our own, in Embree's memory.
#include "surfaces/embree/ellipsoidTree.h"

#include <algorithm>
#include <array>
#include <limits>
#include <new>
#include <vector>

#include "core/learned/elementShape.h"
#include "surfaces/embree/ellipsoidNodes.h"
#include "surfaces/embree/embree.h"

namespace understory {
namespace {

using namespace ellipsoids;

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
  // Up to eight are one leaf. Why: leaves of one or two take as many reads.
  arguments.minLeafSize = width;
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

void EllipsoidTree::meetTogether(std::span<EllipsoidLine> lines) const {
  meetEllipsoidsTogether(root_, lines);
}

}  // namespace understory
