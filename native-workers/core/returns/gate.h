// The least reflectance that returns, by range (PHYSICS.md, 1.3; Gschwandtner 2011, eq. 1).
#pragma once

#include "contract/sensorRecipe.h"
#include "core/returns/signal.h"

namespace understory {

// Whether the gate of the recipe, if any, lets a hit through.
bool passesGate(const ReturnsRecipe& recipe, const SignalHit& hit);

}  // namespace understory
