// Images of a mesh while its file is read: each is decoded once, and all together are bounded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "core/scene/readers/meshReaders.h"
#include "core/scene/textures.h"

namespace understory {

// Texels of all images of one mesh.
inline constexpr std::uint64_t maxMeshTexels = std::uint64_t{256} << 20U;
// Why a limit: beyond it a single-precision coordinate is more than a texel.
inline constexpr double maxTextureCoordinate = 1e6;

// The use of an image of a mesh: its colour, or its alpha that cuts.
enum class ImageUse { colour, cut };

class MeshImages {
 public:
  // `file`: the mesh's name for errors. All outlive this.
  MeshImages(const std::string& file, const ReadImage& read, MeshTextures& textures)
      : file_(file), read_(read), textures_(textures) {}

  // The index of an image among the textures; Paint::none where `name` is empty or there is no such image. For a cut, an
  // image without alpha has its brightness instead. `line`: of the mesh file that needs it, for errors. Throws 'bad-input'
  // for an image that cannot be decoded or is too large.
  std::uint16_t indexOf(const std::string& name, ImageUse use, std::size_t line);

  // The index of a new paint. Throws 'bad-input' beyond 65,535.
  std::uint16_t addPaint(Paint paint, std::size_t line);

 private:
  // Nothing where there is no such image.
  std::optional<TextureImage> decode(const std::string& name);

  const std::string& file_;
  const ReadImage& read_;
  MeshTextures& textures_;
  std::map<std::string, std::uint16_t> colours_;
  std::map<std::string, std::uint16_t> cuts_;
  std::uint64_t leftTexels_ = maxMeshTexels;
};

}  // namespace understory
