// The rays of a scan: the same on any number of threads and in any chunks, and what its returns are made of.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "jobs/rayScan.h"
#include "test/native/support/drives.h"

using namespace understory;
using doctest::Approx;

namespace {

RayRows raysOf(const TracedScene& scene, const ScanJob& job) {
  RayRows all;
  RaySink sink;
  sink.takeChunk = [&](const RayRows& chunk) {
    forEachColumnOfRayRows(
        [](auto, auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); },
        all, chunk);
  };
  scanRays(scene, job, sink);
  return all;
}

bool areSameBytes(const RayRows& a, const RayRows& b) {
  bool isSame = true;
  forEachColumnOfRayRows(
      [&](auto, const auto& left, const auto& right) {
        const auto bytesOf = [](const auto& column) { return std::as_bytes(std::span(column)); };
        isSame &= std::ranges::equal(bytesOf(left), bytesOf(right));
      },
      a, b);
  return isSame;
}

// Sums over the rays of one return.
struct Sum {
  double range = 0.0;
  double power = 0.0;
};

}  // namespace

TEST_CASE("rays are the same bytes on any number of threads, in any chunks and intervals") {
  const auto two = meadowWithMirrors(2);
  const ScanJob whole = roughDrive(3'000'001, 8'000'000);
  const RayRows rays = raysOf(*two, whole);
  CHECK(rays.size() > 20'000);
  ScanJob odd = whole;
  odd.chunkPulses = 97;
  CHECK(areSameBytes(raysOf(*two, odd), rays));
  CHECK(areSameBytes(raysOf(*meadowWithMirrors(1), whole), rays));
  RayRows joined = raysOf(*two, roughDrive(3'000'001, 5'123'457));
  const RayRows rest = raysOf(*two, roughDrive(5'123'457, 8'000'000));
  forEachColumnOfRayRows(
      [](auto, auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); },
      joined, rest);
  CHECK(areSameBytes(joined, rays));
}

TEST_CASE("every ray of every pulse has a row, whether it met anything or not") {
  const auto scene = meadowWithMirrors(2);
  ScanJob job = roughDrive(3'000'001, 8'000'000);
  const RayRows rays = raysOf(*scene, job);
  job.withMisses = false;
  CHECK(areSameBytes(raysOf(*scene, job), rays));
  std::map<std::uint64_t, double> weights;
  std::size_t misses = 0;
  for (std::size_t row = 0; row < rays.size(); ++row) {
    // A further hit of a ray is no further ray.
    if (rays.hitNo[row] > 1) continue;
    weights[rays.pulse[row]] += static_cast<double>(rays.weight[row]);
    misses += rays.hitNo[row] == 0 ? 1 : 0;
  }
  CHECK(misses > 1'000);
  for (const auto& [pulse, weight] : weights) REQUIRE(std::abs(weight - 1.0) < 1e-6);
}

// Echoes of several rays, behind leaves and mirrors, a tenth of them lost: power and clean range of every return are
// those of the rays that say they went into it.
TEST_CASE("rays add up to the returns that were reported") {
  const auto scene = meadowWithMirrors(2);
  const ScanJob job = roughDrive(3'000'001, 8'000'000);
  const RayRows rays = raysOf(*scene, job);
  std::map<std::pair<std::uint64_t, std::uint8_t>, Sum> sums;
  std::map<std::uint64_t, double> energy;
  for (std::size_t row = 0; row < rays.size(); ++row) {
    const double ends =
        static_cast<double>(rays.weight[row]) * static_cast<double>(rays.share[row]);
    energy[rays.pulse[row]] += ends;
    if (rays.returnNo[row] == 0) continue;
    Sum& sum = sums[{rays.pulse[row], rays.returnNo[row]}];
    // By the radar equation intensities are signals: of ranges the mean is by them.
    const double power =
        static_cast<double>(rays.weight[row]) * static_cast<double>(rays.intensity[row]);
    sum.range += power * static_cast<double>(rays.rangeM[row]);
    sum.power += power;
  }
  // Seven weights and shares in single precision.
  for (const auto& [pulse, share] : energy) REQUIRE(share <= 1.0 + 1e-6);

  const ScanTable returns = scanAll(*scene, job);
  std::size_t compared = 0;
  for (std::size_t row = 0; row < returns.rows; ++row) {
    const auto number = returns.at<std::uint8_t>(ReturnColumn::returnNo, row);
    if (number == 0) continue;
    const Sum& sum = sums.at({returns.at<std::uint64_t>(ReturnColumn::pulse, row), number});
    REQUIRE(returns.real(ReturnColumn::rangeCleanM, row) ==
            Approx(sum.range / sum.power).epsilon(1e-6));
    REQUIRE(returns.real(ReturnColumn::intensity, row) == Approx(sum.power).epsilon(1e-6));
    ++compared;
  }
  CHECK(compared == sums.size());
  CHECK(compared > 2'000);
}
