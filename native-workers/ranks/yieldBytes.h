// Batch yields and sums as bytes for another rank of the same program on the same kind of machine: little-endian, sizes
// before contents. Independent of MPI.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "core/error.h"
#include "jobs/scanBatches.h"

namespace understory {

using Bytes = std::vector<std::byte>;

template <typename Value>
void appendValue(Bytes& bytes, const Value& value) {
  static_assert(std::is_trivially_copyable_v<Value>);
  const auto* const from = reinterpret_cast<const std::byte*>(&value);
  bytes.insert(bytes.end(), from, from + sizeof(Value));
}

template <typename Value>
void appendValues(Bytes& bytes, std::span<const Value> values) {
  appendValue(bytes, std::uint64_t{values.size()});
  const std::span<const std::byte> raw = std::as_bytes(values);
  bytes.insert(bytes.end(), raw.begin(), raw.end());
}

// Reads what was appended, in the same order. Throws UnderstoryError 'protocol' where the bytes end too early.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

  template <typename Value>
  Value value() {
    Value value;
    std::memcpy(&value, take(sizeof(Value)).data(), sizeof(Value));
    return value;
  }

  // Overwrites `values`, whose memory is used again.
  template <typename Value>
  void values(std::vector<Value>& values) {
    const auto count = value<std::uint64_t>();
    if (count > bytes_.size() / sizeof(Value)) throwShort();
    values.resize(count);
    const std::span<const std::byte> from = take(count * sizeof(Value));
    if (count > 0) std::memcpy(values.data(), from.data(), from.size());
  }

  std::span<const std::byte> rest() { return take(bytes_.size()); }
  bool isAtEnd() const { return bytes_.empty(); }

 private:
  std::span<const std::byte> take(std::size_t count) {
    if (count > bytes_.size()) throwShort();
    const std::span<const std::byte> taken = bytes_.first(count);
    bytes_ = bytes_.subspan(count);
    return taken;
  }

  [[noreturn]] static void throwShort() {
    throw UnderstoryError(ErrorCode::protocol, "a message of another rank is too short");
  }

  std::span<const std::byte> bytes_;
};

void appendYield(Bytes& bytes, const BatchYield& yield);
// Overwrites `yield`.
void readYield(ByteReader& from, BatchYield& yield);
void appendSums(Bytes& bytes, const BatchSums& sums);
BatchSums readSums(ByteReader& from);

}  // namespace understory
