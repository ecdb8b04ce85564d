// A header with a checksum, and arrays as they lie in memory.
#include "core/assembly/meshCodec.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <memory>

namespace understory {

// Why: arrays are written as they lie in memory.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Vec3f) == 12);
static_assert(sizeof(std::array<std::uint32_t, 3>) == 12);

namespace {

constexpr std::array<char, 8> magic{'U', 'S', 'T', 'M', 'E', 'S', 'H', '\0'};
constexpr std::uint32_t codecVersion = 3;

struct Header {
  std::array<char, 8> magic{};
  std::uint32_t version = 0;
  std::uint32_t reserved = 0;
  std::array<char, 32> name{};
  std::uint64_t vertices = 0;
  std::uint64_t triangles = 0;
  std::uint64_t degenerateTriangles = 0;
  std::uint32_t blades = 0;
  std::int32_t barkMaterial = -1;
  std::uint64_t nonPlanarFaces = 0;
  std::uint64_t selfIntersectingFaces = 0;
  std::uint64_t crownLayers = 0;
  double leafAreaM2 = 0.0;
  double crownAreaM2 = 0.0;
  std::array<double, leafAngleBins> angleShares{};
  std::array<double, projectionZenithsDeg.size()> projections{};
  std::array<double, 3> centreM{};
  std::uint64_t checksum = 0;
};
static_assert(sizeof(Header) == 256);
static_assert(sizeof(CrownLayer) == 32);

struct FreeState {
  void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
};

std::uint64_t checksumOf(std::span<const std::byte> bytes) {
  constexpr std::size_t at = offsetof(Header, checksum);
  const std::unique_ptr<XXH3_state_t, FreeState> state(XXH3_createState());
  XXH3_64bits_reset(state.get());
  XXH3_64bits_update(state.get(), bytes.data(), at);
  XXH3_64bits_update(state.get(), bytes.data() + sizeof(Header), bytes.size() - sizeof(Header));
  return XXH3_64bits_digest(state.get());
}

template <typename T>
void put(const std::vector<T>& values, std::byte*& to) {
  if (!values.empty()) std::memcpy(to, values.data(), values.size() * sizeof(T));
  to += values.size() * sizeof(T);
}

template <typename T>
void take(std::vector<T>& values, std::size_t count, const std::byte*& from) {
  values.resize(count);
  if (count > 0) std::memcpy(values.data(), from, count * sizeof(T));
  from += count * sizeof(T);
}

bool leadsNowhereElse(const Mesh& mesh, std::size_t materials) {
  const std::size_t vertices = mesh.vertices.size();
  return std::all_of(mesh.triangles.begin(), mesh.triangles.end(),
                     [vertices](const auto& corners) {
                       return std::max({corners[0], corners[1], corners[2]}) < vertices;
                     }) &&
         std::all_of(mesh.materialOfTriangle.begin(), mesh.materialOfTriangle.end(),
                     [materials](std::uint16_t material) { return material < materials; });
}

}  // namespace

std::vector<std::byte> encodeMesh(const ModelTriangles& model, const std::string& name) {
  const Mesh& mesh = model.builder.mesh;
  Header header;
  header.magic = magic;
  header.version = codecVersion;
  std::memcpy(header.name.data(), name.data(), std::min(name.size(), header.name.size()));
  header.vertices = mesh.vertices.size();
  header.triangles = mesh.triangles.size();
  header.degenerateTriangles = model.builder.degenerateTriangles;
  header.nonPlanarFaces = model.builder.nonPlanarFaces;
  header.selfIntersectingFaces = model.builder.selfIntersectingFaces;
  const Foliage& foliage = model.foliage;
  header.crownLayers = foliage.layers.size();
  header.leafAreaM2 = foliage.leafAreaM2;
  header.crownAreaM2 = foliage.crownAreaM2;
  header.angleShares = foliage.angleShares;
  header.projections = foliage.projections;
  const Vec3d centreM = model.builder.centreM.value_or(Vec3d{});
  header.centreM = {centreM.x, centreM.y, centreM.z};
  header.blades = model.blades;
  header.barkMaterial = model.barkMaterial;
  std::vector<std::byte> bytes(sizeof header + 12 * mesh.vertices.size() +
                               14 * mesh.triangles.size() + 32 * foliage.layers.size());
  std::memcpy(bytes.data(), &header, sizeof header);
  std::byte* to = bytes.data() + sizeof header;
  put(mesh.vertices, to);
  put(mesh.triangles, to);
  put(foliage.layers, to);
  put(mesh.materialOfTriangle, to);
  header.checksum = checksumOf(bytes);
  std::memcpy(bytes.data(), &header, sizeof header);
  return bytes;
}

std::optional<ModelTriangles> decodeMesh(std::span<const std::byte> bytes, const std::string& name,
                                         std::size_t materials) {
  Header header;
  if (bytes.size() < sizeof header) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof header);
  const std::size_t body = bytes.size() - sizeof header;
  // Why divided first: a damaged count must not overflow into the right length.
  const bool isWhole =
      header.magic == magic && header.version == codecVersion &&
      std::string(header.name.begin(), header.name.end()) == name && header.vertices <= body / 12 &&
      header.triangles <= body / 14 && header.crownLayers <= crownLayers &&
      12 * header.vertices + 14 * header.triangles + 32 * header.crownLayers == body &&
      header.checksum == checksumOf(bytes);
  if (!isWhole) return std::nullopt;
  ModelTriangles model;
  Mesh& mesh = model.builder.mesh;
  const std::byte* from = bytes.data() + sizeof header;
  take(mesh.vertices, header.vertices, from);
  take(mesh.triangles, header.triangles, from);
  Foliage& foliage = model.foliage;
  take(foliage.layers, header.crownLayers, from);
  foliage.leafAreaM2 = header.leafAreaM2;
  foliage.crownAreaM2 = header.crownAreaM2;
  foliage.angleShares = header.angleShares;
  foliage.projections = header.projections;
  take(mesh.materialOfTriangle, header.triangles, from);
  model.builder.degenerateTriangles = header.degenerateTriangles;
  model.builder.nonPlanarFaces = header.nonPlanarFaces;
  model.builder.selfIntersectingFaces = header.selfIntersectingFaces;
  model.builder.centreM = {header.centreM[0], header.centreM[1], header.centreM[2]};
  model.blades = header.blades;
  model.barkMaterial = header.barkMaterial;
  if (!leadsNowhereElse(mesh, materials)) return std::nullopt;
  return model;
}

}  // namespace understory
