// Lines of neighbouring pulses through a tree of ellipsoids together: each node and leaf is read once for all of them.
#include <algorithm>
#include <array>
#include <bit>
#include <span>

#include "core/mutation.h"
#include "surfaces/embree/ellipsoidLeaf.h"
#include "surfaces/lines.h"

namespace understory {
namespace ellipsoids {
namespace {

constexpr std::size_t together = PulseLines::width;
using ByLine = std::array<float, together>;
static_assert(sizeof(ByLine) == sizeof(Lanes));

// One axis of all lines: which of them meet a box.
struct LinesAxis {
  Lanes originM{};
  Lanes inverse{};

  UNDERSTORY_INLINE void set(std::size_t line, float origin, float direction) {
    originM[line] = origin;
    inverse[line] = inverseOf(direction);
  }

  UNDERSTORY_INLINE void clip(float minM, float maxM, Lanes& nearM, Lanes& farM) const {
    const Lanes atMin = (minM - originM) * inverse;
    const Lanes atMax = (maxM - originM) * inverse;
    const Lanes first = atMin < atMax ? atMin : atMax;
    const Lanes second = atMin < atMax ? atMax : atMin;
    nearM = first > nearM ? first : nearM;
    farM = second < farM ? second : farM;
  }
};

// Bounds of LinesAxis::clip() over all lines, for eight boxes side by side: they leave out no box that one line meets.
struct AxisBounds {
  bool isMixed;  // some lines run forwards, others backwards
  std::size_t nearSide;
  std::size_t farSide;
  float nearOriginM;
  float farOriginM;
  float minInverse;
  float maxInverse;

  UNDERSTORY_INLINE AxisBounds(const LinesAxis& lines, std::size_t count, std::size_t axis)
      : minInverse(lines.inverse[0]), maxInverse(lines.inverse[0]) {
    float minM = lines.originM[0];
    float maxM = minM;
    for (std::size_t line = 1; line < count; ++line) {
      minM = std::min(minM, lines.originM[line]);
      maxM = std::max(maxM, lines.originM[line]);
      minInverse = std::min(minInverse, lines.inverse[line]);
      maxInverse = std::max(maxInverse, lines.inverse[line]);
    }
    const bool isBackwards = maxInverse < 0.0F;
    isMixed = minInverse < 0.0F && !isBackwards;
    nearSide = isBackwards ? axis + 3 : axis;
    farSide = isBackwards ? axis : axis + 3;
    nearOriginM = isBackwards ? minM : maxM;
    farOriginM = isBackwards ? maxM : minM;
  }

  UNDERSTORY_INLINE void clip(const Node& node, Floats& nearM, Floats& farM) const {
    if (isMixed) return;
    Floats side;
    load(side, node.sides[nearSide]);
    side = side - nearOriginM;
    const Floats nearA = side * minInverse;
    const Floats nearB = side * maxInverse;
    const Floats first = nearA < nearB ? nearA : nearB;
    nearM = first > nearM ? first : nearM;
    load(side, node.sides[farSide]);
    side = side - farOriginM;
    const Floats farA = side * minInverse;
    const Floats farB = side * maxInverse;
    const Floats second = farA < farB ? farB : farA;
    farM = second < farM ? second : farM;
  }
};

// A child that some lines meet.
struct alignas(64) Waiting {
  ByLine nearM;
  const void* child;
  unsigned lines;  // bit n: line n meets it
  float orderM;
};

struct Packet {
  LinesAxis x;
  LinesAxis y;
  LinesAxis z;
  alignas(64) ByLine untilM;  // of the lines; those that are missing end before they begin
  float maxUntilM;

  UNDERSTORY_INLINE explicit Packet(std::span<const EllipsoidLine> lines) {
    untilM.fill(-1.0F);
    for (std::size_t line = 0; line < lines.size(); ++line) {
      const EllipsoidLine& from = lines[line];
      untilM[line] = from.untilM;
      x.set(line, from.originM.x, from.direction.x);
      y.set(line, from.originM.y, from.direction.y);
      z.set(line, from.originM.z, from.direction.z);
    }
    maxUntilM = std::ranges::max(untilM);
  }

  // Those of `active` that meet a child before they end; `nearM` of each is set.
  UNDERSTORY_INLINE unsigned meeting(const Node& node, std::size_t child, unsigned active,
                                     ByLine& nearM) const {
    Lanes from{};
    Lanes to;
    load(to, untilM);
    x.clip(node.sides[0][child], node.sides[3][child], from, to);
    y.clip(node.sides[1][child], node.sides[4][child], from, to);
    z.clip(node.sides[2][child], node.sides[5][child], from, to);
    from = from * nearer;
    store(nearM, from);
    return bitsOf(from <= to * farther) & active;
  }

  // Lines of `waiting` that still reach its child.
  UNDERSTORY_INLINE unsigned stillMeeting(const Waiting& waiting) const {
    Lanes from;
    Lanes to;
    load(from, waiting.nearM);
    load(to, untilM);
    return bitsOf(from <= to) & waiting.lines;
  }
};

struct PacketBounds {
  AxisBounds x;
  AxisBounds y;
  AxisBounds z;

  UNDERSTORY_INLINE PacketBounds(const Packet& packet, std::size_t count)
      : x(packet.x, count, 0), y(packet.y, count, 1), z(packet.z, count, 2) {}

  // Bit n: a line may meet child n.
  UNDERSTORY_INLINE unsigned children(const Node& node, float untilM) const {
    Floats nearM = Floats{};
    Floats farM = Floats{} + untilM;
    x.clip(node, nearM, farM);
    y.clip(node, nearM, farM);
    z.clip(node, nearM, farM);
    return bitsOf(nearM * nearer <= farM * farther);
  }
};

UNDERSTORY_INLINE void meetLeaf(const Leaf& leaf, unsigned active, std::span<EllipsoidLine> lines,
                                Packet& packet) {
  const bool isByCentre = activeMutation() == Mutation::elementsByCentre;
  std::array<LeafHits, together> hits;
  unsigned hitting = 0;
  // Why two loops: no line waits for the draws of the one before it.
  for (; active != 0; active &= active - 1) {
    const auto line = static_cast<std::size_t>(std::countr_zero(active));
    findHits(leaf, lines[line], isByCentre, hits[line]);
    hitting |= (hits[line].lanes != 0 ? 1U : 0U) << line;
  }
  for (; hitting != 0; hitting &= hitting - 1) {
    const auto line = static_cast<std::size_t>(std::countr_zero(hitting));
    drawHits(leaf, hits[line], lines[line]);
    packet.untilM[line] = lines[line].untilM;
  }
  packet.maxUntilM = std::ranges::max(packet.untilM);
}

}  // namespace
}  // namespace ellipsoids

UNDERSTORY_LANES
void meetEllipsoidsTogether(const void* root, std::span<EllipsoidLine> lines) {
  using namespace ellipsoids;
  Packet packet(lines);
  const PacketBounds bounds(packet, lines.size());
  std::array<Waiting, width*(maxDepth + 1)> waiting;
  std::size_t height = 0;
  const void* current = root;
  unsigned active = (1U << lines.size()) - 1;
  while (true) {
    if (const Leaf* leaf = leafOf(current)) {
      meetLeaf(*leaf, active, lines, packet);
    } else {
      const Node& node = *static_cast<const Node*>(current);
      const std::size_t bottom = height;
      alignas(64) std::array<ByLine, width> nearM;
      std::array<unsigned, width> meeting;
      unsigned met = 0;
      unsigned children = bounds.children(node, packet.maxUntilM);
      for (; children != 0; children &= children - 1) {
        const auto child = static_cast<std::size_t>(std::countr_zero(children));
        meeting[child] = packet.meeting(node, child, active, nearM[child]);
        const bool isMet = meeting[child] != 0 && node.children[child] != nullptr;
        met |= (isMet ? 1U : 0U) << child;
      }
      for (; met != 0; met &= met - 1) {
        const auto child = static_cast<std::size_t>(std::countr_zero(met));
        prefetch(node.children[child]);
        // The nearest on top. The first line that meets a child speaks for all: order changes no result.
        const float orderM = nearM[child][std::countr_zero(meeting[child])];
        std::size_t at = height++;
        while (at > bottom && waiting[at - 1].orderM < orderM) {
          waiting[at] = waiting[at - 1];
          --at;
        }
        waiting[at] = {nearM[child], node.children[child], meeting[child], orderM};
      }
    }
    do {
      if (height == 0) return;
      --height;
      active = packet.stillMeeting(waiting[height]);
    } while (active == 0);
    current = waiting[height].child;
  }
}

}  // namespace understory
