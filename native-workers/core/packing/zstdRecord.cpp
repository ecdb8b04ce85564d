// The body is the stream of a frame of its own, of which only the blocks are taken.
// Why that is sound: blocks refer back by distance, never before the body's first byte, and raw blocks
// before them leave the decoder's repeat distances and tables as at a frame's start (RFC 8878, 3.1.1.2).
#include "core/packing/zstdRecord.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "core/error.h"

namespace understory {
namespace {

constexpr unsigned windowLog = 19;
constexpr std::byte windowDescriptor{(windowLog - 10) << 3U};
constexpr std::size_t streamHeadBytes = 6;  // magic, descriptor, window
constexpr std::size_t frameHeadBytes = 14;  // and the size of the content, 8 bytes
constexpr std::size_t blockHeadBytes = 3;
constexpr std::size_t growthBytes = 1U << 20U;

void check(std::size_t result) {
  if (ZSTD_isError(result) != 0) {
    throw UnderstoryError(ErrorCode::workerFailed,
                          std::string("zstd: ") + ZSTD_getErrorName(result));
  }
}

void putNumber(std::byte* to, std::uint64_t value, std::size_t bytes) {
  for (std::size_t byte = 0; byte < bytes; ++byte) {
    to[byte] = static_cast<std::byte>((value >> (8 * byte)) & 255U);
  }
}

void putRawBlock(std::byte* to, std::span<const std::byte> content, bool isLast) {
  putNumber(to, (content.size() << 3U) | (isLast ? 1U : 0U), blockHeadBytes);
  if (!content.empty()) std::memcpy(to + blockHeadBytes, content.data(), content.size());
}

}  // namespace

struct ZstdRecord::Context {
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };
  std::unique_ptr<ZSTD_CCtx, Free> zstd{ZSTD_createCCtx()};
};

ZstdRecord::ZstdRecord(int level) : context_(std::make_unique<Context>()) {
  ZSTD_CCtx* const zstd = context_->zstd.get();
  if (zstd == nullptr) throw UnderstoryError(ErrorCode::workerFailed, "zstd: out of memory");
  check(ZSTD_CCtx_setParameter(zstd, ZSTD_c_compressionLevel, level));
  check(ZSTD_CCtx_setParameter(zstd, ZSTD_c_windowLog, static_cast<int>(windowLog)));
  check(ZSTD_CCtx_setParameter(zstd, ZSTD_c_contentSizeFlag, 0));
  check(ZSTD_CCtx_setParameter(zstd, ZSTD_c_checksumFlag, 0));
  // Why: the first call fixes the window; without an end in sight it stays as it was set.
  compress({}, false);
}
ZstdRecord::~ZstdRecord() = default;
ZstdRecord::ZstdRecord(ZstdRecord&&) noexcept = default;
ZstdRecord& ZstdRecord::operator=(ZstdRecord&&) noexcept = default;

void ZstdRecord::add(std::span<const std::byte> body) {
  bodyBytes_ += body.size();
  compress(body, false);
}

std::vector<std::byte> ZstdRecord::finish(std::span<const std::byte> head,
                                          std::span<const std::byte> tail) {
  std::span<const std::byte> blocks;
  if (bodyBytes_ > 0) {
    compress({}, true);
    const bool isAsAsked = filled_ >= streamHeadBytes && compressed_[4] == std::byte{0} &&
                           compressed_[5] <= windowDescriptor;
    if (!isAsAsked)
      throw UnderstoryError(ErrorCode::internal, "zstd: a frame with another head than asked for");
    blocks = std::span(compressed_).subspan(streamHeadBytes, filled_ - streamHeadBytes);
  }
  const std::size_t headEnd = frameHeadBytes + blockHeadBytes + head.size();
  std::vector<std::byte> frame(headEnd + blocks.size() + blockHeadBytes + tail.size());
  putNumber(frame.data(), ZSTD_MAGICNUMBER, 4);
  frame[4] = std::byte{0xc0};  // content size of 8 bytes, no checksum, no dictionary
  frame[5] = windowDescriptor;
  putNumber(frame.data() + 6, head.size() + bodyBytes_ + tail.size(), 8);
  putRawBlock(frame.data() + frameHeadBytes, head, false);
  if (!blocks.empty()) std::memcpy(frame.data() + headEnd, blocks.data(), blocks.size());
  putRawBlock(frame.data() + headEnd + blocks.size(), tail, true);
  return frame;
}

void ZstdRecord::compress(std::span<const std::byte> body, bool isEnd) {
  ZSTD_inBuffer in{body.data(), body.size(), 0};
  for (std::size_t left = 1; in.pos < in.size || left > 0;) {
    if (compressed_.size() - filled_ < ZSTD_CStreamOutSize()) {
      compressed_.resize(compressed_.size() + growthBytes);
    }
    ZSTD_outBuffer out{compressed_.data(), compressed_.size(), filled_};
    // Why flush and not end: the frame continues after the body.
    left = ZSTD_compressStream2(context_->zstd.get(), &out, &in,
                                isEnd ? ZSTD_e_flush : ZSTD_e_continue);
    check(left);
    filled_ = out.pos;
    if (!isEnd && in.pos == in.size) break;
  }
}

}  // namespace understory
