// One job at a time.
#include "ranks/otherRank.h"

#include <optional>
#include <string>
#include <utility>

#include "jobs/scanBatches.h"
#include "jobs/threads.h"

namespace understory {
namespace {

Frame frameIn(std::span<const std::byte> bytes) {
  std::optional<Frame> frame;
  FrameReader reader;
  reader.push(bytes, [&](Frame&& read) { frame = std::move(read); });
  if (!frame) throw UnderstoryError(ErrorCode::protocol, "rank 0 passed on no whole call");
  return std::move(*frame);
}

}  // namespace

void RankJob::traceBatches(const TracedScene& scene, const ScanJob& job) {
  const RowConsumer nowhere = [](const RowChunk&) {};
  const ScanBatches batches(scene, job, nowhere, Watch{});
  std::vector<BatchThread> threads = batches.threads(scene.threads());
  {
    const std::lock_guard lock(mutex_);
    sums_ = batches.threads(1).front().sums;
  }
  onThreads(threads.size(), [&](std::size_t thread) {
    BatchThread& mine = threads[thread];
    BatchYield yield;
    for (;;) {
      std::uint64_t number = 0;
      {
        std::unique_lock lock(mutex_);
        ++idleThreads_;
        changed_.wait(lock, [&] { return isCancelled_ || isEnded_ || !pieces_.empty(); });
        --idleThreads_;
        if (isCancelled_ || pieces_.empty()) return;
        number = pieces_.front();
        pieces_.pop_front();
      }
      batches.work(number, yield, mine);
      const std::lock_guard lock(mutex_);
      if (yields_.empty()) appendValue(yields_, number_);
      appendValue(yields_, number);
      appendYield(yields_, yield);
      if (pieces_.size() < threads.size()) {
        isUrgent_ = true;
        urgent_.notify_one();
      }
    }
  });
  const std::lock_guard lock(mutex_);
  for (const BatchThread& mine : threads) sums_.add(mine.sums);
}

void RankJob::addPieces(ByteReader& from) {
  const std::lock_guard lock(mutex_);
  while (!from.isAtEnd()) pieces_.push_back(from.value<std::uint64_t>());
  changed_.notify_all();
}

void RankJob::endPieces() {
  const std::lock_guard lock(mutex_);
  isEnded_ = true;
  changed_.notify_all();
}

void RankJob::cancel() {
  const std::lock_guard lock(mutex_);
  isCancelled_ = true;
  if (onCancel_) onCancel_();
  changed_.notify_all();
}

void RankJob::whenCancelled(std::function<void()> onCancel) {
  const std::lock_guard lock(mutex_);
  onCancel_ = std::move(onCancel);
  if (isCancelled_ && onCancel_) onCancel_();
}

Bytes RankJob::takeYields(RankLink& link) {
  const std::lock_guard lock(mutex_);
  isUrgent_ = false;
  return yields_.empty() ? Bytes{} : std::exchange(yields_, link.spare());
}

void RankJob::rest(std::chrono::microseconds longest) {
  std::unique_lock lock(mutex_);
  urgent_.wait_for(lock, idleThreads_ > 0 ? idleThreadsPause : longest, [&] { return isUrgent_; });
}

void RankJob::finish(const nlohmann::json& error) {
  const std::lock_guard lock(mutex_);
  isUrgent_ = true;
  urgent_.notify_one();
  end_ = messageOf(number_);
  appendValue(end_, static_cast<std::uint8_t>(error.is_null() ? 0 : 1));
  if (error.is_null()) return appendSums(end_, sums_);
  const std::string text = error.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  const std::span<const std::byte> raw = std::as_bytes(std::span(text));
  end_.insert(end_.end(), raw.begin(), raw.end());
}

Bytes RankJob::takeEnd() {
  const std::lock_guard lock(mutex_);
  return yields_.empty() ? std::move(end_) : Bytes{};
}

void serveRankZero(RankLink& link, const RankHandler& handler,
                   const std::function<nlohmann::json(const std::exception&)>& describe) {
  std::shared_ptr<RankJob> job;
  std::thread working;
  bool isStopped = false;
  auto lastSent = std::chrono::steady_clock::now();
  const auto take = [&](int, RankMessage kind, std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    const auto number = from.value<std::uint64_t>();
    if (kind == RankMessage::stop) {
      isStopped = true;
    } else if (kind == RankMessage::request) {
      // Why joined: a job has ended before rank 0 begins the next.
      if (working.joinable()) working.join();
      job = std::make_shared<RankJob>(number, frameIn(from.rest()));
      working = std::thread([job, &handler, &describe] {
        nlohmann::json error;
        try {
          handler(*job);
        } catch (const std::exception& thrown) {
          error = describe(thrown);
        }
        job->finish(error);
      });
    } else if (job && job->number() == number) {
      if (kind == RankMessage::pieces) job->addPieces(from);
      if (kind == RankMessage::noMore) job->endPieces();
      if (kind == RankMessage::cancel) job->cancel();
    }
  };
  while (!isStopped) {
    bool hasDone = link.poll(take);
    const auto now = std::chrono::steady_clock::now();
    const auto sendOn = [&](RankMessage kind, Bytes bytes) {
      if (bytes.empty()) return;
      link.send(0, kind, std::move(bytes));
      lastSent = now;
      hasDone = true;
    };
    if (job) {
      sendOn(RankMessage::yields, job->takeYields(link));
      Bytes end = job->takeEnd();
      const bool isOver = !end.empty();
      sendOn(RankMessage::done, std::move(end));
      if (isOver) job.reset();
    }
    if (job && now - lastSent > lifeInterval) sendOn(RankMessage::life, messageOf(job->number()));
    if (hasDone) continue;
    const auto pause = link.isUnderWay() ? underWayPause : rankPause;
    if (job) {
      job->rest(pause);
    } else {
      std::this_thread::sleep_for(pause);
    }
  }
  // Why not joined: a job under way is of no use any more.
  if (working.joinable()) working.detach();
}

}  // namespace understory
