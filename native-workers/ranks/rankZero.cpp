// Rank 0 polls, and sleeps where there is nothing to do.
#include "ranks/rankZero.h"

#include <algorithm>
#include <string>
#include <thread>

namespace understory {
namespace {

// Rays that wait for each thread of a rank, 10 to 30 ms of tracing. Why rays and no measured time: the memory of batches
// follows from them.
constexpr std::uint64_t raysAhead = 1U << 17U;
constexpr std::uint64_t maxBatchesAhead = 512;
constexpr std::chrono::milliseconds stopLimit{1000};

ErrorCode codeOf(const std::string& word) {
  const auto& words = WordsOf<ErrorCode>::words;
  const auto found = std::find(words.begin(), words.end(), word);
  return found == words.end() ? ErrorCode::internal : static_cast<ErrorCode>(found - words.begin());
}

}  // namespace

RankZero::RankZero(RankLink& link, std::size_t threadsPerRank)
    : link_(link),
      threadsPerRank_(threadsPerRank),
      others_(static_cast<std::size_t>(link.ranks() - 1)) {}

void RankZero::begin(const Frame& request) {
  if (lost_) throw *lost_;
  ++job_;
  failure_.reset();
  Bytes bytes = messageOf(job_);
  const std::string head = encodeHead(request.header, request.columns);
  const std::span<const std::byte> headBytes = std::as_bytes(std::span(head));
  bytes.insert(bytes.end(), headBytes.begin(), headBytes.end());
  for (const ColumnView& column : request.columns) {
    bytes.insert(bytes.end(), column.bytes.begin(), column.bytes.end());
    bytes.resize(bytes.size() + paddingTo8(column.bytes.size()));
  }
  for (std::size_t index = 0; index < others(); ++index) {
    others_[index] = {0, true, Clock::now()};
    link_.send(static_cast<int>(index) + 1, RankMessage::request, bytes);
  }
}

void RankZero::end(bool isCancelled) {
  if (lost_) return;
  if (isCancelled) sendToAll(RankMessage::cancel);
  listenFromNow();
  while (isAnyAtWork()) {
    if (!receive(nullptr, nullptr)) std::this_thread::sleep_for(underWayPause);
    throwIfSilent();
  }
  if (failure_) throw *failure_;
}

bool RankZero::stop() {
  if (lost_) return false;
  for (std::size_t index = 0; index < others(); ++index) {
    link_.send(static_cast<int>(index) + 1, RankMessage::stop, messageOf(job_));
  }
  return link_.flush(stopLimit);
}

void RankZero::work(ReorderBuffer<BatchYield>& buffer, BatchSums& sums) {
  bool hasToldEnd = false;
  listenFromNow();
  while (isAnyAtWork()) {
    bool hasDone = handOut(buffer);
    hasDone = receive(&buffer, &sums) || hasDone;
    if (failure_) throw *failure_;
    throwIfSilent();
    if (!hasToldEnd && buffer.unclaimed() == 0) {
      sendToAll(buffer.isStopped() ? RankMessage::cancel : RankMessage::noMore);
      hasToldEnd = true;
    }
    if (hasDone) continue;
    const auto pause = link_.isUnderWay() ? underWayPause : rankZeroPause;
    std::this_thread::sleep_for(hasToldEnd ? idleThreadsPause : pause);
  }
}

// Why twice what they hold: the batches of rank 0 that follow theirs wait for them.
std::size_t RankZero::width(std::uint64_t raysOfBatch) {
  const std::uint64_t rays = std::max<std::uint64_t>(1, raysOfBatch);
  aheadOfThread_ = std::min((raysAhead + rays - 1) / rays, maxBatchesAhead);
  return 2 * threads() * (1 + aheadOfThread_);
}

// Why fewer towards the end: all ranks end at about the same time.
std::size_t RankZero::maxHeld(std::uint64_t unclaimed) const {
  const std::uint64_t halfShare = unclaimed / (2 * (others() + 1));
  return std::clamp<std::size_t>(halfShare, threadsPerRank_ + 1,
                                 threadsPerRank_ * (1 + aheadOfThread_));
}

bool RankZero::handOut(ReorderBuffer<BatchYield>& buffer) {
  const std::size_t most = maxHeld(buffer.unclaimed());
  bool hasHandedOut = false;
  for (std::size_t index = 0; index < others(); ++index) {
    Other& other = others_[index];
    if (!other.isAtWork) continue;
    Bytes bytes;
    while (other.held < most) {
      const std::optional<std::uint64_t> number = buffer.claimAtOnce();
      if (!number) break;
      if (bytes.empty()) bytes = messageOf(job_);
      appendValue(bytes, *number);
      ++other.held;
    }
    if (bytes.empty()) continue;
    link_.send(static_cast<int>(index) + 1, RankMessage::pieces, std::move(bytes));
    hasHandedOut = true;
  }
  return hasHandedOut;
}

void RankZero::sendToAll(RankMessage kind) {
  for (std::size_t index = 0; index < others(); ++index) {
    if (others_[index].isAtWork) link_.send(static_cast<int>(index) + 1, kind, messageOf(job_));
  }
}

bool RankZero::receive(ReorderBuffer<BatchYield>* buffer, BatchSums* sums) {
  return link_.poll([&](int rank, RankMessage kind, std::span<const std::byte> bytes) {
    ByteReader from(bytes);
    const auto job = from.value<std::uint64_t>();
    others_[static_cast<std::size_t>(rank) - 1].lastSeen = Clock::now();
    if (job != job_) return;
    if (kind == RankMessage::yields) takeYields(rank, from, buffer);
    if (kind == RankMessage::done) takeDone(rank, from, sums);
  });
}

void RankZero::takeYields(int rank, ByteReader& from, ReorderBuffer<BatchYield>* buffer) {
  if (buffer == nullptr) return;
  Other& other = others_[static_cast<std::size_t>(rank) - 1];
  while (!from.isAtEnd()) {
    const auto number = from.value<std::uint64_t>();
    readYield(from, buffer->result(number));
    buffer->finish(number);
    --other.held;
  }
}

void RankZero::takeDone(int rank, ByteReader& from, BatchSums* sums) {
  others_[static_cast<std::size_t>(rank) - 1].isAtWork = false;
  if (from.value<std::uint8_t>() == 0) {
    if (sums != nullptr) sums->add(readSums(from));
    return;
  }
  const std::span<const std::byte> text = from.rest();
  const auto error =
      nlohmann::json::parse(std::string(reinterpret_cast<const char*>(text.data()), text.size()));
  if (failure_) return;
  failure_.emplace(codeOf(error.at("code").get<std::string>()),
                   error.at("message").get<std::string>(), error.at("details"));
}

void RankZero::listenFromNow() {
  for (Other& other : others_) other.lastSeen = Clock::now();
}

void RankZero::throwIfSilent() {
  const Clock::time_point now = Clock::now();
  for (std::size_t index = 0; index < others(); ++index) {
    const Other& other = others_[index];
    if (!other.isAtWork || now - other.lastSeen < silenceLimit) continue;
    // Why not 'worker-lost': this process answers, and its host would wait for its end.
    lost_.emplace(ErrorCode::workerFailed, "rank " + std::to_string(index + 1) + " of " +
                                               std::to_string(link_.ranks()) +
                                               " has given no sign of life for " +
                                               std::to_string(silenceLimit.count() / 1000) + " s");
    throw *lost_;
  }
}

bool RankZero::isAnyAtWork() const {
  return std::ranges::any_of(others_, [](const Other& other) { return other.isAtWork; });
}

}  // namespace understory
