// The hits of one ray on its whole path: the surface where it ends, and before it surfaces that let a share through,
// and mirrors, panes of glass and faces of water, which turn or split it (PHYSICS.md, 1.2).
//
// Energy. A ray leaves with share 1, and with the factor 1 for what a hit sends back. On a surface of
// gap fraction g that it meets with share s, s (1 - g) ends there and is that hit's share; s g continues straight on,
// and of what lies behind, g comes back. A mirror of specular reflectance r passes s r on, and r² of what comes back. A
// pane of glass passes s T on straight and s R mirrored, a face of water s (1 - F) refracted and s F mirrored: of what
// lies behind come back T², R², (1 - F)² and F². A film (a reflectance of glass or water) takes s rho first, and is a
// hit. Water takes exp(-a l) of a way l, each way. So the shares of a ray's hits sum to at most 1, and to 1 within
// rounding where nothing absorbs and all ends on surfaces; what leaves the scene, the maximum range, the mirror depth
// or the stated depth of water belongs to no hit.
//
// Order. A path is followed to its end before the parts that were mirrored off it, the last of these first; a part
// starts with at least minShare, and a ray has at most maxParts. A part ends below minShare, or after maxFacets facets
// that it passed.
//
// Lengths. A range is the length of the whole path times the refractive index, as a receiver measures it. Air takes its
// share of the length in air. Panes are thin: they add no length.
//
// Spread. What a hit sends back reaches an aperture A from within the solid angle A / (n² w v): n the index where the
// hit lies, w and v the widths, in the plane of refraction and across it, of a bundle that leaves the sensor with unit
// angles (the throughput of a bundle is that of its reverse). A length l widens each by l times its angle. A face met
// at cos θ and left at cos θ' makes of w w·cos θ'/cos θ, of w's angle that times n cos θ/(n' cos θ'), of v's angle that
// times n/n'. So w and v are the length of the path without water, and n·H + D is √(n² w v) straight down, H above the
// face and D below it (Guenther 1985, Airborne Laser Hydrography). Planes of refraction on one path are taken for one.
//
// Learned elements. The line of a pulse has found the element that ends its rays (surfaces/lines.h): a ray ends
// there with what is left of it, unless a facet ends it before. Legs that mirrors or water turn meet no elements;
// scenes that have both are refused (core/assembly).
//
// A surface nearer than the minimum range yields no hit, but receives its share: an opaque one blocks the ray.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "aim/rangeLimits.h"
#include "core/optics/fresnel.h"
#include "core/optics/sceneOptics.h"
#include "pulses/learnedContext.h"
#include "surfaces/hits.h"

namespace understory {

inline constexpr double minShare = 1.0 / 1024.0;
inline constexpr std::size_t maxFacets =
    256;  // that a part of a path passes, its beginnings included
inline constexpr std::size_t maxParts = 64;  // of a ray

// A hit within the range limits.
struct PathHit {
  float rangeM = 0.0F;       // along the whole path
  float intensity = 0.0F;    // of the ray's whole energy as 1, in the sensor's radiometry
  float received = 0.0F;     // the same by the radar equation, whatever the radiometry
  float reflectance = 0.0F;  // of a diffuse surface that would return as much through the same air
  float share = 0.0F;        // of the ray's energy that ends here
  float cosIncidence = 0.0F;
  Vec3f towards;  // the hit lies at origin + towards * rangeM: the ray's direction, unless turned
  Vec3f normal;   // world, unit, towards where the ray comes from
  Vec3f arrival;  // direction in which the ray meets the surface
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint16_t material = 0;
  std::uint8_t air = 0;      // as TracedReturn::air; its instance is noInstance then
  std::uint8_t mirrors = 0;  // on the path: mirrors, and panes and faces that mirrored it
  bool isTurned = false;     // before the hit, by mirrors or water
  bool isCertain = false;    // detected whatever its signal (pulses/learnedContext.h)
};

// A path under construction, without the source of its hits.
class RayPath {
 public:
  // All outlive it; `learned`: null without learned models.
  RayPath(const SceneTruth& scene, const SceneOptics& optics, RangeLimits limits,
          const LearnedContext* learned)
      : scene_(scene), optics_(optics), limits_(limits), learned_(learned) {}

  void start(const PathRay& ray);
  // Adds a facet, at its range on the leg; appends its hit, if it is one. Returns whether this part of the path
  // continues.
  bool add(const FacetHit& at, std::vector<PathHit>& hits);
  // Whether a learned element ends this part before the facet `at`, or where there is none.
  bool isEndedBy(const LineStop& stop, const FacetHit& at) const;
  // Whether nothing passes a facet that a ray has met.
  bool isOpaque(const FacetHit& at) const;
  // Ends this part on a learned element, at that range; appends its hit.
  void endAt(const LineStop& stop, float rangeM, std::vector<PathHit>& hits);
  // Continues with a part that was mirrored off before. Returns whether there is one.
  bool resume();
  // Whether hits may be out of order.
  bool hasParts() const { return parts_ > 1; }

  // The straight part of the path in progress, and its limits: the next facet lies from nearestM() to farthestM().
  // Valid until the path changes.
  PathRay leg() const;
  float nearestM() const;
  float farthestM() const;
  // Whether a facet counts as met on this leg: it was, or it lies where another facet of its mesh was met. So a ray
  // through an edge that facets share, or through doubled facets, meets the mesh once there.
  bool isPassed(const FacetHit& hit) const;
  // Passes a facet of which isPassed is true.
  void skip(const FacetHit& hit);

 private:
  // Width of a bundle of light in one plane.
  struct Width {
    double atM = 0.0;    // where the leg starts
    double angle = 1.0;  // by which it grows along the leg
  };
  // Light on a straight part of the path.
  struct State {
    PathRay leg;
    double beforeM = 0.0;  // length up to the leg, times the index
    double airM = 0.0;     // in air, up to the leg
    Width within;          // in the plane of refraction
    Width across;          // perpendicular to it
    double depthM = std::numeric_limits<double>::infinity();  // most length of the leg
    double share = 1.0;                     // of the ray's energy that is left at the leg's start
    double back = 1.0;                      // of what comes back there, what reaches the sensor
    const MaterialOptics* water = nullptr;  // that the leg is in; null: air
    std::size_t facets = 0;                 // passed so far
    std::uint8_t mirrors = 0;
    bool isTurned = false;
    FacetId from;  // that the leg starts on
  };
  // A facet as the leg meets it.
  struct Meeting {
    const FacetHit& at;
    const MaterialOptics& optics;
    std::uint16_t material;
    Vec3f normal;
    float cosine;
    bool isFront;
    Vec3f pointM;
    double lengthM;  // of the leg up to here
    double passes;   // what water on the leg lets through, one way
  };

  Meeting meetingOf(const FacetHit& at);
  void addHit(const Meeting& met, double share, double back, std::vector<PathHit>& hits) const;
  State turnedAt(const Meeting& met, Vec3f direction, const MaterialOptics* medium) const;
  State mirroredAt(const Meeting& met, double share) const;
  bool addMirror(const Meeting& met);
  bool addGlass(const Meeting& met, std::vector<PathHit>& hits);
  bool addWater(const Meeting& met, std::vector<PathHit>& hits);
  bool passStraight(const Meeting& met, double share, double back);
  double takeFilm(const Meeting& met, std::vector<PathHit>& hits) const;
  void keepMirrored(const Meeting& met, double share);
  void continueWith(const State& state);
  bool isKnown(const FacetHit& hit) const;

  const SceneTruth& scene_;
  const SceneOptics& optics_;
  RangeLimits limits_;
  const LearnedContext* learned_;
  MaterialOptics learnedOptics_;  // of the learned facet that is met
  PathRay ray_;
  State now_;
  float passedM_ = 0.0F;         // the next facet lies here or farther, but for rounding
  float behindM_ = 0.0F;         // and beyond this
  std::vector<FacetId> passed_;  // on the leg
  std::vector<float> rangesM_;   // of these; negative: of one that the leg starts on
  std::vector<State> waiting_;   // mirrored off; the last is followed first
  std::size_t parts_ = 1;        // followed or waiting
};

// Follows one ray after another. One for each thread.
template <HitSource Source>
class PathFollower {
 public:
  // All outlive the follower.
  PathFollower(const Source& source, const SceneTruth& scene, const SceneOptics& optics,
               RangeLimits limits, const LearnedContext* learned = nullptr)
      : source_(source), path_(scene, optics, limits, learned) {}

  // Appends the hits of a ray, nearest first. `first`: the nearest facet within the maximum range; `stop`: the learned
  // element that ends its pulse, null for none.
  void follow(const PathRay& ray, const FacetHit& first, std::vector<PathHit>& hits,
              const LineStop* stop = nullptr) {
    const auto before = static_cast<std::ptrdiff_t>(hits.size());
    path_.start(ray);
    for (FacetHit at = first;; at = next()) {
      if (stop != nullptr && path_.isEndedBy(*stop, at)) {
        path_.endAt(*stop, shorter(*stop, at), hits);
        break;
      }
      if (!at.isHit || !path_.add(at, hits)) break;
    }
    if (!path_.hasParts()) return;
    while (path_.resume()) {
      for (FacetHit at = next(); at.isHit && path_.add(at, hits);) at = next();
    }
    std::stable_sort(hits.begin() + before, hits.end(),
                     [](const PathHit& a, const PathHit& b) { return a.rangeM < b.rangeM; });
  }

 private:
  // The range on an element, or that of the nearest facet behind its mean that ends light, `at` or one behind it: the
  // shorter is returned (Browning 2012, section 4.5).
  float shorter(const LineStop& stop, FacetHit at) {
    while (at.isHit && at.rangeM < stop.rangeM && !path_.isOpaque(at)) {
      path_.skip(at);
      at = next();
    }
    return at.isHit ? std::min(stop.rangeM, at.rangeM) : stop.rangeM;
  }

  // The next facet of the leg, none of those passed on it.
  FacetHit next() {
    for (;;) {
      const float fromM = path_.nearestM();
      const float toM = path_.farthestM();
      if (fromM > toM) return {};
      const FacetHit found = source_.nearest(path_.leg(), fromM, toM);
      if (!found.isHit || !path_.isPassed(found)) return found;
      path_.skip(found);
    }
  }

  const Source& source_;
  RayPath path_;
};

}  // namespace understory
