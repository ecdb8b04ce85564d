// The file of a log (src-main/recordings/log/LOG.md): its head and summary, and its beams chunk by chunk. Bounded: sizes are
// checked against the file and the format before anything is allocated.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/log/beams.h"
#include "core/log/logHead.h"
#include "core/sha256.h"
#include "core/watch.h"

namespace understory {

struct Frame;

// Fills `bytes` from an offset of the file, which holds so many.
using ReadAt = std::function<void(std::uint64_t offset, std::span<std::byte> bytes)>;

// The columns of beams to read.
enum class BeamParts { rays, raysAndLasers, raysAndShares };

class LogReader {
 public:
  // `file`: its name for errors. Throws UnderstoryError 'corrupt' with the file's name, the byte and what was expected.
  LogReader(ReadAt readAt, std::uint64_t fileBytes, std::string file);

  const LogHead& head() const { return head_; }
  const LogCounts& counts() const { return counts_; }
  std::size_t chunks() const { return offsets_.size(); }
  // SHA-256 of the contents, hex, as the trailer states it.
  const std::string& hash() const { return hash_; }

  // Appends the beams of a chunk, with origins relative to `originM` of the world, and its content to a hash. Throws
  // likewise.
  void appendChunk(std::size_t chunk, Vec3d originM, Beams& beams, Sha256& sum,
                   BeamParts parts = BeamParts::rays) const;
  // A hash of the head, to which all chunks are appended in their order.
  Sha256 headSum() const { return headSum_; }
  // Throws where that hash is not the one that the trailer states.
  void expectHash(Sha256 sum) const;

 private:
  void readChunkTable(const Frame& summary);
  void checkChunks(std::uint64_t summaryAt) const;

  ReadAt readAt_;
  std::uint64_t fileBytes_;
  std::string file_;
  LogHead head_;
  LogCounts counts_;
  std::vector<std::uint64_t> offsets_;
  std::vector<std::uint32_t> rows_;
  std::string hash_;
  Sha256 headSum_;
};

// A log on disk. Throws 'not-found' or 'io' where it cannot be read, 'corrupt' likewise.
LogReader openLog(const std::string& path);

// Throws 'bad-input' for a log whose beams are parts of pulses.
void expectPulses(const LogReader& log);

// All beams of some logs, relative to the origin of the first; sweeps are numbered on. Throws 'bad-input' where
// `maxBeams` are exceeded, and as expectPulses; 'cancelled'.
Beams readBeams(const std::vector<LogReader>& logs, std::uint64_t maxBeams, const Watch& watch,
                BeamParts parts = BeamParts::rays);

}  // namespace understory
