// Orders of rays.
#include "aim/rayGroups.h"


namespace understory {

GroupOrders groupOrders(const SensorRecipe& sensor, RayOrder order) {
  const std::array<StencilRay, raysPerPulse> stencil = makeStencil(sensor.beam);
  const auto isBefore = [&](RayPlace a, RayPlace b) {
    switch (order) {
      case RayOrder::columns:
        if (a.pulse != b.pulse) return a.pulse < b.pulse;
        return stencil[a.ray].left < stencil[b.ray].left;
      case RayOrder::rays:
        return a.ray < b.ray;
      default:
        return false;
    }
  };
  GroupOrders orders{};
  for (std::size_t pulses = 1; pulses <= pulsesPerGroup; ++pulses) {
    const std::span<RayPlace> rays(orders.rays[pulses].data(), pulses * raysPerPulse);
    for (std::size_t number = 0; number < rays.size(); ++number) {
      rays[number] = {static_cast<std::uint8_t>(number / raysPerPulse),
                      static_cast<std::uint8_t>(number % raysPerPulse)};
    }
    std::stable_sort(rays.begin(), rays.end(), isBefore);
    for (std::size_t place = 0; place < rays.size(); ++place) {
      orders.places[pulses][rays[place].pulse * raysPerPulse + rays[place].ray] =
          static_cast<std::uint8_t>(place);
    }
  }
  return orders;
}

}  // namespace understory
