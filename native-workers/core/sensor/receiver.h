// Separation and losses of a sensor's receiver, from its recipe alone (PHYSICS.md, 1.3).
#pragma once

#include "contract/sensorRecipe.h"

namespace understory {

inline constexpr double lightSpeedMPerNs = 0.299792458;

// Length in range in which the receiver cannot separate: of its pulse (c FWHM / 2), or the range resolution, or, with
// neither, the cutoff, at most 1 m. 0: none is stated.
double rangeCellM(const ReturnsRecipe& returns);

// Whether anything can be lost: echoes are compared by S then, in any radiometry.
bool hasDetectionLimit(const ReturnsRecipe& returns);

// Whether echoes of several rays are separated by range: what more than one return leaves a pulse needs.
bool separatesEchoes(const ReturnsRecipe& returns);
// Whether a mode can return more than one echo of a pulse.
bool hasSeveralReturns(ReturnMode mode);

}  // namespace understory
