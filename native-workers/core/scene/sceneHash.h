// The identity of a scene: equal hashes, equal triangles, materials and instances.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "core/scene/scene.h"

namespace understory {

// xxh3 (64 bits, 16 hex digits) over materials, atmosphere, classes, every model's vertices,
// triangles and materials, and the instances. Names of models and materials and file names do not enter.
std::string hashScene(const Scene& scene);

// The same kind of hash over the bytes of a file.
std::string hashOfBytes(std::span<const std::byte> bytes);

}  // namespace understory
