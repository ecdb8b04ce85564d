// A sum over members in their order.
#include "learn/lineMixture.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/maths/maths.h"

namespace understory {
namespace {

constexpr double mmPerM = 1000.0;
constexpr double tinySigmaM = 1e-6;

double normalDensity(double value, double mean, double sigma) {
  const double z = (value - mean) / sigma;
  return std::exp(-0.5 * z * z) / (sigma * std::sqrt(2.0 * piRad));
}

// Share of the standard normal law above z.
double above(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

}  // namespace

void sortAlongLine(std::vector<LineMember>& members) { std::ranges::sort(members, alongLineOrder); }

double passedShare(const std::vector<LineMember>& members) {
  double passed = 1.0;
  for (const LineMember& member : members) passed *= member.permeability;
  return passed;
}

double rangeDensity(const std::vector<LineMember>& members, double rangeM) {
  double reached = 1.0;
  double density = 0.0;
  for (std::size_t at = 0; at < members.size() && reached > 0.0; ++at) {
    const LineMember& member = members[at];
    const double sigmaM = std::max(member.sigmaM, tinySigmaM);
    const double weight = reached * (1.0 - member.permeability);
    reached *= member.permeability;
    if (weight == 0.0) continue;
    if (member.isSurface) {
      density += weight * normalDensity(rangeM, member.rangeM, sigmaM);
      continue;
    }
    const double positive = above(-member.rangeM / sigmaM);
    double passed = 1.0;         // of the triangles between the element and the one behind it
    double passedToRange = 1.0;  // of those between the element and the range
    for (std::size_t behind = at + 1; behind < members.size(); ++behind) {
      const LineMember& surface = members[behind];
      if (!surface.isSurface || surface.permeability >= 1.0) continue;
      const double beyond = above((surface.rangeM - member.rangeM) / sigmaM) / positive;
      if (beyond < 1e-9) break;
      // Ranges are drawn at the triangle itself, without noise.
      if (std::abs(surface.rangeM - rangeM) < 0.5 / mmPerM) {
        density += weight * passed * (1.0 - surface.permeability) * beyond * mmPerM;
      }
      passed *= surface.permeability;
      if (surface.rangeM < rangeM) passedToRange *= surface.permeability;
    }
    if (rangeM > 0.0) {
      density += weight * passedToRange * normalDensity(rangeM, member.rangeM, sigmaM) / positive;
    }
  }
  return density / mmPerM;
}

double unreportedShare(const std::vector<LineMember>& members, const RangeWindow& window) {
  const auto isOutside = [&](double rangeM) {
    return rangeM < window.minM || rangeM > window.maxM;
  };
  double reached = 1.0;
  double unreported = 0.0;
  for (std::size_t at = 0; at < members.size() && reached > 0.0; ++at) {
    const LineMember& member = members[at];
    const double sigmaM = std::max(member.sigmaM, tinySigmaM);
    const double weight = reached * (1.0 - member.permeability);
    reached *= member.permeability;
    // Share of the normal law beyond a range.
    const auto beyond = [&](double rangeM) { return above((rangeM - member.rangeM) / sigmaM); };
    if (member.isSurface) {
      unreported += weight * (1.0 - beyond(window.minM) + beyond(window.maxM));
      continue;
    }
    const auto outsideWithin = [&](double fromM, double toM) {
      const double inside =
          beyond(std::clamp(window.minM, fromM, toM)) - beyond(std::clamp(window.maxM, fromM, toM));
      return beyond(fromM) - beyond(toM) - std::max(inside, 0.0);
    };
    const double positive = beyond(0.0);
    double passed = 1.0;
    double fromM = 0.0;
    double outside = 0.0;
    for (std::size_t behind = at + 1; behind < members.size(); ++behind) {
      const LineMember& surface = members[behind];
      if (!surface.isSurface || surface.permeability >= 1.0) continue;
      outside += passed * outsideWithin(fromM, surface.rangeM);
      if (isOutside(surface.rangeM)) {
        outside += passed * (1.0 - surface.permeability) * beyond(surface.rangeM);
      }
      passed *= surface.permeability;
      fromM = surface.rangeM;
    }
    outside += passed * outsideWithin(fromM, std::numeric_limits<double>::infinity());
    unreported += weight * outside / positive;
  }
  return unreported;
}

double negativeLogLikelihood(const std::vector<LineMember>& members, double rangeM,
                             const RangeWindow& window) {
  constexpr double floorShare = 0.01;
  const bool isMiss = std::isnan(rangeM);
  const double modelled = isMiss ? passedShare(members) + unreportedShare(members, window)
                                 : rangeDensity(members, rangeM);
  const double windowMm = std::max((window.maxM - window.minM) * mmPerM, 1.0);
  const double constant = isMiss ? 0.5 : 0.5 / windowMm;
  return -std::log((1.0 - floorShare) * modelled + floorShare * constant);
}

}  // namespace understory
