// Field after field over rows that stay in the cache; then their blocks, and around them head and tail as raw blocks.
#include "core/packing/rowPacker.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>

#include "core/error.h"
#include "core/packing/crc32.h"
#include "core/packing/zstdBlock.h"
#include "core/unaligned.h"

namespace understory {
namespace {

// Compressed, for memory that is taken at once: a frame that grows block by block is copied over and over.
constexpr std::size_t expectedRowBytes = 26;
constexpr std::uint64_t maxExpectedRows = 1U << 20U;

constexpr std::size_t frameHeadBytes = 14;  // magic, descriptor, window, size of the content
constexpr std::uint32_t frameMagic = 0xfd2fb528U;

void putNumber(std::byte* to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    to[byte] = static_cast<std::byte>((value >> (8 * byte)) & 255U);
  }
}

void putRawBlock(std::byte* to, std::span<const std::byte> content, bool isLast) {
  putNumber(to, content.size() << 3U | (isLast ? 1U : 0U), blockHeadBytes);
  if (!content.empty()) std::memcpy(to + blockHeadBytes, content.data(), content.size());
}

template <std::size_t Bytes>
void copyField(std::byte* to, std::size_t step, const std::byte* from, std::size_t rows) {
  for (std::size_t row = 0; row < rows; ++row) {
    std::memcpy(to + row * step, from + row * Bytes, Bytes);
  }
}

// Calls `store` with each row's difference; one pass checks them all.
template <typename Store>
void eachDifference(const PackedField& field, std::uint64_t base, const std::byte* from,
                    std::size_t rows, Store&& store) {
  std::uint64_t all = 0;
  for (std::size_t row = 0; row < rows; ++row) {
    const std::uint64_t difference = valueAt<std::uint64_t>(from, row) - base;
    all |= difference;
    store(row, static_cast<std::uint32_t>(difference));
  }
  if (all > std::numeric_limits<std::uint32_t>::max()) {
    throw UnderstoryError(ErrorCode::badInput, "column '" + std::string(infoOf(field.column).name) +
                                                   "' lies 2^32 or more from its base");
  }
}

// A number of the type: whole ones rounded to the nearest (halves up) and limited, NaN to 0.
template <typename To>
To limited(double value) {
  if constexpr (std::is_floating_point_v<To>) {
    return static_cast<To>(value);
  } else {
    constexpr double max = std::numeric_limits<To>::max();
    const double rounded = std::floor(value + 0.5);
    // Why so asked: it is false for NaN.
    return rounded > 0.0 ? static_cast<To>(std::min(rounded, max)) : To{0};
  }
}

// The nearest multiple of a step, of two equally near the even one. Why by a sum: rounding functions of the baseline
// instruction set are calls, this is two additions, exact below 2^51 steps.
double inSteps(double value, double step) {
  constexpr double wholesOnly = 6755399441055744.0;  // 1.5 · 2^52
  return (value / step + wholesOnly - wholesOnly) * step;
}

template <typename To, typename From>
void scaleField(const PackedField& field, std::byte* to, std::size_t step, const std::byte* from,
                std::size_t rows) {
  const auto store = [&](auto&& rounded) {
    for (std::size_t row = 0; row < rows; ++row) {
      const double exact =
          field.plus + field.factor * static_cast<double>(valueAt<From>(from, row));
      const To value = limited<To>(rounded(exact));
      std::memcpy(to + row * step, &value, sizeof(value));
    }
  };
  if (field.step == 0.0) return store([](double exact) { return exact; });
  store([&](double exact) { return inSteps(exact, field.step); });
}

template <typename To>
void scaleFrom(const PackedField& field, std::byte* to, std::size_t step, const std::byte* from,
               std::size_t rows) {
  switch (infoOf(field.column).type) {
    case ColumnType::u8:
      return scaleField<To, std::uint8_t>(field, to, step, from, rows);
    case ColumnType::u16:
      return scaleField<To, std::uint16_t>(field, to, step, from, rows);
    case ColumnType::u32:
      return scaleField<To, std::uint32_t>(field, to, step, from, rows);
    case ColumnType::i32:
      return scaleField<To, std::int32_t>(field, to, step, from, rows);
    default:
      return scaleField<To, float>(field, to, step, from, rows);
  }
}

void packScaled(const PackedField& field, std::byte* to, std::size_t step, const std::byte* from,
                std::size_t rows) {
  switch (field.type) {
    case ColumnType::u8:
      return scaleFrom<std::uint8_t>(field, to, step, from, rows);
    case ColumnType::u16:
      return scaleFrom<std::uint16_t>(field, to, step, from, rows);
    case ColumnType::u32:
      return scaleFrom<std::uint32_t>(field, to, step, from, rows);
    default:
      return scaleFrom<float>(field, to, step, from, rows);
  }
}

template <typename To>
void packScaledDifference(const PackedField& field, std::uint64_t base, std::byte* to,
                          std::size_t step, const std::byte* from, std::size_t rows) {
  eachDifference(field, base, from, rows, [&](std::size_t row, std::uint32_t value) {
    const auto scaled = static_cast<To>(field.plus + field.factor * static_cast<double>(value));
    std::memcpy(to + row * step, &scaled, sizeof(scaled));
  });
}

void packField(const PackedField& field, std::uint64_t base, std::byte* to, std::size_t step,
               const std::byte* from, std::size_t rows) {
  switch (field.how) {
    case Packing::copy:
      switch (infoOf(field.column).bytes) {
        case 1:
          return copyField<1>(to, step, from, rows);
        case 2:
          return copyField<2>(to, step, from, rows);
        case 4:
          return copyField<4>(to, step, from, rows);
        default:
          return copyField<8>(to, step, from, rows);
      }
    case Packing::difference:
      return eachDifference(field, base, from, rows, [&](std::size_t row, std::uint32_t value) {
        std::memcpy(to + row * step, &value, sizeof(value));
      });
    case Packing::scaledDifference:
      return field.type == ColumnType::f64
                 ? packScaledDifference<double>(field, base, to, step, from, rows)
                 : packScaledDifference<float>(field, base, to, step, from, rows);
    case Packing::scaled:
      return packScaled(field, to, step, from, rows);
  }
}

RowTemplate checked(const RowTemplate& rows) {
  checkTemplate(rows);
  return rows;
}

// Where the first field that copies `column` lies.
std::optional<std::size_t> offsetOf(const RowTemplate& rows, ReturnColumn column) {
  const auto found =
      std::find_if(rows.fields.begin(), rows.fields.end(), [&](const PackedField& field) {
        return field.column == column && field.how == Packing::copy;
      });
  return found == rows.fields.end() ? std::nullopt : std::optional(found->offset);
}

// Without noise the true range is the reported one.
RowLikeness likenessOf(const RowTemplate& rows) {
  RowLikeness likeness;
  const auto clean = offsetOf(rows, ReturnColumn::rangeCleanM);
  const auto range = clean ? clean : offsetOf(rows, ReturnColumn::rangeM);
  const auto truth = offsetOf(rows, ReturnColumn::trueRangeM);
  if (range && truth && *truth > *range) likeness.distance = *truth - *range;
  return likeness;
}

}  // namespace

RowPacker::RowPacker(const RowTemplate& rows, std::uint64_t firstPulse, std::uint64_t pulses)
    : template_(checked(rows)),
      likeness_(likenessOf(rows)),
      blockRows_(std::max<std::size_t>(1, maxBlockBytes / rows.rowBytes)),
      bases_(rows.fields.size()),
      frame_(frameHeadBytes + blockHeadBytes + rows.before.size()) {
  std::vector<bool> isFilled(rows.rowBytes);
  for (const PackedField& field : rows.fields) {
    for (std::size_t byte = 0; byte < bytesOf(field); ++byte) isFilled[field.offset + byte] = true;
  }
  for (std::size_t byte = 0; byte < rows.rowBytes; ++byte) {
    if (!isFilled[byte]) holes_.push_back(byte);
  }
  for (std::size_t field = 0; field < bases_.size(); ++field) {
    const Packing how = rows.fields[field].how;
    const bool hasBase = how == Packing::difference || how == Packing::scaledDifference;
    bases_[field] = rows.fields[field].base.value_or(hasBase ? firstPulse : 0);
  }
  if (template_.grid) {
    grid_.emplace(*template_.grid, rows.rowBytes, firstPulse, pulses);
  } else {
    frame_.reserve(frame_.size() + std::min(pulses, maxExpectedRows) * expectedRowBytes);
  }
}

void RowPacker::packRows(std::span<const std::byte* const> columns, std::size_t from,
                         std::size_t rows, std::byte* to) const {
  const std::size_t step = template_.rowBytes;
  for (const std::size_t hole : holes_) {
    for (std::size_t row = 0; row < rows; ++row) to[row * step + hole] = std::byte{0};
  }
  for (std::size_t index = 0; index < template_.fields.size(); ++index) {
    const PackedField& field = template_.fields[index];
    packField(field, bases_[index], to + field.offset, step,
              columns[index] + from * infoOf(field.column).bytes, rows);
  }
}

void RowPacker::pack(std::span<const std::byte* const> columns, std::size_t rows,
                     PackedPart& part) const {
  // Why thread_local: scratch of each block, reused from block to block.
  thread_local std::vector<std::byte> packed;
  thread_local std::vector<Match> matches;
  thread_local std::vector<std::uint16_t> keys;
  const std::size_t step = template_.rowBytes;
  part.blocks.clear();
  part.rows = rows;
  part.crc32 = 0;
  if (grid_) {
    part.blocks.resize(rows * step);
    packRows(columns, 0, rows, part.blocks.data());
    part.pulses.resize(rows);
    if (rows > 0) std::memcpy(part.pulses.data(), columns.back(), rows * sizeof(std::uint64_t));
    return;
  }
  for (std::size_t done = 0; done < rows;) {
    const std::size_t taken = std::min(rows - done, blockRows_);
    packed.resize(taken * step);
    packRows(columns, done, taken, packed.data());
    part.crc32 = crc32(packed, part.crc32);
    done += taken;
    if (template_.frameUse == FrameUse::dropped) continue;
    RowLikeness likeness = likeness_;
    if (template_.groupBy) {
      keys.resize(taken);
      std::memcpy(keys.data(), columns.back() + (done - taken) * sizeof(std::uint16_t),
                  taken * sizeof(std::uint16_t));
      likeness.keys = keys;
    }
    findMatches(packed, step, likeness, matches);
    appendZstdBlock(packed, matches, part.blocks);
  }
}

void RowPacker::add(const PackedPart& part) {
  if (grid_) return addToGrid(part);
  addBlocks(part);
}

void RowPacker::addBlocks(const PackedPart& part) {
  frame_.insert(frame_.end(), part.blocks.begin(), part.blocks.end());
  rowsCrc_ = crc32Joined(rowsCrc_, part.crc32, part.rows * template_.rowBytes);
  rows_ += part.rows;
}

void RowPacker::addToGrid(const PackedPart& part) {
  for (std::size_t row = 0; row < part.rows; ++row) {
    if (row > 0 && part.pulses[row] == part.pulses[row - 1]) continue;
    grid_->put(part.pulses[row], part.blocks.data() + row * template_.rowBytes);
  }
}

void RowPacker::appendGrid(const Parallel& parallel) {
  const std::span<const std::byte> cells = grid_->bytes();
  const std::size_t blockBytes = blockRows_ * template_.rowBytes;
  std::vector<PackedPart> parts((cells.size() + blockBytes - 1) / blockBytes);
  parallel(parts.size(), [&](std::size_t number) {
    thread_local std::vector<Match> matches;
    const std::size_t from = number * blockBytes;
    const auto block = cells.subspan(from, std::min(blockBytes, cells.size() - from));
    PackedPart& part = parts[number];
    part.rows = block.size() / template_.rowBytes;
    part.crc32 = crc32(block);
    if (template_.frameUse == FrameUse::dropped) return;
    findMatches(block, template_.rowBytes, likeness_, matches);
    appendZstdBlock(block, matches, part.blocks);
  });
  for (const PackedPart& part : parts) addBlocks(part);
}

PackedRecord RowPacker::finish(const Parallel& parallel) {
  if (grid_) appendGrid(parallel);
  const std::uint64_t counted = grid_ ? grid_->width() : rows_;
  std::vector<std::byte> head = template_.before;
  for (const Patch& patch : template_.patches) {
    putNumber(head.data() + patch.at, patch.plus + patch.perRow * counted, patch.bytes);
  }
  const std::vector<std::byte>& tail = template_.after;
  PackedRecord record;
  const std::uint64_t rowsBytes = rows_ * template_.rowBytes;
  record.uncompressedBytes = head.size() + rowsBytes + tail.size();
  record.crc32 = crc32(tail, crc32Joined(crc32(head), rowsCrc_, rowsBytes));
  record.bases = bases_;
  if (template_.frameUse == FrameUse::dropped) return record;
  putNumber(frame_.data(), frameMagic, 4);
  frame_[4] = std::byte{0xc0};  // content size of 8 bytes, no checksum, no dictionary
  frame_[5] = std::byte{(windowLog - 10) << 3U};
  putNumber(frame_.data() + 6, record.uncompressedBytes, 8);
  putRawBlock(frame_.data() + frameHeadBytes, head, false);
  const std::size_t tailAt = frame_.size();
  frame_.resize(tailAt + blockHeadBytes + tail.size());
  putRawBlock(frame_.data() + tailAt, tail, true);
  record.frame = std::move(frame_);
  return record;
}

}  // namespace understory
