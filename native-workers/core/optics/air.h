// The loss of a signal in air, as one sensor sees it (PHYSICS.md, 2.3 and 2.8): extinction, out and back,
// and the overlap of beam and receiver. Drops that are drawn (particleField.h) are no part of it.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "core/mutation.h"
#include "core/sensor/overlap.h"

namespace understory {

// How often light passes the air between sensor and surface: out and back.
inline double waysThroughAir() {
  return activeMutation() == Mutation::extinctionOneWay ? 1.0 : 2.0;
}

// A law along the range, linear between equal steps; the last value beyond.
struct RangeTable {
  double stepM = 1.0;
  std::vector<double> values;

  double at(double rangeM) const {
    const double place = rangeM / stepM;
    const auto last = static_cast<double>(values.size() - 1);
    if (place >= last) return values.back();
    const auto index = static_cast<std::size_t>(place);
    const double part = place - static_cast<double>(index);
    return values[index] + part * (values[index + 1] - values[index]);
  }
};

struct Air {
  double extinctionPerM = 0.0;  // one way, the same everywhere
  Overlap overlap{};
  // Optical depth, one way, of drops that are not drawn; null: there are none.
  std::shared_ptr<const RangeTable> undrawn{};

  bool isVacuum() const {
    return extinctionPerM == 0.0 && overlap.isEverywhere() && undrawn == nullptr;
  }
  // Optical depth, one way.
  double depth(double airM) const {
    const double even = extinctionPerM * airM;
    return undrawn == nullptr ? even : even + undrawn->at(airM);
  }
  // The share of a signal that comes back from behind so much air.
  double returned(double airM) const {
    const double passed = std::exp(-waysThroughAir() * depth(airM));
    return overlap.isEverywhere() ? passed : passed * overlap.at(airM);
  }
};

}  // namespace understory
