// The law of swaying plants.
#include "core/scene/sway.h"

#include <algorithm>
#include <cmath>

#include "core/mutation.h"
#include "core/random/philox.h"

namespace understory {
namespace {

constexpr double minFrequencyHz = 0.5;
constexpr double maxFrequencyHz = 3.0;

double turnsAt(const Sway& sway, std::int64_t timeNs) {
  return sway.frequencyHz * (static_cast<double>(timeNs) * 1e-9) + sway.phase;
}

// The displacement at a height as a share of the top's.
double shareAt(const Sway& sway, double zM) {
  const double slabs = (zM - sway.rootM.z) / sway.heightM * static_cast<double>(swaySlabs);
  if (slabs <= 0.0) return 0.0;
  if (slabs >= static_cast<double>(swaySlabs)) return 1.0;
  const auto slab = static_cast<std::size_t>(slabs);
  const double from = swayShares()[slab];
  return from + (swayShares()[slab + 1] - from) * (slabs - static_cast<double>(slab));
}

}  // namespace

const std::array<double, swaySlabs + 1>& swayShares() {
  static const std::array<double, swaySlabs + 1> shares = [] {
    std::array<double, swaySlabs + 1> values{};
    for (std::size_t border = 0; border <= swaySlabs; ++border) {
      const double height = static_cast<double>(border) / static_cast<double>(swaySlabs);
      values[border] = height * height * std::sqrt(height);
    }
    return values;
  }();
  return shares;
}

Vec3d Sway::displacementM(double zM, std::int64_t timeNs) const {
  const double topM = leanM + swingM * std::sin(2.0 * piRad * turnsAt(*this, timeNs));
  return towards * (topM * shareAt(*this, zM));
}

Vec3d Sway::velocityMPerS(double zM, std::int64_t timeNs) const {
  const double topMPerS =
      swingM * 2.0 * piRad * frequencyHz * std::cos(2.0 * piRad * turnsAt(*this, timeNs));
  return towards * (topMPerS * shareAt(*this, zM));
}

constexpr double windReferenceMPerS = 10.0;  // at which Wind::topM is reached

Sway swayOf(const Scene& scene, const Instance& instance) {
  const Wind& wind = *scene.wind;
  const Boundsf& bounds = scene.models[instance.model].bounds;
  const double lowM = static_cast<double>(bounds.min.z) * instance.scale;
  Sway sway{};
  sway.rootM = instance.positionM + rotate(instance.rotation, {0.0, 0.0, lowM});
  sway.heightM = static_cast<double>(bounds.max.z) * instance.scale - lowM;
  sway.towards = {std::cos(wind.towardsRad), std::sin(wind.towardsRad), 0.0};
  const double speed = wind.speedMPerS / windReferenceMPerS;
  sway.leanM = std::min(wind.topM * speed * speed, wind.maxLean * sway.heightM);
  sway.swingM = wind.gusts * sway.leanM;
  sway.frequencyHz =
      std::clamp(wind.frequencyHz / std::sqrt(sway.heightM), minFrequencyHz, maxFrequencyHz);
  const std::uint32_t key = activeMutation() == Mutation::plantsInStep ? 0 : instance.id;
  sway.phase = RandomStream(scene.windSeed, RandomPurpose::sway, key).uniform();
  return sway;
}

}  // namespace understory
