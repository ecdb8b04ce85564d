// Learned elements of instances that move, beside those that do not: a line is turned into the frame that each instance
// has when its pulse leaves the sensor.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/scene/motions.h"
#include "surfaces/embree/embreeVolumes.h"
#include "surfaces/lines.h"

namespace understory {

class MovingVolumes final : public LineSource {
 public:
  // Null where none of a scene's instances with learned elements moves. All outlive it; `motions` may be none:
  // everything is where the scene has it then.
  static std::unique_ptr<const MovingVolumes> of(const EmbreeVolumes* volumes, const Scene& scene,
                                                 const Motions& motions);

  void first(const PulseLines& lines, float limitM, const LearnedDraws& draws, LineHits& hits,
             LineTrails* trails) const override;
  void minSupport(const PulseLines& lines, const std::array<float, PulseLines::width>& untilM,
                  std::array<std::uint32_t, PulseLines::width>& support) const override;

 private:
  // Holds the elements of an instance during a window.
  struct Sphere {
    Vec3f centreM;
    float radiusM = 0.0F;

    bool meets(const PathRay& line, float untilM) const;
  };
  struct Moving {
    std::uint32_t instance = 0;
    std::size_t model = 0;
    const EllipsoidTree* tree = nullptr;  // null: it has points alone
    std::vector<Sphere> windows;
  };

  MovingVolumes(const EmbreeVolumes& volumes, const Scene& scene, const Motions& motions);
  Moving movingOf(std::uint32_t instance) const;
  // Ellipsoids of what moves, as EmbreeVolumes those of what does not.
  void meetEllipsoids(const PathRay& world, EllipsoidLine& line) const;
  void meetPoints(const PulseLines& lines, float limitM, PointHits& hits) const;

  const EmbreeVolumes& volumes_;
  const Scene& scene_;
  const Motions& motions_;
  std::vector<Moving> moving_;
};

}  // namespace understory
