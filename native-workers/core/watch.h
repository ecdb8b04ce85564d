// Progress and cancel of long work: of readers of large files, generators of large plants, builds, scans, renders.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "core/error.h"

namespace understory {

struct Watch {
  // Called with the name of a phase, how much is done, and of how much; by a build from several threads at once.
  std::function<void(const std::string& phase, std::size_t done, std::size_t total)> onProgress;
  // Set from another thread to stop the work.
  const std::atomic<bool>* isCancelled = nullptr;

  bool isOver() const { return isCancelled != nullptr && isCancelled->load(); }
  void throwIfCancelled() const {
    if (isOver()) throw cancelledError();
  }
};

// Follows one phase. Checks the cancel flag every `unitsBetweenChecks` units and reports whole per cent,
// so that it may be called for every line and triangle.
class Meter {
 public:
  static constexpr std::uint64_t unitsBetweenChecks = 1U << 14U;

  // `total` in units of the phase (bytes of a file, triangles); `watch` outlives the meter.
  Meter(const Watch& watch, std::string phase, std::uint64_t total)
      : watch_(watch), phase_(std::move(phase)), total_(total) {}

  // Throws 'cancelled'.
  void advanceTo(std::uint64_t done) {
    if (done >= nextCheck_) check(done);
  }

 private:
  void check(std::uint64_t done) {
    nextCheck_ = done + unitsBetweenChecks;
    watch_.throwIfCancelled();
    const std::uint64_t share = total_ / 100 + 1;
    if (!watch_.onProgress || done / share < nextPercent_) return;
    nextPercent_ = done / share + 1;
    watch_.onProgress(phase_, std::min(done, total_), total_);
  }

  const Watch& watch_;
  std::string phase_;
  std::uint64_t total_;
  std::uint64_t nextCheck_ = 0;
  std::uint64_t nextPercent_ = 0;
};

}  // namespace understory
