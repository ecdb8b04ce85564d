// The native reader of logs: the golden file, and the refusal of every truncation and of changed bytes.
#include "core/log/logReader.h"

#include <doctest/doctest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/error.h"

using namespace understory;

namespace {

const std::string goldenLogFile =
    std::string(UNDERSTORY_TEST_FOLDER) + "/recordings/log/golden.log";

const std::string damagedLogs = std::string(UNDERSTORY_TEST_FOLDER) + "/recordings/log/damaged";

std::string bytesOfGoldenLog() {
  std::ifstream file(goldenLogFile, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

LogReader logOf(const std::string& bytes) {
  return LogReader(
      [bytes](std::uint64_t offset, std::span<std::byte> into) {
        REQUIRE(offset + into.size() <= bytes.size());
        std::memcpy(into.data(), bytes.data() + offset, into.size());
      },
      bytes.size(), "a.log");
}

// Reads all beams. Returns whether the log was accepted; anything but a refusal is a failure.
bool isRead(const std::string& bytes) {
  try {
    readBeams({logOf(bytes)}, 1000, {});
    return true;
  } catch (const UnderstoryError& error) {
    CHECK(error.code == ErrorCode::corrupt);
    CHECK(std::string(error.what()).starts_with("a.log, byte "));
    return false;
  }
}

}  // namespace

TEST_CASE("the golden log is read as LOG.md describes it") {
  const LogReader log = openLog(goldenLogFile);
  CHECK(log.head().originM.x == 500000.0);
  CHECK(log.head().crs == "EPSG:32632");
  CHECK(log.head().sensor == "three lasers");
  CHECK(log.head().maxRangeM == 100.0);
  CHECK(log.head().intensityOfWhite == 255.0);
  CHECK(log.head().classes == std::vector<std::string>{"ground", "tree"});
  CHECK(log.head().knowsMisses);
  CHECK(log.counts().beams == 5);
  CHECK(log.counts().returns == 2);
  CHECK(log.hash().size() == 64);
  const Beams beams = readBeams({log}, 5, {});
  REQUIRE(beams.size() == 5);
  CHECK(beams.originM[0].x == 12.0F);
  CHECK(beams.originM[4].x == 12.5F);
  CHECK(beams.rangeM[0] == 10.5F);
  CHECK(std::isnan(beams.rangeM[1]));
  CHECK(beams.stateOf(1) == BeamState::miss);
  CHECK(beams.stateOf(2) == BeamState::missInferred);
  CHECK(beams.stateOf(3) == BeamState::unknown);
  CHECK(beams.isMiss(2));
  CHECK(!beams.isMiss(3));
  CHECK(beams.label == std::vector<std::uint8_t>{2, 0, 0, 0, 1});
}

TEST_CASE("two logs are one list of beams, with sweeps of their own") {
  const LogReader log = openLog(goldenLogFile);
  const Beams once = readBeams({log}, 5, {});
  const Beams twice = readBeams({log, log}, 10, {});
  CHECK(twice.size() == 10);
  CHECK(twice.sweep[5] > once.sweep[4]);
  CHECK_THROWS_AS(readBeams({log, log}, 9, {}), UnderstoryError);
}

TEST_CASE("every truncation of a log is refused with its place") {
  const std::string bytes = bytesOfGoldenLog();
  REQUIRE(isRead(bytes));
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    CHECK(!isRead(bytes.substr(0, length)));
  }
}

TEST_CASE("a log with a changed byte is refused or read, and nothing else") {
  const std::string bytes = bytesOfGoldenLog();
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x15);
    isRead(changed);
  }
}

TEST_CASE("every damaged log is refused, as by the host's reader, whatever its SHA-256 says") {
  std::size_t logs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(damagedLogs)) {
    CAPTURE(entry.path().string());
    ++logs;
    try {
      readBeams({openLog(entry.path().string())}, 1000, {});
      FAIL_CHECK("it was read");
    } catch (const UnderstoryError& error) {
      CHECK(error.code == ErrorCode::corrupt);
    }
  }
  CHECK(logs >= 30);
}

TEST_CASE("a log that is not there is 'not-found'") {
  try {
    openLog("/nowhere/a.log");
    FAIL("it was opened");
  } catch (const UnderstoryError& error) {
    CHECK(error.code == ErrorCode::notFound);
  }
}
