// The readers of mesh formats, from bytes in memory. All throw 'bad-input' with the file's name, the
// line or byte and what was expected; none allocates more than a small multiple of the bytes given. They
// report phase 'reading' in bytes, and throw 'cancelled' when `watch` is cancelled.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "contract/contract.h"
#include "core/scene/readers/meshFile.h"
#include "core/watch.h"

namespace understory {

// Largest coordinate in metres. Why: Embree leaves out a triangle with a corner beyond about 1e18 m without a word, and
// positions of instances have this limit too.
inline constexpr double maxCoordinateM = 1e9;

// Coordinates beyond it are taken off the mesh, and added to the positions of its instances. Why: a single has steps of
// 0.06 mm there, and of 0.5 m at the northings of UTM.
inline constexpr double maxOwnCoordinateM = 1000.0;

// A position in a file's units and axes as one in metres, z up, relative to `centreM`; nothing where a coordinate is
// not finite or beyond maxCoordinateM. The first position of a mesh decides on its centre: whole kilometres on the axes
// where it lies beyond maxOwnCoordinateM, otherwise 0.
std::optional<Vec3f> modelPosition(const MeshSource& options, std::optional<Vec3d>& centreM,
                                   double x, double y, double z);

// The expectation for vertex `number` (from 1) where modelPosition gives nothing.
std::string finiteVertexExpected(std::uint64_t number, double x, double y, double z);

// Text of a file that lies beside the mesh, by the name the mesh gives; outlives the reading. Throws 'not-found'.
using ReadBeside = std::function<std::string_view(const std::string& name)>;

// Bytes of an image in the folder of the mesh, by its name as imageBeside gives it. Throws 'not-found'.
using ReadImage = std::function<std::string_view(const std::string& name)>;

// The expectation for a face that MeshBuilder::addPolygon does not add.
inline std::string concaveCornersExpected() {
  return "a concave face of at most " + std::to_string(maxConcaveCorners) + " corners";
}

// Wavefront OBJ: v, f (any of its index forms, negative ones too; polygons as polygon.h cuts them), usemtl, mtllib;
// everything else is skipped. Each MTL file is parsed once; one that `readBeside` has not ('not-found') is left out. A name in
// `options.materials` that neither OBJ nor MTL knows is 'bad-input'. Where options.textures is set, faces of a material with map_Kd or
// map_d have its images: they need texture coordinates (vt).
MeshBuilder readObj(std::span<const std::byte> bytes, const std::string& file,
                    const MeshSource& options, const ReadBeside& readBeside,
                    const Watch& watch = {}, const ReadImage& readImage = {});

// PLY 1.0, ascii or binary of either byte order: x, y, z of `vertex` and the list `vertex_indices` or
// `vertex_index` of `face`, in any order and of any type, among any others. Where options.textures is set, images
// of `comment TextureFile` are on the faces, by s and t (or u and v, texture_u and texture_v) of `vertex` or the list
// texcoord of `face`, and its texnumber; their alpha channel, if any, cuts.
MeshBuilder readPly(std::span<const std::byte> bytes, const std::string& file,
                    const MeshSource& options, const Watch& watch = {},
                    const ReadImage& readImage = {});

// The names of images in a PLY file's header, in order; as in the file.
std::vector<std::string> imagesOfPly(std::string_view text);

// STL, binary when its length is exactly what its count of triangles says, otherwise ascii.
MeshBuilder readStl(std::span<const std::byte> bytes, const std::string& file,
                    const MeshSource& options, const Watch& watch = {});

}  // namespace understory
