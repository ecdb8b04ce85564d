// A made mesh as bytes: what the mesh cache keeps. Little-endian:
//
//   0   magic "USTMESH" and one zero byte
//   8   version u32, 0 u32
//   16  name: the 128-bit key of what it was made from, as its 32 hex digits
//   48  vertices u64, triangles u64, degenerate triangles u64
//   72  blades u32, bark material i32
//   80  polygons that are not plane u64, that cross themselves u64
//   96  layers of the crown u64; leaf area, crown area f64; shares of 9 angles, 4 projections (f64)
//   224 checksum u64: xxh3 of all bytes before it and all after it
//   232 vertices (3 f32 each), triangles (3 u32 each), layers (4 f64 each), material of each triangle (u16)
//
// Why the name is inside: an entry that was renamed by hand is recognised as not what it is called.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/assembly/modelSource.h"

namespace understory {

// `name`: 32 hex digits.
std::vector<std::byte> encodeMesh(const ModelTriangles& model, const std::string& name);

// Nothing when the bytes are not, in every respect, what encodeMesh made for `name`: cut short, damaged,
// of another version or name, or with an index that leads outside the mesh or `materials`.
std::optional<ModelTriangles> decodeMesh(std::span<const std::byte> bytes, const std::string& name,
                                         std::size_t materials);

}  // namespace understory
