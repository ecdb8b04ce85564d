// The mesh cache on disk: one file for each made mesh, NAME.mesh, in a folder that several workers may
// share. Written aside, synced and renamed, so that a file is whole or not there; bounded, the entries
// longest unused going first. A disk that fails makes it slower, never wrong: that is reported once, and no error.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>

#include "core/assembly/meshStore.h"

namespace understory {

// Room for some 200 million triangles.
inline constexpr std::uint64_t meshFolderBytes = 4'000'000'000;

// Made where it does not exist. An entry above `maxBytes` is not stored. `onFailure` receives a sentence with the first
// reason why an entry could not be stored.
MeshStore meshFolder(const std::filesystem::path& folder, std::uint64_t maxBytes = meshFolderBytes,
                     const std::function<void(const std::string&)>& onFailure = {});

}  // namespace understory
