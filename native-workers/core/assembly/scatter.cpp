// Uniform and Poisson-disk scatters, by darts.
#include "core/assembly/scatter.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "core/assembly/scatterArea.h"
#include "core/error.h"
#include "core/random/philox.h"

namespace understory {

namespace {

// The position of a copy, and the stream that its turn, scale and tilt are drawn from next.
struct Place {
  double xM = 0.0;
  double yM = 0.0;
  RandomStream random;
};

RandomStream streamOf(std::uint64_t seed, std::uint32_t index, std::uint64_t n) {
  return {seed, RandomPurpose::scatter, (std::uint64_t{index} << 32U) | n};
}

void throwDart(const ScatterArea& area, Place& place) {
  place.xM = place.random.uniform(area.minX, area.maxX);
  place.yM = place.random.uniform(area.minY, area.maxY);
}

// Darts between two checks of the cancel flag: in a full or thin area most of them place nothing.
constexpr std::uint64_t dartsBetweenChecks = 4096;

std::vector<Place> uniformPlaces(const ScatterRecipe& scatter, std::uint32_t index,
                                 std::uint64_t seed, const Watch& watch, Meter& meter) {
  const ScatterArea area(scatter.areaM, scatter.keepClear);
  std::vector<Place> places;
  places.reserve(scatter.count);
  std::uint64_t allDarts = 0;
  for (std::uint32_t n = 0; n < scatter.count; ++n) {
    meter.advanceTo(n);
    Place place{0.0, 0.0, streamOf(seed, index, n)};
    throwDart(area, place);
    constexpr int maxDarts = 100000;
    for (int darts = 1; !area.contains(place.xM, place.yM); ++darts) {
      if (darts == maxDarts) {
        throw UnderstoryError(ErrorCode::badInput,
                              "scatter '" + scatter.name +
                                  "': its area without the places kept clear has no "
                                  "room for a copy");
      }
      if (++allDarts % dartsBetweenChecks == 0) watch.throwIfCancelled();
      throwDart(area, place);
    }
    places.push_back(place);
  }
  return places;
}

// Accepted places in square cells no smaller than the spacing, so that only neighbours are compared;
// no more cells than about one for each copy asked for.
class PlaceGrid {
 public:
  PlaceGrid(const ScatterArea& area, double spacingM, std::uint32_t count)
      : minX_(area.minX), minY_(area.minY), spacingM_(spacingM) {
    const double width = area.maxX - area.minX;
    const double height = area.maxY - area.minY;
    constexpr double maxCellsPerSide = 8192;
    cellM_ = std::max(
        {spacingM, std::sqrt(width * height / count), std::max(width, height) / maxCellsPerSide});
    columns_ = static_cast<std::size_t>(width / cellM_) + 1;
    rows_ = static_cast<std::size_t>(height / cellM_) + 1;
    lastOfCell_.assign(columns_ * rows_, none_);
  }

  bool hasRoomAt(const Place& place) const {
    const std::size_t column = columnOf(place);
    const std::size_t row = rowOf(place);
    for (std::size_t r = row == 0 ? 0 : row - 1; r <= std::min(row + 1, rows_ - 1); ++r) {
      for (std::size_t c = column == 0 ? 0 : column - 1; c <= std::min(column + 1, columns_ - 1);
           ++c) {
        for (std::uint32_t at = lastOfCell_[r * columns_ + c]; at != none_; at = previous_[at]) {
          const double distance = std::hypot(places[at].xM - place.xM, places[at].yM - place.yM);
          if (distance < spacingM_) return false;
        }
      }
    }
    return true;
  }

  void add(const Place& place) {
    std::uint32_t& last = lastOfCell_[rowOf(place) * columns_ + columnOf(place)];
    previous_.push_back(last);
    last = static_cast<std::uint32_t>(places.size());
    places.push_back(place);
  }

  std::vector<Place> places;

 private:
  static constexpr std::uint32_t none_ = 0xffff'ffff;

  std::size_t columnOf(const Place& place) const {
    return std::min(static_cast<std::size_t>((place.xM - minX_) / cellM_), columns_ - 1);
  }
  std::size_t rowOf(const Place& place) const {
    return std::min(static_cast<std::size_t>((place.yM - minY_) / cellM_), rows_ - 1);
  }

  double minX_;
  double minY_;
  double spacingM_;
  double cellM_ = 1.0;
  std::size_t columns_ = 1;
  std::size_t rows_ = 1;
  std::vector<std::uint32_t> lastOfCell_;
  std::vector<std::uint32_t> previous_;
};

// Dart throwing (Cook 1986). Why not Bridson's method: it grows from one seed, so that a scatter that
// stops at its count before the area is full would lie in one corner.
std::vector<Place> poissonDiskPlaces(const ScatterRecipe& scatter, std::uint32_t index,
                                     std::uint64_t seed, const Watch& watch, Meter& meter) {
  const ScatterArea area(scatter.areaM, scatter.keepClear);
  PlaceGrid grid(area, scatter.minSpacingM, std::max(scatter.count, 1U));
  constexpr std::uint64_t dartsForEach = 40;
  // A small count gets enough darts to find a small area in a large box.
  const std::uint64_t darts = dartsForEach * scatter.count + 10000;
  for (std::uint64_t n = 0; n < darts && grid.places.size() < scatter.count; ++n) {
    meter.advanceTo(grid.places.size());
    if (n % dartsBetweenChecks == 0) watch.throwIfCancelled();
    Place place{0.0, 0.0, streamOf(seed, index, n)};
    throwDart(area, place);
    if (area.contains(place.xM, place.yM) && grid.hasRoomAt(place)) grid.add(place);
  }
  return std::move(grid.places);
}

}  // namespace

std::vector<Instance> placeScatter(const ScatterRecipe& scatter, std::uint32_t index,
                                   std::uint64_t seed, const GroundHeight& groundHeight,
                                   const Watch& watch) {
  // Choosing positions is half of the work, placing copies there the other.
  Meter meter(watch, "scatters", 2 * std::uint64_t{scatter.count});
  std::vector<Place> places = scatter.pattern == ScatterPattern::poissonDisk
                                  ? poissonDiskPlaces(scatter, index, seed, watch, meter)
                                  : uniformPlaces(scatter, index, seed, watch, meter);
  std::vector<Instance> copies;
  copies.reserve(places.size());
  for (std::uint32_t n = 0; n < places.size(); ++n) {
    meter.advanceTo(places.size() + n);
    RandomStream& random = places[n].random;
    const double yawRad = random.uniform(scatter.yawRad[0], scatter.yawRad[1]);
    const double scale = random.uniform(scatter.scale[0], scatter.scale[1]);
    const double tiltRad = random.uniform(scatter.tiltRad[0], scatter.tiltRad[1]);
    const double tiltAxisRad = random.uniform(0.0, 2.0 * piRad);
    const Vec3d tiltAxis{std::cos(tiltAxisRad), std::sin(tiltAxisRad), 0.0};
    const Quatd rotation =
        rotationAbout(tiltAxis, tiltRad) * rotationAbout(Vec3d{0.0, 0.0, 1.0}, yawRad);
    const double x = places[n].xM;
    const double y = places[n].yM;
    copies.push_back({scatter.firstId + n, scatter.model, scatter.class_,
                      Vec3d{x, y, groundHeight(x, y)}, normalized(rotation), scale});
  }
  return copies;
}

}  // namespace understory
