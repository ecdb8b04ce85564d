// A short list, oldest first.
#include "scanWorker/keptFrames.h"

#include <algorithm>
#include <string>

#include "core/error.h"

namespace understory {

std::uint64_t KeptFrames::keep(std::vector<std::byte>&& frame) {
  const std::lock_guard lock(mutex_);
  if (frames_.size() == bounds::maxKeptFrames) frames_.pop_front();
  frames_.emplace_back(next_, std::move(frame));
  return next_++;
}

std::vector<std::byte> KeptFrames::take(std::uint64_t number) {
  const std::lock_guard lock(mutex_);
  const auto found =
      std::ranges::find(frames_, number, [](const auto& frame) { return frame.first; });
  if (found == frames_.end()) {
    throw UnderstoryError(ErrorCode::notFound, "no frame " + std::to_string(number) + " is kept");
  }
  std::vector<std::byte> frame = std::move(found->second);
  frames_.erase(found);
  return frame;
}

void KeptFrames::clear() {
  const std::lock_guard lock(mutex_);
  frames_.clear();
}

}  // namespace understory
