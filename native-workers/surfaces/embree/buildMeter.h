// Follows Embree while it builds trees: reports whole per cent over several scenes as one phase, and stops
// Embree when the caller cancels (rtcCommitScene then leaves RTC_ERROR_CANCELLED).
#pragma once

#include <atomic>
#include <cstdint>
#include <exception>

#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeScene.h"

namespace understory {

class BuildMeter {
 public:
  // `total`: units (triangles, instances) over all scenes of the phase; `watch` outlives the meter.
  BuildMeter(const Watch& watch, const char* phase, std::uint64_t total)
      : watch_(watch), phase_(phase), total_(total) {
    if (watch_.onProgress) watch_.onProgress(phase_, 0, total_);
  }
  BuildMeter(const BuildMeter&) = delete;
  BuildMeter& operator=(const BuildMeter&) = delete;

  // rtcCommitScene for a scene of so many units, followed.
  void commit(RTCSceneTy* scene, std::uint64_t units) {
    rtcSetSceneProgressMonitorFunction(scene, onProgress, this);
    follow(units, [&] { rtcCommitScene(scene); });
    rtcSetSceneProgressMonitorFunction(scene, nullptr, nullptr);
  }
  // The same of a build that calls continues().
  template <typename Build>
  void follow(std::uint64_t units, Build&& build) {
    units_ = units;
    build();
    done_ += units;
  }

  // Called by several threads at once, with the share that is built. Returns whether to continue.
  bool continues(double share) {
    if (watch_.isOver()) return false;
    if (!watch_.onProgress || total_ == 0) return true;
    const std::uint64_t done =
        done_ + static_cast<std::uint64_t>(share * static_cast<double>(units_));
    const std::uint64_t percent = 100 * done / total_;
    std::uint64_t before = reported_.load();
    if (percent <= before || !reported_.compare_exchange_strong(before, percent)) return true;
    try {
      watch_.onProgress(phase_, done, total_);
    } catch (const std::exception&) {
      // The caller is gone, and an exception must not pass through Embree's threads.
      return false;
    }
    return true;
  }

 private:
  static bool onProgress(void* meter, double share) {
    return static_cast<BuildMeter*>(meter)->continues(share);
  }

  const Watch& watch_;
  const char* phase_;
  std::uint64_t total_;
  std::uint64_t done_ = 0;
  std::uint64_t units_ = 0;
  std::atomic<std::uint64_t> reported_{0};
};

}  // namespace understory
