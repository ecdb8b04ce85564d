// The only source that includes nanoflann.
#include "learn/neighbours.h"

#include <algorithm>
#include <nanoflann.hpp>
#include <utility>

namespace understory {
namespace {

constexpr std::size_t leafPoints = 32;

void sortByDistance(std::vector<Neighbour>& found) {
  std::ranges::sort(found, [](const Neighbour& a, const Neighbour& b) {
    return a.distance2M2 != b.distance2M2 ? a.distance2M2 < b.distance2M2 : a.point < b.point;
  });
}

// Collects what is nearer than a distance, without an order.
class Collector {
 public:
  Collector(float limit2M2, std::vector<Neighbour>& found) : limit2M2_(limit2M2), found_(found) {}
  std::size_t size() const { return found_.size(); }
  bool full() const { return true; }
  bool addPoint(float distance2M2, std::uint32_t point) {
    if (distance2M2 < limit2M2_) found_.push_back({point, distance2M2});
    return true;
  }
  float worstDist() const { return limit2M2_; }

 private:
  float limit2M2_;
  std::vector<Neighbour>& found_;
};

}  // namespace

// Why its types are members: a class with members of types of an unnamed namespace may not be in a unit of several
// sources (-Wsubobject-linkage).
struct Neighbours::Tree {
  struct Cloud {
    const std::vector<Vec3f>& points;

    std::size_t kdtree_get_point_count() const { return points.size(); }
    float kdtree_get_pt(std::size_t at, std::size_t axis) const {
      const Vec3f& point = points[at];
      return axis == 0 ? point.x : axis == 1 ? point.y : point.z;
    }
    template <typename Box>
    bool kdtree_get_bbox(Box&) const {
      return false;
    }
  };

  using Index = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<float, Cloud>,
                                                    Cloud, 3, std::uint32_t>;

  explicit Tree(const std::vector<Vec3f>& points)
      : cloud{points}, index(3, cloud, nanoflann::KDTreeSingleIndexAdaptorParams(leafPoints)) {}
  Cloud cloud;
  Index index;
};

Neighbours::Neighbours(const std::vector<Vec3f>& points) : tree_(std::make_unique<Tree>(points)) {}
Neighbours::~Neighbours() = default;

void Neighbours::within(Vec3f centreM, float radiusM, std::vector<Neighbour>& found) const {
  found.clear();
  if (tree_->cloud.points.empty()) return;
  const std::array centre{centreM.x, centreM.y, centreM.z};
  Collector collector(radiusM * radiusM, found);
  tree_->index.findNeighbors(collector, centre.data(), {});
}

void Neighbours::nearest(Vec3f centreM, std::size_t count, std::vector<Neighbour>& found) const {
  found.clear();
  const std::size_t wanted = std::min(count, tree_->cloud.points.size());
  if (wanted == 0) return;
  const std::array centre{centreM.x, centreM.y, centreM.z};
  std::vector<std::uint32_t> points(wanted);
  std::vector<float> distances(wanted);
  const std::size_t got =
      tree_->index.knnSearch(centre.data(), wanted, points.data(), distances.data());
  for (std::size_t at = 0; at < got; ++at) found.push_back({points[at], distances[at]});
  sortByDistance(found);
}

}  // namespace understory
