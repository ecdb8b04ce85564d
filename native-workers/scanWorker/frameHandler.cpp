// POSIX calls: head, frame and tail are written with one of them where the disk takes all.
#include "scanWorker/frameHandler.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>

#include "core/error.h"
#include "core/fieldReader.h"
#include "core/packing/crc32.h"

namespace understory {
namespace {

using FileStatus = struct stat;

// A file that another process has open, by its name and its identity: the name may be another file's by now.
struct Place {
  std::string file;
  std::string device;
  std::string inode;
  std::uint64_t offset = 0;
  std::uint32_t crc32 = 0;  // of all bytes before
};

UnderstoryError failure(const std::string& file, int number) {
  const bool isFull = number == ENOSPC || number == EDQUOT || number == EFBIG;
  return UnderstoryError(isFull ? ErrorCode::diskFull : ErrorCode::io,
                         isFull ? "there is no room left to write " + file
                                : file + " cannot be written: " + std::strerror(number),
                         {{"file", file}});
}

class OpenPlace {
 public:
  explicit OpenPlace(const Place& place) : place_(place) {
    FileStatus status{};
    // Why looked at first: opening a device may already do something.
    if (::stat(place.file.c_str(), &status) != 0) {
      if (errno == ENOENT) throw gone();
      throw failure(place.file, errno);
    }
    expectSame(status);
    descriptor_ = ::open(place.file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (descriptor_ < 0) throw failure(place.file, errno);
    try {
      if (::fstat(descriptor_, &status) != 0) throw failure(place.file, errno);
      expectSame(status);
    } catch (...) {
      ::close(descriptor_);
      throw;
    }
  }
  OpenPlace(const OpenPlace&) = delete;
  OpenPlace& operator=(const OpenPlace&) = delete;
  ~OpenPlace() { ::close(descriptor_); }

  void write(std::array<std::span<const std::byte>, 3> pieces) const {
    auto at = static_cast<off_t>(place_.offset);
    for (std::size_t from = 0; from < pieces.size();) {
      std::array<iovec, 3> left{};
      for (std::size_t piece = from; piece < pieces.size(); ++piece) {
        // Why the cast: iovec serves reading, too.
        left[piece] = {const_cast<std::byte*>(pieces[piece].data()), pieces[piece].size()};
      }
      const ssize_t count =
          ::pwritev(descriptor_, &left[from], static_cast<int>(pieces.size() - from), at);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) throw failure(place_.file, errno);
      at += count;
      auto done = static_cast<std::size_t>(count);
      while (from < pieces.size() && done >= pieces[from].size()) done -= pieces[from++].size();
      if (from < pieces.size()) pieces[from] = pieces[from].subspan(done);
    }
  }

 private:
  UnderstoryError gone() const {
    return UnderstoryError(ErrorCode::io, place_.file + " was deleted while it was written",
                           {{"file", place_.file}});
  }

  void expectSame(const FileStatus& status) const {
    const bool isSame = S_ISREG(status.st_mode) && place_.device == std::to_string(status.st_dev) &&
                        place_.inode == std::to_string(status.st_ino);
    if (!isSame) throw gone();
  }

  const Place& place_;
  int descriptor_ = -1;
};

}  // namespace

Message handleWrite(KeptFrames& frames, const Frame& request) {
  namespace at = fields::writeRequest;
  std::uint64_t number = 0;
  const Place place =
      readObject(request.header.at("body"), "request", [&](FieldReader& body) -> Place {
        number = body.integer<std::uint64_t>(at::kept);
        return {body.text(at::file), body.text(at::device), body.text(at::inode),
                body.integer<std::uint64_t>(at::offset), body.integer<std::uint32_t>(at::crc32)};
      });
  const std::vector<std::byte> frame = frames.take(number);
  const std::array<std::span<const std::byte>, 3> pieces{
      request.column("frame_head", "u8").bytes, frame, request.column("frame_tail", "u8").bytes};
  OpenPlace(place).write(pieces);
  std::uint32_t crc = place.crc32;
  for (const std::span<const std::byte> piece : pieces) crc = crc32(piece, crc);
  Message reply;
  reply.body = {{"crc32", crc}};
  return reply;
}

}  // namespace understory
