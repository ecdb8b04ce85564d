// Identity: chunks, threads and cuts of the interval never change a byte of a scan through grass.
#include <doctest/doctest.h>

#include "core/random/philox.h"
#include "test/native/support/scenes.h"

using namespace understory;

namespace {

// A tuft of thin blades, each one triangle, leaning at random.
Mesh tuftMesh(std::uint64_t seed) {
  Mesh mesh;
  RandomStream random(seed, RandomPurpose::plant, 0);
  for (std::uint32_t blade = 0; blade < 200; ++blade) {
    const Vec3d footM{random.uniform(-0.4, 0.4), random.uniform(-0.4, 0.4), 0.0};
    const double turnRad = random.uniform(0.0, 2.0 * piRad);
    const Vec3d acrossM{0.004 * std::cos(turnRad), 0.004 * std::sin(turnRad), 0.0};
    const Vec3d tipM = footM + Vec3d{random.uniform(-0.2, 0.2), random.uniform(-0.2, 0.2),
                                     random.uniform(0.3, 0.8)};
    for (const Vec3d corner : {footM + acrossM, footM - acrossM, tipM}) {
      mesh.vertices.push_back(toFloat(corner));
    }
    mesh.triangles.push_back({3 * blade, 3 * blade + 1, 3 * blade + 2});
    mesh.materialOfTriangle.push_back(static_cast<std::uint16_t>(blade % 2));
  }
  return mesh;
}

std::unique_ptr<const EmbreeScene> meadow(std::size_t threads) {
  SceneMaker maker;
  maker.material(0.5F);
  maker.material(0.3F);
  const std::uint16_t ground = maker.model(wallMesh(60.0F, 4, 0));
  maker.place(ground, {0.0, 0.0, 0.0}, rotationAbout({0.0, 1.0, 0.0}, -0.5 * piRad));
  const std::uint16_t tuft = maker.model(tuftMesh(3));
  RandomStream random(7, RandomPurpose::scatter, 0);
  for (int copy = 0; copy < 3000; ++copy) {
    const Vec3d placeM{random.uniform(-25.0, 25.0), random.uniform(-25.0, 25.0), 0.0};
    maker.place(tuft, placeM, rotationAbout({0.0, 0.0, 1.0}, random.uniform(0.0, 2.0 * piRad)),
                random.uniform(0.8, 1.2));
  }
  return maker.build(testDevice(threads));
}

ScanJob drive(std::int64_t fromNs, std::int64_t toNs) {
  ScanJob job = standingJob(hdl64e(10.0), {}, 0.0);
  job.sensor.returns.mode = ReturnMode::strongestAndLast;
  job.trajectory = {{0, 100'000'000},
                    {{{0.0, 0.0, 2.0}, {}}, {{0.2, 0.1, 2.0}, rotationAbout({0, 0, 1}, 0.1)}}};
  job.fromNs = fromNs;
  job.toNs = toNs;
  job.withMisses = true;
  return job;
}

}  // namespace

TEST_CASE("chunks, threads and cuts never change a byte") {
  const auto two = meadow(2);
  const ScanTable whole = scanAll(*two, drive(3'000'001, 90'000'000));
  CHECK(whole.totals.rays > 780'000);
  CHECK(whole.totals.hits > whole.totals.rays / 2);
  CHECK(whole.totals.hash.size() == 32);

  ScanJob odd = drive(3'000'001, 90'000'000);
  odd.chunkPulses = 977;
  const ScanTable inPieces = scanAll(*two, odd);
  CHECK(inPieces.chunks > 80);
  CHECK(inPieces.bytes == whole.bytes);
  CHECK(inPieces.totals.hash == whole.totals.hash);
  CHECK(inPieces.totals.returnsOfInstance == whole.totals.returnsOfInstance);

  const auto one = meadow(1);
  const ScanTable alone = scanAll(*one, drive(3'000'001, 90'000'000));
  CHECK(alone.bytes == whole.bytes);
  CHECK(alone.totals.hash == whole.totals.hash);

  // Cut at odd times: inside blocks, not between them.
  std::vector<std::vector<std::byte>> joined(whole.bytes.size());
  std::int64_t fromNs = 3'000'001;
  for (const std::int64_t toNs : {3'000'001LL, 17'123'457LL, 17'155'000LL, 50'000'000LL, 90'000'000LL}) {
    const ScanTable part = scanAll(*two, drive(fromNs, toNs));
    for (std::size_t column = 0; column < joined.size(); ++column) {
      joined[column].insert(joined[column].end(), part.bytes[column].begin(), part.bytes[column].end());
    }
    fromNs = toNs;
  }
  CHECK(joined == whole.bytes);
}

TEST_CASE("the hash tells two scans apart, and follows the columns asked for") {
  const auto scene = meadow(2);
  const ScanJob job = drive(0, 5'000'000);
  const std::string hash = scanAll(*scene, job).totals.hash;
  ScanJob fewer = job;
  fewer.columns.pop_back();
  CHECK(scanAll(*scene, fewer).totals.hash != hash);
  ScanJob moved = job;
  moved.trajectory.poses[0].positionM.x += 1e-3;
  CHECK(scanAll(*scene, moved).totals.hash != hash);
}
