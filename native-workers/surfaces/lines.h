// Learned elements along the line of a pulse: the second kind of hit source (PHYSICS.md, 2.6). A pulse has one line,
// which finds the first element that it does not pass; triangles are met by all its rays (surfaces/hits.h).
// Why one line: rays of a pulse that draw apart would pass an element of permeability p with p^9.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

#include "core/learned/learnedDraws.h"
#include "surfaces/hits.h"
#include "surfaces/supportTrail.h"

namespace understory {

// Lines side by side, of at most `width` pulses at a time. Relative to Scene::originM, directions of length 1.
struct PulseLines {
  static constexpr std::size_t width = 16;

  alignas(64) std::array<float, width> originX{};
  alignas(64) std::array<float, width> originY{};
  alignas(64) std::array<float, width> originZ{};
  alignas(64) std::array<float, width> directionX{};
  alignas(64) std::array<float, width> directionY{};
  alignas(64) std::array<float, width> directionZ{};
  std::array<std::uint64_t, width> pulse{};  // absolute
  std::array<std::int64_t, width> timeNs{};  // when each leaves the sensor; where nothing moves any
  std::size_t count = 0;

  void add(Vec3f originM, Vec3f direction, std::uint64_t number, std::int64_t leavesNs) {
    originX[count] = originM.x;
    originY[count] = originM.y;
    originZ[count] = originM.z;
    directionX[count] = direction.x;
    directionY[count] = direction.y;
    directionZ[count] = direction.z;
    pulse[count] = number;
    timeNs[count++] = leavesNs;
  }
};

// The first elements that lines do not pass, by line. Where there is none, instance is noInstance and meanM infinite.
struct LineHits {
  // Where the element stands in order along its line: of an ellipsoid the mean on the line, of a point its foot.
  alignas(64) std::array<float, PulseLines::width> meanM;
  alignas(64) std::array<float, PulseLines::width> rangeM;  // as drawn, above 0
  std::array<std::uint32_t, PulseLines::width> instance;
  std::array<std::uint32_t, PulseLines::width>
      primitive;  // of the model: primitivesOf(LearnedModel)
  // Normals of points, in the frame of FacetHit::facet.
  std::array<Vec3f, PulseLines::width> normal;

  bool isHit(std::size_t line) const { return instance[line] != noInstance; }
  void clear() {
    meanM.fill(std::numeric_limits<float>::infinity());
    instance.fill(noInstance);
  }
};

// By line.
using LineTrails = std::array<SupportTrail, PulseLines::width>;

// Immutable while it is asked, by many threads at once.
class LineSource {
 public:
  virtual ~LineSource() = default;
  // Elements with 0 < mean <= limitM; of several at the same the one with the lower (instance, primitive). `trails`, where
  // not null, have all ellipsoids then that the lines pass or end on.
  virtual void first(const PulseLines& lines, float limitM, const LearnedDraws& draws,
                     LineHits& hits, LineTrails* trails) const = 0;
  // Lowers `support` of each line to the fewest beams that observed an ellipsoid with 0 < mean <= untilM, passed or not:
  // what a trail says that has not overflowed.
  virtual void minSupport(const PulseLines& lines,
                          const std::array<float, PulseLines::width>& untilM,
                          std::array<std::uint32_t, PulseLines::width>& support) const = 0;
};

}  // namespace understory
