// Reads an image file into texels: PNG of any depth and JPEG, by the libraries libpng and libjpeg.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "core/scene/textures.h"

namespace understory {

// Most columns or rows of an image, and texels; refused before any are decoded.
inline constexpr std::uint32_t maxImageSide = 16384;
inline constexpr std::uint64_t maxImageTexels = std::uint64_t{64} << 20U;

// `bytes`: a whole file; `file`: its name for errors. A grey image has red = green = blue. An image without an alpha
// channel has alpha 255. Throws 'bad-input' for another format, a damaged or truncated file, one above the limits.
// `maxTexels`: at most maxImageTexels.
TextureImage readImage(std::string_view bytes, const std::string& file,
                       std::uint64_t maxTexels = maxImageTexels);

// For a cut by an image without an alpha channel: its brightness becomes its alpha (MTL: the scalar channel).
void setAlphaByBrightness(TextureImage& image);

// The least alpha that is no hole at a threshold of 0 to 1; 0: there are no holes.
std::uint8_t minAlphaOf(double threshold);

}  // namespace understory
