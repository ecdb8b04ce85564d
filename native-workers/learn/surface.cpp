// Nodes are a sorted list of keys: the surface is sparse, and sorted lists are the same on any number of threads.
#include "learn/surface.h"

#include <tbb/parallel_sort.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "learn/cubeTable.h"
#include "learn/neighbours.h"
#include "learn/parallel.h"

namespace understory {
namespace {

constexpr std::size_t pieceOfNodes = 256;
// Constants of RIMLS: deviation of normals, and of the residuals as a share of the kernel (Öztireli et al. 2009, 5).
constexpr double sigmaNormal = 0.75;
constexpr double sigmaResidualShare = 0.5;
constexpr int maxRounds = 10;
constexpr double stillShare = 1e-4;  // of the kernel: a smaller change ends the rounds

// Signed distance of a node to the surface, positive towards the sensor.
double implicitAt(Vec3d node, const CellCloud& cloud, const std::vector<Vec3f>& normals,
                  const std::vector<Neighbour>& near, double kernelM) {
  const double kernel2 = kernelM * kernelM;
  const double sigmaResidual = sigmaResidualShare * kernelM;
  double value = 0.0;
  Vec3d gradient;
  for (int round = 0; round < maxRounds; ++round) {
    double sumWeights = 0.0;
    double sumValues = 0.0;
    Vec3d sumSlopes;
    Vec3d sumSlopeValues;
    Vec3d sumNormals;
    for (const Neighbour& neighbour : near) {
      const Vec3d offset = node - toDouble(cloud.meanM[neighbour.point]);
      const Vec3d normal = toDouble(normals[neighbour.point]);
      const double distance = dot(offset, normal);
      // Why counts: RIMLS weighs returns, not cells; else the tails of noise weigh as much as its middle.
      auto robust = static_cast<double>(cloud.count(neighbour.point));
      if (round > 0) {
        const double residual = (distance - value) / sigmaResidual;
        const double turn = length(normal - gradient) / sigmaNormal;
        robust *= std::exp(-residual * residual - turn * turn);
      }
      const double inside = std::max(1.0 - dot(offset, offset) / kernel2, 0.0);
      const double weight = robust * inside * inside * inside * inside;
      const Vec3d slope = offset * (robust * -8.0 * inside * inside * inside / kernel2);
      sumWeights += weight;
      sumValues += weight * distance;
      sumSlopes = sumSlopes + slope;
      sumSlopeValues = sumSlopeValues + slope * distance;
      sumNormals = sumNormals + normal * weight;
    }
    if (!(sumWeights > 1e-12)) break;
    const double before = value;
    value = sumValues / sumWeights;
    gradient = (sumSlopeValues - sumSlopes * value + sumNormals) * (1.0 / sumWeights);
    if (round > 0 && std::abs(value - before) < stillShare * kernelM) break;
  }
  return value;
}

void makeUnique(std::vector<std::uint64_t>& keys) {
  tbb::parallel_sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

// Keys of cells moved by -before … +after along each axis in turn, each once.
std::vector<std::uint64_t> dilated(std::vector<std::uint64_t> keys, std::int32_t before,
                                   std::int32_t after) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::vector<std::uint64_t> moved;
    moved.reserve(keys.size() * static_cast<std::size_t>(before + after + 1));
    for (const std::uint64_t key : keys) {
      for (std::int32_t by = -before; by <= after; ++by) {
        std::array<std::int32_t, 3> indices = cellIndices(key);
        indices[axis] += by;
        moved.push_back(cellKey(indices));
      }
    }
    makeUnique(moved);
    keys = std::move(moved);
  }
  return keys;
}

class Nodes {
 public:
  Nodes(const CellCloud& cloud, const SurfaceOptions& options) : gridM_(options.gridM) {
    std::vector<std::uint64_t> cells;
    for (const Vec3f mean : cloud.meanM) {
      const CellKey cell = cellOf(toDouble(mean), gridM_);
      if (cell.isInside) cells.push_back(cell.key);
    }
    makeUnique(cells);
    const auto reach = static_cast<std::int32_t>(std::ceil(options.kernelM / gridM_));
    // The nodes of a cell are its own and the next.
    keys_ = dilated(std::move(cells), reach, reach + 1);
  }

  std::size_t size() const { return keys_.size(); }
  Vec3d positionM(std::size_t node) const {
    const auto [x, y, z] = cellIndices(keys_[node]);
    return {x * gridM_, y * gridM_, z * gridM_};
  }
  // The number of a node, or size().
  std::size_t find(std::array<std::int32_t, 3> indices) const {
    const std::uint64_t key = cellKey(indices);
    const auto found = std::ranges::lower_bound(keys_, key);
    return found != keys_.end() && *found == key ? static_cast<std::size_t>(found - keys_.begin())
                                                 : keys_.size();
  }
  std::array<std::int32_t, 3> indices(std::size_t node) const { return cellIndices(keys_[node]); }

 private:
  double gridM_;
  std::vector<std::uint64_t> keys_;
};

// An edge of the grid: its lower node and its axis.
using EdgeKey = std::uint64_t;

struct CubeCorners {
  std::array<std::size_t, 8> nodes{};
  unsigned cubeCase = 0;
};

// The cube above a node; case 0 where a corner has no value.
CubeCorners cubeAt(const Nodes& nodes, const std::vector<float>& values, std::size_t node) {
  CubeCorners cube;
  const auto [x, y, z] = nodes.indices(node);
  for (unsigned corner = 0; corner < 8; ++corner) {
    const std::size_t at = corner == 0
                               ? node
                               : nodes.find({x + static_cast<std::int32_t>(corner & 1U),
                                             y + static_cast<std::int32_t>(corner >> 1U & 1U),
                                             z + static_cast<std::int32_t>(corner >> 2U & 1U)});
    if (at == nodes.size() || std::isnan(values[at])) return {};
    cube.nodes[corner] = at;
    if (values[at] < 0.0F) cube.cubeCase |= 1U << corner;
  }
  return cube;
}

Vec3f crossingOn(const Nodes& nodes, const std::vector<float>& values, EdgeKey edge) {
  const std::size_t lower = edge / 3;
  std::array<std::int32_t, 3> indices = nodes.indices(lower);
  ++indices[edge % 3];
  const std::size_t upper = nodes.find(indices);
  const double a = static_cast<double>(values[lower]);
  const double b = static_cast<double>(values[upper]);
  const double share = a / (a - b);
  return toFloat(nodes.positionM(lower) * (1.0 - share) + nodes.positionM(upper) * share);
}

}  // namespace

TriangleMesh surfaceOf(const CellCloud& cloud, const std::vector<Vec3f>& normals,
                       const SurfaceOptions& options, const Watch& watch) {
  const Nodes nodes(cloud, options);
  const Neighbours neighbours(cloud.meanM);
  // Why: a corner of a cube that the surface cuts lies up to a diagonal away from it; without its value there is a hole.
  const double diagonalM = std::sqrt(3.0) * options.gridM;
  std::vector<float> values(nodes.size(), std::numeric_limits<float>::quiet_NaN());
  inPieces(nodes.size(), pieceOfNodes, watch, "surface", [&](std::size_t from, std::size_t to) {
    std::vector<Neighbour> near;
    for (std::size_t node = from; node < to; ++node) {
      const Vec3d positionM = nodes.positionM(node);
      double kernelM = options.kernelM;
      neighbours.within(toFloat(positionM), static_cast<float>(kernelM), near);
      if (near.size() < options.minNeighbours && diagonalM > kernelM) {
        kernelM = diagonalM;
        neighbours.within(toFloat(positionM), static_cast<float>(kernelM), near);
      }
      if (near.size() < options.minNeighbours) continue;
      values[node] = static_cast<float>(implicitAt(positionM, cloud, normals, near, kernelM));
    }
  });
  std::vector<std::vector<std::array<EdgeKey, 3>>> pieces((nodes.size() + pieceOfNodes - 1) /
                                                          pieceOfNodes);
  inPieces(nodes.size(), pieceOfNodes, watch, "triangles", [&](std::size_t from, std::size_t to) {
    for (std::size_t node = from; node < to; ++node) {
      if (std::isnan(values[node])) continue;
      const CubeCorners cube = cubeAt(nodes, values, node);
      for (const auto& triangle : cubeTriangles(static_cast<std::uint8_t>(cube.cubeCase))) {
        std::array<EdgeKey, 3> edges{};
        for (std::size_t corner = 0; corner < 3; ++corner) {
          const CubeEdge edge = cubeEdges()[triangle[corner]];
          edges[corner] = EdgeKey{cube.nodes[edge.corner]} * 3 + edge.axis;
        }
        pieces[from / pieceOfNodes].push_back(edges);
      }
    }
  });
  std::vector<EdgeKey> edges;
  for (const auto& piece : pieces) {
    for (const auto& triangle : piece) edges.insert(edges.end(), triangle.begin(), triangle.end());
  }
  makeUnique(edges);
  TriangleMesh mesh;
  mesh.verticesM.resize(edges.size());
  inPieces(edges.size(), pieceOfBeams, watch, "vertices", [&](std::size_t from, std::size_t to) {
    for (std::size_t at = from; at < to; ++at) {
      mesh.verticesM[at] = crossingOn(nodes, values, edges[at]);
    }
  });
  for (const auto& piece : pieces) {
    for (const auto& triangle : piece) {
      std::array<std::uint32_t, 3> corners{};
      for (std::size_t corner = 0; corner < 3; ++corner) {
        corners[corner] = static_cast<std::uint32_t>(
            std::ranges::lower_bound(edges, triangle[corner]) - edges.begin());
      }
      mesh.triangles.push_back(corners);
    }
  }
  return mesh;
}

}  // namespace understory
