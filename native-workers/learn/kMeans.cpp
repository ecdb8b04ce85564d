// Sums run in the order of the points, in double precision.
#include "learn/kMeans.h"

#include <algorithm>
#include <array>
#include <limits>

#include "core/maths/lanes.h"

namespace understory {
namespace {

struct Clustering {
  std::vector<Vec3f> means;
  double variation = std::numeric_limits<double>::infinity();
};

using WholeLanes = std::int32_t __attribute__((vector_size(sizeof(Lanes))));

float distance2(Vec3f a, Vec3f b) {
  const Vec3f d = a - b;
  return dot(d, d);
}

// Random points, no two alike.
std::vector<Vec3f> startOf(std::span<const Vec3f> points, std::uint32_t count,
                           RandomStream& random) {
  std::vector<Vec3f> means;
  for (std::uint32_t trial = 0; trial < 4 * count && means.size() < count; ++trial) {
    const auto at = static_cast<std::size_t>(random.uniform() * static_cast<double>(points.size()));
    const Vec3f candidate = points[std::min(at, points.size() - 1)];
    const bool isNew =
        std::ranges::none_of(means, [&](Vec3f mean) { return distance2(mean, candidate) == 0.0F; });
    if (isNew) means.push_back(candidate);
  }
  return means;
}

// Assigns all points. Returns whether the class of any has changed.
bool assign(std::span<const Vec3f> points, std::span<const Vec3f> means,
            std::vector<std::uint32_t>& classOf) {
  constexpr std::size_t piece = 256;
  std::array<std::uint32_t, piece> nearest{};
  bool hasChanged = false;
  for (std::size_t from = 0; from < points.size(); from += piece) {
    const std::size_t count = std::min(piece, points.size() - from);
    nearestMeans(means, points.subspan(from, count), nearest.data());
    std::uint32_t* classes = classOf.data() + from;
    hasChanged = hasChanged || !std::equal(classes, classes + count, nearest.begin());
    std::copy_n(nearest.begin(), count, classes);
  }
  return hasChanged;
}

// Variation of all points within their clusters.
double variationOf(std::span<const Vec3f> points, std::span<const Vec3f> means,
                   const std::vector<std::uint32_t>& classOf) {
  double variation = 0.0;
  for (std::size_t at = 0; at < points.size(); ++at) {
    variation += static_cast<double>(distance2(means[classOf[at]], points[at]));
  }
  return variation;
}

// Means of the classes; those of fewer than `minPoints` are dropped, unless none would remain. Returns whether some were.
bool update(std::span<const Vec3f> points, const std::vector<std::uint32_t>& classOf,
            std::uint32_t minPoints, std::vector<Vec3f>& means) {
  std::vector<Vec3d> sums(means.size());
  std::vector<std::uint32_t> counts(means.size());
  for (std::size_t at = 0; at < points.size(); ++at) {
    sums[classOf[at]] = sums[classOf[at]] + toDouble(points[at]);
    ++counts[classOf[at]];
  }
  std::vector<Vec3f> updated;
  for (std::size_t mean = 0; mean < means.size(); ++mean) {
    if (counts[mean] < std::max<std::uint32_t>(minPoints, 1)) continue;
    updated.push_back(toFloat(sums[mean] * (1.0 / static_cast<double>(counts[mean]))));
  }
  if (updated.empty()) {
    Vec3d sum;
    for (const Vec3d& part : sums) sum = sum + part;
    updated.push_back(toFloat(sum * (1.0 / static_cast<double>(points.size()))));
  }
  const bool isFewer = updated.size() < means.size();
  means = std::move(updated);
  return isFewer;
}

Clustering lloyd(std::span<const Vec3f> points, const KMeansOptions& options,
                 RandomStream& random) {
  Clustering result;
  result.means = startOf(points, options.means, random);
  std::vector<std::uint32_t> classOf(points.size(), ~0U);
  bool hasChanged = true;
  for (std::uint32_t round = 0; round < options.iterations && hasChanged; ++round) {
    hasChanged = assign(points, result.means, classOf);
    if (update(points, classOf, options.minPoints, result.means)) hasChanged = true;
  }
  // Repeated: dropping a class must not leave another with too few points.
  for (;;) {
    assign(points, result.means, classOf);
    std::vector<Vec3f> means = result.means;
    if (!update(points, classOf, options.minPoints, means)) break;
    result.means = std::move(means);
  }
  result.variation = variationOf(points, result.means, classOf);
  return result;
}

}  // namespace

UNDERSTORY_LANES
void nearestMeans(std::span<const Vec3f> means, std::span<const Vec3f> points,
                  std::uint32_t* nearest) {
  constexpr std::size_t lanes = sizeof(Lanes) / sizeof(float);
  for (std::size_t from = 0; from < points.size(); from += lanes) {
    const std::size_t count = std::min(lanes, points.size() - from);
    Lanes x{};
    Lanes y{};
    Lanes z{};
    for (std::size_t lane = 0; lane < count; ++lane) {
      x[lane] = points[from + lane].x;
      y[lane] = points[from + lane].y;
      z[lane] = points[from + lane].z;
    }
    Lanes least = std::numeric_limits<float>::infinity() - Lanes{};
    WholeLanes chosen{};
    for (std::size_t mean = 0; mean < means.size(); ++mean) {
      const Lanes dx = means[mean].x - x;
      const Lanes dy = means[mean].y - y;
      const Lanes dz = means[mean].z - z;
      const Lanes distance2 = dx * dx + dy * dy + dz * dz;
      const WholeLanes isLess = distance2 < least;
      least = isLess ? distance2 : least;
      chosen = isLess ? static_cast<std::int32_t>(mean) - WholeLanes{} : chosen;
    }
    for (std::size_t lane = 0; lane < count; ++lane) {
      nearest[from + lane] = static_cast<std::uint32_t>(chosen[lane]);
    }
  }
}

std::vector<Vec3f> kMeans(std::span<const Vec3f> points, const KMeansOptions& options,
                          RandomStream& random) {
  if (points.empty()) return {};
  Clustering best;
  for (std::uint32_t start = 0; start < std::max<std::uint32_t>(options.restarts, 1); ++start) {
    Clustering found = lloyd(points, options, random);
    if (found.variation < best.variation || best.means.empty()) best = std::move(found);
  }
  return best.means;
}

}  // namespace understory
