// Identity: chunks, threads and cuts of the interval never change a byte of a scan through grass.
#include <doctest/doctest.h>

#include <map>

#include "core/returns/detection.h"
#include "rows/scanColumns.h"
#include "test/native/support/drives.h"

using namespace understory;

namespace {

// The rows of a pulse as the sensor and the truth have them.
struct PulseRows {
  std::vector<float> rangesM;
  std::vector<float> intensities;
  std::vector<std::uint32_t> objects;
};

// The columns for which nothing is computed that few ask for: what the kernels of groups fill.
std::vector<ReturnColumn> usualColumns(const std::vector<ReturnColumn>& all) {
  std::vector<ReturnColumn> columns;
  for (const ReturnColumn column : all) {
    if (!needsShapes(std::span(&column, 1))) columns.push_back(column);
  }
  return columns;
}

std::map<std::uint64_t, PulseRows> rowsByPulse(const ScanTable& table) {
  std::map<std::uint64_t, PulseRows> pulses;
  for (std::size_t row = 0; row < table.rows; ++row) {
    PulseRows& pulse = pulses[table.at<std::uint64_t>(ReturnColumn::pulse, row)];
    pulse.rangesM.push_back(table.at<float>(ReturnColumn::rangeM, row));
    pulse.intensities.push_back(table.at<float>(ReturnColumn::intensity, row));
    pulse.objects.push_back(table.at<std::uint32_t>(ReturnColumn::objectId, row));
  }
  return pulses;
}

bool isClose(const std::vector<float>& a, const std::vector<float>& b, float share) {
  if (a.size() != b.size()) return false;
  for (std::size_t index = 0; index < a.size(); ++index) {
    if (std::isnan(a[index]) && std::isnan(b[index])) continue;
    if (!(std::abs(a[index] - b[index]) <= share * std::abs(b[index]))) return false;
  }
  return true;
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
  for (const std::int64_t toNs :
       {3'000'001LL, 17'123'457LL, 17'155'000LL, 50'000'000LL, 90'000'000LL}) {
    const ScanTable part = scanAll(*two, drive(fromNs, toNs));
    for (std::size_t column = 0; column < joined.size(); ++column) {
      joined[column].insert(joined[column].end(), part.bytes[column].begin(),
                            part.bytes[column].end());
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

TEST_CASE("chunks, threads and cuts change nothing where everything is random and mirrored") {
  const auto two = meadowWithMirrors(2);
  const ScanTable whole = scanAll(*two, roughDrive(3'000'001, 40'000'000));
  std::size_t virtualPoints = 0;
  for (std::size_t row = 0; row < whole.rows; ++row) {
    virtualPoints += whole.at<std::uint8_t>(ReturnColumn::mirrors, row) > 0 ? 1 : 0;
  }
  CHECK(virtualPoints > 100);
  CHECK(whole.totals.returns > 20'000);

  ScanJob odd = roughDrive(3'000'001, 40'000'000);
  odd.chunkPulses = 977;
  CHECK(scanAll(*two, odd).bytes == whole.bytes);
  CHECK(scanAll(*meadowWithMirrors(1), roughDrive(3'000'001, 40'000'000)).bytes == whole.bytes);

  std::vector<std::vector<std::byte>> joined(whole.bytes.size());
  std::int64_t fromNs = 3'000'001;
  for (const std::int64_t toNs : {3'000'001LL, 17'123'457LL, 17'155'000LL, 40'000'000LL}) {
    const ScanTable part = scanAll(*two, roughDrive(fromNs, toNs));
    for (std::size_t column = 0; column < joined.size(); ++column) {
      joined[column].insert(joined[column].end(), part.bytes[column].begin(),
                            part.bytes[column].end());
    }
    fromNs = toNs;
  }
  CHECK(joined == whole.bytes);

  ScanJob other = roughDrive(3'000'001, 40'000'000);
  other.seed = 12;
  CHECK(scanAll(*two, other).totals.hash != whole.totals.hash);
}

// Whatever is lost, separated or attenuated: every column of every row.
TEST_CASE("nine rays of a receiver with limits return bit for bit what the general path returns") {
  const auto scene = meadow(2);
  std::size_t rows = 0;
  for (const ReturnMode mode :
       {ReturnMode::strongest, ReturnMode::last, ReturnMode::first, ReturnMode::closest,
        ReturnMode::strongestAndLast, ReturnMode::all}) {
    for (const double resolutionM : {0.0, 1.0}) {
      if (hasSeveralReturns(mode) && resolutionM == 0.0) continue;
      for (const double rangeM : {0.0, 12.0}) {
        for (const bool isWindowed : {false, true}) {
          ScanJob job = drive(0, 4'000'000);
          job.sensor.returns.mode = mode;
          job.sensor.returns.window = isWindowed;
          job.sensor.returns.rangeResolutionM = resolutionM;
          if (rangeM > 0.0) job.sensor.returns.detection = DetectionRecipe{0.3, rangeM, 0.5, 0.01};
          if (rangeM == 0.0 && resolutionM == 0.0) continue;
          const ScanTable withShapes = scanAll(*scene, job);
          job.alwaysFollowsPaths = true;
          CHECK(scanAll(*scene, job).bytes == withShapes.bytes);
          job.columns = usualColumns(job.columns);
          const ScanTable general = scanAll(*scene, job);
          job.alwaysFollowsPaths = false;
          const ScanTable fast = scanAll(*scene, job);
          CAPTURE(static_cast<int>(mode));
          CAPTURE(resolutionM);
          CAPTURE(rangeM);
          CAPTURE(isWindowed);
          CHECK(fast.bytes == general.bytes);
          CHECK(fast.totals.hits == general.totals.hits);
          rows += fast.rows;
        }
      }
    }
  }
  CHECK(rows > 50'000);
}

// Both paths ask Embree for the same rays in the same packets: not one pulse may differ.
TEST_CASE("the shortcut for nine rays returns what the general path returns") {
  const auto scene = meadow(2);
  struct Way {
    ReturnMode mode;
    bool isWindowed;
  };
  for (const Way way : {Way{ReturnMode::strongest, false}, Way{ReturnMode::strongest, true},
                        Way{ReturnMode::last, false}, Way{ReturnMode::last, true},
                        Way{ReturnMode::first, false}, Way{ReturnMode::closest, false}}) {
    ScanJob job = drive(0, 20'000'000);
    job.columns = usualColumns(job.columns);
    job.sensor.returns.rangeResolutionM = 0.0;
    job.sensor.returns.mode = way.mode;
    job.sensor.returns.window = way.isWindowed;
    const auto plain = rowsByPulse(scanAll(*scene, job));
    job.alwaysFollowsPaths = true;
    const auto general = rowsByPulse(scanAll(*scene, job));
    REQUIRE(plain.size() == general.size());
    std::size_t differing = 0;
    for (const auto& [pulse, rows] : plain) {
      const PulseRows& other = general.at(pulse);
      // Means of nine terms are summed in another order.
      const bool isSame = isClose(rows.rangesM, other.rangesM, 1e-6F) &&
                          isClose(rows.intensities, other.intensities, 1e-5F) &&
                          rows.objects == other.objects;
      differing += isSame ? 0 : 1;
    }
    CAPTURE(static_cast<int>(way.mode));
    CAPTURE(way.isWindowed);
    CHECK(differing == 0);
  }
}
