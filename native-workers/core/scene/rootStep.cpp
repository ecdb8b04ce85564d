// The profile of the step, roots as chains of segments on it, and soil between them.
#include "core/scene/rootStep.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace understory {
namespace {

constexpr double reachOfEdgeM = 0.15;
constexpr double depthOfEdgeM = 0.03;
constexpr double segmentM = 0.02;
constexpr double binM = 0.05;

// Uniform numbers in [0, 1) at the nodes of a grid. Why an own hash: a vertex takes some hundred numbers, of which all that
// matters is that neighbours do not resemble each other.
class NodeNoise {
 public:
  explicit NodeNoise(std::uint64_t seed) : seed_(seed) {}

  double at(std::int64_t x, std::int64_t y, std::int64_t z, std::uint64_t layer) const {
    std::uint64_t h = seed_ ^ (layer * 0x9E3779B97F4A7C15U);
    for (const std::int64_t part : {x, y, z}) {
      h = (h ^ static_cast<std::uint64_t>(part)) * 0xBF58476D1CE4E5B9U;
      h ^= h >> 31U;
    }
    h *= 0x94D049BB133111EBU;
    return static_cast<double>((h ^ (h >> 29U)) >> 11U) * 0x1.0p-53;
  }

  // Smooth between the nodes, in [-1, 1].
  double smooth(double x, double y, double z, std::uint64_t layer) const {
    const double fx = std::floor(x);
    const double fy = std::floor(y);
    const double fz = std::floor(z);
    const auto ix = static_cast<std::int64_t>(fx);
    const auto iy = static_cast<std::int64_t>(fy);
    const auto iz = static_cast<std::int64_t>(fz);
    const double u = eased(x - fx);
    const double v = eased(y - fy);
    const double w = eased(z - fz);
    double sum = 0.0;
    for (unsigned corner = 0; corner < 8; ++corner) {
      const bool right = (corner & 1U) != 0;
      const bool back = (corner & 2U) != 0;
      const bool up = (corner & 4U) != 0;
      const double share = (right ? u : 1.0 - u) * (back ? v : 1.0 - v) * (up ? w : 1.0 - w);
      sum += share * at(ix + (right ? 1 : 0), iy + (back ? 1 : 0), iz + (up ? 1 : 0), layer);
    }
    return 2.0 * sum - 1.0;
  }

  static double eased(double t) { return t * t * (3.0 - 2.0 * t); }

 private:
  std::uint64_t seed_;
};

double smoothStep(double from, double to, double value) {
  return NodeNoise::eased(std::clamp((value - from) / (to - from), 0.0, 1.0));
}

// Along the trail, seen from the side, by the length of its line.
class Profile {
 public:
  struct Place {
    double xM;
    double zM;
    double normalX;
    double normalZ;
  };

  Profile(double lengthM, double heightM) {
    const double half = 0.5 * lengthM;
    const double round = 0.25 * heightM;
    // The foot, a face that leans forward, a rounded crest.
    const std::array<std::array<double, 2>, 8> knots{{{-half, 0.0},
                                                      {-2.0 * round, 0.02 * heightM},
                                                      {-0.3 * round, 0.06 * heightM},
                                                      {-0.05 * round, 0.4 * heightM},
                                                      {-0.4 * round, 0.85 * heightM},
                                                      {0.6 * round, 0.99 * heightM},
                                                      {3.0 * round, heightM},
                                                      {half, 1.02 * heightM}}};
    constexpr int parts = 256;
    for (std::size_t knot = 0; knot + 1 < knots.size(); ++knot) {
      const auto& before = knots[knot == 0 ? 0 : knot - 1];
      const auto& from = knots[knot];
      const auto& to = knots[knot + 1];
      const auto& after = knots[std::min(knot + 2, knots.size() - 1)];
      for (int part = 0; part < parts; ++part) {
        const double t = static_cast<double>(part) / parts;
        add(between(before[0], from[0], to[0], after[0], t),
            between(before[1], from[1], to[1], after[1], t));
      }
    }
    add(half, 1.02 * heightM);
    crestM_ = lengthAt_[5 * parts];
  }

  double lengthM() const { return lengthAt_.back(); }
  double crestM() const { return crestM_; }

  Place at(double alongM) const {
    const double s = std::clamp(alongM, 0.0, lengthM());
    const auto next = static_cast<std::size_t>(
        std::upper_bound(lengthAt_.begin() + 1, lengthAt_.end() - 1, s) - lengthAt_.begin());
    const auto& [x0, z0] = points_[next - 1];
    const auto& [x1, z1] = points_[next];
    const double partM = lengthAt_[next] - lengthAt_[next - 1];
    const double share = (s - lengthAt_[next - 1]) / partM;
    return {x0 + share * (x1 - x0) + (alongM - s), z0 + share * (z1 - z0), -(z1 - z0) / partM,
            (x1 - x0) / partM};
  }

 private:
  // Catmull and Rom's cubic.
  static double between(double before, double from, double to, double after, double t) {
    return 0.5 * (2.0 * from + t * (to - before) +
                  t * t * (2.0 * before - 5.0 * from + 4.0 * to - after) +
                  t * t * t * (3.0 * from - before - 3.0 * to + after));
  }

  void add(double xM, double zM) {
    const double stepM =
        points_.empty() ? 0.0 : std::hypot(xM - points_.back()[0], zM - points_.back()[1]);
    lengthAt_.push_back(lengthAt_.empty() ? 0.0 : lengthAt_.back() + stepM);
    points_.push_back({xM, zM});
  }

  std::vector<std::array<double, 2>> points_;
  std::vector<double> lengthAt_;
  double crestM_ = 0.0;
};

// A piece of a root about its axis.
struct RootSegment {
  Vec3d fromM;
  Vec3d toM;
  double fromRadiusM;
  double toRadiusM;
  double fromAlongM;  // along the root
};

struct Grid {
  std::uint64_t columns;  // cells along the profile
  std::uint64_t rows;
};

Grid gridOf(const RootStepSource& shape, const Profile& profile) {
  const double cells = 0.5 * static_cast<double>(shape.triangles);
  const double columns =
      std::max(1.0, std::round(std::sqrt(cells * profile.lengthM() / shape.sizeM[1])));
  return {static_cast<std::uint64_t>(columns),
          static_cast<std::uint64_t>(std::max(1.0, std::round(cells / columns)))};
}

class StepSurface {
 public:
  explicit StepSurface(const RootStepSource& shape)
      : shape_(shape),
        noise_(shape.seed),
        profile_(shape.sizeM[0], shape.heightM),
        columns_(static_cast<std::int64_t>(profile_.lengthM() / binM) + 3),
        rows_(static_cast<std::int64_t>(shape.sizeM[1] / binM) + 3),
        bins_(static_cast<std::size_t>(columns_ * rows_)) {
    for (std::uint32_t root = 0; root < shape.roots; ++root) grow(root);
  }

  const Profile& profile() const { return profile_; }

  struct Point {
    Vec3d placeM;
    bool isRoot;
  };

  Point at(double alongM, double acrossM) const {
    const Vec3d normal = normalAt(alongM);
    const Vec3d baseM = baseAt(alongM, acrossM);
    const double soilM = soilAt(baseM);
    const double rootM = rootAt(baseM, normal, alongM, acrossM);
    const bool isRoot = rootM > soilM;
    const double sideM = 0.5 * shape_.sizeM[1] - std::abs(acrossM);
    const double endM = std::min(alongM, profile_.lengthM() - alongM);
    const double inside = smoothStep(0.0, reachOfEdgeM, std::min(sideM, endM));
    Vec3d placeM = baseM + normal * (inside * std::max(soilM, rootM));
    // At its sides the step becomes the ramp.
    const double ramp = 1.0 - smoothStep(0.0, 2.5 * reachOfEdgeM, sideM);
    const double rampM = shape_.heightM * std::clamp(2.0 * placeM.x / shape_.sizeM[0], 0.0, 1.0);
    placeM.z += ramp * (rampM - placeM.z) - (1.0 - inside) * depthOfEdgeM;
    return {placeM, isRoot};
  }

 private:
  Vec3d normalAt(double alongM) const {
    const Profile::Place place = profile_.at(alongM);
    return {place.normalX, 0.0, place.normalZ};
  }

  // Without soil: the face winds across the trail, and is not everywhere as high.
  Vec3d baseAt(double alongM, double acrossM) const {
    const Profile::Place place = profile_.at(alongM);
    const double half = 0.5 * shape_.sizeM[0];
    const double near = smoothStep(half, 0.2 * half, std::abs(place.xM));
    const double windM = shape_.heightM * (0.35 * noise_.smooth(acrossM / 0.9, 0.5, 0.5, 1) +
                                           0.12 * noise_.smooth(acrossM / 0.23, 0.5, 0.5, 2));
    const double lower = 1.0 + 0.12 * near * noise_.smooth(acrossM / 0.6, 0.5, 0.5, 3);
    return {place.xM + near * windM, acrossM, place.zM * lower};
  }

  // Lumps from 16 cm to 1 mm, crumbs of soil, and stones.
  double soilAt(Vec3d atM) const {
    double heightM = 0.0;
    double lengthM = 0.16;
    for (std::uint64_t octave = 0; octave < 8; ++octave) {
      heightM += 0.11 * lengthM *
                 noise_.smooth(atM.x / lengthM, atM.y / lengthM, atM.z / lengthM, 8 + octave);
      lengthM *= 0.5;
    }
    return heightM + stoneAt(atM);
  }

  double stoneAt(Vec3d atM) const {
    constexpr double cellM = 0.07;
    const auto cell = [](double valueM) {
      return static_cast<std::int64_t>(std::floor(valueM / cellM - 0.5));
    };
    double highestM = 0.0;
    for (std::int64_t x = cell(atM.x); x <= cell(atM.x) + 1; ++x) {
      for (std::int64_t y = cell(atM.y); y <= cell(atM.y) + 1; ++y) {
        if (noise_.at(x, y, 0, 32) > 0.3) continue;
        const double radiusM = 0.006 + 0.02 * noise_.at(x, y, 0, 33);
        const double dx =
            atM.x / cellM - static_cast<double>(x) - 0.2 - 0.6 * noise_.at(x, y, 0, 34);
        const double dy =
            atM.y / cellM - static_cast<double>(y) - 0.2 - 0.6 * noise_.at(x, y, 0, 35);
        const double squaredM2 = cellM * cellM * (dx * dx + dy * dy);
        if (squaredM2 >= radiusM * radiusM) continue;
        highestM = std::max(highestM, 0.7 * std::sqrt(radiusM * radiusM - squaredM2));
      }
    }
    return highestM;
  }

  // How far the roots lie above the base along its normal; far below where there is none.
  double rootAt(Vec3d baseM, Vec3d normal, double alongM, double acrossM) const {
    double highestM = -1.0;
    for (const std::uint32_t index : bins_[binOf(alongM, acrossM)]) {
      const RootSegment& segment = segments_[index];
      const Vec3d axis = segment.toM - segment.fromM;
      const double share = std::clamp(dot(baseM - segment.fromM, axis) / dot(axis, axis), 0.0, 1.0);
      const Vec3d to = segment.fromM + axis * share - baseM;
      const double aboveM = dot(to, normal);
      const double asideM2 = dot(to, to) - aboveM * aboveM;
      const double radiusM =
          segment.fromRadiusM + share * (segment.toRadiusM - segment.fromRadiusM);
      if (asideM2 >= radiusM * radiusM) continue;
      const double roundM = std::sqrt(radiusM * radiusM - asideM2);
      const double rootAlongM = segment.fromAlongM + share * segmentM;
      // Bark has ridges along the root.
      const double turned = std::sqrt(asideM2) / radiusM;
      const double barkM =
          radiusM * (0.07 * noise_.smooth(rootAlongM / 0.05, 9.0 * turned, 0.5, 40) +
                     0.03 * noise_.smooth(rootAlongM / 0.012, 24.0 * turned, 0.5, 41));
      highestM = std::max(highestM, aboveM + roundM + barkM * (1.0 - turned * turned));
    }
    return highestM;
  }

  std::size_t binOf(double alongM, double acrossM) const {
    const auto column = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor(alongM / binM)) + 1, 0, columns_ - 1);
    const auto row = std::clamp<std::int64_t>(
        static_cast<std::int64_t>(std::floor((acrossM + 0.5 * shape_.sizeM[1]) / binM)) + 1, 0,
        rows_ - 1);
    return static_cast<std::size_t>(row * columns_ + column);
  }

  double random(std::uint32_t root, std::uint64_t number) const {
    return noise_.at(root, static_cast<std::int64_t>(number), 0, 64);
  }

  // Root 0 runs across the trail along the crest; the others come over the crest and down to the trail.
  void grow(std::uint32_t root) {
    const double widthM = shape_.sizeM[1];
    const bool isMain = root == 0;
    const double lengthM = isMain ? widthM + 0.2 : 0.5 * shape_.sizeM[0] + 0.9 * random(root, 0);
    const double firstRadiusM = shape_.heightM * (isMain ? 0.2 : 0.05 + 0.09 * random(root, 1));
    const double lastRadiusM = isMain ? 0.7 * firstRadiusM : 0.2 * firstRadiusM;
    double alongM = profile_.crestM() + (isMain ? 0.0 : 0.1 + 0.35 * random(root, 2));
    double acrossM = isMain ? -0.5 * widthM - 0.1 : widthM * (random(root, 3) - 0.5);
    // Towards smaller numbers along the profile, or across it.
    double headingRad = isMain ? 0.5 * piRad : piRad + 1.2 * (random(root, 4) - 0.5);
    const double homeRad = headingRad;
    const auto steps = static_cast<std::uint64_t>(lengthM / segmentM);
    const auto axisAt = [&](double radiusM, double grown) {
      // Its end goes into the soil.
      const double sunk = 0.25 + (isMain ? 0.0 : 1.0 * smoothStep(0.75, 1.0, grown));
      return baseAt(alongM, acrossM) + normalAt(alongM) * (-sunk * radiusM);
    };
    double radiusM = firstRadiusM;
    Vec3d fromM = axisAt(radiusM, 0.0);
    for (std::uint64_t step = 1; step <= steps; ++step) {
      const double grown = static_cast<double>(step) / static_cast<double>(steps);
      headingRad += 0.5 * (random(root, 8 + step) - 0.5) + 0.05 * (homeRad - headingRad);
      if (isMain) headingRad += 0.6 * (alongM - profile_.crestM());
      alongM += segmentM * std::cos(headingRad);
      acrossM += segmentM * std::sin(headingRad);
      const double nextRadiusM = firstRadiusM + grown * (lastRadiusM - firstRadiusM);
      const Vec3d toM = axisAt(nextRadiusM, grown);
      store({fromM, toM, radiusM, nextRadiusM, segmentM * static_cast<double>(step - 1)}, alongM,
            acrossM);
      fromM = toM;
      radiusM = nextRadiusM;
    }
  }

  void store(const RootSegment& segment, double alongM, double acrossM) {
    const double reachM = segment.fromRadiusM + segmentM + binM;
    const auto number = static_cast<std::uint32_t>(segments_.size());
    segments_.push_back(segment);
    std::size_t last = bins_.size();
    for (double across = acrossM - reachM; across <= acrossM + reachM; across += 0.5 * binM) {
      for (double along = alongM - reachM; along <= alongM + reachM; along += 0.5 * binM) {
        const std::size_t bin = binOf(along, across);
        if (bin == last) continue;
        last = bin;
        std::vector<std::uint32_t>& numbers = bins_[bin];
        if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
      }
    }
  }

  const RootStepSource& shape_;
  NodeNoise noise_;
  Profile profile_;
  std::int64_t columns_;
  std::int64_t rows_;
  std::vector<RootSegment> segments_;
  std::vector<std::vector<std::uint32_t>> bins_;  // of segments that may reach so far
};

}  // namespace

std::uint64_t trianglesOf(const RootStepSource& shape) {
  const Grid grid = gridOf(shape, Profile(shape.sizeM[0], shape.heightM));
  return 2 * grid.columns * grid.rows;
}

MeshBuilder makeRootStep(const RootStepSource& shape, const Watch& watch) {
  const StepSurface surface(shape);
  const auto [columns, rows] = gridOf(shape, surface.profile());
  MeshBuilder builder;
  builder.mesh.vertices.reserve((columns + 1) * (rows + 1));
  builder.mesh.triangles.reserve(2 * columns * rows);
  builder.mesh.materialOfTriangle.reserve(2 * columns * rows);
  Meter meter(watch, "growing", (columns + 1) * (rows + 1));
  std::vector<std::uint8_t> isRoot;
  isRoot.reserve((columns + 1) * (rows + 1));
  for (std::uint64_t row = 0; row <= rows; ++row) {
    const double acrossM =
        shape.sizeM[1] * (static_cast<double>(row) / static_cast<double>(rows) - 0.5);
    meter.advanceTo(row * (columns + 1));
    for (std::uint64_t column = 0; column <= columns; ++column) {
      const double alongM =
          surface.profile().lengthM() * static_cast<double>(column) / static_cast<double>(columns);
      const StepSurface::Point point = surface.at(alongM, acrossM);
      builder.addVertex(point.placeM);
      isRoot.push_back(point.isRoot ? 1 : 0);
    }
  }
  const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
    builder.addTriangle(
        static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b), static_cast<std::uint32_t>(c),
        isRoot[a] + isRoot[b] + isRoot[c] >= 2 ? shape.barkMaterial : shape.material);
  };
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < columns; ++column) {
      const std::size_t at = row * (columns + 1) + column;
      const std::size_t behind = at + columns + 1;
      add(at, at + 1, behind + 1);
      add(at, behind + 1, behind);
    }
    watch.throwIfCancelled();
  }
  return builder;
}

}  // namespace understory
