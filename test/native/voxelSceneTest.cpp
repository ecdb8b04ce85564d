// Rays through voxel models: optical depth along any line through any grid, turned and scaled instances, equal bytes on
// both paths, draws that instances do not share.
#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "core/learned/learnedDraws.h"
#include "surfaces/embree/voxelScene.h"
#include "test/native/support/learned.h"
#include "test/native/support/learnedChecks.h"

using namespace understory;

namespace {

VoxelModel randomVoxels(std::array<std::uint32_t, 3> voxels, double leafSizeM) {
  std::mt19937 random(11);
  VoxelModel model;
  model.grid.space = {{-2.0, -1.5, 0.5}, {0.5, 0.3, 0.7}, voxels};
  for (std::size_t voxel = 0; voxel < std::size_t{voxels[0]} * voxels[1] * voxels[2]; ++voxel) {
    const double density = shareOf(random) < 0.4 ? 0.0 : 2.0 * shareOf(random);
    model.grid.densityPerM.push_back(static_cast<float>(density));
  }
  model.leafSizeM = leafSizeM;
  return model;
}

// By steps of a tenth of a millimetre in the frame of the model.
double depthAlong(const VoxelGrid& grid, Vec3d fromM, Vec3d unit, double lengthM) {
  constexpr double stepM = 1e-4;
  double depth = 0.0;
  for (double atM = 0.5 * stepM; atM < lengthM; atM += stepM) {
    const Vec3d placeM = fromM + unit * atM - grid.space.minM;
    const std::array<double, 3> at{placeM.x / grid.space.voxelM[0], placeM.y / grid.space.voxelM[1],
                                   placeM.z / grid.space.voxelM[2]};
    std::array<std::uint32_t, 3> voxel{};
    bool isInside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      isInside &= at[axis] >= 0.0 && at[axis] < grid.space.split[axis];
      if (isInside) voxel[axis] = static_cast<std::uint32_t>(at[axis]);
    }
    if (!isInside) continue;
    depth += 0.5 * stepM * static_cast<double>(grid.densityPerM[grid.space.indexOf(voxel)]);
  }
  return depth;
}

}  // namespace

TEST_CASE("what passes a line through voxels follows the densities on it, however it is placed") {
  const VoxelModel model = randomVoxels({8, 10, 4}, 0.05);
  const Placement placement{{30.0, -4.0, 1.0}, rotationAbout({0.1, 0.3, 0.95}, 1.1), 1.7};
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.voxels(model), placement.positionM, placement.rotation, placement.scale);
  const auto built = maker.build();
  const LearnedDraws draws(built->scene(), 1, 0);
  std::mt19937 random(6);
  std::size_t lines = 0;
  for (int line = 0; line < 12; ++line) {
    const auto uniform = [&](double from, double to) {
      return from + (to - from) * shareOf(random);
    };
    // From outside or inside to anywhere, in the frame of the model.
    const Vec3d fromM{uniform(-4, 3), uniform(-3, 3), uniform(-1, 4)};
    const Vec3d toM{uniform(-2, 2), uniform(-1.5, 1.5), uniform(0.5, 3.3)};
    const Vec3d unit = normalized(toM - fromM);
    const double lengthM = 9.0;
    const double passing = std::exp(-depthAlong(model.grid, fromM, unit, lengthM));
    PathRay ray{toFloat(worldFromModel(placement, fromM)),
                toFloat(rotate(placement.rotation, unit))};
    ray.draws = &draws;
    constexpr int pulses = 4000;
    int passed = 0;
    for (ray.pulse = 0; ray.pulse < pulses; ++ray.pulse) {
      const FacetHit hit =
          built->sources().nearest(ray, 0.0F, static_cast<float>(lengthM * placement.scale));
      passed += hit.isHit ? 0 : 1;
      if (!hit.isHit) continue;
      REQUIRE(hit.primitive < model.grid.densityPerM.size());
      REQUIRE(model.grid.densityPerM[hit.primitive] > 0.0F);
    }
    lines += passing < 0.9 ? 1 : 0;
    const double share = static_cast<double>(passed) / pulses;
    CHECK(std::abs(share - passing) < 4.0 * std::sqrt(passing * (1.0 - passing) / pulses) + 2e-3);
  }
  CHECK(lines > 6);
}

TEST_CASE("a scan of voxels has the same bytes on both paths and any number of threads") {
  const auto sceneOf = [](std::size_t threads) {
    SceneMaker maker;
    const auto grey = maker.material(0.6F);
    maker.place(maker.model(wallMesh(6.0F, 4, grey)), {15.0, 0.0, 0.0});
    maker.place(maker.voxels(randomVoxels({8, 10, 4}, 0.02)), {10.0, 0.0, -2.0});
    return maker.build(testDevice(threads));
  };
  ScanJob job = standingJob(fastBeam(0.01, 0.2), {}, 0.5);
  const auto built = sceneOf(2);
  const ScanTable fast = scanAll(*built, job);
  CHECK(scanAll(*sceneOf(1), job).bytes == fast.bytes);
  job.alwaysFollowsPaths = true;
  CHECK(scanAll(*built, job).bytes == fast.bytes);
  std::size_t leaves = 0;
  for (std::size_t row = 0; row < fast.rows; ++row) {
    leaves += fast.at<std::uint32_t>(ReturnColumn::objectId, row) == 2 ? 1 : 0;
  }
  CHECK(leaves > 1000);
  CHECK(leaves < fast.rows);
}

TEST_CASE("what a ray meets in voxels does not depend on the rays beside it") {
  // Most of the voxels are empty.
  VoxelModel model = randomVoxels({9, 7, 150}, 0.05);
  for (float& density : model.grid.densityPerM) density = std::max(0.0F, 2.0F * density - 1.5F);
  const Placement placement{{3.0, 20.0, -10.0}, rotationAbout({0.6, 0.0, 0.8}, 0.5), 0.5};
  const Boundsf box = worldBounds(placement, model.grid.space.bounds());
  const Vec3f middleM = (box.min + box.max) * 0.5F;
  // One instance is asked directly, several through the tree.
  for (const int copies : {1, 3}) {
    SceneMaker maker;
    maker.material(0.5F);
    const auto voxels = maker.voxels(model);
    for (int copy = 0; copy < copies; ++copy) {
      maker.place(voxels, placement.positionM + Vec3d{1.0, 0.5, 0.0} * copy, placement.rotation,
                  placement.scale);
    }
    const auto built = maker.build();
    const VoxelScene& source = built->voxels();
    const LearnedDraws draws(built->scene(), 1, 0);
    std::mt19937 random(8);
    const auto around = [&](Vec3f placeM, double sizeM) {
      const auto uniform = [&] { return sizeM * (2.0 * shareOf(random) - 1.0); };
      return placeM + toFloat({uniform(), uniform(), uniform()});
    };
    std::array<std::size_t, 3> met{};
    for (int packet = 0; packet < 1500; ++packet) {
      // Rays of a pulse, rays voxels apart, rays from anywhere to anywhere.
      const auto kind = static_cast<std::size_t>(packet % 3);
      const double apartM = std::array{0.05, 1.5, 20.0}[kind];
      const Vec3f fromM = around(middleM, packet % 2 == 0 ? 2.0 : 40.0);
      const Vec3f toM = around(middleM, 10.0);
      alignas(64) std::array<std::array<float, 16>, 6> values{};
      alignas(64) std::array<std::uint64_t, 16> pulses{};
      std::vector<PathRay> rays;
      for (std::size_t lane = 0; lane < 16; ++lane) {
        PathRay ray{kind == 2 ? around(fromM, apartM) : fromM, {}};
        ray.direction = normalized(around(toM, apartM) - ray.originM);
        ray.pulse = static_cast<std::uint64_t>(packet) * 16 + lane / 9;
        ray.draws = &draws;
        const auto& [origin, direction] = std::pair{ray.originM, ray.direction};
        const std::array own{origin.x, origin.y, origin.z, direction.x, direction.y, direction.z};
        for (std::size_t axis = 0; axis < 6; ++axis) values[axis][lane] = own[axis];
        pulses[lane] = ray.pulse;
        rays.push_back(ray);
      }
      RayLanes lanes{values[0].data(), values[1].data(), values[2].data(),
                     values[3].data(), values[4].data(), values[5].data()};
      lanes.pulse = pulses.data();
      lanes.draws = &draws;
      const auto expectAlone = [&](auto hits) {
        constexpr std::size_t width = std::tuple_size_v<decltype(hits.rangeM)>;
        hits.rangeM.fill(1000.0F);
        source.nearest(lanes, width, hits);
        for (std::size_t lane = 0; lane < width; ++lane) {
          const float fromRangeM = minHitM(rays[lane].originM);
          const FacetHit alone = source.nearest(rays[lane], fromRangeM, 1000.0F);
          const FacetHit own = hits.at(lane);
          REQUIRE(own.isHit == alone.isHit);
          if (!own.isHit) continue;
          ++met[kind];
          REQUIRE(own.rangeM == alone.rangeM);
          REQUIRE(own.instance == alone.instance);
          REQUIRE(own.primitive == alone.primitive);
          REQUIRE(own.facet.x == alone.facet.x);
        }
      };
      expectAlone(PacketHits<4>{});
      if (packetWidth(bestIsa()) >= 8) expectAlone(PacketHits<8>{});
      if (packetWidth(bestIsa()) >= 16) expectAlone(PacketHits<16>{});
    }
    for (const std::size_t hits : met) CHECK(hits > 300);
  }
}

TEST_CASE("instances of one voxel model draw for themselves") {
  SceneMaker maker;
  maker.material(0.5F);
  VoxelModel sparse = randomVoxels({1, 1, 1}, 0.05);
  sparse.grid.space = {{-0.5, -0.5, -0.5}, {1.0, 1.0, 1.0}, {1, 1, 1}};
  sparse.grid.densityPerM = {1.0F};
  const auto model = maker.voxels(sparse);
  for (const double xM : {5.0, 10.0}) maker.place(model, {xM, 0.0, 0.0});
  const auto built = maker.build();
  const LearnedDraws draws(built->scene(), 3, 0);
  constexpr int pulses = 20'000;
  std::array<int, 3> met{};
  PathRay ray{{0.0F, 0.01F, 0.02F}, {1.0F, 0.0F, 0.0F}};
  ray.draws = &draws;
  for (ray.pulse = 0; ray.pulse < pulses; ++ray.pulse) {
    const FacetHit hit = built->sources().nearest(ray, 0.0F, 50.0F);
    ++met[hit.isHit ? hit.instance : 2];
  }
  // One metre of spherical leaves each: exp(-0.5) passes, exp(-1) both.
  const double passing = std::exp(-1.0);
  const double share = static_cast<double>(met[2]) / pulses;
  CHECK(std::abs(share - passing) < 4.0 * std::sqrt(passing * (1.0 - passing) / pulses));
  CHECK(met[1] > 0);
}

TEST_CASE(
    "a voxel of n leaves lets (1 - G a / A)^n of the rays along an edge pass, not exp(-G n a / A)") {
  // Discs of 1 m in a voxel of 1 m; spherical: G is a half.
  constexpr double areaM2 = 0.25 * piRad;
  for (const int leaves : {1, 2, 3}) {
    SceneMaker maker;
    maker.material(0.5F);
    VoxelModel model;
    model.grid.space = {{-0.5, -0.5, -0.5}, {1.0, 1.0, 1.0}, {1, 1, 1}};
    model.grid.densityPerM = {static_cast<float>(leaves * areaM2)};
    model.leafSizeM = 1.0;
    maker.place(maker.voxels(model), {5.0, 0.0, 0.0});
    const auto built = maker.build();
    const LearnedDraws draws(built->scene(), 5, 0);
    constexpr int pulses = 20'000;
    int passed = 0;
    PathRay ray{{0.0F, 0.1F, 0.2F}, {1.0F, 0.0F, 0.0F}};
    ray.draws = &draws;
    for (ray.pulse = 0; ray.pulse < pulses; ++ray.pulse) {
      passed += built->sources().nearest(ray, 0.0F, 50.0F).isHit ? 0 : 1;
    }
    const double passing = std::pow(1.0 - 0.5 * areaM2, leaves);
    const double share = static_cast<double>(passed) / pulses;
    const double error = std::sqrt(passing * (1.0 - passing) / pulses);
    CHECK(std::abs(share - passing) < 4.0 * error + 1e-3);
    CHECK(std::abs(share - std::exp(-0.5 * leaves * areaM2)) > 8.0 * error);
  }
}

TEST_CASE("what a ray meets in voxels does not depend on where it is asked from") {
  const VoxelModel model = randomVoxels({8, 10, 4}, 0.05);
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.voxels(model), {});
  const auto built = maker.build();
  const LearnedDraws draws(built->scene(), 1, 0);
  // From inside of the grid.
  PathRay ray{{-1.1F, -1.2F, 0.9F}, normalized(Vec3f{0.7F, 0.5F, 0.2F})};
  ray.draws = &draws;
  std::size_t met = 0;
  for (ray.pulse = 0; ray.pulse < 2000; ++ray.pulse) {
    const FacetHit hit = built->sources().nearest(ray, 1e-5F, 50.0F);
    if (!hit.isHit) continue;
    ++met;
    const FacetHit again = built->sources().nearest(ray, 0.7F * hit.rangeM, 50.0F);
    REQUIRE(again.isHit);
    CHECK(again.rangeM == hit.rangeM);
    CHECK(again.primitive == hit.primitive);
    const FacetHit behind = built->sources().nearest(ray, 1.001F * hit.rangeM, 50.0F);
    CHECK((!behind.isHit || behind.rangeM > hit.rangeM));
  }
  CHECK(met > 500);
}

TEST_CASE("rays of a pulse from inside of voxels share leaves that they pass close to each other") {
  VoxelModel dense = randomVoxels({1, 1, 1}, 0.05);
  dense.grid.space = {{-5.0, -5.0, -5.0}, {10.0, 10.0, 10.0}, {1, 1, 1}};
  dense.grid.densityPerM = {1.0F};
  SceneMaker maker;
  maker.material(0.5F);
  maker.place(maker.voxels(dense), {});
  const auto built = maker.build();
  const LearnedDraws draws(built->scene(), 1, 0);
  const auto rangeOf = [&](std::uint64_t pulse, float asideM) {
    PathRay ray{{-4.0F, 0.02F + asideM, 0.02F}, {1.0F, 0.0F, 0.0F}};
    ray.draws = &draws;
    ray.pulse = pulse;
    const FacetHit hit = built->sources().nearest(ray, 1e-5F, 50.0F);
    return hit.isHit ? hit.rangeM : 0.0F;
  };
  std::size_t same = 0;
  std::size_t apart = 0;
  for (std::uint64_t pulse = 0; pulse < 500; ++pulse) {
    same += rangeOf(pulse, 0.0F) == rangeOf(pulse, 0.01F) ? 1 : 0;
    apart += rangeOf(pulse, 0.0F) != rangeOf(pulse, 0.1F) ? 1 : 0;
  }
  // Squares of the mean area of a spherical leaf, half a disc of 5 cm, part rays 1 cm apart by their sides.
  const double parted = 0.01 / std::sqrt(0.5 * 0.25 * piRad * 0.05 * 0.05);
  CHECK(std::abs(static_cast<double>(same) / 500.0 - (1.0 - parted)) <
        4.0 * std::sqrt(parted * (1.0 - parted) / 500.0));
  CHECK(apart > 450);
}
