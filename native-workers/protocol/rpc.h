// The answering side of the call protocol (src-main/contract/wire/rpc.ts), over two file descriptors.
// One thread reads frames, so that cancel and ack are seen at once; others do the work, one call after another but for
// those that overlap (workQueue.h); one more writes what the work yields: replies, and files. Quick methods are answered by
// the reading thread, also while work is under way.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "protocol/frame.h"

namespace understory {

struct Message {
  nlohmann::json body = nlohmann::json::object();
  std::vector<ColumnView> columns;  // they view storage of the handler, kept alive by `storage`
  std::shared_ptr<const void> storage;
};

// Writes whole frames; safe from any thread.
class FrameWriter {
 public:
  explicit FrameWriter(int fd) : fd_(fd) {}
  // Throws std::system_error when the other end is gone.
  void write(const nlohmann::json& header, std::span<const ColumnView> columns = {});

 private:
  int fd_;
  std::mutex mutex_;
};

class WorkQueue;

// One call under way, as its handler sees it.
class Call {
 public:
  // `queue`: null where no other call overlaps.
  Call(FrameWriter& writer, std::uint64_t callId, WorkQueue* queue = nullptr)
      : writer_(writer), id_(callId), queue_(queue) {}

  std::uint64_t id() const { return id_; }
  const std::atomic<bool>& isCancelled() const { return isCancelled_; }
  void progress(const nlohmann::json& body);
  // Sends a part of the answer, as soon as fewer than bounds::chunkWindow are unacknowledged; stops
  // without sending when the call is cancelled. Returns whether it was sent.
  bool chunk(const nlohmann::json& body, std::span<const ColumnView> columns);
  // Waits until all earlier calls have had their turn, or ended.
  void waitForTurn();
  // The next call may have its turn.
  void endTurn();
  // Waits until all earlier calls have ended.
  void waitForEarlier();

  // For the reading thread.
  void acknowledge();
  void cancel();

 private:
  FrameWriter& writer_;
  std::uint64_t id_;
  WorkQueue* queue_;
  std::atomic<bool> isCancelled_{false};
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t unacknowledged_ = 0;
  std::uint64_t nextSeq_ = 0;
};

using Handler = std::function<Message(const Frame& request, Call& call)>;

struct ServerMethods {
  std::map<std::string, Handler> quick;        // answered at once, on the reading thread
  std::map<std::string, Handler> heavy;        // one at a time, on a working thread
  std::map<std::string, Handler> overlapping;  // on working threads; their order is that of turns
  std::map<std::string, Handler> files;        // one at a time, on the writing thread
  // An exception of a handler on the wire: { code, message, details }.
  std::function<nlohmann::json(const std::exception&)> describe;
  std::function<void(const std::string& line)> log;
};

// Serves calls until `inFd` ends. Returns true at the end of the stream, false when the other side broke
// the protocol (logged) or is gone. On return a heavy call may still be under way: the process is
// expected to exit.
bool serveCalls(int inFd, FrameWriter& writer, const ServerMethods& methods);

}  // namespace understory
