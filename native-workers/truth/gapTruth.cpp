// Threads take runs of rays; shares are summed as whole numbers.
#include "truth/gapTruth.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>

#include "core/random/philox.h"
#include "jobs/threads.h"
#include "truth/plantParts.h"
#include "truth/voxelTruth.h"

namespace understory {
namespace {

constexpr std::uint64_t raysAtOnce = 1024;
constexpr double shareUnits = 0x1.0p32;

// Shares of a ray that are left.
struct Left {
  double ofAll = 1.0;
  double ofLeaves = 1.0;

  bool isNothing() const { return ofAll <= 0.0 && ofLeaves <= 0.0; }
};

class GapTracer {
 public:
  GapTracer(const TracedScene& scene, const GapRequest& request)
      : scene_(scene), truth_(scene.truth()), request_(request) {}

  Left trace(std::size_t step, std::uint64_t number) const {
    RandomStream random(request_.seed, RandomPurpose::gapRay,
                        static_cast<std::uint64_t>(step) << 40U | number);
    const Vec3d from = request_.minM;
    const Vec3d to = request_.maxM;
    Vec3d at{random.uniform(from.x, to.x), random.uniform(from.y, to.y), from.z};
    if (scene_.scene().groundHeightM) {
      at.z = std::max(at.z, scene_.scene().groundHeightM(at.x, at.y));
    }
    const double aroundRad = random.uniform(0.0, 2.0 * piRad);
    const double zenithRad = zenithOfStep(step);
    const Vec3d towards{std::sin(zenithRad) * std::cos(aroundRad),
                        std::sin(zenithRad) * std::sin(aroundRad), std::cos(zenithRad)};
    Left left;
    while (at.z < to.z && !left.isNothing()) {
      const double toX = distanceTo(at.x, towards.x, from.x, to.x);
      const double toY = distanceTo(at.y, towards.y, from.y, to.y);
      const double toTop = (to.z - at.z) / towards.z;
      const double reachM = std::min({toX, toY, toTop});
      follow(at, towards, reachM, left);
      at = at + towards * reachM;
      if (reachM == toTop) break;
      // Over a side of the plot, the ray continues at the other one.
      if (toX <= toY) at.x = towards.x > 0.0 ? from.x : to.x;
      if (toY <= toX) at.y = towards.y > 0.0 ? from.y : to.y;
    }
    return left;
  }

 private:
  static double distanceTo(double at, double towards, double low, double high) {
    if (towards == 0.0) return std::numeric_limits<double>::infinity();
    return ((towards > 0.0 ? high : low) - at) / towards;
  }

  // Takes off what plants stop of a ray along a part of its path.
  void follow(Vec3d at, Vec3d towards, double reachM, Left& left) const {
    const Scene& scene = scene_.scene();
    const PathRay ray{toFloat(at - scene.originM), toFloat(towards)};
    const auto limitM = static_cast<float>(reachM);
    float fromM = 0.0F;
    while (fromM <= limitM && !left.isNothing()) {
      const FacetHit hit = scene_.sources().nearest(ray, fromM, limitM);
      if (!hit.isHit) return;
      // Why beyond: the same facet is not met again, nor one that shares an edge with it there.
      fromM = hit.rangeM + std::max(1e-5F, 1e-6F * hit.rangeM);
      const std::uint16_t material = truth_.instances[hit.instance].materialOf(hit.primitive);
      const auto part = partOf(scene, scene.models[scene.modelOf(hit.instance)], material);
      if (!part) continue;
      const double passes = scene.materials[material].gapFraction;
      left.ofAll *= passes;
      if (part == PlantPart::leaf) left.ofLeaves *= passes;
    }
  }

  const TracedScene& scene_;
  SceneTruth truth_;
  const GapRequest& request_;
};

using GapSums = std::array<std::atomic<std::uint64_t>, bounds::zenithSteps>;

std::uint64_t inUnits(double share) {
  return static_cast<std::uint64_t>(std::llround(share * shareUnits));
}

}  // namespace

GapTruth gapTruth(const TracedScene& scene, const GapRequest& request, const Watch& watch) {
  GapTruth truth;
  constexpr std::uint64_t steps = bounds::zenithSteps;
  truth.raysPerZenith = (request.rays + steps - 1) / steps;
  const GapTracer tracer(scene, request);
  const std::uint64_t runs = (truth.raysPerZenith + raysAtOnce - 1) / raysAtOnce;
  GapSums all{};
  GapSums leaves{};
  std::atomic<std::uint64_t> next{0};
  onThreads(scene.threads(), [&](std::size_t thread) {
    for (std::uint64_t work = next++; work < steps * runs && !watch.isOver(); work = next++) {
      const std::size_t step = work % steps;
      const std::uint64_t first = work / steps * raysAtOnce;
      const std::uint64_t end = std::min(truth.raysPerZenith, first + raysAtOnce);
      std::uint64_t ofAll = 0;
      std::uint64_t ofLeaves = 0;
      for (std::uint64_t ray = first; ray < end; ++ray) {
        const Left left = tracer.trace(step, ray);
        ofAll += inUnits(left.ofAll);
        ofLeaves += inUnits(left.ofLeaves);
      }
      all[step] += ofAll;
      leaves[step] += ofLeaves;
      if (thread == 0 && watch.onProgress) {
        watch.onProgress("gaps", std::min(work * raysAtOnce, request.rays), request.rays);
      }
    }
  });
  watch.throwIfCancelled();
  const auto shareOf = [&](std::uint64_t units) {
    return static_cast<double>(units) / shareUnits / static_cast<double>(truth.raysPerZenith);
  };
  for (std::size_t step = 0; step < steps; ++step) {
    truth.gapFraction.push_back(shareOf(all[step].load()));
    truth.leafGapFraction.push_back(shareOf(leaves[step].load()));
  }
  return truth;
}

}  // namespace understory
