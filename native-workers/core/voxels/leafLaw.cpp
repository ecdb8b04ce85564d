// Tables by integration over the leaves' normals.
#include "core/voxels/leafLaw.h"

#include <algorithm>
#include <cmath>

#include "core/maths/maths.h"
#include "core/plants/leafAngles.h"

namespace understory {
namespace {

// Leaves of equal shares by inclination, for G and for cosines, and by azimuth.
constexpr std::size_t inclinationsOfG = 2000;
constexpr std::size_t inclinations = 200;
constexpr std::size_t azimuths = 100;
constexpr std::size_t bins = 2048;

// A place in a table of `size` equal steps from 0 to 1.
struct Step {
  std::size_t from;
  double share;
};
Step stepAt(double value, std::size_t size) {
  const double place = std::clamp(value, 0.0, 1.0) * static_cast<double>(size - 1);
  const auto from = std::min(static_cast<std::size_t>(place), size - 2);
  return {from, place - static_cast<double>(from)};
}

template <std::size_t Count>
std::array<double, Count> inclinationsRad(LeafAngleLaw law) {
  std::array<double, Count> anglesRad{};
  for (std::size_t leaf = 0; leaf < Count; ++leaf) {
    anglesRad[leaf] =
        leafAngleAt(law, (static_cast<double>(leaf) + 0.5) / static_cast<double>(Count));
  }
  return anglesRad;
}

// The mean over all azimuths of the cosine between a beam and the normal of a leaf, whatever its sign.
double meanCosine(double zenithRad, double tiltRad) {
  const double level = std::cos(zenithRad) * std::cos(tiltRad);
  const double across = std::sin(zenithRad) * std::sin(tiltRad);
  if (level >= across) return level;
  return 2.0 / piRad *
         (std::sqrt(across * across - level * level) + level * std::asin(level / across));
}

}  // namespace

LeafLaw::LeafLaw(LeafAngleLaw law) : law_(law), cosine_(directions) {
  const auto tiltsOfG = inclinationsRad<inclinationsOfG>(law);
  const auto tilts = inclinationsRad<inclinations>(law);
  for (std::size_t direction = 0; direction < directions; ++direction) {
    const double zenithRad =
        std::acos(static_cast<double>(direction) / static_cast<double>(directions - 1));
    std::vector<double> met(bins, 0.0);
    double sum = 0.0;
    for (const double tiltRad : tilts) {
      const double level = std::cos(zenithRad) * std::cos(tiltRad);
      const double across = std::sin(zenithRad) * std::sin(tiltRad);
      for (std::size_t turn = 0; turn < azimuths; ++turn) {
        const double azimuthRad = piRad * (static_cast<double>(turn) + 0.5) / azimuths;
        const double cosine = std::abs(level + across * std::cos(azimuthRad));
        sum += cosine;
        met[std::min(static_cast<std::size_t>(cosine * bins), bins - 1)] += cosine;
      }
    }
    double projection = 0.0;
    for (const double tiltRad : tiltsOfG) projection += meanCosine(zenithRad, tiltRad);
    projection_[direction] = projection / static_cast<double>(inclinationsOfG);
    // A leaf is met in proportion to its cosine.
    double below = 0.0;
    std::size_t bin = 0;
    for (std::size_t quantile = 0; quantile < quantiles; ++quantile) {
      const double wanted =
          sum * static_cast<double>(quantile) / static_cast<double>(quantiles - 1);
      while (bin + 1 < bins && below + met[bin] < wanted) below += met[bin++];
      const double within = met[bin] > 0.0 ? std::min(1.0, (wanted - below) / met[bin]) : 1.0;
      cosine_[direction][quantile] =
          static_cast<float>((static_cast<double>(bin) + within) / static_cast<double>(bins));
    }
  }
}

double LeafLaw::projection(double cosZenith) const {
  const auto [from, share] = stepAt(cosZenith, directions);
  return projection_[from] + share * (projection_[from + 1] - projection_[from]);
}

double LeafLaw::cosineAt(double cosZenith, double share) const {
  const auto [from, between] = stepAt(cosZenith, directions);
  const std::array<float, quantiles>& cosines = cosine_[between < 0.5 ? from : from + 1];
  const auto [at, within] = stepAt(share, quantiles);
  const auto low = static_cast<double>(cosines[at]);
  return low + within * (static_cast<double>(cosines[at + 1]) - low);
}

}  // namespace understory
