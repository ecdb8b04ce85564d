// The frame layout.
#include "protocol/frame.h"

#include <algorithm>
#include <cstring>
#include <string_view>

namespace understory {
namespace {

template <typename Value>
void put(std::string& bytes, Value value) {
  for (std::size_t byte = 0; byte < sizeof(Value); ++byte) {
    bytes.push_back(static_cast<char>((value >> (8 * byte)) & 0xFFU));
  }
}

std::uint64_t take(std::span<const std::byte> bytes, std::size_t from, std::size_t count) {
  std::uint64_t value = 0;
  for (std::size_t byte = 0; byte < count; ++byte) {
    value |= std::to_integer<std::uint64_t>(bytes[from + byte]) << (8 * byte);
  }
  return value;
}

std::vector<ColumnView> viewColumns(const nlohmann::json& list,
                                    std::span<const std::byte> payload) {
  std::vector<ColumnView> columns;
  std::size_t offset = 0;
  for (const nlohmann::json& entry : list) {
    ColumnView column{entry.at("name").get<std::string>(),
                      entry.at("type").get<std::string>(),
                      entry.at("count").get<std::size_t>(),
                      {}};
    const std::size_t elementBytes = bytesOfType(column.type);
    if (elementBytes == 0 || column.count > (payload.size() - offset) / elementBytes) {
      throw ProtocolError("column '" + column.name + "' does not fit in its frame");
    }
    column.bytes = payload.subspan(offset, column.count * elementBytes);
    offset =
        std::min(payload.size(), offset + column.bytes.size() + paddingTo8(column.bytes.size()));
    columns.push_back(std::move(column));
  }
  return columns;
}

}  // namespace

std::size_t bytesOfType(const std::string& type) {
  const auto& words = WordsOf<ColumnType>::words;
  const auto found = std::find(words.begin(), words.end(), type);
  return found == words.end() ? 0
                              : bytesOfColumnType[static_cast<std::size_t>(found - words.begin())];
}

const ColumnView& Frame::column(const std::string& name, const std::string& type) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const ColumnView& column) { return column.name == name; });
  if (found == columns.end() || found->type != type) {
    throw ProtocolError("a column '" + name + "' of type " + type + " is missing");
  }
  return *found;
}

std::string encodeHead(nlohmann::json header, std::span<const ColumnView> columns) {
  std::uint64_t payloadBytes = 0;
  for (const ColumnView& column : columns) {
    header["columns"].push_back(
        {{"name", column.name}, {"type", column.type}, {"count", column.count}});
    payloadBytes += column.bytes.size() + paddingTo8(column.bytes.size());
  }
  std::string text = header.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  text.append(paddingTo8(text.size()), ' ');
  if (text.size() > bounds::maxHeaderBytes || payloadBytes > bounds::maxPayloadBytes) {
    throw ProtocolError("a frame is larger than the protocol allows");
  }
  std::string bytes;
  bytes.reserve(bounds::preambleBytes + text.size());
  put(bytes, static_cast<std::uint32_t>(bounds::frameMagic));
  put(bytes, static_cast<std::uint32_t>(text.size()));
  put(bytes, payloadBytes);
  return bytes + text;
}

void FrameReader::push(std::span<const std::byte> bytes,
                       const std::function<void(Frame&&)>& takeFrame) {
  while (!bytes.empty()) {
    const bool isPreamble = body_.empty();
    std::byte* target = isPreamble ? preamble_.data() : reinterpret_cast<std::byte*>(body_.data());
    const std::size_t size = isPreamble ? bounds::preambleBytes : 8 * body_.size();
    const std::size_t taken = std::min(bytes.size(), size - filled_);
    std::memcpy(target + filled_, bytes.data(), taken);
    filled_ += taken;
    bytes = bytes.subspan(taken);
    if (filled_ < size) return;
    filled_ = 0;
    if (isPreamble) {
      startBody();
    } else {
      takeFrame(finishBody());
    }
  }
}

void FrameReader::startBody() {
  const std::span<const std::byte> preamble(preamble_);
  if (take(preamble, 0, 4) != bounds::frameMagic) {
    throw ProtocolError("the stream does not hold a frame where one was expected");
  }
  headerBytes_ = take(preamble, 4, 4);
  const std::uint64_t payloadBytes = take(preamble, 8, 8);
  if (headerBytes_ > bounds::maxHeaderBytes || payloadBytes > bounds::maxPayloadBytes) {
    throw ProtocolError("a frame is larger than the protocol allows");
  }
  if (headerBytes_ % 8 != 0 || payloadBytes % 8 != 0) {
    throw ProtocolError("a frame is not padded to 8 bytes");
  }
  if (headerBytes_ == 0) throw ProtocolError("a frame has no header");
  body_.resize((headerBytes_ + payloadBytes) / 8);
}

Frame FrameReader::finishBody() {
  Frame frame;
  frame.body = std::move(body_);
  body_ = {};
  const auto bytes = std::as_bytes(std::span(frame.body));
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), headerBytes_);
  try {
    frame.header = nlohmann::json::parse(text);
    if (!frame.header.is_object()) throw ProtocolError("the header of a frame is no object");
    if (const auto list = frame.header.find("columns"); list != frame.header.end()) {
      frame.columns = viewColumns(*list, bytes.subspan(headerBytes_));
      frame.header.erase("columns");
    }
  } catch (const nlohmann::json::exception&) {
    throw ProtocolError("the header of a frame is not what the protocol says");
  }
  return frame;
}

}  // namespace understory
