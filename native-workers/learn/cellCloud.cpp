// Sums over a cell run in the order of the log, sums over neighbours in that of their tree.
#include "learn/cellCloud.h"

#include <algorithm>
#include <numeric>

#include "core/maths/morton.h"
#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfCells = 512;
constexpr int maxWidenings = 2;

// 1 at the centre, 0 at the border of the kernel (Wendland's function of RIMLS without its constant).
double kernel(double distance2, double radius2) {
  const double inside = 1.0 - distance2 / radius2;
  return inside > 0.0 ? inside * inside * inside * inside : 0.0;
}

// A row of one laser, far longer than wide: what is least across it is its own width or noise, and no plane's normal.
bool isLine(const PrincipalAxes& axes) { return axes.variancesM2[2] > 4.0 * axes.variancesM2[1]; }

struct FittedNormal {
  Vec3f normal;
  bool isOfLine = false;
};

FittedNormal normalAt(const CellCloud& cloud, std::size_t cell, const std::vector<Neighbour>& near,
                      double radius2M2) {
  Vec3d normal;
  bool isOfLine = false;
  Vec3d centre;
  double spreadM2 = 0.0;  // mean square of distances to the plane so far; 0: no plane yet
  for (int round = 0; round < 3; ++round) {
    double sum = 0.0;
    Vec3d mean;
    std::vector<double> weights;
    weights.reserve(near.size());
    for (const Neighbour& neighbour : near) {
      double weight = kernel(static_cast<double>(neighbour.distance2M2), radius2M2) *
                      static_cast<double>(cloud.count(neighbour.point));
      if (spreadM2 > 0.0) {
        const double off = dot(normal, toDouble(cloud.meanM[neighbour.point]) - centre);
        weight *= std::exp(-off * off / (2.0 * spreadM2));
      }
      weights.push_back(weight);
      sum += weight;
      mean = mean + toDouble(cloud.meanM[neighbour.point]) * weight;
    }
    if (!(sum > 0.0)) break;
    centre = mean * (1.0 / sum);
    Symmetric3 covariance{};
    for (std::size_t at = 0; at < near.size(); ++at) {
      const Vec3d d = toDouble(cloud.meanM[near[at].point]) - centre;
      const double share = weights[at] / sum;
      const Symmetric3 outer = outerOf(d);
      for (std::size_t part = 0; part < 6; ++part) covariance[part] += share * outer[part];
    }
    const PrincipalAxes axes = principalAxes(covariance);
    normal = axes.axes[0];
    isOfLine = isLine(axes);
    spreadM2 = std::max(axes.variancesM2[0], 1e-10);
  }
  const Vec3f result = toFloat(normal);
  const bool isAway = dot(result, cloud.towardsSensor[cell]) < 0.0F;
  return {isAway ? result * -1.0F : result, isOfLine};
}

// Groups along a Morton curve of where their first returns are. Why: what is summed over neighbours then lies close together
// in memory.
PointGroups alongCurve(const Beams& beams, const PointGroups& groups) {
  const auto placeOf = [&](std::uint32_t group) {
    return toFloat(beams.endM(groups.members[groups.starts[group]]));
  };
  std::vector<std::uint32_t> order(groups.size());
  std::iota(order.begin(), order.end(), 0U);
  Boundsf bounds;
  for (const std::uint32_t group : order) extend(bounds, placeOf(group));
  sortAlongCurve(bounds, order, placeOf);
  PointGroups sorted;
  sorted.members.reserve(groups.members.size());
  sorted.starts.reserve(groups.starts.size());
  for (const std::uint32_t group : order) {
    const auto at = [&](std::size_t number) {
      return groups.members.begin() + static_cast<std::ptrdiff_t>(groups.starts[number]);
    };
    sorted.members.insert(sorted.members.end(), at(group), at(group + 1));
    sorted.starts.push_back(sorted.members.size());
  }
  return sorted;
}

}  // namespace

CellCloud thinnedCloud(const Beams& beams, const std::vector<std::uint32_t>& chosen, double cellM,
                       const Watch& watch) {
  CellCloud cloud;
  cloud.groups = alongCurve(beams, groupByVoxel(beams, chosen, cellM, 1, watch));
  const std::size_t cells = cloud.groups.size();
  cloud.meanM.resize(cells);
  cloud.scatter.resize(cells);
  cloud.towardsSensor.resize(cells);
  inPieces(cells, pieceOfCells, watch, "cells", [&](std::size_t from, std::size_t to) {
    for (std::size_t cell = from; cell < to; ++cell) {
      const std::size_t first = cloud.groups.starts[cell];
      const std::size_t last = cloud.groups.starts[cell + 1];
      const double share = 1.0 / static_cast<double>(last - first);
      Vec3d mean;
      Vec3d towards;
      for (std::size_t at = first; at < last; ++at) {
        mean = mean + beams.endM(cloud.groups.members[at]) * share;
        towards = towards - toDouble(beams.direction[cloud.groups.members[at]]) * share;
      }
      // Why: the scatter is about the mean as it is stored.
      cloud.meanM[cell] = toFloat(mean);
      cloud.towardsSensor[cell] = toFloat(towards);
      Symmetric3& scatter = cloud.scatter[cell];
      for (std::size_t at = first; at < last; ++at) {
        const Vec3d d = beams.endM(cloud.groups.members[at]) - toDouble(cloud.meanM[cell]);
        const Symmetric3 outer = outerOf(d);
        for (std::size_t part = 0; part < 6; ++part) scatter[part] += outer[part];
      }
    }
  });
  return cloud;
}

std::vector<Vec3f> normalsOf(const CellCloud& cloud, double radiusM, const Watch& watch) {
  const Neighbours neighbours(cloud.meanM);
  std::vector<Vec3f> normals(cloud.size());
  inPieces(cloud.size(), pieceOfCells, watch, "normals", [&](std::size_t from, std::size_t to) {
    std::vector<Neighbour> near;
    for (std::size_t cell = from; cell < to; ++cell) {
      double reachM = radiusM;
      for (int widening = 0; widening <= maxWidenings; ++widening, reachM *= 2.0) {
        neighbours.within(cloud.meanM[cell], static_cast<float>(reachM), near);
        const FittedNormal fitted = normalAt(cloud, cell, near, reachM * reachM);
        if (widening == 0 || !fitted.isOfLine) normals[cell] = fitted.normal;
        if (!fitted.isOfLine) break;
      }
    }
  });
  return normals;
}

}  // namespace understory
