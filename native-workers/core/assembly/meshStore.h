// Where made meshes are kept from one scene to the next, as bytes by name. Core says what is in them
// (meshCodec.h) and when they are used (meshCache.h); the implementation with a disk defines how they are stored.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace understory {

// Both may be called from one thread at a time, and never throw: a store that cannot keep or find
// something is slower, not wrong. Names are hex digits.
struct MeshStore {
  std::function<std::optional<std::vector<std::byte>>(const std::string& name)> find;
  std::function<void(const std::string& name, std::span<const std::byte> bytes)> keep;
};

}  // namespace understory
