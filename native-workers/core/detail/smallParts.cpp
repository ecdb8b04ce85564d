// A share of the small parts, each enlarged so that the area of the material stays.
#include "core/detail/smallParts.h"

#include <algorithm>
#include <cmath>

#include "core/detail/wholePart.h"
#include "core/maths/morton.h"
#include "core/random/philox.h"

namespace understory {
namespace {

// A part is widened until it is this much longer than wide, and only then enlarged.
constexpr double minAspect = 3.0;
// Parts that reach down to this share of the model's height are on its ground.
constexpr float groundShare = 0.02F;

double areaFrom(const Mesh& mesh, std::size_t first) {
  double sum = 0.0;
  for (std::size_t at = first; at < mesh.triangles.size(); ++at) {
    const auto& [a, b, c] = mesh.triangles[at];
    const Vec3d from = toDouble(mesh.vertices[a]);
    sum +=
        0.5 * length(cross(toDouble(mesh.vertices[b]) - from, toDouble(mesh.vertices[c]) - from));
  }
  return sum;
}

double shiftInto(double least, double most, double from, double to) {
  if (least < from) return from - least;
  return most > to ? to - most : 0.0;
}

// Moves corners into the bounds; what is larger than they is cut.
void keepWithin(const Boundsf& bounds, std::array<Vec3d, 4>& corners) {
  const auto along = [&corners](double Vec3d::*axis, float from, float to) {
    const auto [least, most] =
        std::minmax_element(corners.begin(), corners.end(),
                            [axis](const Vec3d& a, const Vec3d& b) { return a.*axis < b.*axis; });
    const double shiftM = shiftInto((*least).*axis, (*most).*axis, from, to);
    for (Vec3d& corner : corners) {
      corner.*axis =
          std::clamp(corner.*axis + shiftM, static_cast<double>(from), static_cast<double>(to));
    }
  };
  along(&Vec3d::x, bounds.min.x, bounds.max.x);
  along(&Vec3d::y, bounds.min.y, bounds.max.y);
  along(&Vec3d::z, bounds.min.z, bounds.max.z);
}

struct Crowd {
  Boundsf bounds;        // which no stand-in leaves
  float groundM = 0.0F;  // on which the model stands
  double areaM2 = 0.0;
  std::uint64_t stream = 0;  // of random numbers: one for each material
};

Crowd crowdOf(const MeshParts& all, const std::vector<std::uint32_t>& parts) {
  Crowd crowd;
  crowd.groundM = all.bounds.min.z;
  crowd.stream = std::uint64_t{all.parts[parts.front()].material} << 32U;
  for (const std::uint32_t part : parts) {
    extend(crowd.bounds, all.parts[part].footM);
    extend(crowd.bounds, all.parts[part].tipM);
    crowd.areaM2 += all.parts[part].areaM2;
  }
  return crowd;
}

// Two triangles in place of a part: from its foot over its middle, where it is widest, to its tip. What faces no way,
// a twig, turns its width as `random` says.
void addStandIn(const Crowd& crowd, const MeshPart& part, double areaM2, RandomStream& random,
                Mesh& mesh) {
  const Vec3d centre = toDouble(part.centreM);
  Vec3d foot = toDouble(part.footM);
  Vec3d tip = toDouble(part.tipM);
  const double lengthM = length(tip - foot);
  const Vec3d axis = (tip - foot) * (1.0 / lengthM);
  Vec3d facing = toDouble(part.facing);
  if (length(facing) < 0.2 * part.areaM2) {
    const double z = random.uniform(-1.0, 1.0);
    const double turnRad = random.uniform(0.0, 2.0 * piRad);
    const double ring = std::sqrt(1.0 - z * z);
    facing = {ring * std::cos(turnRad), ring * std::sin(turnRad), z};
  }
  Vec3d across = cross(facing, axis);
  if (length(across) < 1e-3 * length(facing)) {
    across = cross(std::abs(axis.z) < 0.9 ? Vec3d{0.0, 0.0, 1.0} : Vec3d{1.0, 0.0, 0.0}, axis);
  }
  across = normalized(across);
  // A rhombus of this area: length times width over two.
  const double widthM = 2.0 * areaM2 / lengthM;
  const double ownAspect = lengthM / (2.0 * part.areaM2 / lengthM);
  const double aspect = std::max(std::min(ownAspect, minAspect), lengthM / widthM);
  const double grownM = std::sqrt(2.0 * areaM2 * aspect);
  const double growth = std::max(1.0, grownM / lengthM);
  const bool isStanding =
      part.footM.z - crowd.groundM <= groundShare * (crowd.bounds.max.z - crowd.groundM);
  const Vec3d fixed = isStanding ? foot : centre;
  foot = fixed + (foot - fixed) * growth;
  tip = fixed + (tip - fixed) * growth;
  // Why the middle of the surface: it shows the bend.
  Vec3d middle = fixed + (centre - fixed) * growth;
  // Both triangles have the width as their base; their heights are what is left of the length.
  const double heightsM =
      length(cross(across, foot - middle)) + length(cross(across, tip - middle));
  const double halfM = areaM2 / heightsM;
  std::array<Vec3d, 4> corners{foot, middle + across * halfM, tip, middle - across * halfM};
  keepWithin(crowd.bounds, corners);
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  for (const Vec3d& corner : corners) mesh.vertices.push_back(toFloat(corner));
  mesh.triangles.push_back({first, first + 1, first + 3});
  mesh.triangles.push_back({first + 1, first + 2, first + 3});
  mesh.materialOfTriangle.insert(mesh.materialOfTriangle.end(), 2, part.material);
}

// All parts; as many as `maxTriangles` allow stay as they are, evenly spread, the others get a stand-in.
void addEveryPart(const MeshParts& all, const Crowd& crowd, const std::vector<std::uint32_t>& parts,
                  std::size_t maxTriangles, std::size_t triangles, std::size_t standIns,
                  Mesh& mesh) {
  std::size_t left = maxTriangles - standIns;
  const double share = triangles == standIns
                           ? 1.0
                           : static_cast<double>(left) / static_cast<double>(triangles - standIns);
  double due = 0.0;
  for (std::size_t at = 0; at < parts.size(); ++at) {
    const MeshPart& part = all.parts[parts[at]];
    const std::size_t more = part.triangles - std::min<std::size_t>(2, part.triangles);
    due += share;
    if (more == 0 || (due >= 1.0 && more <= left)) {
      if (more > 0) due -= 1.0;
      left -= more;
      addWholePart(all, part, mesh);
    } else {
      RandomStream random(0, RandomPurpose::levelOfDetail, crowd.stream | at);
      addStandIn(crowd, part, part.areaM2, random, mesh);
    }
  }
}

bool isOutermost(const MeshParts& all, std::uint32_t part) {
  return std::find(all.outermost.begin(), all.outermost.end(), part) != all.outermost.end();
}

// One part for each stratum, with the area of all of it times `factor`.
void addOneOfMany(const MeshParts& all, const Crowd& crowd, const std::vector<std::uint32_t>& parts,
                  std::size_t strata, double factor, Mesh& mesh) {
  for (std::size_t stratum = 0; stratum < strata; ++stratum) {
    const std::size_t from = stratum * parts.size() / strata;
    const std::size_t to = (stratum + 1) * parts.size() / strata;
    double areaM2 = 0.0;
    for (std::size_t at = from; at < to; ++at) areaM2 += all.parts[parts[at]].areaM2;
    RandomStream random(0, RandomPurpose::levelOfDetail, crowd.stream | stratum);
    double leftM2 = areaM2 * random.uniform();
    std::size_t chosen = from;
    while (chosen + 1 < to && leftM2 >= all.parts[parts[chosen]].areaM2) {
      leftM2 -= all.parts[parts[chosen]].areaM2;
      ++chosen;
    }
    // Why these: without them the bounds would shrink.
    for (std::size_t at = from; at < to; ++at) {
      if (isOutermost(all, parts[at])) chosen = at;
    }
    addStandIn(crowd, all.parts[parts[chosen]], areaM2 * factor, random, mesh);
  }
}

}  // namespace

void addSmallParts(const MeshParts& all, std::vector<std::uint32_t> parts, std::size_t maxTriangles,
                   Mesh& mesh) {
  if (parts.empty()) return;
  sortAlongCurve(all.bounds, parts, [&](std::uint32_t part) { return all.parts[part].centreM; });
  const Crowd crowd = crowdOf(all, parts);
  std::size_t triangles = 0;
  std::size_t standIns = 0;  // triangles, if every part had a stand-in
  for (const std::uint32_t part : parts) {
    triangles += all.parts[part].triangles;
    standIns += std::min<std::size_t>(2, all.parts[part].triangles);
  }
  if (standIns <= maxTriangles) {
    addEveryPart(all, crowd, parts, maxTriangles, triangles, standIns, mesh);
    return;
  }
  // Why several times: what would leave the bounds is cut, and others make up for it.
  const std::size_t strata = std::max<std::size_t>(1, maxTriangles / 2);
  const std::size_t vertices = mesh.vertices.size();
  const std::size_t first = mesh.triangles.size();
  double factor = 1.0;
  for (int time = 0; time < 4; ++time) {
    mesh.vertices.resize(vertices);
    mesh.triangles.resize(first);
    mesh.materialOfTriangle.resize(first);
    addOneOfMany(all, crowd, parts, strata, factor, mesh);
    const double ratio = areaFrom(mesh, first) / crowd.areaM2;
    if (std::abs(ratio - 1.0) < 0.005) break;
    factor = std::min(factor / ratio, 2.0);
  }
}

}  // namespace understory
