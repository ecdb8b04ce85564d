// Calls over stdio.
#include "protocol/rpc.h"

#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <thread>

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

// The calls that are queued or under way, and the thread that works on them.
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

  // On the working thread; never returns.
  [[noreturn]] void work() {
    for (;;) {
      Job job;
      {
        std::unique_lock lock(mutex_);
        queued_.wait(lock, [&] { return !jobs_.empty(); });
        job = std::move(jobs_.front());
        jobs_.pop_front();
      }
      answer(*job.handler, *job.request, *job.call);
    }
  }

 private:
  struct Job {
    std::shared_ptr<Call> call;
    std::shared_ptr<Frame> request;
    const Handler* handler = nullptr;
  };

  std::shared_ptr<Call> find(std::uint64_t id) {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(id);
    return found == calls_.end() ? nullptr : found->second;
  }

  void startCall(std::uint64_t id, std::shared_ptr<Frame> request) {
    const std::string method = request->header.value("method", "");
    auto call = std::make_shared<Call>(writer_, id);
    {
      const std::lock_guard lock(mutex_);
      if (!calls_.emplace(id, call).second) {
        throw ProtocolError("call " + std::to_string(id) + " is under way already");
      }
    }
    if (const auto quick = methods_.quick.find(method); quick != methods_.quick.end()) {
      answer(quick->second, *request, *call);
    } else if (const auto heavy = methods_.heavy.find(method); heavy != methods_.heavy.end()) {
      const std::lock_guard lock(mutex_);
      jobs_.push_back({call, std::move(request), &heavy->second});
      queued_.notify_one();
    } else {
      end(id, {{"kind", wordOf(FrameKind::error)},
               {"error",
                {{"code", wordOf(ErrorCode::protocol)},
                 {"message", "no method '" + method + "' here"}}}});
    }
  }

  void answer(const Handler& handler, const Frame& request, Call& call) {
    Message reply;
    try {
      reply = handler(request, call);
    } catch (const std::exception& error) {
      end(call.id(), {{"kind", wordOf(FrameKind::error)}, {"error", methods_.describe(error)}});
      return;
    }
    end(call.id(), {{"kind", wordOf(FrameKind::reply)}, {"body", reply.body}}, reply.columns);
  }

  // Why the call is forgotten first: its caller may use the number again as soon as it has read this.
  void end(std::uint64_t id, json header, std::span<const ColumnView> columns = {}) {
    {
      const std::lock_guard lock(mutex_);
      calls_.erase(id);
    }
    header["id"] = id;
    try {
      writer_.write(header, columns);
    } catch (const ProtocolError& tooLarge) {
      writer_.write(
          {{"kind", wordOf(FrameKind::error)},
           {"id", id},
           {"error", {{"code", wordOf(ErrorCode::protocol)}, {"message", tooLarge.what()}}}});
    }
  }

  FrameWriter& writer_;
  const ServerMethods& methods_;
  std::mutex mutex_;
  std::condition_variable queued_;
  std::map<std::uint64_t, std::shared_ptr<Call>> calls_;
  std::deque<Job> jobs_;
};

}  // namespace

bool serveCalls(int inFd, FrameWriter& writer, const ServerMethods& methods) {
  // Why never freed: the working thread may be in the middle of a call when the stream ends, and the
  // process then exits without waiting for it.
  auto* server = new Server(writer, methods);
  std::thread([server, &methods] {
    try {
      server->work();
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
