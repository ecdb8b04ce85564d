// Names of packings.
#include "bench/raw/rawPacking.h"

#include <map>

#include "bench/raw/rawTracer.h"
#include "core/error.h"
#include "surfaces/embree/embree.h"

namespace understory {
namespace {

const std::map<std::string, RawKind> kinds{{"single", RawKind::single},
                                           {"packet4", RawKind::packet4},
                                           {"packet8", RawKind::packet8},
                                           {"packet16", RawKind::packet16},
                                           {"stream", RawKind::stream}};
const std::map<std::string, RawOrder> orders{{"azimuth", RawOrder::azimuth},
                                             {"columns", RawOrder::columns},
                                             {"rays", RawOrder::rays},
                                             {"slots", RawOrder::slots}};

bool hasKind(const EmbreeDevice& device, RawKind kind) {
  switch (kind) {
    case RawKind::packet8:
      return rtcGetDeviceProperty(device.handle(), RTC_DEVICE_PROPERTY_NATIVE_RAY8_SUPPORTED) != 0;
    case RawKind::packet16:
      return rtcGetDeviceProperty(device.handle(), RTC_DEVICE_PROPERTY_NATIVE_RAY16_SUPPORTED) != 0;
    case RawKind::stream:
      return UNDERSTORY_EMBREE_MAJOR < 4;
    default:
      return true;
  }
}

}  // namespace

std::size_t widthOf(RawKind kind) {
  switch (kind) {
    case RawKind::packet4:
      return 4;
    case RawKind::packet8:
      return 8;
    case RawKind::packet16:
      return 16;
    default:
      return 1;
  }
}

RawPackingKind parseRawPacking(const EmbreeDevice& device, const std::string& name) {
  const std::size_t dash = name.find('-');
  const auto kind = kinds.find(name.substr(0, dash));
  const auto order =
      orders.find(dash == std::string::npos ? std::string("azimuth") : name.substr(dash + 1));
  if (kind == kinds.end() || order == orders.end()) {
    throw UnderstoryError(ErrorCode::badInput, "no packing '" + name + "'");
  }
  if (!hasKind(device, kind->second)) {
    throw UnderstoryError(ErrorCode::unsupported, "no packing '" + name + "' with " + device.isa());
  }
  return {kind->second, order->second};
}

std::string scanPacking(const EmbreeDevice& device) {
  return "packet" + std::to_string(packetWidth(device.isa())) + "-columns";
}

std::vector<std::string> rawPackings(const EmbreeDevice& device) {
  std::vector<std::string> names{"single"};
  for (const char* kind : {"packet4", "packet8", "packet16"}) {
    if (!hasKind(device, kinds.at(kind))) continue;
    names.push_back(std::string(kind) + "-azimuth");
    names.push_back(std::string(kind) + "-columns");
    names.push_back(std::string(kind) + "-slots");
  }
  names.push_back("packet" + std::to_string(packetWidth(device.isa())) + "-rays");
  if (hasKind(device, RawKind::stream)) names.push_back("stream-azimuth");
  return names;
}

}  // namespace understory
