// The threading pattern of jobs: order, bounded memory, and an end to every wait whatever is thrown where.
#include "jobs/inOrder.h"

#include <doctest/doctest.h>

#include <atomic>
#include <new>
#include <stdexcept>
#include <utility>
#include <vector>

using namespace understory;

namespace {

constexpr std::uint64_t count = 3000;
constexpr std::size_t width = 8;

struct ThreadSum {
  std::uint64_t value = 0;
};

}  // namespace

TEST_CASE(
    "results are consumed in order, at most the width ahead, and each thread has its own local") {
  const std::vector<std::pair<std::size_t, std::uint64_t>> cases{{1, 1}, {2, 1}, {5, 1},
                                                                 {1, 3}, {2, 3}, {5, 100}};
  for (const auto& [threads, together] : cases) {
    std::vector<ThreadSum> sums(threads);
    std::atomic<std::uint64_t> consumed{0};
    std::atomic<std::uint64_t> tooFarAhead{0};
    std::uint64_t expected = 0;
    std::uint64_t outOfOrder = 0;
    std::atomic<int> timesAllClaimed{0};
    inOrder<std::uint64_t>(
        count, width, {}, sums,
        [&](std::uint64_t number, std::uint64_t& result, ThreadSum& sum) {
          if (number >= consumed.load() + width) ++tooFarAhead;
          sum.value += number;
          result = 3 * number;
        },
        [&](const std::uint64_t& result) {
          outOfOrder += result == 3 * expected ? 0 : 1;
          ++expected;
          ++consumed;
        },
        {{}, [&] { ++timesAllClaimed; }, together});
    CHECK(expected == count);
    CHECK(timesAllClaimed.load() == 1);
    CHECK(outOfOrder == 0);
    CHECK(tooFarAhead.load() == 0);
    std::uint64_t total = 0;
    for (const ThreadSum& sum : sums) total += sum.value;
    CHECK(total == count * (count - 1) / 2);
  }
}

TEST_CASE("what the work throws stops the job and is rethrown") {
  for (const std::uint64_t failing : {0U, 5U, 2999U}) {
    std::vector<ThreadSum> locals(3);
    CHECK_THROWS_AS(inOrder<int>(
                        count, width, {}, locals,
                        [&](std::uint64_t number, int&, ThreadSum&) {
                          if (number == failing) throw std::bad_alloc();
                        },
                        [](int) {}),
                    std::bad_alloc);
  }
}

TEST_CASE("what the consumer throws stops the job and is rethrown") {
  std::vector<ThreadSum> locals(3);
  std::uint64_t consumed = 0;
  CHECK_THROWS_AS(inOrder<int>(
                      count, width, {}, locals, [](std::uint64_t, int&, ThreadSum&) {},
                      [&](int) {
                        if (++consumed == 7) throw std::runtime_error("full");
                      }),
                  std::runtime_error);
  CHECK(consumed == 7);
}

TEST_CASE("a job that is cancelled ends as cancelled") {
  std::vector<ThreadSum> locals(3);
  std::atomic<bool> isCancelled{false};
  Watch watch;
  watch.isCancelled = &isCancelled;
  std::uint64_t consumed = 0;
  CHECK_THROWS_WITH_AS(inOrder<int>(
                           count, width, watch, locals, [](std::uint64_t, int&, ThreadSum&) {},
                           [&](int) {
                             if (++consumed == 7) isCancelled = true;
                           }),
                       "the work was cancelled", UnderstoryError);
  CHECK(consumed < count);
}

TEST_CASE("a job without work ends") {
  std::vector<ThreadSum> locals(2);
  inOrder<int>(
      0, width, {}, locals, [](std::uint64_t, int&, ThreadSum&) { FAIL("no work"); },
      [](int) { FAIL("no result"); });
}
