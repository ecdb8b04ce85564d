// libzstd makes a frame of the content alone, of which only the block is used.
// Why that is sound: it refers to no byte, table or offset of earlier ones.
#include "core/packing/zstdBlock.h"

// Why: compression of given matches is in libzstd's section of experimental functions, which its shared library
// exports.
#define ZSTD_STATIC_LINKING_ONLY
#include <zstd.h>

#include <algorithm>
#include <array>
#include <memory>
#include <string>

#include "core/error.h"

static_assert(ZSTD_VERSION_NUMBER >= 10504, "older versions find no repeated offsets in matches");

namespace understory {
namespace {

std::size_t checkedSize(std::size_t result) {
  if (ZSTD_isError(result) != 0) {
    throw UnderstoryError(ErrorCode::workerFailed,
                          std::string("zstd: ") + ZSTD_getErrorName(result));
  }
  return result;
}

// Memory that a thread reuses from block to block.
class Compressor {
 public:
  Compressor() : context_(ZSTD_createCCtx()), frame_(ZSTD_COMPRESSBOUND(maxBlockBytes)) {
    if (!context_) throw UnderstoryError(ErrorCode::workerFailed, "zstd: out of memory");
    set(ZSTD_c_compressionLevel, 1);
    set(ZSTD_c_windowLog, static_cast<int>(windowLog));
    set(ZSTD_c_minMatch, 3);
    set(ZSTD_c_hashLog, ZSTD_HASHLOG_MIN);  // nothing is searched
    set(ZSTD_c_chainLog, ZSTD_CHAINLOG_MIN);
    set(ZSTD_c_contentSizeFlag, 0);
    set(ZSTD_c_blockDelimiters, ZSTD_sf_explicitBlockDelimiters);
    set(ZSTD_c_searchForExternalRepcodes, ZSTD_ps_enable);
    set(ZSTD_c_literalCompressionMode, ZSTD_ps_enable);
  }

  // A frame of the content alone; valid until the next call.
  std::span<std::byte> compress(std::span<const std::byte> content,
                                std::span<const Match> matches) {
    list(content.size(), matches);
    const std::size_t size = checkedSize(
        ZSTD_compressSequences(context_.get(), frame_.data(), frame_.size(), sequences_.data(),
                               sequences_.size(), content.data(), content.size()));
    return std::span(frame_).first(size);
  }

 private:
  struct Free {
    void operator()(ZSTD_CCtx* context) const { ZSTD_freeCCtx(context); }
  };

  void set(ZSTD_cParameter parameter, int value) {
    checkedSize(ZSTD_CCtx_setParameter(context_.get(), parameter, value));
  }

  // The matches, and the end of a block. Why some become literals: a decoder keeps three offsets, at a frame's
  // start 1, 4 and 8 (RFC 8878, 3.1.1.5). libzstd refers to them, but behind other blocks they are others. After three
  // different offsets of the block itself they are gone.
  void list(std::size_t bytes, std::span<const Match> matches) {
    sequences_.clear();
    std::array<std::uint32_t, 3> own{};
    auto ownEnd = own.begin();
    std::size_t listed = 0;
    std::size_t at = 0;
    for (const Match& match : matches) {
      const std::size_t from = at + match.literals;
      at = from + match.bytes;
      const std::uint32_t offset = match.offset;
      if (ownEnd != own.end()) {
        if (offset == 1 || offset == 4 || offset == 8) continue;
        if (std::find(own.begin(), ownEnd, offset) == ownEnd) *ownEnd++ = offset;
      }
      sequences_.push_back({offset, static_cast<unsigned>(from - listed), match.bytes, 0});
      listed = at;
    }
    sequences_.push_back({0, static_cast<unsigned>(bytes - listed), 0, 0});
  }

  std::unique_ptr<ZSTD_CCtx, Free> context_;
  std::vector<std::byte> frame_;
  std::vector<ZSTD_Sequence> sequences_;
};

}  // namespace

void appendZstdBlock(std::span<const std::byte> content, std::span<const Match> matches,
                     std::vector<std::byte>& out) {
  thread_local Compressor compressor;
  const std::span<std::byte> frame = compressor.compress(content, matches);
  const std::size_t head = checkedSize(ZSTD_frameHeaderSize(frame.data(), frame.size()));
  const auto byteAt = [&](std::size_t index) { return std::to_integer<std::size_t>(frame[index]); };
  const std::size_t size = (byteAt(head) | byteAt(head + 1) << 8U | byteAt(head + 2) << 16U) >> 3U;
  if (head + blockHeadBytes + size != frame.size()) {
    throw UnderstoryError(ErrorCode::internal, "zstd: a frame of more than one block");
  }
  constexpr std::byte lastBlock{1};
  frame[head] &= ~lastBlock;
  out.insert(out.end(), frame.begin() + static_cast<std::ptrdiff_t>(head), frame.end());
}

}  // namespace understory
