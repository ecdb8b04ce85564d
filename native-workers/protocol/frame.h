// Bytes <-> frames, as src-main/contract/wire/PROTOCOL.md lays them out. Independent of calls and scenes.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "contract/contract.h"

namespace understory {

// The other side broke the protocol; the stream is of no further use.
class ProtocolError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A column that lies elsewhere in memory, to be sent.
struct ColumnView {
  std::string name;
  std::string type;  // u8 u16 u32 i32 u64 i64 f32 f64
  std::size_t count = 0;
  std::span<const std::byte> bytes;
};

// The values as a column of the contract.
template <typename Value>
ColumnView viewOf(TypedColumn<Value> column, std::span<const Value> values) {
  return {std::string(column.name), std::string(wordOf(TypeOf<Value>::type)), values.size(),
          std::as_bytes(values)};
}
template <typename Value>
ColumnView viewOf(TypedColumn<Value> column, const std::vector<Value>& values) {
  return viewOf(column, std::span<const Value>(values));
}

// A frame that was received. Columns view `body`, 8-aligned.
struct Frame {
  nlohmann::json header;  // without `columns`
  std::vector<ColumnView> columns;
  std::vector<std::uint64_t> body;

  // The column of that name; throws ProtocolError when it is missing or of another type.
  const ColumnView& column(const std::string& name, const std::string& type) const;
  // Whether there is a column of that name.
  template <typename Value>
  bool has(TypedColumn<Value> wanted) const {
    return std::ranges::any_of(columns,
                               [&](const ColumnView& found) { return found.name == wanted.name; });
  }
  // The values of a column of the contract, copied; throws likewise.
  template <typename Value>
  std::vector<Value> values(TypedColumn<Value> wanted) const {
    const ColumnView& found =
        column(std::string(wanted.name), std::string(wordOf(TypeOf<Value>::type)));
    std::vector<Value> copy(found.count);
    if (found.count > 0) std::memcpy(copy.data(), found.bytes.data(), found.bytes.size());
    return copy;
  }
};

// Bytes of one element; 0 for a type that does not exist.
std::size_t bytesOfType(const std::string& type);

// Preamble and padded header of a frame with these columns; the columns' bytes follow it, each padded
// with zeros to 8. Throws ProtocolError when the frame would be larger than the protocol allows.
std::string encodeHead(nlohmann::json header, std::span<const ColumnView> columns);

// Zero bytes that pad `bytes` to the next multiple of 8.
constexpr std::size_t paddingTo8(std::size_t bytes) { return (8 - bytes % 8) % 8; }

// Reads frames from a stream that may be cut anywhere, even at every byte.
class FrameReader {
 public:
  // Takes the next bytes and hands over each frame that they complete. Throws ProtocolError.
  void push(std::span<const std::byte> bytes, const std::function<void(Frame&&)>& take);

  // True between frames: a stream that ends elsewhere was cut off.
  bool isIdle() const { return body_.empty() && filled_ == 0; }

 private:
  void startBody();
  Frame finishBody();

  std::array<std::byte, bounds::preambleBytes> preamble_{};
  std::vector<std::uint64_t> body_;  // empty: the preamble is being read
  std::size_t filled_ = 0;
  std::size_t headerBytes_ = 0;
};

}  // namespace understory
