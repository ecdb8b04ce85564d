// POSIX calls: the standard streams open whatever has the name.
#include "core/regularFile.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace understory {
namespace {

using FileStatus = struct stat;

// Bytes between two looks at the signal.
constexpr std::size_t pieceBytes = std::size_t{16} << 20U;

UnderstoryError failure(const std::string& path, int number) {
  const bool isMissing = number == ENOENT || number == ENOTDIR;
  return UnderstoryError(isMissing ? ErrorCode::notFound : ErrorCode::io,
                         isMissing ? "there is no file '" + path + "'"
                                   : "'" + path + "' cannot be read: " + std::strerror(number),
                         {{"file", path}});
}

UnderstoryError refusal(const std::string& path, const std::string& expected,
                        const std::string& found) {
  return UnderstoryError(ErrorCode::badInput,
                         "'" + path + "' cannot be read: expected " + expected + ", found " + found,
                         {{"file", path}});
}

const char* kindOf(const FileStatus& status) {
  if (S_ISDIR(status.st_mode)) return "a folder";
  if (S_ISFIFO(status.st_mode)) return "a named pipe";
  return S_ISSOCK(status.st_mode) ? "a socket" : "a device";
}

std::uint64_t checkedBytes(const std::string& path, const FileStatus& status,
                           std::uint64_t maxBytes) {
  if (!S_ISREG(status.st_mode)) throw refusal(path, "a regular file", kindOf(status));
  const auto bytes = static_cast<std::uint64_t>(status.st_size);
  if (bytes > maxBytes) {
    throw refusal(path, "at most " + std::to_string(maxBytes) + " bytes", std::to_string(bytes));
  }
  return bytes;
}

std::uint64_t bytesAt(const std::string& path, std::uint64_t maxBytes) {
  FileStatus status{};
  if (::stat(path.c_str(), &status) != 0) throw failure(path, errno);
  return checkedBytes(path, status, maxBytes);
}

}  // namespace

RegularFile::RegularFile(std::string path, std::uint64_t maxBytes) : path_(std::move(path)) {
  // Why first: opening a device may already do something.
  bytesAt(path_, maxBytes);
  // Why non-blocking: another file may have taken the name since, and a pipe would hold up the thread permanently.
  descriptor_ = ::open(path_.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
  if (descriptor_ < 0) throw failure(path_, errno);
  try {
    FileStatus status{};
    if (::fstat(descriptor_, &status) != 0) throw failure(path_, errno);
    bytes_ = checkedBytes(path_, status, maxBytes);
  } catch (...) {
    ::close(descriptor_);
    throw;
  }
}

RegularFile::RegularFile(RegularFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      bytes_(other.bytes_) {}

RegularFile::~RegularFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

void RegularFile::read(std::uint64_t offset, std::span<std::byte> into) const {
  while (!into.empty()) {
    const ssize_t count =
        ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failure(path_, errno);
    if (count == 0) {
      throw UnderstoryError(ErrorCode::io, "'" + path_ + "' cannot be read: it became shorter",
                            {{"file", path_}});
    }
    offset += static_cast<std::uint64_t>(count);
    into = into.subspan(static_cast<std::size_t>(count));
  }
}

namespace {

void readInto(const RegularFile& file, std::span<std::byte> bytes, const Watch& watch) {
  for (std::size_t at = 0; at < bytes.size(); at += pieceBytes) {
    watch.throwIfCancelled();
    file.read(at, bytes.subspan(at, std::min(pieceBytes, bytes.size() - at)));
  }
}

}  // namespace

std::vector<std::byte> RegularFile::readWhole(const Watch& watch) const {
  std::vector<std::byte> bytes(bytes_);
  readInto(*this, bytes, watch);
  return bytes;
}

std::string RegularFile::readText(const Watch& watch) const {
  std::string text(bytes_, '\0');
  readInto(*this, std::as_writable_bytes(std::span(text)), watch);
  return text;
}

std::uint64_t regularFileBytes(const std::string& path) { return bytesAt(path, anySize); }

}  // namespace understory
