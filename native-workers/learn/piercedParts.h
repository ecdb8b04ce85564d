// Parts that lines pierce and that the returns of a log are shared out to: ellipsoids of volume elements, or triangles of a
// surface.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/maths/maths.h"
#include "core/watch.h"

namespace understory {

// A part on a line: the mean of the ranges that it gives, and their deviation.
struct PiercedPart {
  double rangeM;
  double sigmaM;
  std::uint32_t part;
};

inline constexpr double maxDeviations = 6.0;

// Whether a return may be of a part that gives ranges by this normal law, whatever became of it: within so many deviations, the
// part's own or those of surfaces.
inline bool isNearReturn(double rangeM, double meanM, double sigmaM, double noiseM) {
  return std::abs(rangeM - meanM) <= maxDeviations * std::max(sigmaM, noiseM);
}

// A return's line, and the part that it became.
struct ReturnLine {
  Vec3f originM;
  Vec3f direction;
  double rangeM;
  double maxM;
  std::uint32_t owner;
};

class PiercedParts {
 public:
  // `noiseM`: range noise of surfaces σ0.
  explicit PiercedParts(double noiseM) : noiseM_(noiseM) {}
  PiercedParts(const PiercedParts&) = delete;
  PiercedParts& operator=(const PiercedParts&) = delete;
  virtual ~PiercedParts() = default;

  double noiseM() const { return noiseM_; }
  virtual std::size_t size() const = 0;
  // Whether it is of a surface by its shape.
  virtual bool isFlat(std::uint32_t part) const = 0;
  // Root mean square distance of what became a part from its mean.
  virtual double widthM(std::uint32_t part) const = 0;

  // Appends what a line pierces up to `maxM`, in no order.
  virtual void alongLine(Vec3f originM, Vec3f direction, double maxM,
                         std::vector<PiercedPart>& met) const = 0;

  // To be called before the next function.
  virtual void prepareReturns(const Watch& watch) = 0;
  // The same of a part of the line that holds all that may be the origin of its return, its owner in any case.
  virtual void aroundReturn(const ReturnLine& line, std::vector<PiercedPart>& met) const = 0;

 private:
  double noiseM_;
};

}  // namespace understory
