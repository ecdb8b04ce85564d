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

class StoredFrames {
 public:
  // Numbers start anywhere: those of two processes differ.
  StoredFrames();

  // Returns its number. The oldest is dropped where there are bounds::maxStoredFrames already.
  std::uint64_t store(std::vector<std::byte>&& frame);

  // Removes a frame and all older ones, which no caller asks for again: frames are written in their order. Empty where it is
  // not here: it was dropped, or another process had it.
  std::vector<std::byte> remove(std::uint64_t number);

  void clear();

 private:
  std::mutex mutex_;
  std::uint64_t next_;
  std::deque<std::pair<std::uint64_t, std::vector<std::byte>>> frames_;  // oldest first
};

}  // namespace understory
