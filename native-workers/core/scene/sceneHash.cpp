// xxh3 over everything that decides what a ray meets.
#include "core/scene/sceneHash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

#include "core/hex.h"

namespace understory {

// Why: arrays are hashed as they lie in memory, little-endian and without gaps.
static_assert(std::endian::native == std::endian::little);
static_assert(sizeof(Vec3f) == 12);

namespace {

class Hasher {
 public:
  Hasher() : state_(XXH3_createState()) { XXH3_64bits_reset(state_.get()); }

  // Hashes the length too, so that what follows cannot slide into it.
  template <typename T>
  void add(const std::vector<T>& values) {
    add(static_cast<std::uint64_t>(values.size()));
    XXH3_64bits_update(state_.get(), values.data(), values.size() * sizeof(T));
  }
  template <typename T>
  requires std::is_arithmetic_v<T>
  void add(T value) { XXH3_64bits_update(state_.get(), &value, sizeof value); }
  void add(const std::string& text) {
    add(static_cast<std::uint64_t>(text.size()));
    XXH3_64bits_update(state_.get(), text.data(), text.size());
  }

  void add(std::span<const std::byte> bytes) {
    add(static_cast<std::uint64_t>(bytes.size()));
    XXH3_64bits_update(state_.get(), bytes.data(), bytes.size());
  }

  std::string hex() const {
    XXH64_canonical_t hash;
    XXH64_canonicalFromHash(&hash, XXH3_64bits_digest(state_.get()));
    return hexOf(std::as_bytes(std::span(hash.digest)));
  }

 private:
  struct Free {
    void operator()(XXH3_state_t* state) const { XXH3_freeState(state); }
  };
  std::unique_ptr<XXH3_state_t, Free> state_;
};

void addTextures(Hasher& hasher, const MeshTextures& textures) {
  for (const TextureImage& image : textures.images) {
    hasher.add(image.columns);
    hasher.add(image.rows);
    hasher.add(image.texels);
  }
  for (const Paint& paint : textures.paints) {
    hasher.add(paint.colour);
    hasher.add(paint.alpha);
  }
  hasher.add(textures.paintOfTriangle);
  hasher.add(textures.coordinatesOfTriangle);
  hasher.add(textures.minAlpha);
}

void addPlacement(Hasher& hasher, Vec3d positionM, Quatd rotation, double scale) {
  for (const double value : {positionM.x, positionM.y, positionM.z, rotation.x, rotation.y,
                             rotation.z, rotation.w, scale}) {
    hasher.add(value);
  }
}

void addLandscape(Hasher& hasher, const Landscape& landscape) {
  for (const double value : {landscape.westM, landscape.southM, landscape.sideM}) hasher.add(value);
  for (const std::uint32_t value :
       {landscape.columns, landscape.rows, landscape.plantsPerSquare, landscape.firstId}) {
    hasher.add(value);
  }
  for (const std::vector<TilePlant>& tile : landscape.tiles) {
    hasher.add(static_cast<std::uint64_t>(tile.size()));
    for (const TilePlant& plant : tile) {
      hasher.add(plant.model);
      hasher.add(plant.classId);
      addPlacement(hasher, plant.positionM, plant.rotation, plant.scale);
    }
  }
  hasher.add(landscape.tileOf);
  for (const std::vector<bool>& ofSquare : landscape.leftOut) {
    hasher.add(std::vector<std::uint8_t>(ofSquare.begin(), ofSquare.end()));
  }
}

}  // namespace

std::string hashOfBytes(std::span<const std::byte> bytes) {
  Hasher hasher;
  hasher.add(bytes);
  return hasher.hex();
}

std::string hashScene(const Scene& scene) {
  Hasher hasher;
  for (const Material& material : scene.materials) {
    hasher.add(material.reflectance.points());
    for (const float channel : material.colourRgb) hasher.add(channel);
    hasher.add(static_cast<std::uint8_t>(material.surface.kind));
    for (const double value :
         {material.surface.roughnessRad, material.surface.gain, material.surface.halfWidthRad,
          material.gapFraction, material.wetness}) {
      hasher.add(value);
    }
    // Why 1: scenes from before surfaces had an index of their own keep their hash.
    const bool refracts =
        material.surface.kind == SurfaceKind::glass || material.surface.kind == SurfaceKind::water;
    for (const double value : {refracts ? material.surface.refractiveIndex : 1.0,
                               material.surface.thicknessM, material.surface.depthM}) {
      hasher.add(value);
    }
    hasher.add(material.transmittance.points());
    hasher.add(material.surface.specularReflectance.points());
    hasher.add(material.surface.absorptionPerM.points());
  }
  hasher.add(static_cast<std::uint8_t>(scene.atmosphere.visibilityLaw));
  for (const double value : {scene.atmosphere.visibilityKm.value_or(0.0),
                             scene.atmosphere.rainMmPerH, scene.atmosphere.extinctionPerM}) {
    hasher.add(value);
  }
  for (const Particles& particles : scene.weather.particles) {
    hasher.add(static_cast<std::uint8_t>(particles.kind));
    for (const double value : {particles.numberPerM3Mm, particles.sizesPerMm, particles.sizeFactor,
                               particles.reflectance}) {
      hasher.add(value);
    }
  }
  for (const Medium& medium : scene.weather.media) {
    hasher.add(static_cast<std::uint8_t>(medium.kind));
    for (const double value : {medium.visibilityKm, medium.extinctionPerM, medium.lidarRatioSr}) {
      hasher.add(value);
    }
  }
  if (scene.weather.plume) {
    const PlumeLaw& plume = *scene.weather.plume;
    for (const double value : {plume.windMPerS[0], plume.windMPerS[1], plume.firstM,
                               plume.mixingM2PerS, plume.settlingMPerS, plume.lidarRatioSr}) {
      hasher.add(value);
    }
  }
  hasher.add(scene.mirrorDepth);
  for (const std::string& name : scene.classes) hasher.add(name);
  for (const Model& model : scene.models) {
    hasher.add(model.mesh.vertices);
    hasher.add(model.mesh.triangles);
    hasher.add(model.mesh.materialOfTriangle);
    // Why only then: scenes without images keep their hash.
    if (!model.mesh.textures.isEmpty()) addTextures(hasher, model.mesh.textures);
    if (model.learned || model.voxels) hasher.add(model.volumeHash);
  }
  for (const Instance& instance : scene.instances) {
    hasher.add(instance.id);
    hasher.add(instance.model);
    hasher.add(instance.classId);
    addPlacement(hasher, instance.positionM, instance.rotation, instance.scale);
    // Why only then: scenes without motion keep their hash.
    if (instance.isMoving()) hasher.add(instance.motion);
  }
  for (const Landscape& landscape : scene.landscapes) addLandscape(hasher, landscape);
  // Likewise scenes without wind.
  if (scene.wind) {
    const Wind& wind = *scene.wind;
    for (const double value : {wind.speedMPerS, wind.towardsRad, wind.topM, wind.maxLean,
                               wind.gusts, wind.frequencyHz}) {
      hasher.add(value);
    }
    hasher.add(scene.windSeed);
    for (const Model& model : scene.models) hasher.add(static_cast<std::uint8_t>(model.sways));
  }
  return hasher.hex();
}

}  // namespace understory
