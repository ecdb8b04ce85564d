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
#include <utility>

#include "core/error.h"
#include "core/fieldReader.h"
#include "core/packing/crc32.h"

namespace understory {
namespace {

using FileStatus = struct stat;
using Pieces = std::array<std::span<const std::byte>, 3>;

// A file that another process has open, by its name and its identity: another file may have the name by now.
struct Place {
  std::string file;
  std::string device;
  std::string inode;
  std::uint64_t offset = 0;

  bool isOf(const FileStatus& status) const {
    return S_ISREG(status.st_mode) && device == std::to_string(status.st_dev) &&
           inode == std::to_string(status.st_ino);
  }
};

UnderstoryError failure(const std::string& file, int number) {
  const bool isFull = number == ENOSPC || number == EDQUOT || number == EFBIG;
  return UnderstoryError(isFull ? ErrorCode::diskFull : ErrorCode::io,
                         isFull ? "there is no room left to write " + file
                                : file + " cannot be written: " + std::strerror(number),
                         {{"file", file}});
}

// A descriptor of the file; closed where `file` goes out of scope, too.
class OpenFile {
 public:
  explicit OpenFile(const std::string& file)
      : descriptor_(::open(file.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)) {}
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  ~OpenFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int descriptor() const { return descriptor_; }
  // Network file systems state here what they could not write.
  bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

 private:
  int descriptor_;
};

void writeAll(int descriptor, const Place& place, Pieces pieces) {
  auto at = static_cast<off_t>(place.offset);
  for (std::size_t from = 0; from < pieces.size();) {
    std::array<iovec, 3> left{};
    for (std::size_t piece = from; piece < pieces.size(); ++piece) {
      // Why the cast: iovec serves reading, too.
      left[piece] = {const_cast<std::byte*>(pieces[piece].data()), pieces[piece].size()};
    }
    const ssize_t count =
        ::pwritev(descriptor, &left[from], static_cast<int>(pieces.size() - from), at);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failure(place.file, errno);
    at += count;
    auto done = static_cast<std::size_t>(count);
    while (from < pieces.size() && done >= pieces[from].size()) done -= pieces[from++].size();
    if (from < pieces.size()) pieces[from] = pieces[from].subspan(done);
  }
}

// False, and nothing is written: the file is not at its place any more.
bool write(const Place& place, const Pieces& pieces) {
  FileStatus status{};
  // Why looked up first: opening a device may already do something.
  if (::stat(place.file.c_str(), &status) != 0 || !place.isOf(status)) return false;
  OpenFile file(place.file);
  if (file.descriptor() < 0) throw failure(place.file, errno);
  if (::fstat(file.descriptor(), &status) != 0 || !place.isOf(status)) return false;
  writeAll(file.descriptor(), place, pieces);
  if (!file.close()) throw failure(place.file, errno);
  return true;
}

}  // namespace

Message handleWrite(StoredFrames& frames, const Frame& request) {
  namespace at = fields::writeRequest;
  std::uint64_t number = 0;
  std::uint32_t crc = 0;
  const Place place =
      readObject(request.header.at("body"), "request", [&](FieldReader& body) -> Place {
        number = body.integer<std::uint64_t>(at::stored);
        crc = body.integer<std::uint32_t>(at::crc32);
        return {body.text(at::file), body.text(at::device), body.text(at::inode),
                body.integer<std::uint64_t>(at::offset)};
      });
  const std::vector<std::byte> frame = frames.remove(number);
  const Pieces pieces{request.column("frame_head", "u8").bytes, frame,
                      request.column("frame_tail", "u8").bytes};
  Message reply;
  reply.body = {{"crc32", nullptr}};
  if (frame.empty() || !write(place, pieces)) return reply;
  for (const std::span<const std::byte> piece : pieces) crc = crc32(piece, crc);
  reply.body["crc32"] = crc;
  return reply;
}

}  // namespace understory
