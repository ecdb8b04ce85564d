// A short list, oldest first.
#include "scanWorker/storedFrames.h"

#include <algorithm>
#include <random>

#include "contract/contract.h"

namespace understory {
namespace {

// Below 2^52: exact as a number of JSON, and so after any number of scans.
std::uint64_t anyNumber() {
  std::random_device random;
  return (static_cast<std::uint64_t>(random()) << 20U) ^ random() % (1U << 20U);
}

}  // namespace

StoredFrames::StoredFrames() : next_(anyNumber()) {}

std::uint64_t StoredFrames::store(std::vector<std::byte>&& frame) {
  const std::lock_guard lock(mutex_);
  if (frames_.size() == bounds::maxStoredFrames) frames_.pop_front();
  frames_.emplace_back(next_, std::move(frame));
  return next_++;
}

std::vector<std::byte> StoredFrames::remove(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find(frames_, number, [](const auto& frame) { return frame.first; });
  if (found == frames_.end()) return {};
  std::vector<std::byte> frame = std::move(found->second);
  frames_.erase(frames_.begin(), found + 1);
  return frame;
}

void StoredFrames::clear() {
  const std::lock_guard lock(mutex_);
  frames_.clear();
}

}  // namespace understory
