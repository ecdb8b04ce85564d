// Calls over stdio.
#include "protocol/rpc.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <optional>
#include <system_error>
#include <thread>
#include <variant>

#include "protocol/workQueue.h"

namespace understory {
namespace {

using nlohmann::json;

void writeAll(int fd, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0) {
      if (errno == EINTR) continue;
      throw std::system_error(errno, std::generic_category(), "writing a frame");
    }
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
}

}  // namespace

void FrameWriter::write(const json& header, std::span<const ColumnView> columns) {
  constexpr std::array<std::byte, 8> zeros{};
  const std::string head = encodeHead(header, columns);
  const std::lock_guard lock(mutex_);
  writeAll(fd_, std::as_bytes(std::span(head)));
  for (const ColumnView& column : columns) {
    writeAll(fd_, column.bytes);
    writeAll(fd_, std::span(zeros).first(paddingTo8(column.bytes.size())));
  }
}

void Call::progress(const json& body) {
  writer_.write({{"kind", wordOf(FrameKind::progress)}, {"id", id_}, {"body", body}});
}

bool Call::chunk(const json& body, std::span<const ColumnView> columns) {
  std::uint64_t seq = 0;
  {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return unacknowledged_ < bounds::chunkWindow || isCancelled_; });
    if (isCancelled_) return false;
    ++unacknowledged_;
    seq = nextSeq_++;
  }
  writer_.write({{"kind", wordOf(FrameKind::chunk)}, {"id", id_}, {"seq", seq}, {"body", body}},
                columns);
  return true;
}

void Call::waitForTurn() {
  if (queue_ != nullptr) queue_->waitForTurn(*this);
}

void Call::endTurn() {
  if (queue_ != nullptr) queue_->endTurn(*this);
}

void Call::waitForEarlier() {
  if (queue_ != nullptr) queue_->waitForEarlier(*this);
}

void Call::acknowledge() {
  const std::lock_guard lock(mutex_);
  if (unacknowledged_ > 0) --unacknowledged_;
  changed_.notify_all();
}

void Call::cancel() {
  const std::lock_guard lock(mutex_);
  isCancelled_ = true;
  changed_.notify_all();
}

namespace {

struct Reply {
  json header;
  Message message;
};

// Work of the writing thread: replies of the working threads, so that the next call begins while the other side
// still reads, and calls that write files. Why one reply at a time: so no more than two are in memory.
class WritingQueue {
 public:
  // Waits until the reply before has been popped.
  void push(Reply&& reply) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !reply_; });
    reply_ = std::move(reply);
    changed_.notify_all();
  }

  // Never waits.
  void push(Job&& job) {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(std::move(job));
    changed_.notify_all();
  }

  // Jobs first: a caller asks for one when it has received the reply to its scan.
  std::variant<Reply, Job> pop() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return reply_ || !jobs_.empty(); });
    std::variant<Reply, Job> taken;
    if (jobs_.empty()) {
      taken = std::move(*reply_);
      reply_.reset();
    } else {
      taken = std::move(jobs_.front());
      jobs_.pop_front();
    }
    changed_.notify_all();
    return taken;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::optional<Reply> reply_;
  std::deque<Job> jobs_;
};

// The calls that are queued or under way, the threads that work on them and the one that writes what they yield.
class Server {
 public:
  Server(FrameWriter& writer, const ServerMethods& methods) : writer_(writer), methods_(methods) {}

  // On the reading thread.
  void take(Frame&& frame) {
    const std::string kind = frame.header.value("kind", "");
    const std::uint64_t id = frame.header.value("id", std::uint64_t{0});
    if (kind == wordOf(FrameKind::call)) {
      startCall(id, std::make_shared<Frame>(std::move(frame)));
    } else if (kind == wordOf(FrameKind::cancel)) {
      if (const std::shared_ptr<Call> call = find(id)) call->cancel();
    } else if (kind == wordOf(FrameKind::ack)) {
      if (const std::shared_ptr<Call> call = find(id)) call->acknowledge();
    } else if (kind != wordOf(FrameKind::event)) {
      // Events are ignored; this side makes no calls, so nothing else may come.
      throw ProtocolError("a frame of kind '" + kind + "' arrived at a side that makes no calls");
    }
  }

  // On a working thread; never returns.
  [[noreturn]] void work() {
    for (;;) {
      const Job job = queue_.next();
      writing_.push(answerOf(job));
      // Why after its reply is handed over: replies of calls that end in order come in order.
      queue_.end(*job.call);
    }
  }

  // On the writing thread; never returns.
  [[noreturn]] void writeReplies() {
    for (;;) {
      const std::variant<Reply, Job> next = writing_.pop();
      if (const auto* reply = std::get_if<Reply>(&next)) {
        write(*reply);
      } else {
        write(answerOf(std::get<Job>(next)));
      }
    }
  }

 private:
  std::shared_ptr<Call> find(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(id);
    return found == calls_.end() ? nullptr : found->second;
  }

  void startCall(std::uint64_t id, std::shared_ptr<Frame> request) {
    const std::string method = request->header.value("method", "");
    const bool overlaps = methods_.overlapping.contains(method);
    auto call = std::make_shared<Call>(writer_, id, overlaps ? &queue_ : nullptr);
    {
      const std::lock_guard lock(mutex_);
      if (!calls_.emplace(id, call).second) {
        throw ProtocolError("call " + std::to_string(id) + " is under way already");
      }
    }
    if (const auto quick = methods_.quick.find(method); quick != methods_.quick.end()) {
      write(answerOf({call, std::move(request), &quick->second}));
    } else if (const auto file = methods_.files.find(method); file != methods_.files.end()) {
      writing_.push(Job{call, std::move(request), &file->second});
    } else if (overlaps) {
      queue_.push({call, std::move(request), &methods_.overlapping.at(method), true});
    } else if (const auto heavy = methods_.heavy.find(method); heavy != methods_.heavy.end()) {
      queue_.push({call, std::move(request), &heavy->second});
    } else {
      write({errorHeader(id, {{"code", wordOf(ErrorCode::protocol)},
                              {"message", "no method '" + method + "' here"}}),
             {}});
    }
  }

  Reply answerOf(const Job& job) const {
    Call& call = *job.call;
    try {
      Message message = (*job.handler)(*job.request, call);
      json header{
          {"kind", wordOf(FrameKind::reply)}, {"id", call.id()}, {"body", std::move(message.body)}};
      return {std::move(header), std::move(message)};
    } catch (const std::exception& error) {
      return {errorHeader(call.id(), methods_.describe(error)), {}};
    }
  }

  static json errorHeader(std::uint64_t id, json error) {
    return {{"kind", wordOf(FrameKind::error)}, {"id", id}, {"error", std::move(error)}};
  }

  // Why the call is forgotten first: its caller may use the number again as soon as it has read this.
  void write(const Reply& reply) {
    const std::uint64_t id = reply.header.at("id");
    {
      const std::lock_guard lock(mutex_);
      calls_.erase(id);
    }
    try {
      writer_.write(reply.header, reply.message.columns);
    } catch (const ProtocolError& tooLarge) {
      writer_.write(
          errorHeader(id, {{"code", wordOf(ErrorCode::protocol)}, {"message", tooLarge.what()}}));
    }
  }

  FrameWriter& writer_;
  const ServerMethods& methods_;
  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Call>> calls_;
  WorkQueue queue_;
  WritingQueue writing_;
};

}  // namespace

bool serveCalls(int inFd, FrameWriter& writer, const ServerMethods& methods) {
  // Why never freed: a working thread may be in the middle of a call when the stream ends, and the
  // process then exits without waiting for it.
  auto* server = new Server(writer, methods);
  for (std::size_t thread = 0; thread < WorkQueue::threads; ++thread) {
    std::thread([server] { server->work(); }).detach();
  }
  std::thread([server, &methods] {
    try {
      server->writeReplies();
    } catch (const std::system_error& error) {
      methods.log(error.what());
      std::_Exit(0);
    }
  }).detach();

  FrameReader reader;
  std::vector<std::byte> buffer(1U << 18U);
  try {
    for (;;) {
      const ssize_t count = ::read(inFd, buffer.data(), buffer.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return reader.isIdle();
      reader.push(std::span(buffer).first(static_cast<std::size_t>(count)),
                  [&](Frame&& frame) { server->take(std::move(frame)); });
    }
  } catch (const ProtocolError& error) {
    methods.log(error.what());
  } catch (const std::system_error& error) {
    methods.log(error.what());
  } catch (const nlohmann::json::exception& error) {
    methods.log(error.what());
  }
  return false;
}

}  // namespace understory
