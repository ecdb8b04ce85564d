// Messages are sent with MPI_Isend and received whole. Why MPI_Testsome is not used: a handful of messages is under way.
#include "ranks/rankLink.h"

#include <algorithm>
#include <thread>
#include <utility>
#include <vector>

namespace understory {

RankLink::RankLink() {
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks_);
}

void RankLink::send(int to, RankMessage kind, Bytes bytes) {
  const std::lock_guard lock(mutex_);
  Sending& sending = sending_.emplace_back(Sending{MPI_REQUEST_NULL, std::move(bytes)});
  MPI_Isend(sending.bytes.data(), static_cast<int>(sending.bytes.size()), MPI_BYTE, to,
            static_cast<int>(kind), MPI_COMM_WORLD, &sending.request);
}

Bytes RankLink::spare() {
  const std::lock_guard lock(mutex_);
  spareSent_.clear();
  return std::exchange(spareSent_, {});
}

bool RankLink::poll(const RankTake& take) {
  Receiving message{};
  {
    const std::lock_guard lock(mutex_);
    const bool hasSent = progressSends();
    const bool hasStarted = startReceive();
    if (!finishReceive(message)) return hasSent || hasStarted;
  }
  take(message.from, message.kind, std::span(message.bytes).first(message.count));
  const std::lock_guard lock(mutex_);
  if (message.bytes.size() > spareReceived_.size()) spareReceived_ = std::move(message.bytes);
  return true;
}

bool RankLink::startReceive() {
  int isThere = 0;
  MPI_Message announced = MPI_MESSAGE_NULL;
  MPI_Status status;
  MPI_Improbe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &isThere, &announced, &status);
  if (isThere == 0) return false;
  int count = 0;
  MPI_Get_count(&status, MPI_BYTE, &count);
  const auto size = static_cast<std::size_t>(count);
  Receiving& message = receiving_.emplace_back(
      Receiving{MPI_REQUEST_NULL, std::exchange(spareReceived_, {}), size, status.MPI_SOURCE,
                static_cast<RankMessage>(status.MPI_TAG)});
  if (message.bytes.size() < size) message.bytes.resize(size);
  MPI_Imrecv(message.bytes.data(), count, MPI_BYTE, &announced, &message.request);
  return true;
}

// Why a large message is not waited for: it arrives in pieces that its rank sends, and a rank may be lost.
bool RankLink::finishReceive(Receiving& message) {
  std::vector<int> waitedFor;
  for (auto receiving = receiving_.begin(); receiving != receiving_.end(); ++receiving) {
    if (std::ranges::find(waitedFor, receiving->from) != waitedFor.end()) continue;
    int isDone = 0;
    MPI_Test(&receiving->request, &isDone, MPI_STATUS_IGNORE);
    if (isDone == 0) {
      waitedFor.push_back(receiving->from);
      continue;
    }
    message = std::move(*receiving);
    receiving_.erase(receiving);
    return true;
  }
  return false;
}

bool RankLink::isUnderWay() {
  const std::lock_guard lock(mutex_);
  return !sending_.empty() || !receiving_.empty();
}

bool RankLink::flush(std::chrono::milliseconds limit) {
  const auto end = std::chrono::steady_clock::now() + limit;
  while (std::chrono::steady_clock::now() < end) {
    {
      const std::lock_guard lock(mutex_);
      progressSends();
      if (sending_.empty()) return true;
    }
    std::this_thread::sleep_for(underWayPause);
  }
  return false;
}

bool RankLink::progressSends() {
  bool hasSent = false;
  for (auto sending = sending_.begin(); sending != sending_.end();) {
    int isDone = 0;
    MPI_Test(&sending->request, &isDone, MPI_STATUS_IGNORE);
    if (isDone == 0) {
      ++sending;
      continue;
    }
    if (sending->bytes.capacity() > spareSent_.capacity()) spareSent_ = std::move(sending->bytes);
    sending = sending_.erase(sending);
    hasSent = true;
  }
  return hasSent;
}

}  // namespace understory
