// The generator of each kind of plant.
#include "core/plants/plants.h"

#include <string>
#include <variant>

#include "core/error.h"
#include "core/plants/generators.h"

namespace understory {

GrownPlant growPlant(const Plant& plant, std::uint64_t seed, const MaterialIndices& materials,
                     const Watch& watch) {
  Meter meter(watch, "growing", predictPlantTriangles(plant));
  return std::visit(
      [&](const auto& parameters) { return grow(parameters, seed, materials, meter); }, plant);
}

std::uint64_t predictPlantTriangles(const Plant& plant) {
  return std::visit([](const auto& parameters) { return predictTriangles(parameters); }, plant);
}

std::uint16_t materialOf(const MaterialIndices& materials, const std::string& name) {
  const auto found = materials.find(name);
  if (found == materials.end()) {
    throwBadInput("plant", "materials", "the material '" + name + "' of the plant, found nothing");
  }
  return found->second;
}

}  // namespace understory
