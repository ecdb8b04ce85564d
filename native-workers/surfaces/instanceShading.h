// Shading of hits: turns, materials and classes of instances and of plants of landscapes, by their numbers.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/maths/maths.h"
#include "core/scene/scene.h"

namespace understory {

// Data for shading a hit on an instance, in one cache line.
struct alignas(64) InstanceShading {
  // Rotation, column by column, each padded to four; of instances that move or sway none, as FacetHit::facet says.
  std::array<float, 12> worldFromModel{};
  std::uint16_t classId = 0;
  std::uint16_t material = 0;  // of every triangle, where materialOfTriangle is null
  const std::uint16_t* materialOfTriangle = nullptr;

  std::uint16_t materialOf(std::uint32_t triangle) const {
    return materialOfTriangle == nullptr ? material : materialOfTriangle[triangle];
  }
  // A vector of the model's frame in the world's, its length unchanged.
  Vec3f inWorld(Vec3f v) const {
    const std::array<float, 12>& m = worldFromModel;
    return {m[0] * v.x + m[4] * v.y + m[8] * v.z, m[1] * v.x + m[5] * v.y + m[9] * v.z,
            m[2] * v.x + m[6] * v.y + m[10] * v.z};
  }
};

// Shading of a whole scene, which outlives it.
class InstanceShadings {
 public:
  explicit InstanceShadings(const Scene& scene);

  bool isEmpty() const { return instances_.empty() && tiles_.empty(); }
  const InstanceShading& operator[](std::uint32_t number) const {
    return number < instances_.size() ? instances_[number] : ofPlant(number);
  }
  // Fetches what an instance is shaded by; another number fetches nothing of use.
  void prefetch(std::uint32_t number) const {
    __builtin_prefetch(instances_.data() + (number < instances_.size() ? number : 0));
  }
  std::uint32_t idOf(std::uint32_t number) const {
    return number < instances_.size() ? scene_.instances[number].id
                                      : scene_.landscapeOf(number).idOf(number);
  }

 private:
  const InstanceShading& ofPlant(std::uint32_t number) const;

  const Scene& scene_;
  std::vector<InstanceShading> instances_;
  // By landscape, tile and plant.
  std::vector<std::vector<std::vector<InstanceShading>>> tiles_;
};

}  // namespace understory
