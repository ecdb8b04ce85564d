// Leaves of one law of angles as a beam meets them: how much of their area it sees, and at what angles it meets them.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "contract/contract.h"

namespace understory {

class LeafLaw {
 public:
  explicit LeafLaw(LeafAngleLaw law = LeafAngleLaw::spherical);

  LeafAngleLaw law() const { return law_; }

  // G: the mean projection of a unit of leaf area on a plane square to a beam. `cosZenith`: of its direction, 0 to 1.
  double projection(double cosZenith) const;
  // The cosine between the beam and the normal of a leaf that it meets; `share`, 0 to 1, of those with smaller ones.
  double cosineAt(double cosZenith, double share) const;

 private:
  // In equal steps of the cosine of the zenith angle, in which G is smooth: linear between them it is within 2e-4.
  static constexpr std::size_t directions = 65;
  static constexpr std::size_t quantiles = 129;

  LeafAngleLaw law_;
  std::array<double, directions> projection_{};
  std::vector<std::array<float, quantiles>> cosine_;  // by direction
};

}  // namespace understory
