// The wood of a model as solids: area and volume of its connected pieces, and the trunk, the piece that reaches lowest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/maths/maths.h"

namespace understory {

class Wood {
 public:
  using Triangle = std::array<Vec3f, 3>;

  // Triangles in the model's frame; corners at one place are one corner. Pieces that are open, as stems are at their
  // base, are closed by fans around the middle of each hole.
  explicit Wood(std::span<const Triangle> triangles);

  double areaM2() const { return areaM2_; }
  // Σ over the pieces: where a branch is stuck into its stem, both count. Nothing: no piece encloses anything.
  std::optional<double> volumeM3() const;
  // Diameter of the circle with the area of the trunk's horizontal section at a height of the model's frame. Nothing:
  // the trunk does not reach it.
  std::optional<double> trunkDiameterM(double heightM) const;
  // Mean of the trunk's corners within a thousandth of its height above its lowest; nothing without wood.
  std::optional<Vec3d> footM() const;

 private:
  void indexTrunk(std::vector<Triangle> trunk);
  std::size_t sliceAt(double heightM) const;

  double areaM2_ = 0.0;
  double volumeM3_ = 0.0;
  std::vector<Triangle> trunk_;
  double lowM_ = 0.0;
  double highM_ = 0.0;
  // Triangles of the trunk by slices of its height: those of slice n are ofSlice_[sliceStart_[n]] and following.
  std::vector<std::uint32_t> sliceStart_;
  std::vector<std::uint32_t> ofSlice_;
};

}  // namespace understory
