#include "core/plants/plants.h"

#include <array>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/plants/generators.h"

namespace understory {

namespace {

struct Generator {
  std::string_view name;
  GrownPlant (*grow)(const nlohmann::json&, std::uint64_t, const MaterialIndices&, Meter&);
  std::uint64_t (*predict)(const nlohmann::json&);
};

constexpr std::array<Generator, 3> generators{{
    {"grass-patch", growGrassPatch, predictGrassPatch},
    {"tree", growTree, predictTree},
    {"shrub", growShrub, predictShrub},
}};

const Generator& generatorOf(const nlohmann::json& plant) {
  const auto name = plant.at("generator").get<std::string>();
  for (const Generator& generator : generators) {
    if (generator.name == name) return generator;
  }
  throw UnderstoryError("bad-input", "no plant generator is called '" + name + "'");
}

// Runs `work`, whose missing or mistyped parameters become 'bad-input'.
template <typename Work>
auto readingParameters(const Work& work) {
  try {
    return work();
  } catch (const nlohmann::json::exception& error) {
    throw UnderstoryError("bad-input", std::string("plant: ") + error.what());
  }
}

}  // namespace

GrownPlant growPlant(const nlohmann::json& plant, std::uint64_t seed,
                     const MaterialIndices& materials, const Watch& watch) {
  return readingParameters([&] {
    const Generator& generator = generatorOf(plant);
    Meter meter(watch, "growing", generator.predict(plant));
    return generator.grow(plant, seed, materials, meter);
  });
}

std::uint64_t predictPlantTriangles(const nlohmann::json& plant) {
  return readingParameters([&] { return generatorOf(plant).predict(plant); });
}

std::uint16_t materialOf(const MaterialIndices& materials, const std::string& name) {
  const auto found = materials.find(name);
  if (found == materials.end()) {
    throw UnderstoryError("bad-input", "plant: the scene has no material '" + name + "'");
  }
  return found->second;
}

}  // namespace understory
