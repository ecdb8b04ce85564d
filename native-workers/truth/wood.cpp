// Pieces by common corners, volumes by the divergence theorem, sections by Green's theorem.
#include "truth/wood.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace understory {
namespace {

constexpr double maxSlices = 256.0;

class Groups {
 public:
  explicit Groups(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }

  std::uint32_t rootOf(std::uint32_t item) {
    while (parent_[item] != item) item = parent_[item] = parent_[parent_[item]];
    return item;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    const std::uint32_t first = rootOf(a);
    const std::uint32_t second = rootOf(b);
    parent_[std::max(first, second)] = std::min(first, second);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

// Triangles as indices of places: corners at one place have one index.
struct Welded {
  std::vector<Vec3d> places;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

Welded weld(std::span<const Wood::Triangle> triangles) {
  std::vector<std::uint32_t> order(3 * triangles.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto cornerOf = [&](std::uint32_t corner) { return triangles[corner / 3][corner % 3]; };
  const auto keyOf = [&](std::uint32_t corner) {
    const Vec3f at = cornerOf(corner);
    return std::array{at.x, at.y, at.z};
  };
  std::ranges::sort(order, {}, keyOf);
  Welded welded;
  welded.triangles.resize(triangles.size());
  for (std::size_t index = 0; index < order.size(); ++index) {
    if (index == 0 || keyOf(order[index]) != keyOf(order[index - 1])) {
      welded.places.push_back(toDouble(cornerOf(order[index])));
    }
    welded.triangles[order[index] / 3][order[index] % 3] =
        static_cast<std::uint32_t>(welded.places.size() - 1);
  }
  return welded;
}

using Edge = std::pair<std::uint32_t, std::uint32_t>;

// Edges that a triangle runs along and no other back.
std::vector<Edge> openEdges(const Welded& welded) {
  struct Directed {
    Edge edge;  // the lower place first
    int direction;
  };
  std::vector<Directed> all;
  all.reserve(3 * welded.triangles.size());
  for (const auto& triangle : welded.triangles) {
    for (std::size_t side = 0; side < 3; ++side) {
      const std::uint32_t from = triangle[side];
      const std::uint32_t to = triangle[(side + 1) % 3];
      all.push_back({{std::min(from, to), std::max(from, to)}, from < to ? 1 : -1});
    }
  }
  std::ranges::sort(all, {}, &Directed::edge);
  std::vector<Edge> open;
  for (std::size_t index = 0; index < all.size();) {
    const Edge edge = all[index].edge;
    int balance = 0;
    for (; index < all.size() && all[index].edge == edge; ++index) balance += all[index].direction;
    for (; balance > 0; --balance) open.push_back(edge);
    for (; balance < 0; ++balance) open.emplace_back(edge.second, edge.first);
  }
  return open;
}

double sixVolumes(Vec3d a, Vec3d b, Vec3d c) { return dot(a, cross(b, c)); }

// Volumes of the pieces, by the root of their places.
std::vector<double> pieceVolumes(const Welded& welded, Groups& pieces) {
  std::vector<double> volumes(welded.places.size(), 0.0);
  const auto& places = welded.places;
  for (const auto& [a, b, c] : welded.triangles) {
    const std::uint32_t piece = pieces.rootOf(a);
    const Vec3d from = places[piece];
    volumes[piece] += sixVolumes(places[a] - from, places[b] - from, places[c] - from) / 6.0;
  }
  const std::vector<Edge> open = openEdges(welded);
  Groups holes(places.size());
  for (const auto& [from, to] : open) holes.join(from, to);
  std::vector<Vec3d> middles(places.size());
  std::vector<double> counts(places.size(), 0.0);
  for (const auto& [from, to] : open) {
    const std::uint32_t hole = holes.rootOf(from);
    middles[hole] = middles[hole] + places[from];
    counts[hole] += 1.0;
  }
  for (const auto& [from, to] : open) {
    const std::uint32_t piece = pieces.rootOf(from);
    const std::uint32_t hole = holes.rootOf(from);
    const Vec3d origin = places[piece];
    const Vec3d middle = middles[hole] * (1.0 / counts[hole]) - origin;
    volumes[piece] += sixVolumes(places[to] - origin, places[from] - origin, middle) / 6.0;
  }
  return volumes;
}

double lowestOf(const Wood::Triangle& triangle) {
  return static_cast<double>(std::min({triangle[0].z, triangle[1].z, triangle[2].z}));
}

double highestOf(const Wood::Triangle& triangle) {
  return static_cast<double>(std::max({triangle[0].z, triangle[1].z, triangle[2].z}));
}

// Twice the share of a triangle in the area of the section at a height, about `from`: the triangle's line in the plane,
// with the inside on its left.
double sectionShare(const Wood::Triangle& triangle, double heightM, Vec3d from) {
  std::array<Vec3d, 3> corners;
  for (std::size_t index = 0; index < 3; ++index) corners[index] = toDouble(triangle[index]) - from;
  const double planeM = heightM - from.z;
  std::array<Vec3d, 2> ends;
  std::size_t count = 0;
  for (std::size_t side = 0; side < 3 && count < 2; ++side) {
    const Vec3d a = corners[side];
    const Vec3d b = corners[(side + 1) % 3];
    if ((a.z >= planeM) == (b.z >= planeM)) continue;
    ends[count++] = a + (b - a) * ((planeM - a.z) / (b.z - a.z));
  }
  if (count < 2) return 0.0;
  const Vec3d normal = cross(corners[1] - corners[0], corners[2] - corners[0]);
  const Vec3d along = ends[1] - ends[0];
  const double twice = ends[0].x * ends[1].y - ends[1].x * ends[0].y;
  return normal.x * along.y - normal.y * along.x >= 0.0 ? twice : -twice;
}

}  // namespace

Wood::Wood(std::span<const Triangle> triangles) {
  if (triangles.empty()) return;
  const Welded welded = weld(triangles);
  Groups pieces(welded.places.size());
  for (const auto& [a, b, c] : welded.triangles) {
    pieces.join(a, b);
    pieces.join(a, c);
    areaM2_ += 0.5 * length(cross(welded.places[b] - welded.places[a],
                                  welded.places[c] - welded.places[a]));
  }
  for (const double pieceM3 : pieceVolumes(welded, pieces)) volumeM3_ += std::abs(pieceM3);
  const auto lowest = std::ranges::min_element(welded.places, {}, &Vec3d::z);
  const std::uint32_t trunk =
      pieces.rootOf(static_cast<std::uint32_t>(lowest - welded.places.begin()));
  std::vector<Triangle> ofTrunk;
  for (std::size_t index = 0; index < triangles.size(); ++index) {
    if (pieces.rootOf(welded.triangles[index][0]) == trunk) ofTrunk.push_back(triangles[index]);
  }
  indexTrunk(std::move(ofTrunk));
}

void Wood::indexTrunk(std::vector<Triangle> trunk) {
  trunk_ = std::move(trunk);
  lowM_ = lowestOf(trunk_[0]);
  highM_ = highestOf(trunk_[0]);
  double heightsM = 0.0;
  for (const Triangle& triangle : trunk_) {
    lowM_ = std::min(lowM_, lowestOf(triangle));
    highM_ = std::max(highM_, highestOf(triangle));
    heightsM += highestOf(triangle) - lowestOf(triangle);
  }
  // Why no lower than a triangle in the mean: then they are in two slices each.
  const double meanM = heightsM / static_cast<double>(trunk_.size());
  const double fitting = (highM_ - lowM_) / std::max(meanM, 1e-9);
  std::vector<std::vector<std::uint32_t>> slices(
      static_cast<std::size_t>(std::clamp(fitting, 1.0, maxSlices)));
  sliceStart_.assign(slices.size() + 1, 0);
  for (std::uint32_t index = 0; index < trunk_.size(); ++index) {
    const std::size_t last = sliceAt(highestOf(trunk_[index]));
    for (std::size_t slice = sliceAt(lowestOf(trunk_[index])); slice <= last; ++slice) {
      slices[slice].push_back(index);
    }
  }
  for (std::size_t slice = 0; slice < slices.size(); ++slice) {
    ofSlice_.insert(ofSlice_.end(), slices[slice].begin(), slices[slice].end());
    sliceStart_[slice + 1] = static_cast<std::uint32_t>(ofSlice_.size());
  }
}

std::size_t Wood::sliceAt(double heightM) const {
  const std::size_t slices = sliceStart_.size() - 1;
  const double share = (heightM - lowM_) / std::max(highM_ - lowM_, 1e-9);
  return std::min(static_cast<std::size_t>(share * static_cast<double>(slices)), slices - 1);
}

std::optional<double> Wood::volumeM3() const {
  if (!(volumeM3_ > 0.0)) return std::nullopt;
  return volumeM3_;
}

std::optional<double> Wood::trunkDiameterM(double heightM) const {
  if (trunk_.empty() || heightM < lowM_ || heightM >= highM_) return std::nullopt;
  const std::size_t slice = sliceAt(heightM);
  const Vec3d from = toDouble(trunk_[0][0]);
  double twiceM2 = 0.0;
  for (std::uint32_t index = sliceStart_[slice]; index < sliceStart_[slice + 1]; ++index) {
    twiceM2 += sectionShare(trunk_[ofSlice_[index]], heightM, from);
  }
  if (!(std::abs(twiceM2) > 0.0)) return std::nullopt;
  return 2.0 * std::sqrt(0.5 * std::abs(twiceM2) / piRad);
}

std::optional<Vec3d> Wood::footM() const {
  if (trunk_.empty()) return std::nullopt;
  const double limitM = lowM_ + 1e-3 * (highM_ - lowM_);
  Vec3d sum;
  double count = 0.0;
  for (const Triangle& triangle : trunk_) {
    for (const Vec3f corner : triangle) {
      if (static_cast<double>(corner.z) > limitM) continue;
      sum = sum + toDouble(corner);
      count += 1.0;
    }
  }
  return Vec3d{sum.x / count, sum.y / count, lowM_};
}

}  // namespace understory
