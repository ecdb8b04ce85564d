// Orders of rays and their inverse permutations.
#include "aim/rayGroups.h"

namespace understory {

GroupOrders groupOrders(const SensorRecipe& sensor, RayOrder order) {
  const std::array<StencilRay, raysPerPulse> stencil = makeStencil(sensor.beam);
  const double turn = sensor.scan.isTurning && sensor.scan.isClockwise ? -1.0 : 1.0;
  // A panorama's pulses follow one another upwards.
  const auto along = [&](GroupRay ray) {
    return sensor.scan.panorama ? stencil[ray.ray].up : turn * stencil[ray.ray].left;
  };
  const auto isBefore = [&](GroupRay a, GroupRay b) {
    switch (order) {
      case RayOrder::columns:
        if (a.pulse != b.pulse) return a.pulse < b.pulse;
        return along(a) < along(b);
      case RayOrder::rays:
        return a.ray < b.ray;
      default:
        return false;
    }
  };
  GroupOrders orders{};
  for (std::size_t pulses = 1; pulses <= pulsesPerGroup; ++pulses) {
    const std::span<GroupRay> rays(orders.rays[pulses].data(), pulses * raysPerPulse);
    for (std::size_t number = 0; number < rays.size(); ++number) {
      rays[number] = {static_cast<std::uint8_t>(number / raysPerPulse),
                      static_cast<std::uint8_t>(number % raysPerPulse)};
    }
    std::stable_sort(rays.begin(), rays.end(), isBefore);
    for (std::size_t index = 0; index < rays.size(); ++index) {
      orders.indices[pulses][rays[index].pulse * raysPerPulse + rays[index].ray] =
          static_cast<std::uint8_t>(index);
    }
  }
  return orders;
}

}  // namespace understory
