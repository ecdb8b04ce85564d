// Blocks against zstd's own decoder: rows that repeat, random bytes, and matches of every length and offset.
#include <doctest/doctest.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "core/packing/rowMatches.h"
#include "core/packing/zstdBlock.h"

using namespace understory;
using Bytes = std::vector<std::byte>;

namespace {

void appendBytes(Bytes& to, std::initializer_list<unsigned> bytes) {
  for (const unsigned byte : bytes) to.push_back(static_cast<std::byte>(byte));
}

// A frame without a size or a checksum, ended by an empty raw block (RFC 8878, 3.1.1).
Bytes decoded(const Bytes& blocks, std::size_t bytes) {
  Bytes frame;
  appendBytes(frame, {0x28, 0xb5, 0x2f, 0xfd, 0x00, (17 - 10) << 3U});
  frame.insert(frame.end(), blocks.begin(), blocks.end());
  appendBytes(frame, {1, 0, 0});
  Bytes content(bytes + 1);
  const std::size_t found =
      ZSTD_decompress(content.data(), content.size(), frame.data(), frame.size());
  REQUIRE_MESSAGE(ZSTD_isError(found) == 0, ZSTD_getErrorName(found));
  content.resize(found);
  return content;
}

// Content that random matches make, and those matches.
struct Sample {
  Bytes content;
  std::vector<Match> matches;
};

Sample randomSample(std::mt19937& random, std::size_t bytes, std::uint32_t maxRun) {
  Sample sample;
  const auto below = [&](std::uint32_t bound) {
    return static_cast<std::uint32_t>(random() % bound);
  };
  const auto addLiterals = [&](std::uint32_t count) {
    for (std::uint32_t byte = 0; byte < count; ++byte) {
      sample.content.push_back(static_cast<std::byte>(below(256)));
    }
  };
  std::uint32_t lastOffset = 1;
  while (sample.content.size() < bytes) {
    const auto room = static_cast<std::uint32_t>(bytes - sample.content.size());
    Match match;
    match.literals = std::min(room, below(3) == 0 ? 0 : 1 + below(maxRun));
    if (sample.content.empty()) match.literals = std::max(match.literals, 1U);
    addLiterals(match.literals);
    match.bytes = 3 + below(maxRun);
    if (match.bytes > bytes - sample.content.size()) {
      addLiterals(static_cast<std::uint32_t>(bytes - sample.content.size()));
      break;
    }
    // Why old ones again: they are coded otherwise.
    const std::uint32_t fresh = 1 + below(static_cast<std::uint32_t>(sample.content.size()));
    match.offset = below(2) == 0 && lastOffset <= sample.content.size() ? lastOffset : fresh;
    const bool continues = match.literals == 0 && !sample.matches.empty() &&
                           sample.matches.back().offset == match.offset;
    if (continues) match.offset = match.offset == 1 ? 2 : match.offset - 1;
    if (match.offset > sample.content.size()) {
      addLiterals(3);
      match.literals += 3;
    }
    lastOffset = sample.matches.empty() ? match.offset : sample.matches.back().offset;
    for (std::uint32_t byte = 0; byte < match.bytes; ++byte) {
      sample.content.push_back(sample.content[sample.content.size() - match.offset]);
    }
    sample.matches.push_back(match);
  }
  return sample;
}

}  // namespace

TEST_CASE("a block of any matches is read by zstd") {
  std::mt19937 random(11);
  for (int round = 0; round < 400; ++round) {
    CAPTURE(round);
    const std::size_t bytes = 1 + random() % (round % 10 == 0 ? maxBlockBytes : 5000);
    const std::uint32_t maxRun = 1U << (2 + random() % 14);
    const Sample sample = randomSample(random, bytes, maxRun);
    if (sample.content.size() > maxBlockBytes) continue;
    Bytes block;
    appendZstdBlock(sample.content, sample.matches, block);
    REQUIRE(decoded(block, sample.content.size()) == sample.content);
  }
}

TEST_CASE("blocks follow one another in a frame, and one that saves nothing is raw") {
  std::mt19937 random(12);
  Bytes blocks;
  Bytes content;
  for (int round = 0; round < 50; ++round) {
    const Sample sample = randomSample(random, 1 + random() % 3000, 40);
    appendZstdBlock(sample.content, sample.matches, blocks);
    content.insert(content.end(), sample.content.begin(), sample.content.end());
  }
  CHECK(decoded(blocks, content.size()) == content);

  Bytes noise;
  for (int byte = 0; byte < 1000; ++byte) noise.push_back(static_cast<std::byte>(random() & 255U));
  Bytes raw;
  appendZstdBlock(noise, {}, raw);
  CHECK(raw.size() == noise.size() + 3);
}

TEST_CASE(
    "a block does not refer to offsets of the block before, nor to those of a frame's start") {
  std::mt19937 random(14);
  for (const std::uint32_t offset : {1U, 4U, 8U}) {
    CAPTURE(offset);
    const std::vector<std::uint32_t> offsets{offset, 16, offset, 24, 16, offset, 32, offset, 16};
    Sample sample;
    for (std::uint32_t byte = 0; byte < 400; ++byte) {
      sample.content.push_back(static_cast<std::byte>(random() & 255U));
    }
    std::uint32_t literals = 400;
    for (const std::uint32_t back : offsets) {
      for (int byte = 0; byte < 30; ++byte) {
        sample.content.push_back(sample.content[sample.content.size() - back]);
      }
      sample.matches.push_back({literals, 30, back});
      sample.content.push_back(std::byte{0});
      literals = 1;
    }
    Bytes first;
    appendZstdBlock(sample.content, sample.matches, first);
    CHECK(first.size() < 560);
    Bytes blocks;
    appendZstdBlock(Bytes(900, std::byte{1}),
                    std::vector<Match>{{50, 800, 3}, {5, 20, 5}, {5, 10, 2}}, blocks);
    blocks.insert(blocks.end(), first.begin(), first.end());
    Bytes content(900, std::byte{1});
    content.insert(content.end(), sample.content.begin(), sample.content.end());
    CHECK(decoded(blocks, content.size()) == content);
  }
}

TEST_CASE("one kind of match alone takes no bits for its codes") {
  const Bytes content(300, std::byte{7});
  std::vector<Match> matches;
  for (int count = 0; count < 30; ++count) matches.push_back({4, 6, 2});
  Bytes block;
  appendZstdBlock(content, matches, block);
  CHECK(decoded(block, content.size()) == content);
  CHECK(block.size() < 150);
}

TEST_CASE("matches of rows are copies, in order, and found where rows repeat") {
  std::mt19937 random(13);
  for (const std::size_t rowBytes : {1U, 5U, 28U, 63U, 64U, 65U, 100U, 128U, 300U}) {
    for (const bool hasKey : {false, true}) {
      CAPTURE(rowBytes);
      const std::size_t rows = 200;
      Bytes content;
      for (std::size_t row = 0; row < rows; ++row) {
        for (std::size_t byte = 0; byte < rowBytes; ++byte) {
          content.push_back(static_cast<std::byte>(byte % 7 == 0 ? random() & 255U : byte));
        }
      }
      RowLikeness likeness;
      std::vector<std::uint16_t> keys;
      for (std::size_t row = 0; row < rows; ++row) {
        keys.push_back(static_cast<std::uint16_t>(random() % 7));
      }
      if (hasKey) likeness.keys = keys;
      likeness.distance = rowBytes > 20 ? 4 : 0;
      std::vector<Match> matches;
      findMatches(content, rowBytes, likeness, matches);
      std::size_t at = 0;
      bool areCopies = true;
      std::size_t covered = 0;
      for (const Match& match : matches) {
        at += match.literals;
        REQUIRE(match.offset <= at);
        REQUIRE(at + match.bytes <= content.size());
        for (std::size_t byte = at; byte < at + match.bytes; ++byte) {
          areCopies = areCopies && content[byte] == content[byte - match.offset];
        }
        at += match.bytes;
        covered += match.bytes;
      }
      CHECK(areCopies);
      if (rowBytes > 20) CHECK(covered > content.size() / 2);
      Bytes block;
      appendZstdBlock(content, matches, block);
      CHECK(decoded(block, content.size()) == content);
    }
  }
}
