// `sensor.describe`: a sensor without a scene.
#pragma once

#include "protocol/rpc.h"

namespace understory {

// DescribeRequest of src-main/contract/worker/sensorDescription.ts -> SensorDescription with the columns of rays,
// pulses, lasers.
Message handleDescribe(const Frame& request);

}  // namespace understory
