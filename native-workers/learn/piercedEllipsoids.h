// Volume elements along lines.
#pragma once

#include <optional>

#include "learn/ellipsoids.h"
#include "learn/piercedParts.h"

namespace understory {

class PiercedEllipsoids final : public PiercedParts {
 public:
  // `ellipsoids` must outlive it.
  PiercedEllipsoids(const Ellipsoids& ellipsoids, double noiseM)
      : PiercedParts(noiseM), ellipsoids_(ellipsoids) {}

  std::size_t size() const override { return ellipsoids_.elements().size(); }
  bool isFlat(std::uint32_t part) const override { return ellipsoids_.elements()[part].isFlat; }
  double widthM(std::uint32_t part) const override { return ellipsoids_.widthM(part); }
  void alongLine(Vec3f originM, Vec3f direction, double maxM,
                 std::vector<PiercedPart>& met) const override;
  void prepareReturns(const Watch& watch) override;
  void aroundReturn(const ReturnLine& line, std::vector<PiercedPart>& met) const override;

 private:
  const Ellipsoids& ellipsoids_;
  std::optional<BoxTree> origins_;  // what may be the origin of a return at a point
};

}  // namespace understory
