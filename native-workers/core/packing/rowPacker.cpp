// Field after field over rows that stay in the cache.
#include "core/packing/rowPacker.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

#include "core/error.h"
#include "core/packing/crc32.h"

namespace understory {
namespace {

// Why: zstd sees segments of a fixed size, so that its bytes never depend on how rows arrive; they and
// the columns they come from stay in the second-level cache.
constexpr std::size_t segmentBytes = 1U << 18U;

template <typename Value>
Value valueAt(const std::byte* column, std::size_t row) {
  Value value;
  std::memcpy(&value, column + row * sizeof(Value), sizeof(Value));
  return value;
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
      return eachDifference(field, base, from, rows, [&](std::size_t row, std::uint32_t value) {
        const auto scaled = static_cast<float>(static_cast<double>(value) * field.factor);
        std::memcpy(to + row * step, &scaled, sizeof(scaled));
      });
  }
}

RowTemplate checked(const RowTemplate& rows) {
  checkTemplate(rows);
  return rows;
}

}  // namespace

RowPacker::RowPacker(const RowTemplate& rows)
    : template_(checked(rows)),
      record_(rows.zstdLevel),
      segmentRows_(std::max<std::size_t>(1, segmentBytes / rows.rowBytes)),
      bases_(rows.fields.size()) {
  segment_.resize(segmentRows_ * rows.rowBytes);
  for (std::size_t field = 0; field < bases_.size(); ++field) {
    bases_[field] = rows.fields[field].base.value_or(0);
  }
}

void RowPacker::add(std::span<const std::byte* const> columns, std::size_t rows) {
  const std::size_t step = template_.rowBytes;
  for (std::size_t done = 0; done < rows;) {
    const std::size_t taken = std::min(rows - done, segmentRows_ - pendingRows_);
    for (std::size_t index = 0; index < template_.fields.size(); ++index) {
      const PackedField& field = template_.fields[index];
      const bool isCopy = field.how == Packing::copy;
      const std::byte* const from = columns[index] + done * infoOf(field.column).bytes;
      if (rows_ == 0 && !isCopy && !field.base) bases_[index] = valueAt<std::uint64_t>(from, 0);
      packField(field, bases_[index], segment_.data() + pendingRows_ * step + field.offset, step,
                from, taken);
    }
    pendingRows_ += taken;
    rows_ += taken;
    done += taken;
    if (pendingRows_ == segmentRows_) flush();
  }
}

PackedRecord RowPacker::finish() {
  flush();
  std::vector<std::byte> head = template_.before;
  for (const Patch& patch : template_.patches) {
    const std::uint64_t value = patch.plus + patch.perRow * rows_;
    for (std::size_t byte = 0; byte < patch.bytes; ++byte) {
      head[patch.at + byte] = static_cast<std::byte>((value >> (8 * byte)) & 255U);
    }
  }
  PackedRecord record;
  const std::uint64_t rowsBytes = rows_ * template_.rowBytes;
  record.uncompressedBytes = head.size() + rowsBytes + template_.after.size();
  record.crc32 = crc32(template_.after, crc32Joined(crc32(head), rowsCrc_, rowsBytes));
  record.frame = record_.finish(head, template_.after);
  record.bases = bases_;
  return record;
}

void RowPacker::flush() {
  const std::span<const std::byte> bytes(segment_.data(), pendingRows_ * template_.rowBytes);
  if (bytes.empty()) return;
  rowsCrc_ = crc32(bytes, rowsCrc_);
  record_.add(bytes);
  pendingRows_ = 0;
}

}  // namespace understory
