// Loops over 16 lanes of fixed count, for the compiler to vectorise.
#include "aim/groupKernels.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/maths/exactSum.h"
#include "core/maths/lanes.h"
#include "core/optics/shading.h"

namespace understory {
namespace {

// Vectors by component, pulses side by side.
struct PulseVectors {
  alignas(64) std::array<float, pulsesPerGroup> x{};
  alignas(64) std::array<float, pulsesPerGroup> y{};
  alignas(64) std::array<float, pulsesPerGroup> z{};

  void set(std::size_t pulse, Vec3f vector) {
    x[pulse] = vector.x;
    y[pulse] = vector.y;
    z[pulse] = vector.z;
  }
};

// Moves the rays of a group from their pulses' origins to their places on the window.
UNDERSTORY_INLINE void startOnWindow(const GroupOptics& optics, std::span<const PulseAxes> pulses,
                                     GroupRays& rays) {
  Lanes l;
  Lanes u;
  load(l, optics.startLeftM.data());
  load(u, optics.startUpM.data());
  for (std::size_t pulse = 0; pulse < pulses.size(); ++pulse) {
    const PulseAxes& axes = pulses[pulse];
    const std::size_t first = pulse * raysPerPulse;
    store(&rays.originX[first], axes.origin.x + (l * axes.left.x + u * axes.up.x));
    store(&rays.originY[first], axes.origin.y + (l * axes.left.y + u * axes.up.y));
    store(&rays.originZ[first], axes.origin.z + (l * axes.left.z + u * axes.up.z));
  }
}

// Hits by range, those of one range by ray.
void orderTies(const GroupHits& hits, OrderedHits& ordered) {
  const auto isBefore = [&](std::size_t a, std::size_t b) {
    if (ordered.hits[a].rangeM != ordered.hits[b].rangeM) return false;
    const std::uint8_t cellA = ordered.cell[a];
    const std::uint8_t cellB = ordered.cell[b];
    if (hits.instance[cellA] != hits.instance[cellB]) {
      return hits.instance[cellA] < hits.instance[cellB];
    }
    if (hits.primitive[cellA] != hits.primitive[cellB]) {
      return hits.primitive[cellA] < hits.primitive[cellB];
    }
    return cellA < cellB;
  };
  for (std::size_t hit = 1; hit < ordered.count; ++hit) {
    for (std::size_t at = hit; at > 0 && isBefore(at, at - 1); --at) {
      std::swap(ordered.hits[at], ordered.hits[at - 1]);
      std::swap(ordered.cell[at], ordered.cell[at - 1]);
    }
  }
}

}  // namespace

GroupOptics groupOptics(const SensorRecipe& sensor, const BeamOptics& beam) {
  GroupOptics optics;
  optics.beam = beam;
  const GroupOrders orders = groupOrders(sensor, RayOrder::columns);
  for (std::size_t column = 0; column < raysPerPulse; ++column) {
    const std::size_t ray = orders.rays[1][column].ray;
    optics.axisScale[column] = beam.axisScale[ray];
    optics.leftScale[column] = beam.leftScale[ray];
    optics.upScale[column] = beam.upScale[ray];
    optics.startLeftM[column] = beam.startLeftM[ray];
    optics.startUpM[column] = beam.startUpM[ray];
  }
  for (std::size_t lane = 0; lane < raysPerGroup; ++lane) {
    const auto [pulse, ray] = orders.rays[pulsesPerGroup][lane];
    optics.cellOfLane[lane] = static_cast<std::uint8_t>(ray * pulsesPerGroup + pulse);
  }
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    optics.weightOfRays[ray + 1] =
        optics.weightOfRays[ray] + static_cast<double>(beam.weights[ray]);
  }
  optics.isEvenlyWeighted = std::all_of(beam.weights.begin(), beam.weights.end(),
                                        [&](float weight) { return weight == beam.weights[0]; });
  return optics;
}

UNDERSTORY_LANES
void axesOfSlots(std::span<const SlotFrame> slots, std::span<const std::uint8_t> pulses,
                 const LaserAngle& laser, GroupAxes& axes) {
  for (std::size_t pulse = 0; pulse < pulses.size(); ++pulse) {
    axes[pulse] = pulseAxes(slots[pulses[pulse]], laser);
  }
}

UNDERSTORY_LANES
void aimGroup(const GroupOptics& optics, std::span<const PulseAxes> pulses, GroupRays& rays) {
  PulseVectors axis;
  PulseVectors left;
  PulseVectors up;
  Lanes a;
  Lanes l;
  Lanes u;
  load(a, optics.axisScale.data());
  load(l, optics.leftScale.data());
  load(u, optics.upScale.data());
  for (std::size_t pulse = 0; pulse < pulses.size(); ++pulse) {
    const PulseAxes& axes = pulses[pulse];
    axis.set(pulse, axes.axis);
    left.set(pulse, axes.left);
    up.set(pulse, axes.up);
    const std::size_t first = pulse * raysPerPulse;
    storeAll(&rays.originX[first], axes.origin.x);
    storeAll(&rays.originY[first], axes.origin.y);
    storeAll(&rays.originZ[first], axes.origin.z);
    store(&rays.directionX[first], a * axes.axis.x + l * axes.left.x + u * axes.up.x);
    store(&rays.directionY[first], a * axes.axis.y + l * axes.left.y + u * axes.up.y);
    store(&rays.directionZ[first], a * axes.axis.z + l * axes.left.z + u * axes.up.z);
  }
  if (optics.beam.hasAperture) startOnWindow(optics, pulses, rays);
  const auto aim = [&](const auto& axisPart, const auto& leftPart, const auto& upPart,
                       ByCell<float>& to) __attribute__((always_inline)) {
    load(a, axisPart.data());
    load(l, leftPart.data());
    load(u, upPart.data());
    for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
      store(&to[ray * pulsesPerGroup], optics.beam.axisScale[ray] * a +
                                           optics.beam.leftScale[ray] * l +
                                           optics.beam.upScale[ray] * u);
    }
  };
  aim(axis.x, left.x, up.x, rays.cellX);
  aim(axis.y, left.y, up.y, rays.cellY);
  aim(axis.z, left.z, up.z, rays.cellZ);
}

UNDERSTORY_LANES
bool startsNearPlane(const GroupRays& rays, const GroupHits& hits, float withinM) {
  std::uint32_t isNear = 0;
  for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
    const float x = hits.facetX[cell];
    const float y = hits.facetY[cell];
    const float z = hits.facetZ[cell];
    const float along =
        hits.rangeM[cell] * (x * rays.cellX[cell] + y * rays.cellY[cell] + z * rays.cellZ[cell]);
    isNear |= along * along < withinM * withinM * (x * x + y * y + z * z) ? 1U : 0U;
  }
  return isNear != 0;
}

UNDERSTORY_LANES
void shadeGroup(const GroupRays& rays, GroupHits& hits) {
  float* const __restrict scales = hits.facetScale.data();
  float* const __restrict cosines = hits.cosIncidence.data();
  float* const __restrict intensities = hits.intensity.data();
  std::uint32_t* const __restrict meets = hits.meets.data();
#pragma GCC ivdep
  for (std::size_t cell = 0; cell < raysPerGroup; ++cell) {
    const float x = hits.facetX[cell];
    const float y = hits.facetY[cell];
    const float z = hits.facetZ[cell];
    const float along = x * rays.cellX[cell] + y * rays.cellY[cell] + z * rays.cellZ[cell];
    const float scale = (along > 0.0F ? -1.0F : 1.0F) / std::sqrt(x * x + y * y + z * z);
    const float cosine = std::min(1.0F, std::abs(along * scale));
    scales[cell] = scale;
    cosines[cell] = cosine;
    const float intensity = hits.reflectance[cell] * cosine;
    intensities[cell] = intensity;
    // A surface that sends nothing back is no echo.
    meets[cell] = intensity > 0.0F ? meets[cell] : 0U;
  }
}

UNDERSTORY_LANES
void signalsOfGroup(const BeamOptics& beam, const GroupHits& hits, const Air& air,
                    GroupSignals& signals) {
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t first = ray * pulsesPerGroup;
    alignas(64) std::array<double, pulsesPerGroup> received;
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      const double rangeM = static_cast<double>(hits.rangeM[first + pulse]);
      received[pulse] = static_cast<double>(hits.intensity[first + pulse]) / (rangeM * rangeM);
    }
    if (!air.isVacuum()) {
      for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
        received[pulse] *= air.returned(static_cast<double>(hits.rangeM[first + pulse]));
      }
    }
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      signals[first + pulse] = beam.weights[ray] * static_cast<float>(received[pulse]);
    }
  }
}

UNDERSTORY_LANES
void sumsOfGroup(const BeamOptics& beam, const GroupHits& hits, const GroupSignals& signals,
                 GroupSums& sums) {
  using Sums = std::array<double, pulsesPerGroup>;
  alignas(64) Sums signal{};
  alignas(64) Sums signalLow{};
  alignas(64) Sums timesRange{};
  alignas(64) Sums timesRangeLow{};
  alignas(64) Sums energy{};
  alignas(64) Sums energyLow{};
  alignas(64) std::array<float, pulsesPerGroup> nearestM;
  alignas(64) std::array<float, pulsesPerGroup> farthestM;
  nearestM.fill(std::numeric_limits<float>::infinity());
  farthestM.fill(0.0F);
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t first = ray * pulsesPerGroup;
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      const bool meets = hits.meets[first + pulse] != 0;
      const float rangeM = hits.rangeM[first + pulse];
      nearestM[pulse] = meets && rangeM < nearestM[pulse] ? rangeM : nearestM[pulse];
      farthestM[pulse] = meets && rangeM > farthestM[pulse] ? rangeM : farthestM[pulse];
      const double ofHit = meets ? static_cast<double>(signals[first + pulse]) : 0.0;
      const double intensity = meets ? static_cast<double>(hits.intensity[first + pulse]) : 0.0;
      const double finiteM = meets ? static_cast<double>(rangeM) : 0.0;
      addExactly(signal[pulse], signalLow[pulse], ofHit);
      addExactly(timesRange[pulse], timesRangeLow[pulse], ofHit * finiteM);
      addExactly(energy[pulse], energyLow[pulse],
                 static_cast<double>(beam.weights[ray]) * intensity);
    }
  }
  sums.nearestM = nearestM;
  sums.farthestM = farthestM;
  for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
    sums.signal[pulse] = signal[pulse] + signalLow[pulse];
    sums.signalTimesRange[pulse] = timesRange[pulse] + timesRangeLow[pulse];
    sums.energy[pulse] = energy[pulse] + energyLow[pulse];
  }
}

UNDERSTORY_LANES
void orderHits(const GroupHits& hits, const GroupSignals& signals, const RaySpread& spread,
               std::size_t pulse, OrderedHits& ordered) {
  alignas(64) std::array<float, pulseLanes> rangeM;
  alignas(64) std::array<float, pulseLanes> cosIncidence{};
  alignas(64) std::array<float, pulseLanes> spreadM;
  alignas(64) std::array<std::int32_t, pulseLanes> rank{};
  rangeM.fill(std::numeric_limits<float>::infinity());
  ordered.count = 0;
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t cell = ray * pulsesPerGroup + pulse;
    rangeM[ray] = hits.meets[cell] != 0 ? hits.rangeM[cell] : rangeM[ray];
    cosIncidence[ray] = hits.cosIncidence[cell];
    ordered.count += hits.meets[cell];
  }
  for (std::size_t ray = 0; ray < pulseLanes; ++ray) {
    spreadM[ray] = spread.at(rangeM[ray], cosIncidence[ray]);
  }
  // Why by counting: a sort's branches cannot be predicted.
  std::int32_t ties = 0;
  for (std::size_t other = 0; other < raysPerPulse; ++other) {
    for (std::size_t ray = 0; ray < pulseLanes; ++ray) {
      const bool isNearer = rangeM[other] < rangeM[ray];
      const bool isEarlier = rangeM[other] == rangeM[ray] && other < ray;
      rank[ray] += isNearer || isEarlier ? 1 : 0;
      ties += isEarlier && std::isfinite(rangeM[ray]) ? 1 : 0;
    }
  }
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t cell = ray * pulsesPerGroup + pulse;
    const auto at = static_cast<std::size_t>(rank[ray]);
    ordered.hits[at] = {rangeM[ray], signals[cell], spreadM[ray]};
    ordered.cell[at] = static_cast<std::uint8_t>(cell);
  }
  if (ties > 0) orderTies(hits, ordered);
}

UNDERSTORY_LANES
void strongestOfGroup(const GroupHits& hits, const ByCell<float>& strength, double cutoffM,
                      GroupStrongest& strongest) {
  // Why -1: no intensity is as low, so that a ray without a hit never is the strongest.
  alignas(64) std::array<float, pulsesPerGroup> strongestIntensity;
  alignas(64) std::array<float, pulsesPerGroup> rangeM{};
  GroupStrongest found{};
  strongestIntensity.fill(-1.0F);
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t first = ray * pulsesPerGroup;
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      const bool meets = hits.meets[first + pulse] != 0;
      const float intensity = meets ? strength[first + pulse] : -1.0F;
      const bool isStronger = intensity > strongestIntensity[pulse];
      const std::int32_t isEqual = meets && intensity == strongestIntensity[pulse] ? 1 : 0;
      found.ray[pulse] = isStronger ? static_cast<std::int32_t>(ray) : found.ray[pulse];
      found.isTied[pulse] = isStronger ? 0 : found.isTied[pulse] | isEqual;
      rangeM[pulse] = isStronger ? hits.rangeM[first + pulse] : rangeM[pulse];
      strongestIntensity[pulse] = isStronger ? intensity : strongestIntensity[pulse];
      found.hits[pulse] += static_cast<std::int32_t>(hits.meets[first + pulse]);
    }
  }
  alignas(64) std::array<double, pulsesPerGroup> within{};
  for (std::size_t ray = 0; ray < raysPerPulse; ++ray) {
    const std::size_t first = ray * pulsesPerGroup;
    for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
      const double apartM =
          static_cast<double>(hits.rangeM[first + pulse]) - static_cast<double>(rangeM[pulse]);
      // Why a product: g++ 12 loses hits for AVX2 where it chooses between a range and infinity.
      const double isMet =
          static_cast<double>(static_cast<std::int32_t>(hits.meets[first + pulse]));
      within[pulse] += isMet * (std::abs(apartM) <= cutoffM ? 1.0 : 0.0);
    }
  }
  for (std::size_t pulse = 0; pulse < pulsesPerGroup; ++pulse) {
    found.within[pulse] = static_cast<std::int32_t>(within[pulse]);
  }
  strongest = found;
}

}  // namespace understory
