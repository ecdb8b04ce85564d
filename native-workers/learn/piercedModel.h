// Parts of a model that lines pierce and that the returns of a log are shared out to: its triangles, then its volume elements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/watch.h"
#include "learn/ellipsoids.h"
#include "learn/triangles.h"

namespace understory {

// A part on a line: the mean of the ranges that it gives, and their deviation.
struct PiercedPart {
  double rangeM;
  double sigmaM;
  std::uint32_t part;
};

// A return's line, and the part that it became.
struct ReturnLine {
  Vec3f originM;
  Vec3f direction;
  double rangeM;
  double maxM;
  std::uint32_t owner;
};

class PiercedModel {
 public:
  // Both must outlive it. `noiseM`: range noise of surfaces σ0.
  PiercedModel(const Triangles& triangles, const Ellipsoids& ellipsoids, double noiseM)
      : triangles_(triangles),
        ellipsoids_(ellipsoids),
        firstElement_(static_cast<std::uint32_t>(triangles.size())),
        noiseM_(noiseM) {}

  std::size_t size() const { return firstElement_ + ellipsoids_.elements().size(); }
  double noiseM() const { return noiseM_; }
  // Whether it is of a surface by its shape.
  bool isFlat(std::uint32_t part) const {
    return isTriangle(part) || ellipsoids_.elements()[part - firstElement_].isFlat;
  }
  // Whether it is so wide that it says nothing of another one.
  bool isMuchWider(std::uint32_t part, std::uint32_t than) const;
  // Whether a return may be of a part that gives ranges by this normal law, whatever became of it.
  bool isNear(double rangeM, double meanM, double sigmaM) const;

  // Appends what a line pierces up to `maxM`, in no order.
  void alongLine(Vec3f originM, Vec3f direction, double maxM, std::vector<PiercedPart>& met) const;

  // To be called before the next function.
  void prepareReturns(const Watch& watch);
  // The same of a part of the line that holds all that may be the origin of its return, its owner in any case.
  void aroundReturn(const ReturnLine& line, std::vector<PiercedPart>& met) const;

 private:
  bool isTriangle(std::uint32_t part) const { return part < firstElement_; }
  double triangleSigmaM() const;

  const Triangles& triangles_;
  const Ellipsoids& ellipsoids_;
  std::uint32_t firstElement_;
  double noiseM_;
  std::optional<BoxTree> origins_;  // elements that may be the origin of a return at a point
};

}  // namespace understory
