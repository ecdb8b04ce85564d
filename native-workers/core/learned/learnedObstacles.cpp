// Triangles are cut by the heights that stop a vehicle and by the cells of the grid.
#include "core/learned/learnedObstacles.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "core/learned/learnedTriangles.h"
#include "core/scene/footprint.h"

namespace understory {
namespace {

constexpr double halfWidthM = 0.005;  // of what stands upright, seen from above

// A polygon whose corners have heights above the ground in z, cut by a plane: what is on its positive side stays.
template <typename Side>
std::vector<Vec3d> cutBy(const std::vector<Vec3d>& polygon, Side&& side) {
  std::vector<Vec3d> kept;
  for (std::size_t index = 0; index < polygon.size(); ++index) {
    const Vec3d from = polygon[index];
    const Vec3d to = polygon[(index + 1) % polygon.size()];
    const double a = side(from);
    const double b = side(to);
    if (a >= 0.0) kept.push_back(from);
    if ((a >= 0.0) != (b >= 0.0)) kept.push_back(from + (to - from) * (a / (a - b)));
  }
  return kept;
}

// Parts of triangles that stop a vehicle, by cell of a grid.
class Stops {
 public:
  explicit Stops(const LearnedGround& ground) : ground_(ground) {}

  // `corners`: heights above the ground in z.
  void add(std::size_t instance, const Corners& corners) {
    std::vector<Vec3d> slab(corners.atM.begin(), corners.atM.end());
    slab = cutBy(slab, [](Vec3d p) { return p.z - static_cast<double>(footprintFromM); });
    slab = cutBy(slab, [](Vec3d p) { return static_cast<double>(footprintToM) - p.z; });
    if (slab.empty()) return;
    std::array<std::array<std::int64_t, 2>, 2> cells{};  // of each axis, first and last
    for (std::size_t axis = 0; axis < 2; ++axis) {
      const auto [least, most] =
          std::ranges::minmax(slab, {}, [&](Vec3d p) { return axis == 0 ? p.x : p.y; });
      cells[axis] = {cellOf(axis == 0 ? least.x : least.y, axis),
                     cellOf(axis == 0 ? most.x : most.y, axis)};
    }
    for (std::int64_t y = cells[1][0]; y <= cells[1][1]; ++y) {
      for (std::int64_t x = cells[0][0]; x <= cells[0][1]; ++x) addToCell(instance, x, y, slab);
    }
  }

  void finish(std::span<const PlacedLearned> placed, LearnedGround& ground) {
    std::uint32_t bodies = 0;
    std::map<Key, std::uint32_t> bodyOf;
    for (const auto& [key, pointsM] : points_) {
      if (!bodyOf.contains(key)) spread(key, bodies++, bodyOf);
      std::vector<Vec2f> cornersM = convexHull(pointsM);
      if (cornersM.empty()) continue;
      ground.obstacles.push_back(
          {placed[key.instance].instanceId, bodyOf[key], std::move(cornersM)});
    }
  }

 private:
  struct Key {
    std::size_t instance = 0;
    std::int64_t y = 0;
    std::int64_t x = 0;
    auto operator<=>(const Key&) const = default;
  };

  std::int64_t cellOf(double valueM, std::size_t axis) const {
    return static_cast<std::int64_t>(std::floor((valueM - ground_.originM[axis]) / ground_.stepM));
  }

  void addToCell(std::size_t instance, std::int64_t x, std::int64_t y,
                 const std::vector<Vec3d>& slab) {
    const double fromX = ground_.originM[0] + ground_.stepM * static_cast<double>(x);
    const double fromY = ground_.originM[1] + ground_.stepM * static_cast<double>(y);
    std::vector<Vec3d> part = cutBy(slab, [&](Vec3d p) { return p.x - fromX; });
    part = cutBy(part, [&](Vec3d p) { return fromX + ground_.stepM - p.x; });
    part = cutBy(part, [&](Vec3d p) { return p.y - fromY; });
    part = cutBy(part, [&](Vec3d p) { return fromY + ground_.stepM - p.y; });
    if (part.empty()) return;
    std::vector<Vec2f>& points = points_[{instance, y, x}];
    for (const Vec3d p : part) {
      for (const double dx : {-halfWidthM, halfWidthM}) {
        for (const double dy : {-halfWidthM, halfWidthM}) {
          points.push_back({static_cast<float>(p.x + dx), static_cast<float>(p.y + dy)});
        }
      }
    }
    constexpr std::size_t foldAt = 256;
    if (points.size() > foldAt) points = convexHull(std::move(points));
  }

  // Gives a cell and all that are connected with it one body.
  void spread(const Key& from, std::uint32_t body, std::map<Key, std::uint32_t>& bodyOf) const {
    std::vector<Key> todo{from};
    bodyOf[from] = body;
    while (!todo.empty()) {
      const Key key = todo.back();
      todo.pop_back();
      for (std::int64_t y = key.y - 1; y <= key.y + 1; ++y) {
        for (std::int64_t x = key.x - 1; x <= key.x + 1; ++x) {
          const Key next{key.instance, y, x};
          if (!points_.contains(next) || bodyOf.contains(next)) continue;
          bodyOf[next] = body;
          todo.push_back(next);
        }
      }
    }
  }

  const LearnedGround& ground_;
  std::map<Key, std::vector<Vec2f>> points_;
};

}  // namespace

void addObstacles(std::span<const PlacedLearned> placed, const AboveGround& aboveGroundM,
                  const Watch& watch, LearnedGround& ground) {
  Stops stops(ground);
  forEachSolid(placed, watch, [&](std::size_t instance, Corners corners) {
    for (Vec3d& cornerM : corners.atM) cornerM.z = aboveGroundM(cornerM);
    stops.add(instance, corners);
  });
  stops.finish(placed, ground);
}

void addCover(std::span<const PlacedLearned> placed, const AboveGround& aboveGroundM,
              LearnedGround& ground) {
  std::map<std::pair<std::int64_t, std::int64_t>, Vec2f> cells;
  for (const PlacedLearned& one : placed) {
    for (const Vec3f meanM : one.model->elements.meansM) {
      const Vec3d atM = worldFromModel(one.worldFromModel, toDouble(meanM));
      const double heightM = aboveGroundM(atM);
      if (heightM < static_cast<double>(footprintFromM) ||
          heightM > static_cast<double>(footprintToM)) {
        continue;
      }
      const double y = std::floor(atM.y / ground.stepM);
      const double x = std::floor(atM.x / ground.stepM);
      cells[{static_cast<std::int64_t>(y), static_cast<std::int64_t>(x)}] = {
          static_cast<float>((x + 0.5) * ground.stepM),
          static_cast<float>((y + 0.5) * ground.stepM)};
    }
  }
  for (const auto& [cell, centreM] : cells) ground.coverM.push_back(centreM);
}

}  // namespace understory
