// Frames of packed scans that stay in the worker until their recording has a place for them, so that they never pass
// through the process that drives. For any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

namespace understory {

class KeptFrames {
 public:
  // Returns its number. The oldest is dropped where there are bounds::maxKeptFrames already.
  std::uint64_t keep(std::vector<std::byte>&& frame);

  // Gives a frame away. Throws UnderstoryError 'not-found' where it was dropped, or kept by another process.
  std::vector<std::byte> take(std::uint64_t number);

  void clear();

 private:
  std::mutex mutex_;
  std::uint64_t next_ = 1;
  std::deque<std::pair<std::uint64_t, std::vector<std::byte>>> frames_;  // oldest first
};

}  // namespace understory
