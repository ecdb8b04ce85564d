// Shares the triangles of a level among the parts of a mesh.
#include "core/detail/simplify.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/detail/largePart.h"
#include "core/detail/smallParts.h"
#include "core/detail/wholePart.h"

namespace understory {
namespace {

// A leaf or blade has at most this many triangles; what is closed, a twig, at most that many.
constexpr std::uint32_t maxSheetTriangles = 256;
constexpr std::uint32_t maxTwigTriangles = 64;
// Fewer are not a crowd, of which a share could represent all.
constexpr std::size_t minCrowdParts = 32;

struct Share {
  double weight = 0.0;
  std::size_t most = 0;  // triangles that it has
  std::size_t triangles = 0;
};

// Shares out triangles by weight; who has fewer than his share leaves the rest to the others.
void shareOut(std::vector<Share>& shares, std::size_t triangles) {
  std::vector<Share*> open;
  for (Share& share : shares) open.push_back(&share);
  while (!open.empty()) {
    double weights = 0.0;
    for (const Share* share : open) weights += share->weight;
    const auto due = [&](const Share& share) {
      return weights > 0.0 ? static_cast<double>(triangles) * share.weight / weights : 0.0;
    };
    const auto split = std::stable_partition(open.begin(), open.end(), [&](const Share* share) {
      return due(*share) < static_cast<double>(share->most);
    });
    if (split == open.end()) {
      for (Share* share : open) share->triangles = static_cast<std::size_t>(due(*share));
      return;
    }
    for (auto full = split; full != open.end(); ++full) {
      (*full)->triangles = (*full)->most;
      triangles -= (*full)->most;
    }
    open.erase(split, open.end());
  }
}

struct Crowds {
  std::map<std::uint16_t, std::vector<std::uint32_t>> ofMaterial;
  std::vector<std::uint32_t> large;
};

Crowds crowdsOf(const MeshParts& all) {
  Crowds crowds;
  for (std::uint32_t index = 0; index < all.parts.size(); ++index) {
    const MeshPart& part = all.parts[index];
    const bool isSheet = length(toDouble(part.facing)) >= 0.2 * part.areaM2;
    const bool isSmall =
        part.hasOneMaterial && part.triangles <= (isSheet ? maxSheetTriangles : maxTwigTriangles);
    if (isSmall)
      crowds.ofMaterial[part.material].push_back(index);
    else
      crowds.large.push_back(index);
  }
  for (auto crowd = crowds.ofMaterial.begin(); crowd != crowds.ofMaterial.end();) {
    auto& parts = crowd->second;
    if (parts.size() >= minCrowdParts) {
      ++crowd;
      continue;
    }
    crowds.large.insert(crowds.large.end(), parts.begin(), parts.end());
    crowd = crowds.ofMaterial.erase(crowd);
  }
  std::sort(crowds.large.begin(), crowds.large.end());
  return crowds;
}

double areaOf(const MeshParts& all, const std::vector<std::uint32_t>& parts) {
  double sum = 0.0;
  for (const std::uint32_t part : parts) sum += all.parts[part].areaM2;
  return sum;
}

std::size_t trianglesOf(const MeshParts& all, const std::vector<std::uint32_t>& parts) {
  std::size_t sum = 0;
  for (const std::uint32_t part : parts) sum += all.parts[part].triangles;
  return sum;
}

// Large parts within their budget; those with too small a share of it join the crowds. Returns what was used.
std::size_t addLargeParts(const MeshParts& all, Crowds& crowds, std::size_t maxTriangles,
                          const Watch& watch, Mesh& mesh) {
  // Why by area, the largest first: what is too small for its share leaves it to the others.
  std::stable_sort(crowds.large.begin(), crowds.large.end(), [&](std::uint32_t a, std::uint32_t b) {
    return all.parts[a].areaM2 > all.parts[b].areaM2;
  });
  std::vector<Share> shares;
  std::vector<std::uint32_t> kept = crowds.large;
  for (;;) {
    shares.clear();
    for (const std::uint32_t part : kept) {
      shares.push_back({std::sqrt(all.parts[part].areaM2), all.parts[part].triangles, 0});
    }
    shareOut(shares, maxTriangles);
    if (kept.size() <= 1 || shares.back().triangles >=
                                std::min<std::size_t>(shares.back().most, minLargePartTriangles)) {
      break;
    }
    // Why so many at once: thousands may have to go.
    const std::size_t less = std::max<std::size_t>(1, kept.size() / 16);
    for (std::size_t count = 0; count < less && kept.size() > 1; ++count) {
      const std::uint32_t part = kept.back();
      crowds.ofMaterial[all.parts[part].material].push_back(part);
      kept.pop_back();
    }
  }
  std::size_t used = 0;
  for (std::size_t at = 0; at < kept.size(); ++at) {
    watch.throwIfCancelled();
    const std::size_t most = std::max(shares[at].triangles, minLargePartTriangles);
    used += addLargePart(all, all.parts[kept[at]], most, mesh);
  }
  return used;
}

}  // namespace

Mesh simplify(const MeshParts& parts, std::size_t maxTriangles, const Watch& watch) {
  Mesh mesh;
  if (parts.order.size() <= maxTriangles) {
    mesh.vertices.assign(parts.mesh.vertices.begin(), parts.mesh.vertices.end());
    mesh.triangles.assign(parts.mesh.triangles.begin(), parts.mesh.triangles.end());
    mesh.materialOfTriangle.assign(parts.mesh.materialOfTriangle.begin(),
                                   parts.mesh.materialOfTriangle.end());
    return mesh;
  }
  watch.throwIfCancelled();
  Crowds crowds = crowdsOf(parts);
  // Why the root of the area: a trunk is little of a tree's surface and much of its looks.
  std::vector<Share> shares{
      {std::sqrt(areaOf(parts, crowds.large)), trianglesOf(parts, crowds.large), 0}};
  for (const auto& [material, crowd] : crowds.ofMaterial) {
    shares.push_back({std::sqrt(areaOf(parts, crowd)), trianglesOf(parts, crowd), 0});
  }
  shareOut(shares, maxTriangles);
  std::size_t left = maxTriangles;
  if (!crowds.large.empty()) {
    left -= addLargeParts(parts, crowds, shares.front().triangles, watch, mesh);
  }
  shares.clear();
  for (const auto& [material, crowd] : crowds.ofMaterial) {
    shares.push_back({std::sqrt(areaOf(parts, crowd)), trianglesOf(parts, crowd), 0});
  }
  shareOut(shares, left);
  std::size_t at = 0;
  for (auto& [material, crowd] : crowds.ofMaterial) {
    watch.throwIfCancelled();
    addSmallParts(parts, crowd, std::max<std::size_t>(2, shares[at].triangles), mesh);
    ++at;
  }
  return mesh;
}

}  // namespace understory
