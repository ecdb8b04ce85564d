// Frames: the layout of PROTOCOL.md byte by byte, pieces of any size, and streams that are none.
#include <doctest/doctest.h>

#include <cstring>

#include "protocol/frame.h"

using namespace understory;

namespace {

std::vector<std::byte> encode(const nlohmann::json& header,
                              const std::vector<ColumnView>& columns) {
  const std::string head = encodeHead(header, columns);
  std::vector<std::byte> bytes;
  const auto append = [&](std::span<const std::byte> more) {
    bytes.insert(bytes.end(), more.begin(), more.end());
    bytes.resize(bytes.size() + paddingTo8(more.size()));
  };
  append(std::as_bytes(std::span(head)));
  for (const ColumnView& column : columns) append(column.bytes);
  return bytes;
}

const std::vector<std::uint8_t> three{7, 8, 9};
const std::vector<double> two{1.5, -2.25};

std::vector<std::byte> sample() {
  return encode({{"kind", "chunk"}, {"id", 5}, {"seq", 0}, {"body", {{"name", "Sträucher"}}}},
                {{"a", "u8", 3, std::as_bytes(std::span(three))},
                 {"b", "f64", 2, std::as_bytes(std::span(two))}});
}

void checkSample(const Frame& frame) {
  CHECK(frame.header.at("kind") == "chunk");
  CHECK(frame.header.at("body").at("name") == "Sträucher");
  CHECK_FALSE(frame.header.contains("columns"));
  const ColumnView& a = frame.column("a", "u8");
  CHECK(a.count == 3);
  CHECK(std::memcmp(a.bytes.data(), three.data(), 3) == 0);
  const ColumnView& b = frame.column("b", "f64");
  CHECK(reinterpret_cast<std::uintptr_t>(b.bytes.data()) % 8 == 0);
  CHECK(std::memcmp(b.bytes.data(), two.data(), 16) == 0);
  CHECK_THROWS_AS(frame.column("b", "f32"), ProtocolError);
  CHECK_THROWS_AS(frame.column("c", "f32"), ProtocolError);
}

std::vector<Frame> readInPieces(const std::vector<std::byte>& bytes, std::size_t piece) {
  FrameReader reader;
  std::vector<Frame> frames;
  for (std::size_t from = 0; from < bytes.size(); from += piece) {
    reader.push(std::span(bytes).subspan(from, std::min(piece, bytes.size() - from)),
                [&](Frame&& frame) { frames.push_back(std::move(frame)); });
  }
  CHECK(reader.isIdle());
  return frames;
}

std::vector<std::byte> preamble(std::uint32_t magic, std::uint32_t header, std::uint64_t payload) {
  std::vector<std::byte> bytes(bounds::preambleBytes);
  std::memcpy(bytes.data(), &magic, 4);
  std::memcpy(bytes.data() + 4, &header, 4);
  std::memcpy(bytes.data() + 8, &payload, 8);
  return bytes;
}

void push(const std::vector<std::byte>& bytes) {
  FrameReader reader;
  reader.push(bytes, [](Frame&&) {});
}

}  // namespace

TEST_CASE("a frame starts with USF1, sizes that are multiples of 8, and its header") {
  const std::vector<std::byte> bytes = sample();
  CHECK(std::memcmp(bytes.data(), "USF1", 4) == 0);
  std::uint32_t headerBytes = 0;
  std::uint64_t payloadBytes = 0;
  std::memcpy(&headerBytes, bytes.data() + 4, 4);
  std::memcpy(&payloadBytes, bytes.data() + 8, 8);
  CHECK(headerBytes % 8 == 0);
  CHECK(payloadBytes == 8 + 16);
  CHECK(bytes.size() == bounds::preambleBytes + headerBytes + payloadBytes);
  CHECK(bytes[bounds::preambleBytes] == std::byte{'{'});
}

TEST_CASE("frames survive pieces of any size") {
  std::vector<std::byte> bytes = sample();
  const std::vector<std::byte> empty = encode({{"kind", "ack"}, {"id", 1}, {"seq", 2}}, {});
  bytes.insert(bytes.end(), empty.begin(), empty.end());
  const std::vector<std::byte> again = sample();
  bytes.insert(bytes.end(), again.begin(), again.end());
  for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{64}, bytes.size()}) {
    CAPTURE(piece);
    const std::vector<Frame> frames = readInPieces(bytes, piece);
    REQUIRE(frames.size() == 3);
    checkSample(frames[0]);
    CHECK(frames[1].header.at("seq") == 2);
    CHECK(frames[1].columns.empty());
    checkSample(frames[2]);
  }
}

TEST_CASE("what is no frame is refused, sizes before anything is allocated") {
  CHECK_THROWS_AS(push(preamble(0x31465356, 8, 0)), ProtocolError);
  CHECK_THROWS_AS(push(preamble(bounds::frameMagic, 64U * 1024 * 1024 + 8, 0)), ProtocolError);
  CHECK_THROWS_AS(push(preamble(bounds::frameMagic, 8, 1024ULL * 1024 * 1024 + 8)), ProtocolError);
  CHECK_THROWS_AS(push(preamble(bounds::frameMagic, 8, 0xFFFFFFFFFFFFFFF8ULL)), ProtocolError);
  CHECK_THROWS_AS(push(preamble(bounds::frameMagic, 12, 0)), ProtocolError);
  CHECK_THROWS_AS(push(preamble(bounds::frameMagic, 0, 0)), ProtocolError);
  std::vector<std::byte> junk = preamble(bounds::frameMagic, 8, 0);
  junk.resize(junk.size() + 8, std::byte{'x'});
  CHECK_THROWS_AS(push(junk), ProtocolError);
}

TEST_CASE("columns that do not fit in their frame are refused") {
  const auto withColumns = [](const nlohmann::json& list) {
    return encode({{"kind", "chunk"}, {"id", 1}, {"columns", list}}, {});
  };
  CHECK_THROWS_AS(push(withColumns({{{"name", "a"}, {"type", "u8"}, {"count", 1}}})),
                  ProtocolError);
  CHECK_THROWS_AS(push(withColumns({{{"name", "a"}, {"type", "f16"}, {"count", 0}}})),
                  ProtocolError);
  CHECK_THROWS_AS(
      push(withColumns({{{"name", "a"}, {"type", "f64"}, {"count", 0x2000000000000001ULL}}})),
      ProtocolError);
  CHECK_THROWS_AS(push(withColumns({{{"name", "a"}, {"type", "u8"}}})), ProtocolError);
}
