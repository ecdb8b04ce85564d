// Frames that wait in the worker: each is removed once, with all older ones, and only by the process that stored it.
#include <doctest/doctest.h>

#include "scanWorker/storedFrames.h"

#include "contract/contract.h"

using namespace understory;

namespace {

std::vector<std::byte> frameOf(int value) { return {3, static_cast<std::byte>(value)}; }

}  // namespace

TEST_CASE("a stored frame is removed once, with all older ones") {
  StoredFrames frames;
  const std::uint64_t first = frames.store(frameOf(1));
  const std::uint64_t second = frames.store(frameOf(2));
  const std::uint64_t third = frames.store(frameOf(3));
  CHECK(frames.remove(second) == frameOf(2));
  CHECK(frames.remove(second).empty());
  CHECK(frames.remove(first).empty());
  CHECK(frames.remove(third) == frameOf(3));
  const std::uint64_t fourth = frames.store(frameOf(4));
  frames.clear();
  CHECK(frames.remove(fourth).empty());
}

TEST_CASE("the oldest stored frame is dropped where there are too many") {
  StoredFrames frames;
  const std::uint64_t oldest = frames.store(frameOf(1));
  const std::uint64_t next = frames.store(frameOf(2));
  for (std::size_t more = 1; more < bounds::maxStoredFrames; ++more) frames.store(frameOf(3));
  CHECK(frames.remove(oldest).empty());
  CHECK(frames.remove(next) == frameOf(2));
}

TEST_CASE("a worker that is started again has other numbers than the one before") {
  StoredFrames before;
  StoredFrames after;
  const std::uint64_t lost = before.store(frameOf(1));
  CHECK(after.store(frameOf(2)) != lost);
  CHECK(after.remove(lost).empty());
}
