// The triangles of placed learned models that a vehicle meets: those that few beams passed.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "core/learned/learnedGround.h"

namespace understory {

inline constexpr float maxSolidPermeability = 0.5F;

struct Corners {
  std::array<Vec3d, 3> atM;
};

// Calls visit(instance index, corners in the world) for each triangle that counts.
template <typename Visit>
void forEachSolid(std::span<const PlacedLearned> placed, const Watch& watch, Visit&& visit) {
  for (std::size_t index = 0; index < placed.size(); ++index) {
    const PlacedLearned& one = placed[index];
    for (std::size_t triangle = 0; triangle < one.triangles.size(); ++triangle) {
      if (triangle % 65536 == 0) watch.throwIfCancelled();
      if (one.model->surface.seen.permeability[triangle] > maxSolidPermeability) continue;
      Corners corners;
      for (std::size_t corner = 0; corner < 3; ++corner) {
        corners.atM[corner] = worldFromModel(
            one.worldFromModel, toDouble(one.verticesM[one.triangles[triangle][corner]]));
      }
      visit(index, corners);
    }
  }
}

}  // namespace understory
