// Instances and plants of landscapes by their numbers.
#include "core/scene/scene.h"

#include <numeric>

namespace understory {

const Landscape& Scene::landscapeOf(std::uint32_t number) const {
  std::size_t index = landscapes.size() - 1;
  while (landscapes[index].firstNumber > number) --index;
  return landscapes[index];
}

Instance Scene::instanceAt(std::uint32_t number) const {
  if (number < instances.size()) return instances[number];
  const Landscape& landscape = landscapeOf(number);
  const PlantIndices place = landscape.placeOf(number);
  const TilePlant& plant = landscape.plantAt(place);
  return {landscape.idOf(number), plant.model,
          plant.classId,          landscape.positionOf(place, groundHeightM),
          plant.rotation,         plant.scale};
}

std::uint16_t Scene::modelOf(std::uint32_t number) const {
  if (number < instances.size()) return instances[number].model;
  const Landscape& landscape = landscapeOf(number);
  return landscape.plantAt(landscape.placeOf(number)).model;
}

std::uint64_t Scene::countInstances() const {
  std::uint64_t count = instances.size();
  for (const Landscape& landscape : landscapes) {
    const std::vector<std::uint64_t> plants = landscape.plantsByModel(models.size());
    count = std::accumulate(plants.begin(), plants.end(), count);
  }
  return count;
}

Boundsf uprightBounds(const TilePlant& plant, const Model& model) {
  return worldBounds({Vec3d{}, plant.rotation, plant.scale}, model.bounds);
}

}  // namespace understory
