// The outline of a crown: its half-width by height, a share of the greatest each. A superellipse above and below the
// widest height.
#pragma once

#include <algorithm>
#include <cmath>

namespace understory {

struct CrownOutline {
  double widestAt = 0.0;  // 0: base of the crown, 1: top
  double topPower = 2.0;  // 1: a cone, 2: an ellipse
  double basePower = 2.0;

  // Half-width at a share of the crown's length; 0 outside.
  double widthAt(double share) const {
    if (share < 0.0 || share > 1.0) return 0.0;
    const bool isAbove = share >= widestAt;
    const double length = isAbove ? 1.0 - widestAt : widestAt;
    const double from = length > 0.0 ? std::abs(share - widestAt) / length : 0.0;
    const double power = isAbove ? topPower : basePower;
    return std::pow(std::max(0.0, 1.0 - std::pow(from, power)), 1.0 / power);
  }

  // The height above the widest at which it is so wide.
  double shareAbove(double width) const {
    const double from = std::pow(std::max(0.0, 1.0 - std::pow(width, topPower)), 1.0 / topPower);
    return widestAt + (1.0 - widestAt) * from;
  }
};

}  // namespace understory
