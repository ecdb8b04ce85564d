// Heights between the nodes of the grid, and its triangles.
#include "core/scene/heightField.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace understory {

MeshBuilder makeHeightField(const HeightField& field, std::uint16_t material) {
  MeshBuilder builder;
  for (std::uint32_t row = 0; row < field.rows; ++row) {
    for (std::uint32_t column = 0; column < field.columns; ++column) {
      const std::size_t node = static_cast<std::size_t>(row) * field.columns + column;
      builder.addVertex(Vec3f{static_cast<float>(field.originXM + field.stepXM * column),
                              static_cast<float>(field.originYM + field.stepYM * row),
                              field.heightsM[node]});
    }
  }
  for (std::uint32_t row = 0; row + 1 < field.rows; ++row) {
    for (std::uint32_t column = 0; column + 1 < field.columns; ++column) {
      const std::uint32_t southWest = row * field.columns + column;
      const std::uint32_t northWest = southWest + field.columns;
      builder.addTriangle(southWest, southWest + 1, northWest + 1, material);
      builder.addTriangle(southWest, northWest + 1, northWest, material);
    }
  }
  return builder;
}

double heightAt(const HeightField& field, double xM, double yM) {
  const double gridX =
      std::clamp((xM - field.originXM) / field.stepXM, 0.0, static_cast<double>(field.columns - 1));
  const double gridY =
      std::clamp((yM - field.originYM) / field.stepYM, 0.0, static_cast<double>(field.rows - 1));
  const auto column = std::min(static_cast<std::uint32_t>(gridX), field.columns - 2);
  const auto row = std::min(static_cast<std::uint32_t>(gridY), field.rows - 2);
  const double shareX = gridX - column;
  const double shareY = gridY - row;
  const std::size_t southWest = static_cast<std::size_t>(row) * field.columns + column;
  const std::size_t northWest = southWest + field.columns;
  const auto height = [&](std::size_t node) { return static_cast<double>(field.heightsM[node]); };
  const double sw = height(southWest);
  const double ne = height(northWest + 1);
  if (shareX >= shareY) {
    const double se = height(southWest + 1);
    return sw + shareX * (se - sw) + shareY * (ne - se);
  }
  const double nw = height(northWest);
  return sw + shareY * (nw - sw) + shareX * (ne - nw);
}

}  // namespace understory
