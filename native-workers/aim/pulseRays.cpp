// Aims and beams of pulses to rays in packet order.
#include "aim/pulseRays.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace understory {
namespace {

constexpr std::size_t raysPerTile = 2048;

}  // namespace

void RayArrays::resize(std::size_t rays) {
  for (std::vector<float>* values :
       {&originX, &originY, &originZ, &directionX, &directionY, &directionZ}) {
    values->resize(rays + padding);
  }
}

void RayArrays::set(std::size_t ray, Vec3f originM, Vec3f direction) {
  originX[ray] = originM.x;
  originY[ray] = originM.y;
  originZ[ray] = originM.z;
  directionX[ray] = direction.x;
  directionY[ray] = direction.y;
  directionZ[ray] = direction.z;
}

PulseRays::PulseRays(const SensorRecipe& sensor, const Trajectory& trajectory, std::uint64_t seed,
                     Vec3d sceneOriginM)
    : sensor_(sensor),
      trajectory_(trajectory),
      seed_(seed),
      sceneOriginM_(sceneOriginM),
      sampler_(sensor, seed),
      window_(beamWindow(sensor.beam)) {
  for (const StencilRay& ray : sampler_.rays()) scales_.push_back(rayScale(ray, window_));
  indexOfRay_.resize(sampler_.raysPerPulse());
  std::vector<std::uint32_t> order(sampler_.raysPerPulse());
  std::iota(order.begin(), order.end(), 0U);
  if (sensor.beam.stencil != StencilKind::rays) {
    std::ranges::stable_sort(order, {},
                             [&](std::uint32_t ray) { return sampler_.rays()[ray].left; });
  }
  for (std::uint32_t index = 0; index < order.size(); ++index) indexOfRay_[order[index]] = index;
  const auto isNearerToAxis = [](const StencilRay& a, const StencilRay& b) {
    return std::hypot(a.left, a.up) < std::hypot(b.left, b.up);
  };
  axisRay_ = static_cast<std::uint32_t>(std::ranges::min_element(sampler_.rays(), isNearerToAxis) -
                                        sampler_.rays().begin());
}

std::size_t PulseRays::pulsesPerTile() const {
  return std::clamp(raysPerTile / raysPerPulse(), std::size_t{1}, pulsesPerGroup);
}

void PulseRays::aim(const RayGroup& group, std::uint64_t firstSlot, std::uint64_t firstPulse,
                    std::span<const std::uint32_t> pulseOfSlot, RayTile& tile) const {
  const std::size_t rays = raysPerPulse();
  const std::size_t pulses = group.slots.size();
  const bool isDrawn = sampler_.isPerPulse();
  tile.names.clear();
  tile.aims.clear();
  tile.rays.resize(pulses * rays);
  if (isDrawn) tile.drawn.resize(pulses * rays);
  for (std::size_t pulse = 0; pulse < pulses; ++pulse) {
    const std::size_t slot = group.slots[pulse];
    const PulseName& name = tile.names.emplace_back(PulseName{
        firstPulse + pulseOfSlot[slot] + group.laser, firstSlot + slot, group.bank, group.laser});
    const PulseAxes& axes =
        tile.aims.emplace_back(aimedPulse(sensor_, trajectory_, seed_, name, sceneOriginM_)).axes;
    const auto drawn =
        std::span(tile.drawn).subspan(isDrawn ? pulse * rays : 0, isDrawn ? rays : 0);
    if (isDrawn) sampler_.draw(name.number, drawn);
    for (std::size_t ray = 0; ray < rays; ++ray) {
      const RayScale scale = isDrawn ? rayScale(drawn[ray], window_) : scales_[ray];
      const Vec3f originM = window_.isOpen() ? axes.origin + rayStart(scale, axes) : axes.origin;
      tile.rays.set(pulse * rays + indexOfRay_[ray], originM, rayDirection(scale, axes));
    }
  }
}

std::span<const StencilRay> PulseRays::beamOf(const RayTile& tile, std::size_t pulse) const {
  const std::size_t rays = raysPerPulse();
  return sampler_.isPerPulse() ? std::span<const StencilRay>(tile.drawn).subspan(pulse * rays, rays)
                               : sampler_.rays();
}

}  // namespace understory
