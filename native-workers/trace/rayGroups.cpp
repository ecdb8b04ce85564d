// Orders of rays.
#include "trace/rayGroups.h"


namespace understory {
namespace {

// Mean step in azimuth from one firing of a laser to its next, counter-clockwise.
double firingStepRad(const SensorRecipe& sensor) {
  const double slotStepRad =
      sensor.isSpinning
          ? 2.0 * piRad * sensor.rateHz / sensor.slotsPerSecond
          : (sensor.maxAzimuthRad - sensor.minAzimuthRad) / static_cast<double>(sensor.slotsPerScan);
  return slotStepRad * static_cast<double>(sensor.blocks.size());
}

}  // namespace

GroupOrders groupOrders(const SensorRecipe& sensor, RayOrder order) {
  const std::array<StencilRay, raysPerPulse> stencil = makeStencil(sensor.beam);
  const double stepRad = firingStepRad(sensor);
  const auto keyOf = [&](RayPlace place) {
    switch (order) {
      case RayOrder::columns:
        return static_cast<double>(place.pulse) * stepRad + stencil[place.ray].left;
      case RayOrder::rays:
        return static_cast<double>(place.ray);
      default:
        return 0.0;
    }
  };
  GroupOrders orders{};
  for (std::size_t pulses = 1; pulses <= pulsesPerGroup; ++pulses) {
    const std::span<RayPlace> rays(orders.rays[pulses].data(), pulses * raysPerPulse);
    for (std::size_t number = 0; number < rays.size(); ++number) {
      rays[number] = {static_cast<std::uint8_t>(number / raysPerPulse),
                      static_cast<std::uint8_t>(number % raysPerPulse)};
    }
    std::stable_sort(rays.begin(), rays.end(),
                     [&](RayPlace a, RayPlace b) { return keyOf(a) < keyOf(b); });
    for (std::size_t place = 0; place < rays.size(); ++place) {
      orders.places[pulses][rays[place].pulse * raysPerPulse + rays[place].ray] =
          static_cast<std::uint8_t>(place);
    }
  }
  return orders;
}

}  // namespace understory
