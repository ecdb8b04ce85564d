// Distribution ray tracing (Cook 1984): for each sample one ray from the camera, one to a point of the sun's
// disc, and one into the sky for the ambient light. Leaves transmit light: a surface lit from behind
// shines dimly. Why that needs no flag on materials: the back of a solid is in its own shadow.
#include "render/render.h"

#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>

#include "core/error.h"
#include "core/random/philox.h"
#include "core/scene/surfaceColour.h"
#include "core/scene/sway.h"

namespace understory {
namespace {

using Colour = Vec3f;  // linear red, green, blue

const Vec3f towardsSun = normalized(Vec3f{0.42F, -0.62F, 0.78F});
constexpr float sunDiscRadius = 0.012F;  // radians; larger than the real one, for softer shadows
constexpr Colour sunLight{2.3F, 2.08F, 1.75F};
constexpr Colour skyLight{0.5F, 0.6F, 0.78F};
constexpr Colour groundLight{0.24F, 0.22F, 0.15F};
constexpr Colour horizonColour{0.62F, 0.71F, 0.8F};
constexpr Colour zenithColour{0.16F, 0.33F, 0.66F};
constexpr float throughLeaf = 0.45F;
constexpr float hazeM = 900.0F;        // distance at which haze hides 63 %
constexpr float ambientReachM = 4.0F;  // what is further off does not darken the ambient light
constexpr float farM = 1.0e5F;

Colour operator*(Colour a, Colour b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }
Colour mix(Colour a, Colour b, float share) { return a * (1.0F - share) + b * share; }

float linearFromSrgb(float value) {
  return value <= 0.04045F ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

std::uint8_t byteFromLinear(float value) {
  // A soft shoulder keeps sunlit walls from clipping.
  const float toned = 1.0F - std::exp(-1.05F * value);
  const float srgb =
      toned <= 0.0031308F ? 12.92F * toned : 1.055F * std::pow(toned, 1.0F / 2.4F) - 0.055F;
  return static_cast<std::uint8_t>(std::lround(255.0F * std::clamp(srgb, 0.0F, 1.0F)));
}

Colour skyColour(Vec3f direction) {
  const float height = std::clamp(direction.z, 0.0F, 1.0F);
  const Colour sky = mix(horizonColour, zenithColour, std::pow(height, 0.55F));
  const float sunward = std::max(dot(direction, towardsSun), 0.0F);
  return sky + sunLight * (0.12F * std::pow(sunward, 24.0F));
}

struct CameraRay {
  Vec3d originM;
  Vec3d direction;
};

// The camera's axes in the world.
class Camera {
 public:
  explicit Camera(const RenderView& view) : view_(view) {
    const double cosPitch = std::cos(view.pitchRad);
    forward_ = {cosPitch * std::cos(view.yawRad), cosPitch * std::sin(view.yawRad),
                -std::sin(view.pitchRad)};
    right_ = {std::sin(view.yawRad), -std::cos(view.yawRad), 0.0};
    up_ = cross(right_, forward_);
  }

  // `columnPx` from the left and `rowPx` from the top, with fractions.
  CameraRay ray(double columnPx, double rowPx) const {
    const double aspect = static_cast<double>(view_.widthPx) / view_.heightPx;
    const double x = (2.0 * columnPx / view_.widthPx - 1.0) * aspect;
    const double y = 1.0 - 2.0 * rowPx / view_.heightPx;
    if (view_.orthographicHeightM > 0.0) {
      const double half = 0.5 * view_.orthographicHeightM;
      return {view_.positionM + right_ * (half * x) + up_ * (half * y), forward_};
    }
    const double half = std::tan(0.5 * view_.verticalFovRad);
    return {view_.positionM, normalized(forward_ + right_ * (half * x) + up_ * (half * y))};
  }

  bool isPerspective() const { return !(view_.orthographicHeightM > 0.0); }

 private:
  const RenderView& view_;
  Vec3d forward_;
  Vec3d right_;
  Vec3d up_;
};

struct Surface {
  Vec3f pointM;
  Vec3f normal;  // towards the camera
  Colour colour;
  float distanceM = 0.0F;
};

class Renderer {
 public:
  Renderer(const RenderSources& sources, const SceneTruth& scene, const RenderView& view)
      : sources_(sources),
        scene_(scene.scene),
        instances_(scene.instances),
        view_(view),
        camera_(view) {
    for (const Material& material : scene.scene.materials) {
      colours_.push_back({linearFromSrgb(material.colourRgb[0]),
                          linearFromSrgb(material.colourRgb[1]),
                          linearFromSrgb(material.colourRgb[2])});
    }
  }

  Colour pixel(std::uint32_t column, std::uint32_t row) const {
    const std::uint64_t number = std::uint64_t{row} * view_.widthPx + column;
    RandomStream random(0, RandomPurpose::picture, number);
    Colour sum;
    for (std::uint32_t sample = 0; sample < view_.samplesPerPixel; ++sample) {
      const double columnPx = column + random.uniform();
      sum = sum + sampleAlong(camera_.ray(columnPx, row + random.uniform()), random);
    }
    return sum * (1.0F / static_cast<float>(view_.samplesPerPixel));
  }

 private:
  std::optional<Surface> hit(Vec3f origin, Vec3f direction) const {
    FacetHit hit = sources_.triangles.nearest({origin, direction}, minHitM(origin), farM);
    const auto ask = [&](const auto* source) {
      if (source == nullptr || source->isEmpty()) return;
      const float limitM = hit.isHit ? hit.rangeM : farM;
      const FacetHit other = source->nearest({origin, direction}, minHitM(origin), limitM);
      if (other.isHit) hit = other;
    };
    ask(sources_.moving);
    ask(sources_.swaying);
    ask(sources_.voxels);
    ask(sources_.landscapes);
    if (!hit.isHit) return std::nullopt;
    const InstanceShading& shading = instances_[hit.instance];
    const Vec3f normal = normalized(shading.inWorld(hit.facet));
    const Vec3f pointM = origin + direction * hit.rangeM;
    return Surface{pointM, dot(normal, direction) > 0.0F ? normal * -1.0F : normal,
                   colourAt(hit, pointM) * tint(instances_.idOf(hit.instance)), hit.rangeM};
  }

  // The colour of its image, or of its material.
  Colour colourAt(const FacetHit& hit, Vec3f pointM) const {
    const Vec3d restM = unswayed(scene_, scene_.instanceAt(hit.instance), 0, toDouble(pointM));
    const auto painted = paintedColour(scene_, hit.instance, hit.primitive, restM);
    if (!painted) return colours_[instances_[hit.instance].materialOf(hit.primitive)];
    const auto linear = [](std::uint8_t byte) {
      return linearFromSrgb(static_cast<float>(byte) / 255.0F);
    };
    return {linear((*painted)[0]), linear((*painted)[1]), linear((*painted)[2])};
  }

  // Individuals differ a little in brightness and warmth.
  static Colour tint(std::uint32_t id) {
    const auto words = philoxBlock({id, 0, 0, 0}, {0x7469'6e74U, 0});
    const float bright = 0.88F + 0.24F * static_cast<float>(words[0] >> 8U) * 0x1p-24F;
    const float warm = 0.1F * (static_cast<float>(words[1] >> 8U) * 0x1p-24F - 0.5F);
    return {bright * (1.0F + warm), bright, bright * (1.0F - warm)};
  }

  // Nothing within `reachM`; starts off the surface on the side that the ray leaves.
  bool isFree(const Surface& surface, Vec3f direction, float reachM) const {
    const float liftM = 1e-4F + 2e-6F * surface.distanceM;
    const float side = dot(surface.normal, direction) < 0.0F ? -liftM : liftM;
    const PathRay ray{surface.pointM + surface.normal * side, direction};
    const auto isBlockedBy = [&](const auto* source) {
      return source != nullptr && source->isBlocked(ray, liftM, reachM);
    };
    return !isBlockedBy(&sources_.triangles) && !isBlockedBy(sources_.moving) &&
           !isBlockedBy(sources_.swaying) && !isBlockedBy(sources_.voxels) &&
           !isBlockedBy(sources_.landscapes);
  }

  Colour sunOn(const Surface& surface, RandomStream& random) const {
    const Vec3f jitter{static_cast<float>(random.uniform(-1.0, 1.0)),
                       static_cast<float>(random.uniform(-1.0, 1.0)),
                       static_cast<float>(random.uniform(-1.0, 1.0))};
    const Vec3f direction = normalized(towardsSun + jitter * sunDiscRadius);
    const float cosine = dot(surface.normal, direction);
    if (!isFree(surface, direction, farM)) return {};
    return sunLight * (cosine > 0.0F ? cosine : -throughLeaf * cosine);
  }

  // One direction of the upper hemisphere about the normal, cosine-weighted (Malley's method).
  Colour skyOn(const Surface& surface, RandomStream& random) const {
    const double z = random.uniform(-1.0, 1.0);
    const double aroundRad = random.uniform(0.0, 2.0 * piRad);
    const double ring = std::sqrt(1.0 - z * z);
    const Vec3f onSphere =
        toFloat(Vec3d{ring * std::cos(aroundRad), ring * std::sin(aroundRad), z});
    const Vec3f sum = surface.normal + onSphere * 0.999F;
    const Vec3f direction = normalized(sum);
    const Colour light = mix(groundLight, skyLight, 0.5F + 0.5F * direction.z);
    return isFree(surface, direction, ambientReachM) ? light : light * 0.22F;
  }

  Colour sampleAlong(const CameraRay& view, RandomStream& random) const {
    const Vec3f direction = toFloat(view.direction);
    const std::optional<Surface> surface = hit(toFloat(view.originM), direction);
    if (!surface) return skyColour(direction);
    const Colour lit = surface->colour * (sunOn(*surface, random) + skyOn(*surface, random));
    if (!camera_.isPerspective()) return lit;
    return mix(lit, horizonColour, 1.0F - std::exp(-surface->distanceM / hazeM));
  }

  const RenderSources& sources_;
  const Scene& scene_;
  const InstanceShadings& instances_;
  const RenderView& view_;
  Camera camera_;
  std::vector<Colour> colours_;
};

void checkView(const RenderView& view) {
  constexpr std::uint32_t maxPx = 16384;
  constexpr std::uint32_t maxSamples = 4096;
  const bool isSized = view.widthPx >= 1 && view.heightPx >= 1 && view.widthPx <= maxPx &&
                       view.heightPx <= maxPx && view.samplesPerPixel >= 1 &&
                       view.samplesPerPixel <= maxSamples;
  if (isSized) return;
  throw UnderstoryError(ErrorCode::badInput,
                        "a picture has 1 to 16384 pixels a side and 1 to 4096 samples a pixel");
}

}  // namespace

std::vector<std::uint8_t> renderPicture(const RenderSources& sources, const SceneTruth& scene,
                                        const RenderView& view, const Watch& watch) {
  checkView(view);
  const Renderer renderer(sources, scene, view);
  std::vector<std::uint8_t> rgb(std::size_t{3} * view.widthPx * view.heightPx);
  tbb::task_arena arena(static_cast<int>(sources.triangles.device().threads()));
  constexpr std::uint32_t bandRows = 24;  // between two checks of the cancel flag
  for (std::uint32_t band = 0; band < view.heightPx; band += bandRows) {
    watch.throwIfCancelled();
    if (watch.onProgress) watch.onProgress("picture", band, view.heightPx);
    const std::uint32_t end = std::min(band + bandRows, view.heightPx);
    arena.execute([&] {
      tbb::parallel_for(band, end, [&](std::uint32_t row) {
        std::uint8_t* out = rgb.data() + std::size_t{3} * view.widthPx * row;
        for (std::uint32_t column = 0; column < view.widthPx; ++column) {
          const Colour colour = renderer.pixel(column, row);
          for (const float channel : {colour.x, colour.y, colour.z}) {
            *out++ = byteFromLinear(channel);
          }
        }
      });
    });
  }
  if (watch.onProgress) watch.onProgress("picture", view.heightPx, view.heightPx);
  return rgb;
}

}  // namespace understory
