// Rank 0 polls, and sleeps where there is nothing to do.
#include "ranks/rankZero.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <thread>

namespace understory {
namespace {

// Why: rank and rank 0 look for messages every busyPause; a rank with work for so long never waits for them.
constexpr double aheadSeconds = 0.002;
constexpr std::size_t maxBatchesAhead = 16;
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
      maxAhead_(threadsPerRank + maxBatchesAhead),
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
    others_[index] = {0, 0.0, true, Clock::now()};
    link_.send(static_cast<int>(index) + 1, RankMessage::request, bytes);
  }
}

void RankZero::end(bool isCancelled) {
  if (lost_) return;
  if (isCancelled) sendToAll(RankMessage::cancel);
  listenFromNow();
  while (isAnyAtWork()) {
    if (!receive(nullptr, nullptr)) std::this_thread::sleep_for(busyPause);
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
    if (!hasToldEnd && buffer.isClaimed()) {
      sendToAll(buffer.isStopped() ? RankMessage::cancel : RankMessage::noMore);
      hasToldEnd = true;
    }
    if (!hasDone) std::this_thread::sleep_for(busyPause);
  }
}

std::size_t RankZero::aheadOf(const Other& other) const {
  if (other.batchSeconds <= 0.0) return threadsPerRank_ + 1;
  const double batches = std::ceil(aheadSeconds / other.batchSeconds);
  return threadsPerRank_ + std::clamp<std::size_t>(static_cast<std::size_t>(std::min(batches, 1e6)),
                                                   1, maxBatchesAhead);
}

bool RankZero::handOut(ReorderBuffer<BatchYield>& buffer) {
  bool hasHandedOut = false;
  for (std::size_t index = 0; index < others(); ++index) {
    Other& other = others_[index];
    if (!other.isAtWork) continue;
    Bytes bytes;
    while (other.held < aheadOf(other)) {
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
  return link_.poll([&](int rank, RankMessage kind, Bytes&& bytes) {
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
    const auto seconds = from.value<double>();
    other.batchSeconds =
        other.batchSeconds <= 0.0 ? seconds : 0.8 * other.batchSeconds + 0.2 * seconds;
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
