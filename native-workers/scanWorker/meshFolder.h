// The mesh cache on disk: one file for each made mesh, NAME.mesh, in a folder that several workers may
// share. Written aside, synced and renamed, so that a file is whole or not there; bounded, the entries
// longest unused going first. What goes wrong with the disk makes it slower, never wrong, and is no error.
#pragma once

#include <cstdint>
#include <filesystem>

#include "core/assembly/meshStore.h"

namespace understory {

// Room for some 200 million triangles.
inline constexpr std::uint64_t meshFolderBytes = 4'000'000'000;

// Made where it does not exist. An entry above `maxBytes` is not kept.
MeshStore meshFolder(const std::filesystem::path& folder, std::uint64_t maxBytes = meshFolderBytes);

}  // namespace understory
