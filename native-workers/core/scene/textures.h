// Images on triangles: the colour of a surface, and where it is cut away. A texel is the nearest one; coordinates
// repeat in steps of 1, v upwards.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

// Rows from the top; four bytes a texel: red, green, blue, alpha. Not linear: as in the file.
struct TextureImage {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::vector<std::array<std::uint8_t, 4>> texels;
  bool hasAlpha = false;  // a channel of its own; otherwise alpha is 255

  const std::array<std::uint8_t, 4>& at(Vec2f uv) const {
    const auto place = [](float coordinate, std::uint32_t count) {
      const double share =
          static_cast<double>(coordinate) - std::floor(static_cast<double>(coordinate));
      return std::min(static_cast<std::uint32_t>(share * count), count - 1);
    };
    const std::size_t row = place(1.0F - uv.y, rows);
    return texels[row * columns + place(uv.x, columns)];
  }
};

// The images on a triangle, by their indices.
struct Paint {
  static constexpr std::uint16_t none = 0xFFFF;
  std::uint16_t colour = none;
  std::uint16_t alpha = none;  // its alpha cuts
};

struct MeshTextures {
  std::vector<TextureImage> images;
  std::vector<Paint> paints;
  std::vector<std::uint16_t>
      paintOfTriangle;  // index of paints, or Paint::none; empty: no triangle has one
  std::vector<std::array<Vec2f, 3>> coordinatesOfTriangle;  // as long
  std::uint8_t minAlpha = 128;                              // a texel of less alpha is a hole

  bool isEmpty() const { return paintOfTriangle.empty(); }
  bool hasHoles() const {
    return std::any_of(paints.begin(), paints.end(),
                       [](const Paint& paint) { return paint.alpha != Paint::none; });
  }
  bool isPainted(std::size_t triangle) const {
    return !isEmpty() && paintOfTriangle[triangle] != Paint::none;
  }
  // `u`, `v`: shares of the second and third corner.
  Vec2f coordinatesAt(std::size_t triangle, float u, float v) const {
    const auto& [a, b, c] = coordinatesOfTriangle[triangle];
    const float rest = 1.0F - u - v;
    return {rest * a.x + u * b.x + v * c.x, rest * a.y + u * b.y + v * c.y};
  }
  // Whether the place on a triangle is cut away.
  bool isHole(std::size_t triangle, float u, float v) const {
    if (!isPainted(triangle)) return false;
    const std::uint16_t image = paints[paintOfTriangle[triangle]].alpha;
    if (image == Paint::none) return false;
    return images[image].at(coordinatesAt(triangle, u, v))[3] < minAlpha;
  }
};

}  // namespace understory
