// Threads take pieces of instances; areas meet in atomic sums.
#include "truth/voxelTruth.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "core/mutation.h"
#include "core/scene/foliage.h"
#include "jobs/threads.h"
#include "truth/plantParts.h"

namespace understory {
namespace {

constexpr std::size_t trianglesAtOnce = 1U << 16U;
// Equal parts of |cos| between normal and vertical.
constexpr std::size_t angleBins = 128;

// Triangles of one instance.
struct VoxelWork {
  std::uint32_t instance = 0;
  std::uint32_t fromTriangle = 0;
};

// Why wide: a forest has more square metres than 64 bits of areaUnitM2.
__extension__ using WideUnits = __int128;

struct AngleSum {
  WideUnits area = 0;
  WideUnits level = 0;  // Σ area · |cos|, so that a bin has the mean of its angles

  void add(const AngleSum& other) {
    area += other.area;
    level += other.level;
  }
};
using UnitsByAngle = std::array<AngleSum, angleBins>;

// Sums of one thread.
struct ThreadSums {
  ByPart<UnitsByAngle> byAngle{};
};

// One instance's triangles into the grid.
class InstanceCutter {
 public:
  InstanceCutter(const VoxelSpace& grid, VoxelTruth& truth, ThreadSums& sums)
      : grid_(grid), truth_(truth), sums_(sums) {}
  ~InstanceCutter() { flush(); }
  InstanceCutter(const InstanceCutter&) = delete;
  InstanceCutter& operator=(const InstanceCutter&) = delete;

  void add(const std::array<Vec3d, 3>& cornersM, PlantPart part) {
    const auto number = static_cast<std::size_t>(part);
    std::array<VoxelPiece::Corner, 3> corners;
    for (std::size_t index = 0; index < 3; ++index) corners[index] = inVoxels(cornersM[index]);
    if (const auto voxel = commonVoxel(corners)) {
      const Vec3d twiceM2 = cross(cornersM[1] - cornersM[0], cornersM[2] - cornersM[0]);
      return addPiece(*voxel, twiceM2, std::max({corners[0][2], corners[1][2], corners[2][2]}),
                      number);
    }
    forEachVoxel(grid_, corners, [&](std::array<std::uint32_t, 3> voxel, const VoxelPiece& piece) {
      if (activeMutation() == Mutation::voxelsOffByOne && voxel[0] + 1 < grid_.split[0]) {
        ++voxel[0];
      }
      addPiece(voxel, piece.twiceAreaM2(grid_), piece.highest(), number);
    });
  }

 private:
  // From the corner of the grid, so that planes are whole numbers and no corner lies on two sides of one.
  VoxelPiece::Corner inVoxels(Vec3d worldM) const {
    return {(worldM.x - grid_.minM.x) * perM_[0], (worldM.y - grid_.minM.y) * perM_[1],
            (worldM.z - grid_.minM.z) * perM_[2]};
  }

  // The voxel of the grid that a triangle lies in as a whole.
  std::optional<std::array<std::uint32_t, 3>> commonVoxel(
      const std::array<VoxelPiece::Corner, 3>& corners) const {
    std::array<std::uint32_t, 3> voxel{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double first = corners[0][axis];
      if (!(first >= 0.0 && first < grid_.split[axis])) return std::nullopt;
      voxel[axis] = static_cast<std::uint32_t>(first);
      for (const std::size_t other : {1U, 2U}) {
        const double from = corners[other][axis] - voxel[axis];
        if (!(from >= 0.0 && from < 1.0)) return std::nullopt;
      }
    }
    return voxel;
  }

  // `highest` in voxels.
  void addPiece(const std::array<std::uint32_t, 3>& voxel, Vec3d twiceM2, double highest,
                std::size_t part) {
    const double twice = length(twiceM2);
    if (!(twice > 0.0)) return;
    constexpr double halfInUnits = 0.5 / areaUnitM2;
    const AreaUnits units = std::llrint(halfInUnits * twice);
    const double level = std::abs(twiceM2.z);
    const auto bin = std::min(static_cast<std::size_t>(level / twice * angleBins), angleBins - 1);
    sums_.byAngle[part][bin].add({units, std::llrint(halfInUnits * level)});
    const std::uint64_t index = grid_.indexOf(voxel);
    if (index != index_ || part != part_) {
      flush();
      index_ = index;
      part_ = part;
      highest_ = highest;
    }
    highest_ = std::max(highest_, highest);
    units_ += units;
  }

  // Why collected: leaves of many triangles lie in one voxel.
  void flush() {
    if (units_ == 0) return;
    truth_.areas[part_][index_].fetch_add(units_, std::memory_order_relaxed);
    units_ = 0;
    std::atomic<double>& top = truth_.topsM[index_ / grid_.split[2]];
    const double heightM = grid_.minM.z + highest_ * grid_.voxelM[2];
    double known = top.load(std::memory_order_relaxed);
    while (known < heightM &&
           !top.compare_exchange_weak(known, heightM, std::memory_order_relaxed)) {
    }
  }

  const VoxelSpace& grid_;
  const std::array<double, 3> perM_{1.0 / grid_.voxelM[0], 1.0 / grid_.voxelM[1],
                                    1.0 / grid_.voxelM[2]};
  VoxelTruth& truth_;
  ThreadSums& sums_;
  // Collected for one voxel.
  std::uint64_t index_ = 0;
  std::size_t part_ = 0;
  AreaUnits units_ = 0;
  double highest_ = 0.0;
};

bool reachesInto(const VoxelSpace& grid, const Boundsf& box) {
  const auto apart = [&](double low, double high, double from, std::size_t axis) {
    return high < from || low > from + grid.voxelM[axis] * grid.split[axis];
  };
  const Vec3d low = toDouble(box.min);
  const Vec3d high = toDouble(box.max);
  return !apart(low.x, high.x, grid.minM.x, 0) && !apart(low.y, high.y, grid.minM.y, 1) &&
         !apart(low.z, high.z, grid.minM.z, 2);
}

// How far a plant of a landscape reaches from its foot, at most.
double maxExtentM(const Landscape& landscape, const Scene& scene) {
  double maxM = 0.0;
  for (const std::vector<TilePlant>& tile : landscape.tiles) {
    for (const TilePlant& plant : tile) {
      const Boundsf box = uprightBounds(plant, scene.models[plant.model]);
      for (const float value : {-box.min.x, -box.min.y, box.max.x, box.max.y}) {
        maxM = std::max(maxM, static_cast<double>(value));
      }
    }
  }
  return maxM;
}

// Numbers of plants of landscapes that may reach into a grid.
template <typename Use>
void forEachPlantNear(const VoxelSpace& grid, const Scene& scene, const Use& use) {
  for (const Landscape& landscape : scene.landscapes) {
    const double aroundM = maxExtentM(landscape, scene);
    const Vec3d fromM{grid.minM.x - aroundM, grid.minM.y - aroundM, 0.0};
    const Vec3d toM{grid.minM.x + grid.voxelM[0] * grid.split[0] + aroundM,
                    grid.minM.y + grid.voxelM[1] * grid.split[1] + aroundM};
    landscape.forEachSquareIn(fromM, toM, [&](std::uint32_t square) {
      landscape.forEachPlantOf(square, [&](PlantIndices place) { use(landscape.numberOf(place)); });
    });
  }
}

class VoxelJob {
 public:
  VoxelJob(const TracedScene& scene, const VoxelSpace& grid) : scene_(scene), grid_(grid) {
    const Scene& all = scene.scene();
    std::vector<bool> hasParts;
    for (const Model& model : all.models) hasParts.push_back(hasPlantParts(all, model));
    const auto add = [&](std::uint32_t number, const Instance& instance) {
      if (!hasParts[instance.model]) return;
      const Model& model = all.models[instance.model];
      const Placement placement{instance.positionM, instance.rotation, instance.scale};
      if (!reachesInto(grid, worldBounds(placement, model.bounds))) return;
      const std::size_t triangles = model.mesh.materialOfTriangle.size();
      triangles_ += triangles;
      for (std::size_t from = 0; from < triangles; from += trianglesAtOnce) {
        work_.push_back({number, static_cast<std::uint32_t>(from)});
      }
    };
    for (std::uint32_t index = 0; index < all.instances.size(); ++index) {
      add(index, all.instances[index]);
    }
    forEachPlantNear(grid, all, [&](std::uint32_t number) { add(number, all.instanceAt(number)); });
  }

  void run(VoxelTruth& truth, std::vector<ThreadSums>& sums, const Watch& watch) const {
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> done{0};
    std::atomic<std::uint64_t> reported{0};
    onThreads(sums.size(), [&](std::size_t thread) {
      for (std::size_t at = next++; at < work_.size() && !watch.isOver(); at = next++) {
        const std::uint64_t now = done += cut(work_[at], truth, sums[thread]);
        const std::uint64_t percent = now * 100 / triangles_;
        std::uint64_t last = reported.load();
        if (!watch.onProgress || percent <= last) continue;
        if (reported.compare_exchange_strong(last, percent)) {
          watch.onProgress("voxels", now, triangles_);
        }
      }
    });
    watch.throwIfCancelled();
  }

 private:
  std::size_t cut(const VoxelWork& work, VoxelTruth& truth, ThreadSums& sums) const {
    const Scene& scene = scene_.scene();
    const Instance instance = scene.instanceAt(work.instance);
    const Model& model = scene.models[instance.model];
    const MeshView mesh = scene_.triangles().meshOf(instance.model);
    Mat3d scaledTurn = matrixOf(instance.rotation);
    for (auto& row : scaledTurn) {
      for (double& value : row) value *= instance.scale;
    }
    const Vec3d originM = instance.positionM + scene.originM;
    const auto inWorld = [&](std::uint32_t vertex) {
      return originM + scaledTurn * toDouble(mesh.vertices[vertex]);
    };
    InstanceCutter cutter(grid_, truth, sums);
    const std::size_t end = std::min(mesh.triangles.size(), work.fromTriangle + trianglesAtOnce);
    for (std::size_t index = work.fromTriangle; index < end; ++index) {
      const auto part = partOf(scene, model, mesh.materialOfTriangle[index]);
      if (!part) continue;
      const auto& [a, b, c] = mesh.triangles[index];
      cutter.add({inWorld(a), inWorld(b), inWorld(c)}, *part);
    }
    return end - work.fromTriangle;
  }

  const TracedScene& scene_;
  const VoxelSpace& grid_;
  std::vector<VoxelWork> work_;
  std::uint64_t triangles_ = 0;
};

ByZenith shownByZenith(const UnitsByAngle& byAngle) {
  ByZenith shownM2{};
  for (const AngleSum& sum : byAngle) {
    if (sum.area == 0) continue;
    const auto units = static_cast<double>(sum.area);
    const double angleRad = std::acos(std::min(1.0, static_cast<double>(sum.level) / units));
    for (std::size_t step = 0; step < shownM2.size(); ++step) {
      shownM2[step] += units * areaUnitM2 * leafProjection(zenithOfStep(step), angleRad);
    }
  }
  return shownM2;
}

}  // namespace

double zenithOfStep(std::size_t step) {
  return 0.5 * piRad * (static_cast<double>(step) + 0.5) / bounds::zenithSteps;
}

std::uint64_t voxelTruthBytes(const VoxelSpace& grid) {
  return grid.voxels() * ByPart<AreaUnits>{}.size() * sizeof(AreaUnits) +
         grid.columns() * 3 * sizeof(double);
}

VoxelTruth voxelTruth(const TracedScene& scene, const VoxelSpace& grid, const Watch& watch) {
  VoxelTruth truth;
  for (auto& areas : truth.areas) areas = std::vector<std::atomic<AreaUnits>>(grid.voxels());
  truth.topsM = std::vector<std::atomic<double>>(grid.columns());
  for (auto& top : truth.topsM) top.store(-std::numeric_limits<double>::infinity());
  std::vector<ThreadSums> sums(scene.threads());
  VoxelJob(scene, grid).run(truth, sums, watch);
  for (std::size_t part = 0; part < truth.areas.size(); ++part) {
    for (std::size_t voxel = 0; voxel < truth.areas[part].size(); ++voxel) {
      truth.sumM2[part] += truth.areaM2(static_cast<PlantPart>(part), voxel);
    }
    UnitsByAngle byAngle{};
    for (const ThreadSums& ofThread : sums) {
      for (std::size_t bin = 0; bin < angleBins; ++bin) {
        byAngle[bin].add(ofThread.byAngle[part][bin]);
      }
    }
    truth.shownM2[part] = shownByZenith(byAngle);
  }
  return truth;
}

}  // namespace understory
