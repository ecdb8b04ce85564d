// Packed rows against a packer of three lines, CRC-32 against its published check value, and the frame
// against zstd's own decoder.
#include <doctest/doctest.h>
#include <zstd.h>

#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <string_view>

#include "core/error.h"
#include "core/packing/crc32.h"
#include "core/packing/rowPacker.h"

using namespace understory;
using Bytes = std::vector<std::byte>;

namespace {

Bytes bytesOfText(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

Bytes randomBytes(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  Bytes bytes(count);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random() & 255U);
  return bytes;
}

Bytes decompressed(const Bytes& frame) {
  const auto size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  REQUIRE(size < 1U << 30U);
  REQUIRE(ZSTD_findFrameCompressedSize(frame.data(), frame.size()) == frame.size());
  Bytes content(size);
  REQUIRE(ZSTD_decompress(content.data(), size, frame.data(), frame.size()) == size);
  return content;
}

// Rows of 28 bytes with holes: f32 x, u8, u64 pulse copied, its difference, and seconds.
RowTemplate sampleTemplate() {
  RowTemplate rows;
  rows.before = bytesOfText("head: ....------- end of head");
  rows.after = bytesOfText("tail");
  rows.rowBytes = 28;
  rows.fields = {{ReturnColumn::xM, 0, Packing::copy, {}, 1.0},
                 {ReturnColumn::returnNo, 5, Packing::copy, {}, 1.0},
                 {ReturnColumn::pulse, 8, Packing::copy, {}, 1.0},
                 {ReturnColumn::pulse, 16, Packing::difference, {}, 1.0},
                 {ReturnColumn::timeNs, 20, Packing::scaledDifference, 1000, 1e-9}};
  rows.patches = {{6, 4, 7, 3}, {9, 8, 0, 28}};
  return rows;
}

struct Columns {
  static constexpr std::uint64_t firstPulse = (1ULL << 33U) - 5;
  std::vector<float> x;
  Bytes returnNo;
  std::vector<std::uint64_t> pulse;
  std::vector<std::int64_t> timeNs;

  explicit Columns(std::size_t rows) : returnNo(randomBytes(rows, 1)) {
    std::mt19937 random(2);
    for (std::size_t row = 0; row < rows; ++row) {
      x.push_back(static_cast<float>(random()) * 1e-3F);
      pulse.push_back(firstPulse + row * 3);
      timeNs.push_back(static_cast<std::int64_t>(1000 + row * 37));
    }
  }
  void add(RowPacker& packer, std::size_t from, std::size_t to) const {
    PackedPart part;
    pack(packer, from, to, part);
    packer.add(part);
  }
  void pack(const RowPacker& packer, std::size_t from, std::size_t to, PackedPart& part) const {
    const std::array<const std::byte*, 5> columns{
        reinterpret_cast<const std::byte*>(x.data() + from), returnNo.data() + from,
        reinterpret_cast<const std::byte*>(pulse.data() + from),
        reinterpret_cast<const std::byte*>(pulse.data() + from),
        reinterpret_cast<const std::byte*>(timeNs.data() + from)};
    packer.pack(columns, to - from, part);
  }
};

template <typename Value>
void put(Bytes& bytes, std::size_t at, Value value) {
  std::memcpy(bytes.data() + at, &value, sizeof(value));
}

Bytes expectedRecord(const Columns& columns) {
  const std::size_t rows = columns.x.size();
  const RowTemplate layout = sampleTemplate();
  const std::size_t head = layout.before.size();
  Bytes record(head + 28 * rows);
  std::copy(layout.before.begin(), layout.before.end(), record.begin());
  put(record, 6, static_cast<std::uint32_t>(7 + 3 * rows));
  put(record, 9, static_cast<std::uint64_t>(28 * rows));
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t at = head + 28 * row;
    put(record, at, columns.x[row]);
    put(record, at + 5, columns.returnNo[row]);
    put(record, at + 8, columns.pulse[row]);
    put(record, at + 16, static_cast<std::uint32_t>(3 * row));
    put(record, at + 20, static_cast<float>(static_cast<double>(37 * row) * 1e-9));
  }
  record.insert(record.end(), layout.after.begin(), layout.after.end());
  return record;
}

}  // namespace

TEST_CASE("CRC-32 has its check value, in pieces and folded alike") {
  CHECK(crc32(bytesOfText("123456789")) == 0xcbf43926U);
  CHECK(crc32({}) == 0U);
  const Bytes bytes = randomBytes(1000, 3);
  const std::span<const std::byte> all(bytes);
  for (const std::size_t count : {63U, 64U, 65U, 80U, 127U, 128U, 200U, 1000U}) {
    CAPTURE(count);
    std::uint32_t byPiece = 0;
    for (std::size_t at = 0; at < count; ++at) byPiece = crc32(all.subspan(at, 1), byPiece);
    CHECK(crc32(all.first(count)) == byPiece);
    CHECK(crc32(all.subspan(count), crc32(all.first(count))) == crc32(all));
    CHECK(crc32Joined(crc32(all.first(count)), crc32(all.subspan(count)), 1000 - count) ==
          crc32(all));
  }
}

TEST_CASE("packed rows are head, rows and tail, in one frame that zstd reads") {
  for (const std::size_t rows : {0U, 1U, 9000U, 40000U}) {
    CAPTURE(rows);
    const Columns columns(rows);
    RowPacker packer(sampleTemplate(), columns.firstPulse);
    columns.add(packer, 0, rows);
    const PackedRecord packed = packer.finish();
    const Bytes expected = expectedRecord(columns);
    CHECK(decompressed(packed.frame) == expected);
    CHECK(packed.uncompressedBytes == expected.size());
    CHECK(packed.crc32 == crc32(expected));
    CHECK(packed.bases[2] == 0);
    CHECK(packed.bases[3] == columns.firstPulse);
    CHECK(packed.bases[4] == 1000);
  }
}

TEST_CASE(
    "a record does not depend on how its rows are cut, nor a part on what was packed before") {
  const std::size_t rows = 30000;
  const Columns columns(rows);
  const Bytes expected = expectedRecord(columns);
  for (const std::size_t piece : {1U, 777U, 4681U, 4682U}) {
    CAPTURE(piece);
    RowPacker packer(sampleTemplate(), columns.firstPulse);
    for (std::size_t from = 0; from < rows; from += piece) {
      columns.add(packer, from, std::min(rows, from + piece));
    }
    const PackedRecord packed = packer.finish();
    CHECK(decompressed(packed.frame) == expected);
    CHECK(packed.crc32 == crc32(expected));
  }
  const RowPacker packer(sampleTemplate(), columns.firstPulse);
  PackedPart first;
  PackedPart again;
  columns.pack(packer, 100, 5000, first);
  columns.pack(packer, 0, 30000, again);
  columns.pack(packer, 100, 5000, again);
  CHECK(first.blocks == again.blocks);
  CHECK(first.crc32 == again.crc32);
}

TEST_CASE("rows that repeat, and blocks after raw ones, come back") {
  RowTemplate layout = sampleTemplate();
  layout.before = randomBytes(65535, 4);
  layout.patches.clear();
  Columns columns(20000);
  std::fill(columns.x.begin(), columns.x.end(), 1.5F);
  RowPacker packer(layout, columns.firstPulse);
  columns.add(packer, 0, 20000);
  const PackedRecord packed = packer.finish();
  CHECK(crc32(decompressed(packed.frame)) == packed.crc32);
}

TEST_CASE("scaled values are rounded, limited to their type, and 0 for NaN") {
  RowTemplate layout;
  layout.rowBytes = 12;
  layout.fields = {{ReturnColumn::rangeM, 0, Packing::scaled, {}, 1000.0, 0.0, ColumnType::u32},
                   {ReturnColumn::rangeM, 4, Packing::scaled, {}, 255.0, 0.0, ColumnType::f32},
                   {ReturnColumn::ring, 8, Packing::scaled, {}, -1.0, 127.0, ColumnType::u16},
                   {ReturnColumn::rangeM, 10, Packing::scaled, {}, 1.0, 0.5, ColumnType::u8}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> range{1.2345F, 0.0F, -3.0F, 5e6F, nan};
  const std::vector<std::uint16_t> ring{0, 1, 127, 128, 5};
  const auto* const ranges = reinterpret_cast<const std::byte*>(range.data());
  const std::array<const std::byte*, 4> columns{
      ranges, ranges, reinterpret_cast<const std::byte*>(ring.data()), ranges};
  RowPacker packer(layout, 0);
  PackedPart part;
  packer.pack(columns, range.size(), part);
  packer.add(part);
  Bytes expected(12 * range.size());
  const std::array<std::uint32_t, 5> millimetres{1235, 0, 0, 4294967295U, 0};
  const std::array<std::uint16_t, 5> rings{127, 126, 0, 0, 122};
  const std::array<std::uint8_t, 5> bytes{2, 1, 0, 255, 0};
  for (std::size_t row = 0; row < range.size(); ++row) {
    put(expected, 12 * row, millimetres[row]);
    put(expected, 12 * row + 4, static_cast<float>(255.0 * static_cast<double>(range[row])));
    put(expected, 12 * row + 8, rings[row]);
    put(expected, 12 * row + 10, bytes[row]);
  }
  CHECK(decompressed(packer.finish().frame) == expected);
}

TEST_CASE("scaled floats with a step are its nearest multiples, halves the even ones") {
  RowTemplate layout;
  layout.rowBytes = 8;
  layout.fields = {{ReturnColumn::xM, 0, Packing::scaled, {}, 1.0, 0.0, ColumnType::f32, 0.25},
                   {ReturnColumn::xM, 4, Packing::scaled, {}, 255.0, 0.0, ColumnType::f32, 1.0}};
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<float> x{0.3F, 0.125F, 0.375F, -0.374F, 1e30F, nan};
  const std::array<float, 6> quarters{0.25F, 0.0F, 0.5F, -0.25F, 1e30F, nan};
  const std::array<float, 6> wholes{77.0F, 32.0F, 96.0F, -95.0F, 255e30F, nan};
  const auto* const from = reinterpret_cast<const std::byte*>(x.data());
  const std::array<const std::byte*, 2> columns{from, from};
  RowPacker packer(layout, 0);
  PackedPart part;
  packer.pack(columns, x.size(), part);
  packer.add(part);
  const Bytes packed = decompressed(packer.finish().frame);
  for (std::size_t row = 0; row < x.size(); ++row) {
    CAPTURE(row);
    std::array<float, 2> found{};
    std::memcpy(found.data(), packed.data() + 8 * row, 8);
    const auto isSame = [](float a, float b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    CHECK(isSame(found[0], quarters[row]));
    CHECK(isSame(found[1], wholes[row]));
  }
}

TEST_CASE("rows of a group, which resemble each other, are shorter than those of none") {
  constexpr std::size_t rows = 20000;
  std::mt19937 random(21);
  std::vector<std::uint16_t> ring;
  std::vector<std::uint32_t> object;
  std::array<std::uint32_t, 16> objectOf{};
  for (std::uint32_t& id : objectOf) id = static_cast<std::uint32_t>(random());
  for (std::size_t row = 0; row < rows; ++row) {
    ring.push_back(static_cast<std::uint16_t>(random() % 16));
    object.push_back(objectOf[ring.back()]);
  }
  RowTemplate layout;
  layout.rowBytes = 4;
  layout.fields = {{ReturnColumn::objectId, 0, Packing::copy, {}, 1.0}};
  const auto packed = [&](bool isGrouped) {
    if (isGrouped) layout.groupBy = ReturnColumn::ring;
    const std::array<const std::byte*, 2> columns{reinterpret_cast<const std::byte*>(object.data()),
                                                  reinterpret_cast<const std::byte*>(ring.data())};
    RowPacker packer(layout, 0);
    PackedPart part;
    packer.pack(std::span(columns).first(isGrouped ? 2 : 1), rows, part);
    packer.add(part);
    return packer.finish().frame;
  };
  const Bytes alone = packed(false);
  const Bytes grouped = packed(true);
  CHECK(decompressed(grouped) == decompressed(alone));
  CHECK(grouped.size() < alone.size());
}

TEST_CASE("a grid has the first row of each pulse at its cell, and blanks elsewhere") {
  // Rounds of three pulses: laser 0 fires twice, laser 1 once. Pulses 4 to 11: rounds 1 to 3, six columns.
  RowTemplate layout;
  layout.before = bytesOfText("width: ....");
  layout.rowBytes = 4;
  layout.fields = {{ReturnColumn::xM, 0, Packing::copy, {}, 1.0}};
  layout.patches = {{7, 4, 0, 1}};
  layout.grid = RowGrid{2, 2, {0, 1, 2}, bytesOfText("row0row1")};
  const std::vector<float> x{1.0F, 2.0F, 3.0F, 4.0F, 5.0F};
  const std::vector<std::uint64_t> pulse{4, 5, 5, 9, 11};
  RowPacker packer(layout, 4, 8);
  const auto add = [&](std::size_t from, std::size_t count) {
    const std::array<const std::byte*, 2> columns{
        reinterpret_cast<const std::byte*>(x.data() + from),
        reinterpret_cast<const std::byte*>(pulse.data() + from)};
    PackedPart part;
    packer.pack(columns, count, part);
    packer.add(part);
  };
  add(0, 3);
  add(3, 2);
  Bytes expected = bytesOfText("width: ....");
  put(expected, 7, std::uint32_t{6});
  const auto append = [&](float value) {
    const auto bytes = std::as_bytes(std::span(&value, 1));
    expected.insert(expected.end(), bytes.begin(), bytes.end());
  };
  const auto blank = [&](std::string_view text) {
    const Bytes bytes = bytesOfText(text);
    expected.insert(expected.end(), bytes.begin(), bytes.end());
  };
  blank("row0");
  append(1.0F);
  blank("row0");
  blank("row0");
  append(4.0F);
  blank("row0");
  append(2.0F);
  blank("row1");
  blank("row1");
  blank("row1");
  append(5.0F);
  blank("row1");
  const PackedRecord packed = packer.finish();
  CHECK(decompressed(packed.frame) == expected);
  CHECK(packed.crc32 == crc32(expected));
}

TEST_CASE("blocks of a grid are the same in whatever order they are compressed") {
  RowTemplate layout;
  layout.rowBytes = 8;
  layout.fields = {{ReturnColumn::pulse, 0, Packing::copy, {}, 1.0}};
  layout.grid = RowGrid{4, 1, {0, 1, 2, 3}, Bytes(32)};
  constexpr std::uint64_t pulses = 80000;
  std::vector<std::uint64_t> pulse;
  for (std::uint64_t number = 0; number < pulses; number += 1 + number % 3) pulse.push_back(number);
  const auto packed = [&](const Parallel& parallel) {
    const auto* const from = reinterpret_cast<const std::byte*>(pulse.data());
    const std::array<const std::byte*, 2> columns{from, from};
    RowPacker packer(layout, 0, pulses);
    PackedPart part;
    packer.pack(columns, pulse.size(), part);
    packer.add(part);
    return packer.finish(parallel);
  };
  std::size_t blocks = 0;
  const PackedRecord backwards = packed([&](std::size_t count, const auto& piece) {
    blocks = count;
    for (std::size_t left = count; left > 0; --left) piece(left - 1);
  });
  CHECK(blocks == 5);
  const PackedRecord forwards = packed(oneByOne);
  CHECK(backwards.frame == forwards.frame);
  CHECK(backwards.crc32 == crc32(decompressed(forwards.frame)));
  layout.frameUse = FrameUse::dropped;
  const PackedRecord dropped = packed(oneByOne);
  CHECK(dropped.frame.empty());
  CHECK(dropped.crc32 == forwards.crc32);
}

TEST_CASE("templates and rows that cannot be packed are refused") {
  const auto refused = [](auto&& change) {
    RowTemplate layout = sampleTemplate();
    change(layout);
    CHECK_THROWS_AS(RowPacker(layout, 0), UnderstoryError);
  };
  refused([](RowTemplate& layout) { layout.rowBytes = 23; });
  refused([](RowTemplate& layout) { layout.rowBytes = 0; });
  refused([](RowTemplate& layout) { layout.fields[4].column = ReturnColumn::xM; });
  refused([](RowTemplate& layout) { layout.patches[1].at = layout.before.size() - 7; });
  refused([](RowTemplate& layout) { layout.patches[0].bytes = 2; });
  refused([](RowTemplate& layout) { layout.before.resize(65536); });
  refused([](RowTemplate& layout) { layout.fields[2].how = Packing::scaled; });
  refused([](RowTemplate& layout) {
    layout.fields[0].how = Packing::scaled;
    layout.fields[0].type = ColumnType::i32;
  });
  refused([](RowTemplate& layout) { layout.groupBy = ReturnColumn::objectId; });
  refused([](RowTemplate& layout) {
    layout.fields[0].how = Packing::scaled;
    layout.fields[0].type = ColumnType::u16;
    layout.fields[0].step = 2.0;
  });
  refused([](RowTemplate& layout) { layout.grid = RowGrid{1, 2, {0, 2}, Bytes(28)}; });
  refused([](RowTemplate& layout) { layout.grid = RowGrid{1, 2, {0, 1}, Bytes(27)}; });

  Columns columns(3);
  for (const std::int64_t timeNs : {std::int64_t{999}, 1000 + (std::int64_t{1} << 32U)}) {
    columns.timeNs[2] = timeNs;
    RowPacker packer(sampleTemplate(), columns.firstPulse);
    CHECK_THROWS_AS(columns.add(packer, 0, 3), UnderstoryError);
  }
}
