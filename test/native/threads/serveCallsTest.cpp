// The threads that serve calls, over pipes: quick calls during heavy ones, acknowledged chunks, cancel.
#include <doctest/doctest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "protocol/rpc.h"

using namespace understory;
using nlohmann::json;

namespace {

// The caller's end. The server runs on a thread of its own until the caller's pipe is closed.
class Caller {
 public:
  explicit Caller(const ServerMethods& served) : writer_(*new FrameWriter(makePipes())) {
    server_ =
        std::thread([this, &served] { isQuiet_ = serveCalls(toServer_[0], writer_, served); });
  }
  ~Caller() {
    ::close(toServer_[1]);
    server_.join();
    CHECK(isQuiet_);
    for (const int fd : {toServer_[0], toCaller_[0], toCaller_[1]}) ::close(fd);
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void send(const json& header) {
    const std::string head = encodeHead(header, {});
    REQUIRE(::write(toServer_[1], head.data(), head.size()) == static_cast<ssize_t>(head.size()));
  }

  // The next frame's header.
  json receive() {
    while (frames_.empty()) {
      std::array<std::byte, 4096> buffer{};
      const ssize_t bytes = ::read(toCaller_[0], buffer.data(), buffer.size());
      REQUIRE(bytes > 0);
      reader_.push(std::span(buffer).first(static_cast<std::size_t>(bytes)),
                   [&](Frame&& frame) { frames_.push_back(frame.header); });
    }
    json first = frames_.front();
    frames_.pop_front();
    return first;
  }

 private:
  int makePipes() {
    REQUIRE(::pipe(toServer_.data()) == 0);
    REQUIRE(::pipe(toCaller_.data()) == 0);
    return toCaller_[1];
  }

  std::array<int, 2> toServer_{};
  std::array<int, 2> toCaller_{};
  // Why never freed: the server's working thread, which is never joined, may still be leaving it.
  FrameWriter& writer_;
  FrameReader reader_;
  std::deque<json> frames_;
  std::thread server_;
  bool isQuiet_ = false;
};

// Sends chunks until it is cancelled, or so many as the request says.
Message handleChunks(const Frame& request, Call& call) {
  const int chunks = request.header.at("body").at("chunks").get<int>();
  for (int chunk = 0; chunk < chunks; ++chunk) {
    if (!call.chunk({{"n", chunk}}, {})) throw std::runtime_error("cancelled");
  }
  return {};
}

std::atomic<int> callsBegun{0};

// More than a pipe holds.
Message handleLarge(const Frame&, Call&) {
  ++callsBegun;
  const auto bytes = std::make_shared<const std::vector<std::byte>>(1U << 20U);
  Message reply;
  reply.columns = {{"bytes", "u8", bytes->size(), *bytes}};
  reply.storage = bytes;
  return reply;
}

// Steps of overlapping calls, in the order in which they were taken.
class Steps {
 public:
  void add(const std::string& step) {
    const std::lock_guard lock(mutex_);
    steps_.push_back(step);
    changed_.notify_all();
  }

  // Whether the step is taken within some seconds.
  bool comes(const std::string& step) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, std::chrono::seconds(20), [&] { return indexOf(step) >= 0; });
  }

  bool areInOrder(const std::string& first, const std::string& second) {
    const std::lock_guard lock(mutex_);
    return indexOf(first) >= 0 && indexOf(first) < indexOf(second);
  }

  void clear() {
    const std::lock_guard lock(mutex_);
    steps_.clear();
  }

 private:
  std::ptrdiff_t indexOf(const std::string& step) const {
    const auto found = std::find(steps_.begin(), steps_.end(), step);
    return found == steps_.end() ? -1 : found - steps_.begin();
  }

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::string> steps_;
};

Steps& steps() {
  static Steps all;
  return all;
}

// Prepares, works in its turn, and ends; before it ends it waits for the step that the request names.
Message handleTurns(const Frame& request, Call& call) {
  const std::string id = std::to_string(call.id());
  steps().add("prepare " + id);
  call.waitForTurn();
  steps().add("work " + id);
  const json& body = request.header.at("body");
  if (body.value("fails", false)) throw std::runtime_error("failed");
  call.endTurn();
  if (body.contains("until")) CHECK(steps().comes(body.at("until")));
  call.waitForEarlier();
  steps().add("end " + id);
  return {};
}

Message handleAlone(const Frame&, Call& call) {
  steps().add("alone " + std::to_string(call.id()));
  return {};
}

// Why static: the server's working threads are never joined, and a process ends with them.
const ServerMethods& served() {
  static const ServerMethods all = [] {
    ServerMethods made;
    made.quick["ping"] = [](const Frame&, Call&) { return Message{}; };
    made.heavy["chunks"] = handleChunks;
    made.heavy["large"] = handleLarge;
    made.heavy["alone"] = handleAlone;
    made.overlapping["turns"] = handleTurns;
    made.files["write"] = handleAlone;
    made.describe = [](const std::exception& error) { return json{{"message", error.what()}}; };
    made.log = [](const std::string&) {};
    return made;
  }();
  return all;
}

}  // namespace

TEST_CASE("a heavy call sends a window of chunks and another with each acknowledgement") {
  Caller caller(served());
  caller.send({{"kind", "call"}, {"id", 1}, {"method", "chunks"}, {"body", {{"chunks", 50}}}});
  for (int chunk = 0; chunk < 50; ++chunk) {
    const json header = caller.receive();
    REQUIRE(header.at("kind") == "chunk");
    CHECK(header.at("seq") == chunk);
    caller.send({{"kind", "ack"}, {"id", 1}, {"seq", chunk}});
  }
  CHECK(caller.receive().at("kind") == "reply");
}

TEST_CASE("a quick call is answered while a heavy one waits, which a cancel ends") {
  Caller caller(served());
  caller.send({{"kind", "call"}, {"id", 1}, {"method", "chunks"}, {"body", {{"chunks", 50}}}});
  for (std::size_t chunk = 0; chunk < bounds::chunkWindow; ++chunk)
    CHECK(caller.receive().at("kind") == "chunk");
  caller.send({{"kind", "call"}, {"id", 2}, {"method", "ping"}, {"body", json::object()}});
  CHECK(caller.receive().at("id") == 2);
  caller.send({{"kind", "cancel"}, {"id", 1}});
  const json ended = caller.receive();
  CHECK(ended.at("kind") == "error");
  CHECK(ended.at("error").at("message") == "cancelled");
}

TEST_CASE("a heavy call begins while the reply of the one before it is not read yet") {
  Caller caller(served());
  const int before = callsBegun;
  for (const int id : {1, 2, 3, 4}) {
    caller.send({{"kind", "call"}, {"id", id}, {"method", "large"}, {"body", json::object()}});
  }
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
  while (callsBegun < before + 2 && std::chrono::steady_clock::now() < limit) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  CHECK(callsBegun >= before + 2);
  for (const int id : {1, 2, 3, 4}) {
    const json header = caller.receive();
    CHECK(header.at("kind") == "reply");
    CHECK(header.at("id") == id);
  }
}

namespace {

json turns(int id, const json& body) {
  return {{"kind", "call"}, {"id", id}, {"method", "turns"}, {"body", body}};
}

}  // namespace

TEST_CASE("overlapping calls work while the one before ends, and end in their order") {
  steps().clear();
  Caller caller(served());
  caller.send(turns(1, {{"until", "work 2"}}));
  caller.send(turns(2, {{"until", "work 3"}}));
  caller.send(turns(3, json::object()));
  for (const int id : {1, 2, 3}) CHECK(caller.receive().at("id") == id);
  CHECK(steps().areInOrder("work 1", "work 2"));
  CHECK(steps().areInOrder("work 2", "end 1"));
  CHECK(steps().areInOrder("end 1", "end 2"));
  CHECK(steps().areInOrder("end 2", "end 3"));
}

TEST_CASE("a call that fails in its turn gives it to the next") {
  steps().clear();
  Caller caller(served());
  caller.send(turns(1, {{"fails", true}}));
  caller.send(turns(2, json::object()));
  CHECK(caller.receive().at("kind") == "error");
  CHECK(caller.receive().at("kind") == "reply");
}

TEST_CASE("a heavy call waits for overlapping ones, and they for it") {
  steps().clear();
  Caller caller(served());
  caller.send(turns(1, {{"until", "prepare 2"}}));
  caller.send(turns(2, json::object()));
  caller.send({{"kind", "call"}, {"id", 3}, {"method", "alone"}, {"body", json::object()}});
  caller.send(turns(4, json::object()));
  for (const int id : {1, 2, 3, 4}) CHECK(caller.receive().at("id") == id);
  CHECK(steps().areInOrder("end 2", "alone 3"));
  CHECK(steps().areInOrder("alone 3", "prepare 4"));
}

TEST_CASE("a call that writes files is answered while a heavy one is under way") {
  steps().clear();
  Caller caller(served());
  caller.send(turns(1, {{"until", "alone 2"}}));
  caller.send({{"kind", "call"}, {"id", 2}, {"method", "write"}, {"body", json::object()}});
  CHECK(caller.receive().at("id") == 2);
  CHECK(caller.receive().at("id") == 1);
}
