// Heights of triangles on nodes, a lower envelope of limited slope, and gaps.
#include "core/learned/learnedHeights.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/learned/learnedTriangles.h"

namespace understory {
namespace {

constexpr double minStepM = 0.25;
constexpr std::size_t maxNodes = 4'000'000;
constexpr double minLevelness = 0.70710678;  // cosine of 45 degrees
constexpr double maxSlope = 1.0;
constexpr double envelopeToleranceM = 0.3;
constexpr double maxGapM = 2.0;
constexpr double minIslandM2 = 25.0;

constexpr float unknownM = std::numeric_limits<float>::quiet_NaN();

bool isLevel(const Corners& corners) {
  const auto& [a, b, c] = corners.atM;
  const Vec3d normal = cross(b - a, c - a);
  return std::abs(normal.z) >= minLevelness * length(normal);
}

// Heights on the nodes of a grid.
class Nodes {
 public:
  explicit Nodes(LearnedGround& ground) : ground_(ground) {}

  double xOf(std::size_t column) const { return ground_.originM[0] + stepOf(column); }
  double yOf(std::size_t row) const { return ground_.originM[1] + stepOf(row); }
  float& at(std::size_t column, std::size_t row) {
    return ground_.heightsM[row * ground_.columns + column];
  }

  // The lowest of what covers a node.
  void cover(const Corners& corners) {
    const auto& [a, b, c] = corners.atM;
    const double area = (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
    if (area == 0.0) return;
    const auto [fromX, toX] = std::minmax({a.x, b.x, c.x});
    const auto [fromY, toY] = std::minmax({a.y, b.y, c.y});
    const std::size_t lastColumn = before(toX, 0, ground_.columns);
    const std::size_t lastRow = before(toY, 1, ground_.rows);
    for (std::size_t row = after(fromY, 1); row < lastRow; ++row) {
      for (std::size_t column = after(fromX, 0); column < lastColumn; ++column) {
        const double x = xOf(column);
        const double y = yOf(row);
        const double u = ((b.x - x) * (c.y - y) - (b.y - y) * (c.x - x)) / area;
        const double v = ((c.x - x) * (a.y - y) - (c.y - y) * (a.x - x)) / area;
        constexpr double rounding = -1e-9;
        if (u < rounding || v < rounding || 1.0 - u - v < rounding) continue;
        const auto heightM = static_cast<float>(u * a.z + v * b.z + (1.0 - u - v) * c.z);
        float& lowest = at(column, row);
        if (!(lowest <= heightM)) lowest = heightM;
      }
    }
  }

  // Removes heights that lie above the lower envelope of slope 1: two passes over the nodes (Borgefors 1986).
  void cutTops() {
    std::vector<double> envelope;
    envelope.reserve(ground_.heightsM.size());
    for (const float heightM : ground_.heightsM) {
      envelope.push_back(std::isnan(heightM) ? std::numeric_limits<double>::infinity()
                                             : static_cast<double>(heightM));
    }
    const auto columns = static_cast<std::ptrdiff_t>(ground_.columns);
    const auto rows = static_cast<std::ptrdiff_t>(ground_.rows);
    const auto lower = [&](std::ptrdiff_t column, std::ptrdiff_t row, std::ptrdiff_t direction) {
      double& own = envelope[static_cast<std::size_t>(row * columns + column)];
      for (const auto& [dx, dy] :
           {std::pair{-1, 0}, std::pair{-1, -1}, std::pair{0, -1}, std::pair{1, -1}}) {
        const std::ptrdiff_t x = column + direction * dx;
        const std::ptrdiff_t y = row + direction * dy;
        if (x < 0 || y < 0 || x >= columns || y >= rows) continue;
        const double apart = ground_.stepM * (dx != 0 && dy != 0 ? std::sqrt(2.0) : 1.0);
        own = std::min(own, envelope[static_cast<std::size_t>(y * columns + x)] + maxSlope * apart);
      }
    };
    for (std::ptrdiff_t row = 0; row < rows; ++row) {
      for (std::ptrdiff_t column = 0; column < columns; ++column) lower(column, row, 1);
    }
    for (std::ptrdiff_t row = rows; row-- > 0;) {
      for (std::ptrdiff_t column = columns; column-- > 0;) lower(column, row, -1);
    }
    for (std::size_t node = 0; node < envelope.size(); ++node) {
      float& heightM = ground_.heightsM[node];
      if (static_cast<double>(heightM) > envelope[node] + envelopeToleranceM) heightM = unknownM;
    }
  }

  // Removes connected nodes of less than 25 m2 that lie above the scene's own ground: tops of walls without ground
  // around.
  void cutIslands(const std::function<double(double, double)>& groundM) {
    std::vector<std::uint8_t> isSeen(ground_.heightsM.size());
    std::vector<std::size_t> island;
    for (std::size_t first = 0; first < isSeen.size(); ++first) {
      if (isSeen[first] != 0 || std::isnan(ground_.heightsM[first])) continue;
      island.assign(1, first);
      isSeen[first] = 1;
      bool isAbove = true;
      for (std::size_t next = 0; next < island.size(); ++next) {
        const std::size_t row = island[next] / ground_.columns;
        const std::size_t column = island[next] % ground_.columns;
        isAbove = isAbove && static_cast<double>(at(column, row)) >
                                 groundM(xOf(column), yOf(row)) + envelopeToleranceM;
        forEachAround(column, row, [&](std::size_t x, std::size_t y) {
          const std::size_t node = y * ground_.columns + x;
          if (isSeen[node] != 0 || std::isnan(ground_.heightsM[node])) return;
          isSeen[node] = 1;
          island.push_back(node);
        });
      }
      const double areaM2 = static_cast<double>(island.size()) * ground_.stepM * ground_.stepM;
      if (!isAbove || areaM2 >= minIslandM2) continue;
      for (const std::size_t node : island) ground_.heightsM[node] = unknownM;
    }
  }

  // Unknown nodes up to 2 m from known ones get the mean of those around them, ring by ring.
  void fillGaps() {
    const auto rings = static_cast<int>(std::ceil(maxGapM / ground_.stepM));
    std::vector<std::pair<std::size_t, float>> ring;
    for (int number = 0; number < rings; ++number) {
      ring.clear();
      for (std::size_t row = 0; row < ground_.rows; ++row) {
        for (std::size_t column = 0; column < ground_.columns; ++column) {
          if (!std::isnan(at(column, row))) continue;
          const float heightM = meanAround(column, row);
          if (!std::isnan(heightM)) ring.emplace_back(row * ground_.columns + column, heightM);
        }
      }
      for (const auto& [node, heightM] : ring) ground_.heightsM[node] = heightM;
    }
  }

 private:
  double stepOf(std::size_t index) const { return ground_.stepM * static_cast<double>(index); }
  std::size_t after(double valueM, std::size_t axis) const {
    return static_cast<std::size_t>(
        std::max(0.0, std::ceil((valueM - ground_.originM[axis]) / ground_.stepM - 1e-9)));
  }
  std::size_t before(double valueM, std::size_t axis, std::size_t count) const {
    const double last = std::floor((valueM - ground_.originM[axis]) / ground_.stepM + 1e-9) + 1.0;
    return std::min(count, static_cast<std::size_t>(std::max(0.0, last)));
  }
  template <typename Visit>
  void forEachAround(std::size_t column, std::size_t row, Visit&& visit) const {
    for (std::size_t y = row > 0 ? row - 1 : 0; y < std::min(row + 2, ground_.rows); ++y) {
      for (std::size_t x = column > 0 ? column - 1 : 0; x < std::min(column + 2, ground_.columns);
           ++x) {
        visit(x, y);
      }
    }
  }
  float meanAround(std::size_t column, std::size_t row) {
    double sum = 0.0;
    double known = 0.0;
    forEachAround(column, row, [&](std::size_t x, std::size_t y) {
      if (std::isnan(at(x, y))) return;
      sum += static_cast<double>(at(x, y));
      known += 1.0;
    });
    return known > 0.0 ? static_cast<float>(sum / known) : unknownM;
  }

  LearnedGround& ground_;
};

// The grid over all triangles that count.
void layOut(std::span<const PlacedLearned> placed, const Watch& watch, LearnedGround& ground) {
  // In double precision: every corner lies inside the grid.
  constexpr double far = std::numeric_limits<double>::infinity();
  std::array<double, 2> minM{far, far};
  std::array<double, 2> maxM{-far, -far};
  forEachSolid(placed, watch, [&](std::size_t, const Corners& corners) {
    for (const Vec3d cornerM : corners.atM) {
      minM = {std::min(minM[0], cornerM.x), std::min(minM[1], cornerM.y)};
      maxM = {std::max(maxM[0], cornerM.x), std::max(maxM[1], cornerM.y)};
    }
  });
  if (minM[0] > maxM[0]) return;
  const auto nodesOf = [&](std::size_t axis) {
    return static_cast<std::size_t>(std::ceil((maxM[axis] - minM[axis]) / ground.stepM)) + 2;
  };
  ground.stepM = minStepM;
  do {
    ground.originM = {ground.stepM * std::floor(minM[0] / ground.stepM),
                      ground.stepM * std::floor(minM[1] / ground.stepM)};
    ground.columns = nodesOf(0);
    ground.rows = nodesOf(1);
    if (ground.columns * ground.rows <= maxNodes) break;
    ground.stepM *= 2.0;
  } while (true);
  ground.heightsM.assign(ground.columns * ground.rows, unknownM);
}

}  // namespace

void findHeights(std::span<const PlacedLearned> placed,
                 const std::function<double(double xM, double yM)>& groundM, const Watch& watch,
                 LearnedGround& ground) {
  layOut(placed, watch, ground);
  if (ground.heightsM.empty()) return;
  Nodes nodes(ground);
  forEachSolid(placed, watch, [&](std::size_t, const Corners& corners) {
    if (isLevel(corners)) nodes.cover(corners);
  });
  nodes.cutTops();
  if (groundM) nodes.cutIslands(groundM);
  nodes.fillGaps();
}

double heightBetween(const LearnedGround& ground, double xM, double yM) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  if (ground.heightsM.empty()) return unknown;
  const double x = (xM - ground.originM[0]) / ground.stepM;
  const double y = (yM - ground.originM[1]) / ground.stepM;
  const bool isInside = x >= 0.0 && y >= 0.0 && x <= static_cast<double>(ground.columns - 1) &&
                        y <= static_cast<double>(ground.rows - 1);
  if (!isInside) return unknown;
  const std::size_t column = std::min(static_cast<std::size_t>(x), ground.columns - 2);
  const std::size_t row = std::min(static_cast<std::size_t>(y), ground.rows - 2);
  const double u = x - static_cast<double>(column);
  const double v = y - static_cast<double>(row);
  const auto corner = [&](std::size_t right, std::size_t up) {
    return static_cast<double>(ground.heightsM[(row + up) * ground.columns + column + right]);
  };
  return (1.0 - v) * ((1.0 - u) * corner(0, 0) + u * corner(1, 0)) +
         v * ((1.0 - u) * corner(0, 1) + u * corner(1, 1));
}

}  // namespace understory
