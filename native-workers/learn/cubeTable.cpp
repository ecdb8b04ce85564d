// Around each face, seen from outside, a run of corners inside ends at an edge and began at one; a line joins both. Each
// edge that is cut ends a run on one of its faces and begins one on the other: the lines form closed loops.
#include "learn/cubeTable.h"

namespace understory {
namespace {

using CaseTriangles = std::vector<std::array<std::uint8_t, 3>>;

std::uint8_t edgeBetween(unsigned a, unsigned b) {
  const unsigned axisBit = a ^ b;
  const unsigned axis = axisBit == 1 ? 0 : axisBit == 2 ? 1 : 2;
  const unsigned lower = a & b;
  for (std::uint8_t edge = 0; edge < 12; ++edge) {
    if (cubeEdges()[edge].axis == axis && cubeEdges()[edge].corner == lower) return edge;
  }
  return 0;
}

// Corners of the six faces, counter-clockwise from outside.
std::array<std::array<unsigned, 4>, 6> facesOf() {
  std::array<std::array<unsigned, 4>, 6> faces{};
  for (unsigned axis = 0; axis < 3; ++axis) {
    const unsigned u = 1U << (axis + 1) % 3;
    const unsigned v = 1U << (axis + 2) % 3;
    const unsigned high = 1U << axis;
    faces[2 * axis] = {0, v, u | v, u};
    faces[2 * axis + 1] = {high, high | u, high | u | v, high | v};
  }
  return faces;
}

CaseTriangles trianglesOf(unsigned cubeCase) {
  constexpr std::uint8_t none = 0xFF;
  std::array<std::uint8_t, 12> next{};
  next.fill(none);
  const auto isInside = [&](unsigned corner) { return (cubeCase >> corner & 1U) != 0; };
  for (const auto& face : facesOf()) {
    for (unsigned at = 0; at < 4; ++at) {
      if (!isInside(face[at]) || isInside(face[(at + 1) % 4])) continue;
      unsigned first = at;  // back to where the run begins
      while (isInside(face[(first + 3) % 4])) first = (first + 3) % 4;
      const std::uint8_t ends = edgeBetween(face[at], face[(at + 1) % 4]);
      const std::uint8_t begins = edgeBetween(face[(first + 3) % 4], face[first]);
      next[begins] = ends;
    }
  }
  CaseTriangles triangles;
  for (std::uint8_t edge = 0; edge < 12; ++edge) {
    if (next[edge] == none) continue;
    std::vector<std::uint8_t> loop;
    for (std::uint8_t at = edge; next[at] != none;) {
      loop.push_back(at);
      const std::uint8_t following = next[at];
      next[at] = none;
      at = following;
    }
    for (std::size_t at = 2; at < loop.size(); ++at) {
      triangles.push_back({loop[0], loop[at - 1], loop[at]});
    }
  }
  return triangles;
}

}  // namespace

const std::array<CubeEdge, 12>& cubeEdges() {
  static const std::array<CubeEdge, 12> edges{{{0, 0},
                                               {2, 0},
                                               {4, 0},
                                               {6, 0},
                                               {0, 1},
                                               {1, 1},
                                               {4, 1},
                                               {5, 1},
                                               {0, 2},
                                               {1, 2},
                                               {2, 2},
                                               {3, 2}}};
  return edges;
}

const std::vector<std::array<std::uint8_t, 3>>& cubeTriangles(std::uint8_t cubeCase) {
  static const std::array<CaseTriangles, 256> table = [] {
    std::array<CaseTriangles, 256> cases;
    for (unsigned at = 0; at < cases.size(); ++at) cases[at] = trianglesOf(at);
    return cases;
  }();
  return table[cubeCase];
}

}  // namespace understory
