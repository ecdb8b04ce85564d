// Names of entries, and what is recalled or made.
#include "core/assembly/meshCache.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#if defined(__GLIBC__)
#include <gnu/libc-version.h>
#endif

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/assembly/meshCodec.h"
#include "core/hex.h"
#include "core/scene/readers/meshFile.h"

namespace understory {

namespace {

using nlohmann::json;

class NameHasher {
 public:
  NameHasher() : state_(XXH3_createState()) { XXH3_128bits_reset(state_.get()); }

  // Hashes the length too, so that what follows cannot slide into it.
  void add(std::string_view text) {
    const std::uint64_t size = text.size();
    XXH3_128bits_update(state_.get(), &size, sizeof size);
    XXH3_128bits_update(state_.get(), text.data(), text.size());
  }

  std::string hex() const {
    XXH128_canonical_t bytes;
    XXH128_canonicalFromHash(&bytes, XXH3_128bits_digest(state_.get()));
    return hexOf(std::as_bytes(std::span(bytes.digest)));
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

// Hash of the sources of generators and readers (CMakeLists.txt), so that changed code forgets what the
// code before it made; and the C library's version, whose sine and powers the generators use.
void addCode(NameHasher& hasher) {
  hasher.add(UNDERSTORY_MESH_CODE);
#if defined(__GLIBC__)
  hasher.add(gnu_get_libc_version());
#endif
}

std::string nameOf(const json& source, const MeshFileBytes* file) {
  NameHasher hasher;
  addCode(hasher);
  if (file == nullptr) {
    hasher.add(source.dump());
    return hasher.hex();
  }
  json settings = source;
  settings.erase("file");
  hasher.add(settings.dump());
  hasher.add(file->text);
  for (const auto& [name, text] : file->beside) {
    hasher.add(name);
    hasher.add(text ? "there" : "missing");
    hasher.add(text.value_or(""));
  }
  for (const auto& [name, bytes] : file->images) {
    hasher.add(name);
    hasher.add(bytes ? "there" : "missing");
    hasher.add(bytes.value_or(""));
  }
  return hasher.hex();
}

}  // namespace

ModelTriangles cachedModelTriangles(const ModelSource& source, std::size_t materials,
                                    std::span<const float> heightsM, const MeshStore* store,
                                    const Watch& watch) {
  const auto* const mesh = std::get_if<MeshSource>(&source.shape);
  std::optional<MeshFileBytes> file;
  if (mesh != nullptr) file = loadModelFile(*mesh, watch);
  const MeshFileBytes* const fileBytes = file ? &*file : nullptr;
  const bool isVolume = mesh != nullptr &&
                        (mesh->format == MeshFormat::learned || mesh->format == MeshFormat::voxels);
  const bool isCostly = (mesh != nullptr && !isVolume) ||
                        std::holds_alternative<PlantSource>(source.shape) ||
                        std::holds_alternative<RootStepSource>(source.shape);
  const bool isStored =
      store != nullptr && isCostly && predictTriangles(source) >= minCachedTriangles;
  if (!isStored) return makeModelTriangles(source, heightsM, fileBytes, watch);
  const std::string name = nameOf(source.document, fileBytes);
  watch.throwIfCancelled();
  if (const auto bytes = store->find(name)) {
    if (auto model = decodeMesh(*bytes, name, materials)) return std::move(*model);
  }
  ModelTriangles model = makeModelTriangles(source, heightsM, fileBytes, watch);
  watch.throwIfCancelled();
  // Why not with images: their texels would be most of the entry, and are decoded as fast as they are read.
  if (model.builder.mesh.textures.isEmpty()) store->keep(name, encodeMesh(model, name));
  return model;
}

}  // namespace understory
