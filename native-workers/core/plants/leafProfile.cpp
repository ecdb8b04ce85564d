// Shares of the candidates by layer: found by iteration, since a leaf reaches into neighbouring layers.
#include "core/plants/leafProfile.h"

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "core/error.h"

namespace understory {

namespace {

constexpr double areaTolerance = 0.01;  // of a layer's leaf area

using Areas = std::array<double, crownLayers>;

// The integral of the line from (x0, y0) to (x1, y1) between two places on it.
double lineIntegral(std::array<double, 2> from, std::array<double, 2> to, double lowM,
                    double highM) {
  const auto valueAt = [&](double heightM) {
    return from[1] + (to[1] - from[1]) * (heightM - from[0]) / (to[0] - from[0]);
  };
  return 0.5 * (valueAt(lowM) + valueAt(highM)) * (highM - lowM);
}

// Candidates by the layer that has most of their area.
struct Candidates {
  std::vector<std::uint8_t> layer;
  // [l]: mean area by layer of the candidates of layer l, times their number.
  std::array<Areas, crownLayers> areasM2{};
};

Candidates layersOf(const Mesh& mesh, std::size_t count, std::uint32_t trianglesPerLeaf,
                    const Foliage& crown) {
  Candidates result;
  for (std::size_t leaf = 0; leaf < count; ++leaf) {
    Areas areasM2{};
    for (std::size_t n = 0; n < trianglesPerLeaf; ++n) {
      const auto& [a, b, c] = mesh.triangles[leaf * trianglesPerLeaf + n];
      addToLayers({mesh.vertices[a], mesh.vertices[b], mesh.vertices[c]}, crown.layers, areasM2);
    }
    const auto largest = std::max_element(areasM2.begin(), areasM2.end());
    const auto layer = static_cast<std::size_t>(largest - areasM2.begin());
    result.layer.push_back(static_cast<std::uint8_t>(layer));
    for (std::size_t other = 0; other < crownLayers; ++other) {
      result.areasM2[layer][other] += areasM2[other];
    }
  }
  return result;
}

// The share of each layer's candidates with which every layer has its wanted area, by multiplicative steps.
Areas sharesFor(const Candidates& candidates, const Areas& wantedM2) {
  Areas shares;
  shares.fill(0.5);
  constexpr int steps = 200;
  for (int step = 0; step < steps; ++step) {
    Areas expectedM2{};
    for (std::size_t layer = 0; layer < crownLayers; ++layer) {
      for (std::size_t other = 0; other < crownLayers; ++other) {
        expectedM2[other] += shares[layer] * candidates.areasM2[layer][other];
      }
    }
    for (std::size_t layer = 0; layer < crownLayers; ++layer) {
      if (!(expectedM2[layer] > 0.0)) continue;
      shares[layer] = std::min(1.0, shares[layer] * wantedM2[layer] / expectedM2[layer]);
    }
  }
  return shares;
}

// Indices in order of as many candidates of each layer as its share says. Why not each by its own chance: the number of
// leaves would vary by its root.
std::vector<std::size_t> drawn(const Candidates& candidates, const Areas& shares,
                               std::uint64_t seed) {
  constexpr std::uint64_t drawStream = std::uint64_t{3} << 32U;
  RandomStream random(seed, RandomPurpose::plant, drawStream);
  std::array<std::vector<std::pair<double, std::size_t>>, crownLayers> byLayer;
  for (std::size_t leaf = 0; leaf < candidates.layer.size(); ++leaf) {
    byLayer[candidates.layer[leaf]].emplace_back(random.uniform(), leaf);
  }
  std::vector<std::size_t> leaves;
  for (std::size_t layer = 0; layer < crownLayers; ++layer) {
    auto& keys = byLayer[layer];
    std::sort(keys.begin(), keys.end());
    const auto count =
        static_cast<std::size_t>(std::lround(shares[layer] * static_cast<double>(keys.size())));
    for (std::size_t n = 0; n < count; ++n) leaves.push_back(keys[n].second);
  }
  std::sort(leaves.begin(), leaves.end());
  return leaves;
}

void expectEnough(const Candidates& candidates, const Areas& shares, const Areas& wantedM2,
                  const Foliage& crown) {
  Areas expectedM2{};
  Areas maxM2{};
  for (std::size_t layer = 0; layer < crownLayers; ++layer) {
    for (std::size_t other = 0; other < crownLayers; ++other) {
      expectedM2[other] += shares[layer] * candidates.areasM2[layer][other];
      maxM2[other] += candidates.areasM2[layer][other];
    }
  }
  for (std::size_t layer = 0; layer < crownLayers; ++layer) {
    if (expectedM2[layer] >= (1.0 - areaTolerance) * wantedM2[layer]) continue;
    const CrownLayer& at = crown.layers[layer];
    const double volumeM3 = at.areaM2 * (at.toM - at.fromM);
    std::ostringstream expected;
    const bool isTooFew = maxM2[layer] < (1.0 - areaTolerance) * wantedM2[layer];
    expected << "at most " << (isTooFew ? maxM2 : expectedM2)[layer] / volumeM3 << " m²/m³ between "
             << at.fromM << " and " << at.toM << " m, as much as "
             << (isTooFew ? "perTwig leaves on each twig give there"
                          : "leaves give there that also reach into the layers next to it, at "
                            "the density of those")
             << ", found " << wantedM2[layer] / volumeM3;
    throwBadInput("plant", "leaves.areaDensity", expected.str());
  }
}

}  // namespace

double meanDensity(const LeafProfile& profile, double fromM, double toM) {
  double integral = 0.0;
  for (std::size_t index = 1; index < profile.size(); ++index) {
    const double lowM = std::max(fromM, profile[index - 1][0]);
    const double highM = std::min(toM, profile[index][0]);
    if (lowM < highM) integral += lineIntegral(profile[index - 1], profile[index], lowM, highM);
  }
  return integral / (toM - fromM);
}

ChosenLeaves chooseLeaves(const std::vector<LeafShape>& candidates, const LeafProfile& profile,
                          std::uint32_t trianglesPerLeaf, std::uint64_t seed) {
  MeshBuilder builder;
  for (const LeafShape& leaf : candidates) addLeaf(builder, leaf, trianglesPerLeaf, 0);
  if (builder.degenerateTriangles > 0) {
    throwBadInput("plant", "leaves", "leaves with area");
  }
  ChosenLeaves result;
  result.crown = measureFoliage(builder.mesh, 0);
  if (result.crown.layers.empty()) return result;
  const Candidates known =
      layersOf(builder.mesh, candidates.size(), trianglesPerLeaf, result.crown);
  Areas wantedM2{};
  for (std::size_t layer = 0; layer < crownLayers; ++layer) {
    const CrownLayer& at = result.crown.layers[layer];
    wantedM2[layer] = meanDensity(profile, at.fromM, at.toM) * at.areaM2 * (at.toM - at.fromM);
  }
  const Areas shares = sharesFor(known, wantedM2);
  expectEnough(known, shares, wantedM2, result.crown);
  for (const std::size_t leaf : drawn(known, shares, seed)) {
    result.leaves.push_back(candidates[leaf]);
  }
  return result;
}

}  // namespace understory
