// The Embree device: instruction set, threads, memory.
#include <tbb/global_control.h>

#include <algorithm>

#include "core/error.h"
#include "surfaces/embree/embree.h"
#include "surfaces/embree/embreeScene.h"
#include "surfaces/embree/reciprocals.h"

namespace understory {
namespace {

constexpr auto& isaNames = WordsOf<Isa>::words;

bool hasIsa(std::string_view isa) {
  if (isa == "sse4.2") return __builtin_cpu_supports("sse4.2") != 0;
  if (isa == "avx") return __builtin_cpu_supports("avx") != 0;
  if (isa == "avx2") {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
  }
  return isa == "avx512" && __builtin_cpu_supports("avx512f") != 0 &&
         __builtin_cpu_supports("avx512dq") != 0 && __builtin_cpu_supports("avx512bw") != 0 &&
         __builtin_cpu_supports("avx512vl") != 0 && __builtin_cpu_supports("avx512cd") != 0;
}

bool countMemory(void* counter, ssize_t bytes, bool) {
  static_cast<std::atomic<std::int64_t>*>(counter)->fetch_add(bytes);
  return true;
}

}  // namespace

std::string bestIsa() {
  const auto best = std::find_if(isaNames.rbegin(), isaNames.rend(), hasIsa);
  if (best == isaNames.rend()) {
    throw UnderstoryError(ErrorCode::unsupported,
                          "this processor lacks SSE4.2, the least that is needed");
  }
  return std::string(*best);
}

std::size_t packetWidth(const std::string& isa) {
  if (isa == "avx512") return 16;
  return isa == "sse4.2" ? 4 : 8;
}

namespace {

// Throws UnderstoryError 'unsupported' unless the processor has it and the name is known.
void requireIsa(const std::string& isa) {
  if (std::find(isaNames.begin(), isaNames.end(), isa) == isaNames.end()) {
    std::string known;
    for (const std::string_view name : isaNames) known.append(" ").append(name);
    throw UnderstoryError(ErrorCode::unsupported,
                          "no instruction set '" + isa + "': expected one of" + known);
  }
  if (!hasIsa(isa)) {
    throw UnderstoryError(ErrorCode::unsupported,
                          "this processor does not have " + isa + "; its best is " + bestIsa());
  }
}

}  // namespace

// Embree builds with whatever threads TBB gives it; this is what bounds them.
struct EmbreeDevice::ThreadLimit {
  tbb::global_control control;
};

EmbreeDevice::EmbreeDevice(const std::string& isaName, std::size_t threadCount)
    : isa_(isaName),
      threads_(threadCount),
      limit_(new ThreadLimit{{tbb::global_control::max_allowed_parallelism, threadCount}}) {
  requireIsa(isa_);
  reciprocals_ = reciprocalsHash(isa_);
  const std::string config = "isa=" + isa_ + ",threads=" + std::to_string(threads_);
  device_ = rtcNewDevice(config.c_str());
  const RTCDeviceProperty native =
      packetWidth(isa_) == 16  ? RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED
      : packetWidth(isa_) == 8 ? RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED
                               : RTC_DEVICE_PROPERTY_NATIVE_RAY4_SUPPORTED;
  if (device_ == nullptr || rtcGetDeviceProperty(device_, native) == 0) {
    if (device_ != nullptr) rtcReleaseDevice(device_);
    throw UnderstoryError(ErrorCode::unsupported, "this Embree was built without " + isa_);
  }
  rtcSetDeviceMemoryMonitorFunction(device_, countMemory, &memoryBytes_);
}

EmbreeDevice::~EmbreeDevice() { rtcReleaseDevice(device_); }

std::string EmbreeDevice::embreeVersion() const {
  const auto part = [this](RTCDeviceProperty property) {
    return std::to_string(rtcGetDeviceProperty(device_, property));
  };
  return part(RTC_DEVICE_PROPERTY_VERSION_MAJOR) + "." + part(RTC_DEVICE_PROPERTY_VERSION_MINOR) +
         "." + part(RTC_DEVICE_PROPERTY_VERSION_PATCH);
}

}  // namespace understory
