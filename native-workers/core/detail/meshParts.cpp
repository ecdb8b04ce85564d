// Parts are connected by the corners that triangles share.
#include "core/detail/meshParts.h"

#include <cstring>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace understory {
namespace {

constexpr std::uint32_t noPart = std::numeric_limits<std::uint32_t>::max();

// Union-find over vertices: connected components, each named by one of its members.
class Joined {
 public:
  explicit Joined(std::size_t vertices) : parent_(vertices) {
    std::iota(parent_.begin(), parent_.end(), 0U);
  }
  std::uint32_t find(std::uint32_t vertex) {
    while (parent_[vertex] != vertex) {
      parent_[vertex] = parent_[parent_[vertex]];
      vertex = parent_[vertex];
    }
    return vertex;
  }
  void join(std::uint32_t a, std::uint32_t b) {
    a = find(a);
    b = find(b);
    // Why the smaller: the outcome must not depend on the order of joining.
    if (a < b) parent_[b] = a;
    if (b < a) parent_[a] = b;
  }

 private:
  std::vector<std::uint32_t> parent_;
};

struct BitsOfPlace {
  std::size_t operator()(const std::array<std::uint32_t, 3>& bits) const {
    std::uint64_t hash = bits[0];
    hash = (hash ^ (hash >> 15U)) * 0x9E3779B97F4A7C15U + bits[1];
    hash = (hash ^ (hash >> 29U)) * 0xBF58476D1CE4E5B9U + bits[2];
    return static_cast<std::size_t>(hash ^ (hash >> 32U));
  }
};

void joinSamePlaces(Joined& joined, const MeshView& mesh, Meter& meter) {
  std::unordered_map<std::array<std::uint32_t, 3>, std::uint32_t, BitsOfPlace> vertexAt;
  vertexAt.reserve(mesh.vertices.size() / 3);
  for (std::uint32_t vertex = 0; vertex < mesh.vertices.size(); ++vertex) {
    meter.advanceTo(vertex / 3);
    // Why plus zero: -0 and 0 are the same place.
    const Vec3f place = mesh.vertices[vertex] + Vec3f{};
    std::array<std::uint32_t, 3> bits{};
    std::memcpy(bits.data(), &place, sizeof bits);
    const auto [known, isNew] = vertexAt.try_emplace(bits, vertex);
    if (!isNew) joined.join(known->second, vertex);
  }
}

// Part of each triangle, numbered in the order of first triangles; how many triangles each has.
std::vector<std::uint32_t> partOfTriangles(const MeshView& mesh, std::vector<MeshPart>& parts,
                                           const Watch& watch) {
  Meter meter(watch, "levels of detail", mesh.triangles.size());
  Joined joined(mesh.vertices.size());
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    meter.advanceTo(index);
    const auto& [a, b, c] = mesh.triangles[index];
    joined.join(a, b);
    joined.join(a, c);
  }
  const bool isSoup = mesh.vertices.size() == 3 * mesh.triangles.size();
  if (isSoup) {
    Meter soupMeter(watch, "levels of detail", mesh.triangles.size());
    joinSamePlaces(joined, mesh, soupMeter);
  }
  std::vector<std::uint32_t> partOf(mesh.triangles.size());
  std::vector<std::uint32_t> partOfRoot(mesh.vertices.size(), noPart);
  for (std::size_t index = 0; index < mesh.triangles.size(); ++index) {
    std::uint32_t& part = partOfRoot[joined.find(mesh.triangles[index][0])];
    if (part == noPart) {
      part = static_cast<std::uint32_t>(parts.size());
      parts.emplace_back();
    }
    partOf[index] = part;
    ++parts[part].triangles;
  }
  return partOf;
}

template <typename Take>
void eachCorner(const MeshParts& all, const MeshPart& part, const Take& take) {
  for (std::uint32_t at = 0; at < part.triangles; ++at) {
    for (const std::uint32_t corner : all.mesh.triangles[all.order[part.firstTriangle + at]]) {
      take(all.mesh.vertices[corner]);
    }
  }
}

// The corner farthest from a place; the first of several.
Vec3f farthestFrom(const MeshParts& all, const MeshPart& part, Vec3f from) {
  Vec3f farthest = from;
  float maxM2 = -1.0F;
  eachCorner(all, part, [&](Vec3f corner) {
    const Vec3f way = corner - from;
    if (dot(way, way) <= maxM2) return;
    maxM2 = dot(way, way);
    farthest = corner;
  });
  return farthest;
}

void measure(const MeshParts& all, MeshPart& part) {
  const MeshView& mesh = all.mesh;
  part.material = mesh.materialOfTriangle[all.order[part.firstTriangle]];
  Vec3d weighted;
  Vec3d facing;
  for (std::uint32_t at = 0; at < part.triangles; ++at) {
    const std::uint32_t index = all.order[part.firstTriangle + at];
    if (mesh.materialOfTriangle[index] != part.material) part.hasOneMaterial = false;
    const auto& [a, b, c] = mesh.triangles[index];
    const Vec3d p = toDouble(mesh.vertices[a]);
    const Vec3d q = toDouble(mesh.vertices[b]);
    const Vec3d r = toDouble(mesh.vertices[c]);
    const Vec3d areaVector = cross(q - p, r - p) * 0.5;
    const double areaM2 = length(areaVector);
    part.areaM2 += areaM2;
    facing = facing + areaVector;
    weighted = weighted + (p + q + r) * (areaM2 / 3.0);
  }
  part.facing = toFloat(facing);
  // No triangle of a scene is degenerate, so there is an area to divide by.
  part.centreM = toFloat(weighted * (1.0 / part.areaM2));
  part.footM = farthestFrom(all, part, part.centreM);
  part.tipM = farthestFrom(all, part, part.footM);
  if (part.tipM.z < part.footM.z) std::swap(part.footM, part.tipM);
}

void findOutermost(MeshParts& all, std::uint32_t part) {
  eachCorner(all, all.parts[part], [&](Vec3f corner) {
    const std::array<float, 3> place{corner.x, corner.y, corner.z};
    const std::array<float, 3> least{all.bounds.min.x, all.bounds.min.y, all.bounds.min.z};
    const std::array<float, 3> most{all.bounds.max.x, all.bounds.max.y, all.bounds.max.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (place[axis] < least[axis]) all.outermost[2 * axis] = part;
      if (place[axis] > most[axis]) all.outermost[2 * axis + 1] = part;
    }
    extend(all.bounds, corner);
  });
}

}  // namespace

MeshParts partsOf(const MeshView& mesh, const Watch& watch) {
  MeshParts all;
  all.mesh = mesh;
  const std::vector<std::uint32_t> partOf = partOfTriangles(mesh, all.parts, watch);
  std::uint32_t first = 0;
  std::vector<std::uint32_t> next;
  next.reserve(all.parts.size());
  for (MeshPart& part : all.parts) {
    part.firstTriangle = first;
    next.push_back(first);
    first += part.triangles;
  }
  all.order.resize(mesh.triangles.size());
  for (std::uint32_t index = 0; index < partOf.size(); ++index) {
    all.order[next[partOf[index]]++] = index;
  }
  Meter meter(watch, "levels of detail", mesh.triangles.size());
  for (std::uint32_t part = 0; part < all.parts.size(); ++part) {
    meter.advanceTo(all.parts[part].firstTriangle);
    measure(all, all.parts[part]);
    findOutermost(all, part);
  }
  return all;
}

}  // namespace understory
