// Files of the mesh cache: read whole, written aside, synced and renamed.
#include "scanWorker/meshFolder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <functional>
#include <string>
#include <system_error>
#include <vector>

#include "core/error.h"
#include "core/regularFile.h"

namespace understory {

namespace {

namespace fs = std::filesystem;

// A file to be written, which closes itself.
class OpenFile {
 public:
  explicit OpenFile(const fs::path& path)
      : fd_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {}
  ~OpenFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;

  bool isOpen() const { return fd_ >= 0; }

  bool writeAll(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::write(fd_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }

  bool sync() const { return ::fsync(fd_) == 0; }

 private:
  int fd_;
};

std::optional<std::vector<std::byte>> readEntry(const fs::path& path, std::uint64_t maxBytes) {
  try {
    std::vector<std::byte> bytes = RegularFile(path.string(), maxBytes).readWhole({});
    // Used now: the next clearing takes others first.
    std::error_code error;
    fs::last_write_time(path, fs::file_time_type::clock::now(), error);
    return bytes;
  } catch (const UnderstoryError&) {
    return std::nullopt;
  }
}

// Returns why it failed; empty: it is written.
std::string writeAside(const fs::path& path, std::span<const std::byte> bytes) {
  const OpenFile file(path);
  if (file.isOpen() && file.writeAll(bytes) && file.sync()) return {};
  return std::generic_category().message(errno);
}

struct Entry {
  fs::path path;
  std::uintmax_t bytes = 0;
  fs::file_time_type usedAt;
};

// Removes the longest unused until the rest takes at most `maxBytes`, and what a worker that died while
// writing has left.
void clear(const fs::path& folder, std::uint64_t maxBytes) {
  constexpr std::chrono::hours maxWriteTime{1};
  std::vector<Entry> entries;
  std::uint64_t total = 0;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // another worker clears the same folder
    Entry entry{at->path(), at->file_size(gone), at->last_write_time(gone)};
    if (gone) continue;
    const std::string extension = entry.path.extension().string();
    if (extension == ".part" && now - entry.usedAt > maxWriteTime) fs::remove(entry.path, gone);
    if (extension != ".mesh") continue;
    total += entry.bytes;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return a.usedAt < b.usedAt; });
  for (const Entry& entry : entries) {
    if (total <= maxBytes) return;
    total -= entry.bytes;
    fs::remove(entry.path, error);
  }
}

// Returns why the entry is not stored; empty: it is, or is too large for the folder.
std::string storeEntry(const fs::path& folder, const std::string& name,
                       std::span<const std::byte> bytes, std::uint64_t maxBytes) {
  if (bytes.size() > maxBytes) return {};
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) return error.message();
  const fs::path aside = folder / (name + "-" + std::to_string(::getpid()) + ".part");
  if (const std::string failure = writeAside(aside, bytes); !failure.empty()) {
    fs::remove(aside, error);
    return failure;
  }
  fs::rename(aside, folder / (name + ".mesh"), error);
  if (error) return error.message();
  clear(folder, maxBytes);
  return {};
}

}  // namespace

MeshStore meshFolder(const fs::path& folder, std::uint64_t maxBytes,
                     const std::function<void(const std::string&)>& onFailure) {
  MeshStore store;
  store.find = [folder, maxBytes](const std::string& name) {
    return readEntry(folder / (name + ".mesh"), maxBytes);
  };
  store.keep = [folder, maxBytes, onFailure, hasFailed = false](
                   const std::string& name, std::span<const std::byte> bytes) mutable {
    const std::string failure = storeEntry(folder, name, bytes, maxBytes);
    if (failure.empty() || hasFailed) return;
    hasFailed = true;
    if (onFailure)
      onFailure("meshes are made for each scene: the cache " + folder.string() +
                " cannot be written: " + failure);
  };
  return store;
}

}  // namespace understory
