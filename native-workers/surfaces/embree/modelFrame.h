// How rays come into the frame of a placed model.
#pragma once

#include <array>
#include <cstddef>

#include "core/maths/maths.h"

namespace understory {

struct ModelFrame {
  std::array<float, 9> modelFromWorld;  // by row
  Vec3f offsetM;                        // added after it

  // `placement`: its position is relative to the origin of the rays.
  explicit ModelFrame(const Placement& placement) : modelFromWorld{} {
    const Mat3d rotation = matrixOf(placement.rotation);
    const std::array positionM{placement.positionM.x, placement.positionM.y, placement.positionM.z};
    std::array<double, 3> offset{};
    for (std::size_t row = 0; row < 3; ++row) {
      for (std::size_t column = 0; column < 3; ++column) {
        const double part = rotation[column][row] / placement.scale;
        modelFromWorld[3 * row + column] = static_cast<float>(part);
        offset[row] -= part * positionM[column];
      }
    }
    offsetM = toFloat({offset[0], offset[1], offset[2]});
  }

  Vec3f direction(Vec3f v) const {
    const std::array<float, 9>& m = modelFromWorld;
    return {m[0] * v.x + m[1] * v.y + m[2] * v.z, m[3] * v.x + m[4] * v.y + m[5] * v.z,
            m[6] * v.x + m[7] * v.y + m[8] * v.z};
  }
  Vec3f point(Vec3f pointM) const { return direction(pointM) + offsetM; }
  // A normal of the model in the world, its length not kept: the inverse of a rotation and a scale is its transpose.
  Vec3f normal(Vec3f v) const {
    const std::array<float, 9>& m = modelFromWorld;
    return {m[0] * v.x + m[3] * v.y + m[6] * v.z, m[1] * v.x + m[4] * v.y + m[7] * v.z,
            m[2] * v.x + m[5] * v.y + m[8] * v.z};
  }
};

}  // namespace understory
