// Opening files for reading: anybody's, of any kind. The only place that does (test/checks/nativeOpeners.ts). Only regular
// files are opened, and no pipe holds up a thread; as src-main/files/regularFile.ts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "core/watch.h"

namespace understory {

// For what is read by range: logs are as large as the disk has them.
inline constexpr std::uint64_t anySize = std::numeric_limits<std::uint64_t>::max();

class RegularFile {
 public:
  // Throws UnderstoryError 'not-found', 'io', and 'bad-input' for what is no regular file or larger than `maxBytes`.
  RegularFile(std::string path, std::uint64_t maxBytes);
  RegularFile(RegularFile&& other) noexcept;
  ~RegularFile();
  RegularFile(const RegularFile&) = delete;
  RegularFile& operator=(const RegularFile&) = delete;
  RegularFile& operator=(RegularFile&&) = delete;

  // When it was opened. Reads end there, however the file grows.
  std::uint64_t bytes() const { return bytes_; }

  // Fills `into` from an offset, for any number of threads. Throws 'io', for a file that ends before, too.
  void read(std::uint64_t offset, std::span<std::byte> into) const;

  // All bytes. Throws likewise, and 'cancelled'.
  std::vector<std::byte> readWhole(const Watch& watch) const;
  std::string readText(const Watch& watch) const;

 private:
  std::string path_;
  int descriptor_ = -1;
  std::uint64_t bytes_ = 0;
};

// The size of a file that is not read. Throws as the constructor.
std::uint64_t regularFileBytes(const std::string& path);

}  // namespace understory
