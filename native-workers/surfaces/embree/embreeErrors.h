// Embree's errors as ours.
#pragma once

#include <string>

#include "core/error.h"
#include "surfaces/embree/embree.h"

namespace understory {

// Throws the last error of the device, if any: 'cancelled', 'scene-too-large' where memory does not suffice, otherwise
// 'worker-failed'.
inline void failOnEmbreeError(RTCDeviceTy* device, const char* doing) {
  const RTCError error = rtcGetDeviceError(device);
  if (error == RTC_ERROR_NONE) return;
  if (error == RTC_ERROR_CANCELLED) throw cancelledError();
  if (error == RTC_ERROR_OUT_OF_MEMORY) {
    throw UnderstoryError(ErrorCode::sceneTooLarge,
                          std::string("memory did not suffice for Embree while ") + doing);
  }
  throw UnderstoryError(ErrorCode::workerFailed, std::string("Embree failed while ") + doing,
                        {{"embreeError", static_cast<int>(error)}});
}

}  // namespace understory
