// Triangles of a surface and the lines that cross them.
#pragma once

#include "learn/boxTree.h"
#include "learn/surface.h"

namespace understory {

// Triangles with their tree.
class Triangles {
 public:
  Triangles() = default;
  explicit Triangles(TriangleMesh mesh);

  std::size_t size() const { return mesh_.triangles.size(); }
  const TriangleMesh& mesh() const { return mesh_; }
  // Unit; towards the sensor.
  Vec3d normalOf(std::size_t triangle) const;

  // Calls visit(triangle, rangeM) for each triangle that a line crosses up to `maxM`, from either side, in no useful
  // order.
  template <typename Visit>
  void alongLine(Vec3f originM, Vec3f direction, double maxM, Visit&& visit) const {
    const Vec3d from = toDouble(originM);
    const Vec3d along = toDouble(direction);
    tree_.alongLine(originM, direction, static_cast<float>(maxM) * 1.000001F,
                    [&](std::uint32_t triangle) {
                      const double rangeM = crossing(triangle, from, along);
                      if (rangeM > 0.0 && rangeM <= maxM) visit(triangle, rangeM);
                    });
  }

 private:
  // Range of the crossing; negative: there is none.
  double crossing(std::size_t triangle, Vec3d originM, Vec3d direction) const;

  TriangleMesh mesh_;
  BoxTree tree_;
};

}  // namespace understory
