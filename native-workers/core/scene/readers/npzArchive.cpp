// ZIP by its directory (PKWARE's APPNOTE 4.3, with ZIP64), NPY 1.0 to 3.0.
#include "core/scene/readers/npzArchive.h"

#include <libdeflate.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "core/scene/readers/fileText.h"

namespace understory {
namespace {

// Signatures of records, and their bytes without names and comments.
constexpr std::uint32_t endOfDirectory = 0x06054b50;
constexpr std::uint32_t endOfDirectory64 = 0x06064b50;
constexpr std::uint32_t locator64 = 0x07064b50;
constexpr std::uint32_t directoryEntry = 0x02014b50;
constexpr std::uint32_t localEntry = 0x04034b50;
constexpr std::uint64_t endBytes = 22;
constexpr std::uint64_t locatorBytes = 20;
constexpr std::uint64_t entryBytes = 46;
constexpr std::uint64_t localBytes = 30;
constexpr std::uint64_t maxCommentBytes = 0xffff;
// Where a number has its greatest value, it is in a ZIP64 record.
constexpr std::uint32_t elsewhere = 0xffffffff;
constexpr std::uint16_t extraOf64 = 1;

constexpr std::uint32_t stored = 0;
constexpr std::uint32_t deflated = 8;
// Deflate packs 258 bytes into 2 bits at best.
constexpr std::uint64_t maxPacking = 1032;

constexpr std::uint64_t maxHeaderBytes = 1 << 16;

// The text between `from` and `to` that follows `key` in the header of an array.
std::optional<std::string_view> textAfter(std::string_view head, std::string_view key,
                                          std::string_view from, std::string_view to) {
  const std::size_t keyAt = head.find(key);
  if (keyAt == std::string_view::npos) return std::nullopt;
  const std::size_t open = head.find(from, keyAt + key.size());
  if (open == std::string_view::npos) return std::nullopt;
  const std::size_t first = open + from.size();
  const std::size_t close = head.find(to, first);
  if (close == std::string_view::npos) return std::nullopt;
  return head.substr(first, close - first);
}

// The axes in '(3, 4,)'; none where one is no number.
std::optional<std::vector<std::uint64_t>> axesOf(std::string_view shape) {
  std::vector<std::uint64_t> axes;
  while (!shape.empty()) {
    const std::size_t end = std::min(shape.find(','), shape.size());
    std::string_view word = shape.substr(0, end);
    while (!word.empty() && word.front() == ' ') word.remove_prefix(1);
    shape.remove_prefix(std::min(end + 1, shape.size()));
    if (word.empty()) continue;
    if (!parseWord(word, axes.emplace_back())) return std::nullopt;
  }
  return axes;
}

}  // namespace

UnderstoryError badArray(const std::string& file, std::string_view name,
                         const std::string& expected) {
  const std::string array(name);
  return UnderstoryError(ErrorCode::badInput,
                         file + ", array '" + array + "': expected " + expected,
                         {{"file", file}, {"array", array}, {"expected", expected}});
}

NpyArray::NpyArray(std::string npy, std::string_view name, const std::string& file)
    : npy_(std::move(npy)) {
  const std::string_view bytes = npy_;
  const bool isLong = bytes.size() > 6 && bytes[6] > 1;
  const std::size_t headAt = isLong ? 12 : 10;
  if (!bytes.starts_with("\x93NUMPY") || bytes.size() < headAt) {
    throw badArray(file, name, "an array of NumPy");
  }
  const auto byteAt = [&](std::size_t at) {
    return std::size_t{static_cast<unsigned char>(bytes[at])};
  };
  std::size_t headBytes = byteAt(8) + (byteAt(9) << 8U);
  if (isLong) headBytes += (byteAt(10) << 16U) + (byteAt(11) << 24U);
  if (headBytes > bytes.size() - headAt) throw badArray(file, name, "a whole header");
  valuesAt_ = headAt + headBytes;
  const std::string_view head = bytes.substr(headAt, headBytes);
  const auto type = textAfter(head, "'descr'", "'", "'");
  if (!type || (*type != "<f8" && *type != "<f4")) {
    throw badArray(file, name, "values of type '<f8' or '<f4', found " + std::string(head));
  }
  isSingle_ = *type == "<f4";
  const auto order = textAfter(head, "'fortran_order'", ":", ",");
  if (!order || order->find("False") == std::string_view::npos) {
    throw badArray(file, name, "values in C order (numpy.ascontiguousarray)");
  }
  const auto shape = textAfter(head, "'shape'", "(", ")");
  const auto axes = shape ? axesOf(*shape) : std::nullopt;
  if (!axes) throw badArray(file, name, "a shape, found " + std::string(head));
  shape_ = *axes;
  const std::uint64_t held = (bytes.size() - valuesAt_) / (isSingle_ ? 4 : 8);
  for (const std::uint64_t axis : shape_) {
    if (axis != 0 && size_ > held / axis) throw badArray(file, name, "as many values as its shape");
    size_ *= axis;
  }
  if (size_ != held) throw badArray(file, name, "as many values as its shape");
}

double NpyArray::operator[](std::uint64_t index) const {
  if (isSingle_) {
    float value = 0.0F;
    std::memcpy(&value, npy_.data() + valuesAt_ + 4 * index, 4);
    return static_cast<double>(value);
  }
  double value = 0.0;
  std::memcpy(&value, npy_.data() + valuesAt_ + 8 * index, 8);
  return value;
}

NpzArchive::NpzArchive(std::string_view bytes, std::string file)
    : bytes_(bytes), file_(std::move(file)) {
  std::uint64_t at = bytes_.size() < endBytes ? 0 : bytes_.size() - endBytes;
  const std::uint64_t lowest = at > maxCommentBytes ? at - maxCommentBytes : 0;
  while (at > lowest && number<std::uint32_t>(at) != endOfDirectory) --at;
  if (number<std::uint32_t>(at) != endOfDirectory) {
    throw badByte(file_, bytes_.size(), "the directory of an archive");
  }
  std::uint64_t count = number<std::uint16_t>(at + 10);
  std::uint64_t entry = number<std::uint32_t>(at + 16);
  if (at >= locatorBytes && number<std::uint32_t>(at - locatorBytes) == locator64) {
    const auto end64 = number<std::uint64_t>(at - locatorBytes + 8);
    if (number<std::uint32_t>(end64) != endOfDirectory64) {
      throw badByte(file_, end64, "the end of a ZIP64 directory");
    }
    count = number<std::uint64_t>(end64 + 32);
    entry = number<std::uint64_t>(end64 + 48);
  }
  for (; count > 0; --count) {
    if (number<std::uint32_t>(entry) != directoryEntry) {
      throw badByte(file_, entry, "an entry of the archive");
    }
    const std::uint64_t nameBytes = number<std::uint16_t>(entry + 28);
    std::string name(part(entry + entryBytes, nameBytes));
    if (name.ends_with(".npy")) name.resize(name.size() - 4);
    entries_.emplace(std::move(name), entryAt(entry));
    entry += entryBytes + nameBytes + number<std::uint16_t>(entry + 30) +
             number<std::uint16_t>(entry + 32);
  }
}

NpzArchive::Entry NpzArchive::entryAt(std::uint64_t at) const {
  Entry entry{number<std::uint16_t>(at + 10), number<std::uint32_t>(at + 16),
              number<std::uint32_t>(at + 20), number<std::uint32_t>(at + 24),
              number<std::uint32_t>(at + 42)};
  std::uint64_t extra = at + entryBytes + number<std::uint16_t>(at + 28);
  const std::uint64_t end = extra + number<std::uint16_t>(at + 30);
  while (extra + 4 <= end && number<std::uint16_t>(extra) != extraOf64) {
    extra += 4 + std::uint64_t{number<std::uint16_t>(extra + 2)};
  }
  extra += 4;
  for (std::uint64_t* const value : {&entry.bytes, &entry.packedBytes, &entry.at}) {
    if (*value != elsewhere || extra + 8 > end) continue;
    *value = number<std::uint64_t>(extra);
    extra += 8;
  }
  return entry;
}

NpyArray NpzArchive::read(std::string_view name, std::uint64_t maxValues) const {
  const auto found = entries_.find(name);
  if (found == entries_.end()) throw badArray(file_, name, "this array in the archive");
  if (found->second.bytes > 8 * maxValues + maxHeaderBytes) {
    throw badArray(file_, name, "at most " + std::to_string(maxValues) + " values");
  }
  return {unpacked(found->second, name), name, file_};
}

std::string NpzArchive::unpacked(const Entry& entry, std::string_view name) const {
  if (number<std::uint32_t>(entry.at) != localEntry) {
    throw badByte(file_, entry.at, "the array '" + std::string(name) + "'");
  }
  const std::uint64_t from = entry.at + localBytes + number<std::uint16_t>(entry.at + 26) +
                             number<std::uint16_t>(entry.at + 28);
  const std::string_view packed = part(from, entry.packedBytes);
  const bool isKnown = entry.method == stored ? entry.bytes == entry.packedBytes
                                              : entry.method == deflated &&
                                                    entry.bytes / maxPacking <= entry.packedBytes;
  if (!isKnown) throw badArray(file_, name, "an array that is stored or deflated");
  std::string bytes;
  if (entry.method == stored) {
    bytes = packed;
  } else {
    bytes.resize(entry.bytes);
    const std::unique_ptr<libdeflate_decompressor, void (*)(libdeflate_decompressor*)> inflater(
        libdeflate_alloc_decompressor(), libdeflate_free_decompressor);
    const auto result = libdeflate_deflate_decompress(inflater.get(), packed.data(), packed.size(),
                                                      bytes.data(), bytes.size(), nullptr);
    if (result != LIBDEFLATE_SUCCESS) throw badArray(file_, name, "an undamaged array");
  }
  if (libdeflate_crc32(0, bytes.data(), bytes.size()) != entry.crc) {
    throw badArray(file_, name, "an undamaged array");
  }
  return bytes;
}

// Little-endian, as the machine is.
template <typename T>
T NpzArchive::number(std::uint64_t at) const {
  T value{};
  std::memcpy(&value, part(at, sizeof(T)).data(), sizeof(T));
  return value;
}

std::string_view NpzArchive::part(std::uint64_t at, std::uint64_t count) const {
  if (at > bytes_.size() || count > bytes_.size() - at) {
    throw badByte(file_, bytes_.size(), "more bytes of an archive");
  }
  return bytes_.substr(at, count);
}

}  // namespace understory
