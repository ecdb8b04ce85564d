// Long work that can be watched and stopped: what a reader of large files or a generator of large plants
// is given, and how it says where it is.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/error.h"

namespace understory {

struct WorkWatch {
  // Told the name of a phase, how much is done, and of how much.
  std::function<void(const std::string& phase, std::size_t done, std::size_t total)> onProgress;
  // Set from another thread to stop the work.
  const std::atomic<bool>* isCancelled = nullptr;

  void throwIfCancelled() const {
    if (isCancelled != nullptr && isCancelled->load()) throw cancelledError();
  }
};

// Follows one phase. Looks at the cancel flag every `unitsBetweenLooks` units and reports whole per cent,
// so that it may be called for every line and triangle.
class WorkMeter {
 public:
  static constexpr std::uint64_t unitsBetweenLooks = 1U << 14U;

  // `total` in units of the phase (bytes of a file, triangles); `watch` outlives the meter.
  WorkMeter(const WorkWatch& watch, std::string phase, std::uint64_t total)
      : watch_(watch), phase_(std::move(phase)), total_(total) {}

  // Throws 'cancelled'.
  void advanceTo(std::uint64_t done) {
    if (done >= nextLook_) look(done);
  }

 private:
  void look(std::uint64_t done) {
    nextLook_ = done + unitsBetweenLooks;
    watch_.throwIfCancelled();
    const std::uint64_t share = total_ / 100 + 1;
    if (!watch_.onProgress || done / share < nextPercent_) return;
    nextPercent_ = done / share + 1;
    watch_.onProgress(phase_, std::min(done, total_), total_);
  }

  const WorkWatch& watch_;
  std::string phase_;
  std::uint64_t total_;
  std::uint64_t nextLook_ = 0;
  std::uint64_t nextPercent_ = 0;
};

}  // namespace understory
