// A line through the ellipsoids of a leaf.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "surfaces/embree/ellipsoidNodes.h"
#include "surfaces/embree/ellipsoidTree.h"

namespace understory::ellipsoids {

// onLine() of core/learned/elementShape.h, lane by lane: the same operations in the same order.
struct LanesOnLine {
  Floats meanM;
  Floats perM2;
  Floats distanceSquared;
  Floats centreM;  // only if asked for: where the centre lies along the line

  UNDERSTORY_INLINE LanesOnLine(const Leaf& leaf, const EllipsoidLine& line, bool findsCentre) {
    Floats x, y, z;
    load(x, leaf.meanM[0]);
    load(y, leaf.meanM[1]);
    load(z, leaf.meanM[2]);
    x = x - line.originM.x;
    y = y - line.originM.y;
    z = z - line.originM.z;
    const Vec3f& d = line.direction;
    if (findsCentre) {
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

// The ellipsoids of a leaf that a line meets, before any is drawn.
struct LeafHits {
  unsigned lanes;
  Lane orderM;
  Lane meanM;
  Lane perM2;
};

// `isByCentre`: their order is that of their centres along the line (Mutation::elementsByCentre).
UNDERSTORY_INLINE void findHits(const Leaf& leaf, const EllipsoidLine& line, bool isByCentre,
                                LeafHits& hits) {
  const LanesOnLine met(leaf, line, isByCentre);
  Floats limit;
  load(limit, leaf.limitSquared);
  const Floats& order = isByCentre ? met.centreM : met.meanM;
  hits.lanes = bitsOf((met.distanceSquared < limit) & (met.meanM > 0.0F) & (order <= line.untilM));
  store(hits.orderM, order);
  store(hits.meanM, met.meanM);
  store(hits.perM2, met.perM2);
}

UNDERSTORY_INLINE void drawHits(const Leaf& leaf, const LeafHits& hits, EllipsoidLine& line) {
  unsigned left = hits.lanes;
  // Why the nearest first: those behind it are drawn only where it is passed.
  while (left != 0) {
    auto lane = static_cast<std::size_t>(std::countr_zero(left));
    for (unsigned others = left & (left - 1); others != 0; others &= others - 1) {
      const auto other = static_cast<std::size_t>(std::countr_zero(others));
      if (hits.orderM[other] < hits.orderM[lane]) lane = other;
    }
    left &= ~(1U << lane);
    if (hits.orderM[lane] > line.untilM) return;
    if (line.minSupport != nullptr) {
      *line.minSupport = std::min(*line.minSupport, leaf.support[lane]);
      continue;
    }
    if (line.trail != nullptr) line.trail->add(hits.meanM[lane], leaf.support[lane]);
    const std::uint32_t primitive = line.firstElement + leaf.element[lane];
    if (!isBefore(line, hits.orderM[lane], primitive)) continue;
    if (line.draws->passes(line.instance, primitive, line.pulse, leaf.permeability[lane])) continue;
    line.untilM = hits.orderM[lane];
    line.meanM = hits.meanM[lane];
    line.sigmaM = 1.0F / std::sqrt(hits.perM2[lane]);
    line.stopInstance = line.instance;
    line.stopPrimitive = primitive;
  }
}

}  // namespace understory::ellipsoids
