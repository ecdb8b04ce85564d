// Messages between rank 0 and each other rank: the only use of MPI beside the program's start. Guarantees: nothing waits
// inside MPI, which would spin and occupy a core; who waits polls and sleeps.
#pragma once

#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <mutex>
#include <span>

#include "ranks/yieldBytes.h"

namespace understory {

// Message kinds; each message begins with the number of the job that it belongs to, u64.
enum class RankMessage : int {
  request = 1,  // to a rank: the frame of a call
  pieces = 2,   // to a rank: numbers of batches to be traced, u64 each
  noMore = 3,   // to a rank: no further pieces
  cancel = 4,   // to a rank: the job is dropped
  stop = 5,     // to a rank: the program ends
  yields = 6,   // to rank 0: batches with their numbers
  done = 7,     // to rank 0: the job has ended: sums, or an error as text
  life = 8,     // to rank 0: a sign of life
};

// A message of a job, to be appended to.
inline Bytes messageOf(std::uint64_t job) {
  Bytes bytes;
  appendValue(bytes, job);
  return bytes;
}

// Consumes a message, whose bytes are valid until it returns.
using RankTake = std::function<void(int from, RankMessage kind, std::span<const std::byte> bytes)>;

// May be called from any thread.
class RankLink {
 public:
  RankLink();
  RankLink(const RankLink&) = delete;
  RankLink& operator=(const RankLink&) = delete;

  int rank() const { return rank_; }
  int ranks() const { return ranks_; }

  // Returns at once; the bytes are sent by later calls of send and poll.
  void send(int to, RankMessage kind, Bytes bytes);

  // An empty vector for a message; mostly with the memory of one that has left.
  Bytes spare();

  // Takes at most one message that has arrived whole, and sends on. Messages of a rank are taken in their order. Returns
  // whether there was anything to do.
  bool poll(const RankTake& take);

  // Whether a message is being sent or received. Why it matters: where MPI cannot read the memory of the other process,
  // a large one moves by a part with each poll.
  bool isUnderWay();

  // Polls until all that was sent has left; false: it has not within the limit.
  bool flush(std::chrono::milliseconds limit);

 private:
  struct Sending {
    MPI_Request request;
    Bytes bytes;
  };

  struct Receiving {
    MPI_Request request;
    Bytes bytes;  // at least
    std::size_t count;
    int from;
    RankMessage kind;
  };

  bool progressSends();
  bool startReceive();
  // Moves the first message that has arrived whole to `message`.
  bool finishReceive(Receiving& message);

  std::mutex mutex_;
  int rank_ = 0;
  int ranks_ = 1;
  std::list<Sending> sending_;
  std::list<Receiving> receiving_;  // in the order in which they were announced
  // Why saved: new memory of this size costs a fault for each page, more than the copy into it.
  Bytes spareSent_;
  Bytes spareReceived_;
};

// How long a side sleeps that polls and finds nothing to do. Why no shorter: each wake-up costs some 8 µs of a core that
// traces; polls every 100 µs took a tenth of both. Why no longer: twice the sum is less than the work that waits on a
// rank (RankZero::maxHeld).
inline constexpr std::chrono::microseconds rankPause{4000};
inline constexpr std::chrono::microseconds rankZeroPause{2000};
// While a message is under way.
inline constexpr std::chrono::microseconds underWayPause{1000};
// While threads of this side have nothing to trace.
inline constexpr std::chrono::microseconds idleThreadsPause{125};

// A rank at work gives a sign of life this often; one that is silent for longer than the limit is lost.
inline constexpr std::chrono::milliseconds lifeInterval{500};
inline constexpr std::chrono::milliseconds silenceLimit{6000};

}  // namespace understory
