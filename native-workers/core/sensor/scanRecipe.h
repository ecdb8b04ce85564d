// The kinds of scan: what each means is written into a SensorRecipe, which names none. Of C++ only scanRecipe.cpp knows
// them, of TypeScript contract/documents/sensorScan.ts.
#pragma once

#include "core/fieldReader.h"
#include "core/sensor/sensorRecipe.h"

namespace understory {

// Reads a sensor's `scan`. Throws UnderstoryError 'bad-input'.
void parseScan(FieldReader& scan, SensorRecipe& sensor);

}  // namespace understory
