// The colour of a surface where a ray met it: truth, not what a laser sees.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "core/scene/scene.h"

namespace understory {

// Red, green and blue, 0 to 255 as in images (sRGB): of the texel at `pointM`, a place of the world on the triangle of
// an instance. Nothing where the triangle has no image of colours.
std::optional<std::array<std::uint8_t, 3>> paintedColour(const Scene& scene, std::uint32_t instance,
                                                         std::uint32_t triangle, Vec3d pointM);

// The same, and Material::colourRgb where the triangle has no image.
std::array<std::uint8_t, 3> surfaceColour(const Scene& scene, std::uint32_t instance,
                                          std::uint32_t triangle, std::uint16_t material,
                                          Vec3d pointM);

}  // namespace understory
