// The side of every rank but rank 0: carries out the calls that rank 0 passes on, and traces the batches that it hands
// out. The main thread sends and receives, another one works.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

#include "jobs/scan.h"
#include "jobs/tracedScene.h"
#include "protocol/frame.h"
#include "ranks/rankLink.h"

namespace understory {

// A call under way on this rank.
class RankJob {
 public:
  RankJob(std::uint64_t number, Frame request) : number_(number), request_(std::move(request)) {}

  std::uint64_t number() const { return number_; }
  const Frame& request() const { return request_; }

  // Called, from the main thread, when the job is cancelled, or at once where it is already; {} ends that.
  void whenCancelled(std::function<void()> onCancel);
  // Traces the batches that rank 0 hands out, until it hands out no more.
  void traceBatches(const TracedScene& scene, const ScanJob& job);

  // For the main thread.
  void addPieces(ByteReader& from);
  void endPieces();
  void cancel();
  // The message to send: at most one of yields at a time. The next is written to a spare vector of the link.
  Bytes takeYields(RankLink& link);
  // Waits; at most so long, and less where a thread has nothing to trace. What is to be sent ends it where few batches
  // wait here or the work has ended.
  void rest(std::chrono::microseconds longest);
  // For the working thread; `error` as on the wire, null: none.
  void finish(const nlohmann::json& error);
  // The last message, once the work has ended and all yields were taken; empty: not yet.
  Bytes takeEnd();

 private:
  std::uint64_t number_;
  Frame request_;
  std::mutex mutex_;
  bool isCancelled_ = false;
  std::function<void()> onCancel_;
  std::condition_variable changed_;
  std::deque<std::uint64_t> pieces_;
  bool isEnded_ = false;   // no further pieces come
  Bytes yields_;           // a message
  bool isUrgent_ = false;  // what is to be sent
  std::condition_variable urgent_;
  std::size_t idleThreads_ = 0;
  BatchSums sums_;
  Bytes end_;
};

// Carries a call out on the working thread.
using RankHandler = std::function<void(RankJob& job)>;

// Serves rank 0 until it stops this rank. `describe`: an exception as on the wire.
void serveRankZero(RankLink& link, const RankHandler& handler,
                   const std::function<nlohmann::json(const std::exception&)>& describe);

}  // namespace understory
