// Convexity first, in one pass; then edges that cross; then ears.
#include "core/scene/polygon.h"

#include <algorithm>
#include <cmath>

namespace understory {

namespace {

constexpr double planeShare = 1e-3;  // of the greatest extent
// Twice a triangle's area, as a share of the polygon's squared extent, below which its corners are on one line: what
// rounding to single precision makes of a straight edge.
constexpr double lineShare = 1e-6;

struct PlanePoint {
  double x = 0.0;
  double y = 0.0;
};

// Twice the area of a triangle, positive where it is counter-clockwise.
double crossOf(PlanePoint a, PlanePoint b, PlanePoint c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

// Newell's normal: its length is twice the area of the polygon's shadow along it.
Vec3d newellNormal(std::span<const Vec3f> corners) {
  const Vec3d origin = toDouble(corners[0]);  // so that far polygons keep their digits
  Vec3d normal;
  for (std::size_t index = 1; index + 1 < corners.size(); ++index) {
    normal =
        normal + cross(toDouble(corners[index]) - origin, toDouble(corners[index + 1]) - origin);
  }
  return normal;
}

// The polygon in its plane, counter-clockwise as its mean normal says.
struct FlatPolygon {
  std::vector<PlanePoint> points;
  double extent = 0.0;  // diagonal of the box
  double line = 0.0;    // lineShare, in area
};

// Turns the polygon into its plane. False where it has none: its mean normal is nothing.
bool flatten(std::span<const Vec3f> corners, FlatPolygon& flat, bool& isNonPlanar) {
  Boundsf bounds;
  for (const Vec3f corner : corners) extend(bounds, corner);
  flat.extent = length(toDouble(bounds.max) - toDouble(bounds.min));
  flat.line = lineShare * flat.extent * flat.extent;
  const Vec3d normal = newellNormal(corners);
  const double area = length(normal);
  if (!(area > flat.line)) return false;
  const Vec3d z = normal * (1.0 / area);
  const Vec3d least = std::abs(z.x) <= std::abs(z.y) && std::abs(z.x) <= std::abs(z.z)
                          ? Vec3d{1.0, 0.0, 0.0}
                      : std::abs(z.y) <= std::abs(z.z) ? Vec3d{0.0, 1.0, 0.0}
                                                       : Vec3d{0.0, 0.0, 1.0};
  const Vec3d x = normalized(cross(least, z));
  const Vec3d y = cross(z, x);
  const Vec3d origin = toDouble(corners[0]);
  double lowest = 0.0;
  double highest = 0.0;
  flat.points.clear();
  for (const Vec3f corner : corners) {
    const Vec3d from = toDouble(corner) - origin;
    flat.points.push_back({dot(from, x), dot(from, y)});
    lowest = std::min(lowest, dot(from, z));
    highest = std::max(highest, dot(from, z));
  }
  isNonPlanar = highest - lowest > planeShare * flat.extent;
  return true;
}

// Whether no corner turns right and the outline goes about once.
bool isConvex(const FlatPolygon& flat) {
  const std::size_t count = flat.points.size();
  double turnRad = 0.0;
  for (std::size_t index = 0; index < count; ++index) {
    const PlanePoint a = flat.points[(index + count - 1) % count];
    const PlanePoint b = flat.points[index];
    const PlanePoint c = flat.points[(index + 1) % count];
    const double across = crossOf(a, b, c);
    if (across < -flat.line) return false;
    // Four corners that turn left go about once: each turn is less than half of one, their sum whole turns.
    if (count == 4) continue;
    turnRad += std::atan2(across, (b.x - a.x) * (c.x - b.x) + (b.y - a.y) * (c.y - b.y));
  }
  return count == 4 || turnRad < 1.5 * 2.0 * piRad;
}

// Whether two edges cross inside of both. One that ends on the other does not: holes are joined to an outline so.
bool edgesCross(PlanePoint a, PlanePoint b, PlanePoint c, PlanePoint d) {
  const double abc = crossOf(a, b, c);
  const double abd = crossOf(a, b, d);
  const double cda = crossOf(c, d, a);
  const double cdb = crossOf(c, d, b);
  return ((abc > 0.0 && abd < 0.0) || (abc < 0.0 && abd > 0.0)) &&
         ((cda > 0.0 && cdb < 0.0) || (cda < 0.0 && cdb > 0.0));
}

bool crossesItself(const FlatPolygon& flat) {
  const std::size_t count = flat.points.size();
  for (std::size_t first = 0; first < count; ++first) {
    const PlanePoint a = flat.points[first];
    const PlanePoint b = flat.points[(first + 1) % count];
    const double minX = std::min(a.x, b.x);
    const double maxX = std::max(a.x, b.x);
    for (std::size_t second = first + 2; second < count; ++second) {
      const PlanePoint c = flat.points[second];
      const PlanePoint d = flat.points[(second + 1) % count];
      if (std::max(c.x, d.x) < minX || std::min(c.x, d.x) > maxX) continue;
      if (edgesCross(a, b, c, d)) return true;
    }
  }
  return false;
}

bool isAt(PlanePoint a, PlanePoint b) { return a.x == b.x && a.y == b.y; }

// The rest of a polygon while ears are cut off it.
class Ears {
 public:
  Ears(const FlatPolygon& flat, Triangulation& result) : flat_(flat), result_(result) {
    for (std::uint32_t corner = 0; corner < flat.points.size(); ++corner) left_.push_back(corner);
  }

  void cutAll() {
    std::size_t at = 0;
    while (left_.size() > 3) {
      const std::size_t ear = nextEar(at);
      if (ear == none) {
        result_.isSelfIntersecting = true;
        break;
      }
      cut(ear);
      // Alternate corners, so that ears do not become slivers about one of them.
      at = ear % left_.size();
    }
    for (std::size_t index = 2; index < left_.size(); ++index) {
      result_.triangles.push_back({left_[0], left_[index - 1], left_[index]});
    }
  }

 private:
  static constexpr std::size_t none = static_cast<std::size_t>(-1);

  PlanePoint point(std::size_t index) const { return flat_.points[left_[index % left_.size()]]; }
  std::size_t before(std::size_t index) const { return (index + left_.size() - 1) % left_.size(); }

  void cut(std::size_t index) {
    result_.triangles.push_back(
        {left_[before(index)], left_[index], left_[(index + 1) % left_.size()]});
    left_.erase(left_.begin() + static_cast<std::ptrdiff_t>(index));
  }

  // From `from` on, the first ear with area, otherwise the first corner on the line of its neighbours.
  std::size_t nextEar(std::size_t from) const {
    for (std::size_t step = 0; step < left_.size(); ++step) {
      const std::size_t index = (from + step) % left_.size();
      if (isEar(index)) return index;
    }
    for (std::size_t step = 0; step < left_.size(); ++step) {
      const std::size_t index = (from + step) % left_.size();
      const double across = crossOf(point(before(index)), point(index), point(index + 1));
      if (std::abs(across) <= flat_.line) return index;
    }
    return none;
  }

  bool isEar(std::size_t index) const {
    const std::size_t last = before(index);
    const PlanePoint a = point(last);
    const PlanePoint b = point(index);
    const PlanePoint c = point(index + 1);
    if (crossOf(a, b, c) <= flat_.line) return false;
    for (std::size_t step = 2; step + 1 < left_.size(); ++step) {
      const std::size_t other = (index + step) % left_.size();
      const PlanePoint p = point(other);
      if (isAt(p, a) || isAt(p, b) || isAt(p, c)) continue;
      if (crossOf(a, b, p) >= 0.0 && crossOf(b, c, p) >= 0.0 && crossOf(c, a, p) >= 0.0) {
        return false;
      }
    }
    return true;
  }

  const FlatPolygon& flat_;
  Triangulation& result_;
  std::vector<std::uint32_t> left_;
};

// Whether a triangle of the fan has more than `area`.
bool hasArea(std::span<const Vec3f> corners, double area) {
  for (std::size_t index = 2; index < corners.size(); ++index) {
    const Vec3d ab = toDouble(corners[index - 1]) - toDouble(corners[0]);
    const Vec3d ac = toDouble(corners[index]) - toDouble(corners[0]);
    if (length(cross(ab, ac)) > area) return true;
  }
  return false;
}

void fan(std::size_t corners, Triangulation& result) {
  for (std::uint32_t corner = 2; corner < corners; ++corner) {
    result.triangles.push_back({0, corner - 1, corner});
  }
}

}  // namespace

void triangulate(std::span<const Vec3f> corners, Triangulation& result) {
  result.triangles.clear();
  result.isNonPlanar = false;
  result.isSelfIntersecting = false;
  result.isTooLarge = false;
  if (corners.size() == 3) {
    result.triangles.push_back({0, 1, 2});
    return;
  }
  FlatPolygon flat;
  if (!flatten(corners, flat, result.isNonPlanar)) {
    // All corners on one line, or parts that turn the other way round and cancel out.
    result.isSelfIntersecting = hasArea(corners, flat.line);
    fan(corners.size(), result);
    return;
  }
  if (isConvex(flat)) {
    fan(corners.size(), result);
    return;
  }
  if (corners.size() > maxConcaveCorners) {
    result.isTooLarge = true;
    return;
  }
  result.isSelfIntersecting = crossesItself(flat);
  Ears(flat, result).cutAll();
}

}  // namespace understory
