// Choices by weight, ties by number: a pure function of model and eye.
#include "learn/modelView.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "learn/parallel.h"

namespace understory {
namespace {

// Elements nearer than this to the eye do not gain by it.
constexpr double nearM = 1.0;

// About the area of the shadow of an ellipsoid of one σ: the root of the sum of the products of two variances.
double areaM2(const Symmetric3f& c) {
  const auto at = [&](std::size_t index) { return static_cast<double>(c[index]); };
  const double minors =
      at(0) * at(3) - at(1) * at(1) + at(0) * at(5) - at(2) * at(2) + at(3) * at(5) - at(4) * at(4);
  return std::sqrt(std::max(minors, 0.0));
}

struct Cell {
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;

  friend bool operator==(const Cell&, const Cell&) = default;
};

struct CellHash {
  std::size_t operator()(const Cell& cell) const {
    return static_cast<std::size_t>(cell.x * 73856093 ^ cell.y * 19349663 ^ cell.z * 83492791);
  }
};

using Corners = std::array<std::uint32_t, 3>;

struct CornersHash {
  std::size_t operator()(const Corners& corners) const {
    return corners[0] * std::size_t{73856093} ^ corners[1] * std::size_t{19349663} ^
           corners[2] * std::size_t{83492791};
  }
};

double meanEdgeM(const LearnedSurface& surface) {
  double sum = 0.0;
  for (const auto& [a, b, c] : surface.triangles) {
    sum += static_cast<double>(length(surface.verticesM[a] - surface.verticesM[b]));
  }
  return sum / static_cast<double>(std::max<std::size_t>(surface.size(), 1));
}

// Triangles whose corners are in three cells of the edge, each three once; none where there would be more than
// `maxTriangles`.
std::optional<SurfaceView> gathered(const LearnedSurface& surface, double cellM,
                                    std::size_t maxTriangles) {
  std::unordered_map<Cell, std::uint32_t, CellHash> numbers;
  std::vector<std::uint32_t> cellOf(surface.verticesM.size());
  std::vector<Vec3d> sums;
  std::vector<double> counts;
  for (std::size_t vertex = 0; vertex < cellOf.size(); ++vertex) {
    const Vec3d place = toDouble(surface.verticesM[vertex]);
    const auto part = [&](double value) {
      return static_cast<std::int64_t>(std::floor(value / cellM));
    };
    const auto [found, isNew] = numbers.try_emplace({part(place.x), part(place.y), part(place.z)},
                                                    static_cast<std::uint32_t>(sums.size()));
    if (isNew) {
      sums.push_back({});
      counts.push_back(0.0);
    }
    cellOf[vertex] = found->second;
    sums[found->second] = sums[found->second] + place;
    counts[found->second] += 1.0;
  }
  SurfaceView view;
  view.cellM = cellM;
  std::unordered_set<Corners, CornersHash> known;
  for (std::size_t triangle = 0; triangle < surface.size(); ++triangle) {
    const Corners& corners = surface.triangles[triangle];
    const Corners cells{cellOf[corners[0]], cellOf[corners[1]], cellOf[corners[2]]};
    if (cells[0] == cells[1] || cells[1] == cells[2] || cells[0] == cells[2]) continue;
    Corners sorted = cells;
    std::ranges::sort(sorted);
    if (!known.insert(sorted).second) continue;
    if (view.triangles.size() == maxTriangles) return {};
    view.triangles.push_back(static_cast<std::uint32_t>(triangle));
    const auto placeOf = [&](std::uint32_t cell) {
      return toFloat(sums[cell] * (1.0 / counts[cell]));
    };
    view.cornersM.push_back({placeOf(cells[0]), placeOf(cells[1]), placeOf(cells[2])});
  }
  return view;
}

}  // namespace

std::vector<std::uint32_t> elementsToShow(const LearnedElements& elements, std::size_t maxElements,
                                          std::optional<Vec3d> eyeM) {
  std::vector<std::uint32_t> order(elements.size());
  std::iota(order.begin(), order.end(), 0U);
  if (order.size() <= maxElements) return order;
  std::vector<float> weights(order.size());
  inPieces(order.size(), pieceOfBeams, {}, "elements", [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      const float observed = std::min(
          1.0F, static_cast<float>(elements.seen.support[at]) / static_cast<float>(sparseSupport));
      const float solid = 1.0F - elements.seen.permeability[at];
      double weight = areaM2(elements.covariancesM2[at]) * static_cast<double>(solid * observed);
      if (eyeM) {
        const double distanceM = std::max(nearM, length(toDouble(elements.meansM[at]) - *eyeM));
        weight /= distanceM * distanceM;
      }
      weights[at] = static_cast<float>(weight);
    }
  });
  const auto isBefore = [&](std::uint32_t a, std::uint32_t b) {
    return weights[a] != weights[b] ? weights[a] > weights[b] : a < b;
  };
  std::ranges::nth_element(order, order.begin() + static_cast<std::ptrdiff_t>(maxElements),
                           isBefore);
  order.resize(maxElements);
  std::ranges::sort(order);
  return order;
}

std::array<float, 6> choleskyFactor(const Symmetric3f& covarianceM2) {
  const auto at = [&](std::size_t index) { return static_cast<double>(covarianceM2[index]); };
  const auto root = [](double value) { return std::sqrt(std::max(value, 1e-12)); };
  const double xx = root(at(0));
  const double yx = at(1) / xx;
  const double zx = at(2) / xx;
  const double yy = root(at(3) - yx * yx);
  const double zy = (at(4) - zx * yx) / yy;
  const double zz = root(at(5) - zx * zx - zy * zy);
  return {static_cast<float>(xx), static_cast<float>(yx), static_cast<float>(yy),
          static_cast<float>(zx), static_cast<float>(zy), static_cast<float>(zz)};
}

SurfaceView surfaceToShow(const LearnedSurface& surface, std::size_t maxTriangles,
                          const Watch& watch) {
  SurfaceView view;
  if (surface.size() <= maxTriangles) {
    for (std::size_t triangle = 0; triangle < surface.size(); ++triangle) {
      const auto& [a, b, c] = surface.triangles[triangle];
      view.triangles.push_back(static_cast<std::uint32_t>(triangle));
      view.cornersM.push_back({surface.verticesM[a], surface.verticesM[b], surface.verticesM[c]});
    }
    return view;
  }
  if (maxTriangles == 0) return view;
  // A surface in cells of twice the edge has about a quarter of the triangles.
  const double excess = static_cast<double>(surface.size()) / static_cast<double>(maxTriangles);
  double cellM = meanEdgeM(surface) * std::sqrt(excess);
  for (;;) {
    watch.throwIfCancelled();
    std::optional<SurfaceView> found = gathered(surface, cellM, maxTriangles);
    if (found) return std::move(*found);
    cellM *= 1.25;
  }
}

}  // namespace understory
