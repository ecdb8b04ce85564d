// Reads a mesh file into triangles of a model's frame: z up, metres. The readers of the three formats
// work on bytes in memory and check everything in them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "contract/modelRecipe.h"
#include "core/scene/meshBuilder.h"
#include "core/watch.h"

namespace understory {

// Index of a scene's material by the name that a mesh file or a plant uses for it.
using MaterialIndices = std::map<std::string, std::uint16_t>;

// A mesh file as it was read once: what is hashed is what is converted.
struct MeshFileBytes {
  std::string name;  // without its folder
  std::string text;
  // OBJ only: the files that `mtllib` names, by that name; none where a file must not or cannot be read.
  std::map<std::string, std::optional<std::string>> beside;
  // The images that these, or a PLY file, name: by imageBeside. None where one must not or cannot be read.
  std::map<std::string, std::optional<std::string>> images;
};

// Limit of a mesh file, which is read whole; the host has the same (services/documents/sceneFiles.ts).
inline constexpr std::uint64_t maxMeshFileBytes = std::uint64_t{1} << 36U;
// Limits of MTL files: of each, and of all that one mesh names.
inline constexpr std::uint64_t maxMaterialFileBytes = std::uint64_t{16} << 20U;
inline constexpr std::uint64_t maxMaterialBytes = std::uint64_t{64} << 20U;
// Limits of images: of each, and of all that one mesh names.
inline constexpr std::uint64_t maxImageFileBytes = std::uint64_t{64} << 20U;
inline constexpr std::uint64_t maxImageBytes = std::uint64_t{512} << 20U;

// A material of an MTL file. Names of images are as in the file.
struct MtlMaterial {
  std::string colourImage;  // map_Kd; empty: none
  std::string alphaImage;   // map_d; empty: none
};

// Materials of an MTL file by name. Options before the name of an image (-clamp on …) are skipped, each with its
// values.
std::map<std::string, MtlMaterial> parseMtl(std::string_view text);

// The name by which MeshFileBytes::images has an image that an MTL file names; for a PLY file, `mtlFile` is empty.
std::string imageBeside(const std::string& mtlFile, const std::string& image);

// The offset taken off the coordinates of a file whose first place is this.
Vec3d farPartOf(Vec3d positionM);

// Throws as RegularFile, and 'cancelled'.
MeshFileBytes loadMeshFile(const std::string& path, MeshFormat format, const Watch& watch,
                           bool usesTextures = true);

// Throws 'cancelled', and 'bad-input' with details { file, and line or byte } for a file that is not what
// its format says, has no triangle with area, or names an image that cannot be decoded. MTL files and images that do not
// exist, lie outside the mesh's folder or are above the limits are left out.
MeshBuilder convertMeshFile(const MeshFileBytes& file, const MeshSource& options,
                            const Watch& watch);

}  // namespace understory
