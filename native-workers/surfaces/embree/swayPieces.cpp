// Sheared pieces of rays.
#include "surfaces/embree/swayPieces.h"

#include <array>
#include <cstring>

#include "core/maths/lanes.h"
#include "core/scene/sway.h"
#include "surfaces/embree/setRay.h"

namespace understory {
namespace {

// More than rounding changes along a ray, as a share of the way.
constexpr float slackShare = 0x1.0p-20F;

// Displacement within a slab: that of the top times (share at the root + rise * height in slabs). The first slab lies
// below the root, the last above the top: both move as a whole.
constexpr std::size_t slabs = swaySlabs + 2;
struct SlabLaw {
  std::array<float, slabs> shareAtRoot{};
  std::array<float, slabs> rise{};

  SlabLaw() {
    const std::array<double, swaySlabs + 1>& shares = swayShares();
    for (std::size_t slab = 1; slab <= swaySlabs; ++slab) {
      const double perSlab = shares[slab] - shares[slab - 1];
      rise[slab] = static_cast<float>(perSlab);
      shareAtRoot[slab] =
          static_cast<float>(shares[slab - 1] - perSlab * static_cast<double>(slab - 1));
    }
    shareAtRoot[slabs - 1] = 1.0F;
  }
};
const SlabLaw slabLaw;

// The part of rays between two planes; a direction of 0 stays within or without them.
template <typename Floats>
UNDERSTORY_INLINE void clip(const Floats& origin, const Floats& inverse, float low, float high,
                            Floats& from, Floats& to) {
  const Floats a = (low - origin) * inverse;
  const Floats b = (high - origin) * inverse;
  const Floats near = a < b ? a : b;
  const Floats far = a < b ? b : a;
  from = near > from ? near : from;
  to = far < to ? far : to;
}

template <typename Floats>
UNDERSTORY_INLINE void invert(const Floats& direction, Floats& inverse) {
  constexpr float tiny = 1e-18F;
  const Floats size = direction < 0.0F ? -direction : direction;
  inverse = 1.0F / (size < tiny ? tiny - Floats{} : direction);
}

template <typename Floats, typename Integers>
UNDERSTORY_INLINE void slabAt(const Floats& heightM, float perM, Integers& slab) {
  Floats at = heightM * perM + 1.0F;
  // 0 for what is no number, too.
  at = at > 0.0F ? at : Floats{};
  constexpr auto last = static_cast<float>(slabs - 1);
  at = at < last ? at : last - Floats{};
  slab = __builtin_convertvector(at, Integers);
}

template <std::size_t Width>
UNDERSTORY_INLINE void enter(const SwayingPlant& plant, RaysInPlant<Width>& rays) {
  using Floats = typename LanesOf<Width>::Floats;
  rays.originX -= plant.rootM.x;
  rays.originY -= plant.rootM.y;
  rays.originZ -= plant.rootM.z;
  Floats inverseX, inverseY;
  invert(rays.directionX, inverseX);
  invert(rays.directionY, inverseY);
  invert(rays.directionZ, rays.inverseZ);
  const auto& [low, high] = plant.reachM;
  Floats from = rays.fromM;
  Floats to = rays.toM;
  clip(rays.originX, inverseX, low.x, high.x, from, to);
  clip(rays.originY, inverseY, low.y, high.y, from, to);
  clip(rays.originZ, rays.inverseZ, low.z, high.z, from, to);
  from -= from * slackShare;
  to += to * slackShare;
  rays.fromM = from > rays.fromM ? from : rays.fromM;
  rays.toM = to < rays.toM ? to : rays.toM;
  rays.active &= rays.fromM <= rays.toM;
  const float slabsPerM = 1.0F / plant.slabM;
  slabAt(rays.originZ + rays.fromM * rays.directionZ, slabsPerM, rays.slab);
  slabAt(rays.originZ + rays.toM * rays.directionZ, slabsPerM, rays.lastSlab);
}

template <typename Value, typename Vector>
UNDERSTORY_INLINE void write(Value& first, const Vector& values) {
  std::memcpy(&first, &values, sizeof values);
}

template <std::size_t Width>
UNDERSTORY_INLINE void cut(const SwayingPlant& plant, RaysInPlant<Width>& rays,
                           RayPieces<Width>& pieces) {
  using Floats = typename LanesOf<Width>::Floats;
  using Integers = typename LanesOf<Width>::Integers;
  Floats share, rise;
  for (std::size_t lane = 0; lane < Width; ++lane) {
    const auto slab = static_cast<std::size_t>(rays.slab[lane]);
    share[lane] = slabLaw.shareAtRoot[slab];
    rise[lane] = slabLaw.rise[slab];
  }
  // The displacement at the ray's origin, as if the slab reached there, and along the ray.
  const Floats shear = rays.topM * rise * (1.0F / plant.slabM);
  const Floats atOrigin = rays.topM * share + shear * rays.originZ;
  const Floats along = shear * rays.directionZ;
  const Floats restX = rays.originX - plant.towards.x * atOrigin;
  const Floats restY = rays.originY - plant.towards.y * atOrigin;
  const Floats aheadX = rays.directionX - plant.towards.x * along;
  const Floats aheadY = rays.directionY - plant.towards.y * along;
  const auto& [m, offsetM] = plant.frame;
  auto& [ray, hit] = pieces.packet;
  write(laneOf(ray.org_x, 0), m[0] * restX + m[1] * restY + m[2] * rays.originZ + offsetM.x);
  write(laneOf(ray.org_y, 0), m[3] * restX + m[4] * restY + m[5] * rays.originZ + offsetM.y);
  write(laneOf(ray.org_z, 0), m[6] * restX + m[7] * restY + m[8] * rays.originZ + offsetM.z);
  write(laneOf(ray.dir_x, 0), m[0] * aheadX + m[1] * aheadY + m[2] * rays.directionZ);
  write(laneOf(ray.dir_y, 0), m[3] * aheadX + m[4] * aheadY + m[5] * rays.directionZ);
  write(laneOf(ray.dir_z, 0), m[6] * aheadX + m[7] * aheadY + m[8] * rays.directionZ);
  // To the border of the slab, and a little over it: a facet at the border is met in one of its two slabs.
  const Integers isLast = rays.slab == rays.lastSlab;
  const Integers isRising = rays.slab < rays.lastSlab;
  const Floats borderM = __builtin_convertvector(rays.slab - 1 - isRising, Floats) * plant.slabM;
  const Floats border = (borderM - rays.originZ) * rays.inverseZ;
  const Floats slack = border * slackShare + 1e-6F;
  const Floats beyond = border + slack;
  write(laneOf(ray.tnear, 0), rays.fromM);
  write(laneOf(ray.tfar, 0), (isLast != 0) | (beyond > rays.toM) ? rays.toM : beyond);
  static_assert(static_cast<int>(RTC_INVALID_GEOMETRY_ID) == -1);
  write(laneOf(hit.geomID, 0), Integers{} - 1);
  pieces.active = rays.active;
  pieces.shear = shear;
  const Floats before = border - slack;
  rays.fromM = before > rays.fromM ? before : rays.fromM;
  // True is -1.
  rays.slab += isLast != 0 ? Integers{} : -1 - 2 * isRising;
  rays.active &= ~isLast;
}

}  // namespace

// Overloads, not templates. Why: g++ makes no copies of a template for instruction sets.
UNDERSTORY_LANES
void enterPlant(const SwayingPlant& plant, RaysInPlant<1>& rays) { enter(plant, rays); }
UNDERSTORY_LANES
void enterPlant(const SwayingPlant& plant, RaysInPlant<4>& rays) { enter(plant, rays); }
UNDERSTORY_LANES
void enterPlant(const SwayingPlant& plant, RaysInPlant<8>& rays) { enter(plant, rays); }
UNDERSTORY_LANES
void enterPlant(const SwayingPlant& plant, RaysInPlant<16>& rays) { enter(plant, rays); }

UNDERSTORY_LANES
void cutPieces(const SwayingPlant& plant, RaysInPlant<1>& rays, RayPieces<1>& pieces) {
  cut(plant, rays, pieces);
}
UNDERSTORY_LANES
void cutPieces(const SwayingPlant& plant, RaysInPlant<4>& rays, RayPieces<4>& pieces) {
  cut(plant, rays, pieces);
}
UNDERSTORY_LANES
void cutPieces(const SwayingPlant& plant, RaysInPlant<8>& rays, RayPieces<8>& pieces) {
  cut(plant, rays, pieces);
}
UNDERSTORY_LANES
void cutPieces(const SwayingPlant& plant, RaysInPlant<16>& rays, RayPieces<16>& pieces) {
  cut(plant, rays, pieces);
}

}  // namespace understory
