// Deliberate errors, to show that the checks of `npm run validate` and of the tests turn red. Behind
// UNDERSTORY_TEST only (scanWorker/testSwitches.h); a worker without that switch never has one. A worker that has
// one traces everything through PathTracer: the shortcut for nine rays knows of none.
#pragma once

#include <string_view>

#include "core/sensor/sensorRecipe.h"

namespace understory {

enum class Mutation {
  none,
  stencilOffCentre,      // the beam's rays lie half a half-divergence to the left
  strongestIsClosest,    // 'strongest' returns the closest
  cutoffIgnored,         // the averaging window is endless
  centreMissDropsPulse,  // no return where the ray on the axis meets nothing
  biasOfEachRay,         // a laser's bias is drawn for each return
  noiseOnEmptyPulses,    // a pulse that met nothing returns noise
  fourthPower,           // power falls with the fourth power of distance on a wall, too
};

// The one that is on: set once, before the first scan, read by what it concerns when a scan is set up.
Mutation activeMutation();
// By its name on the switch: mutation=stencil-off-centre … Empty: none. Throws UnderstoryError 'bad-input'.
void setMutation(std::string_view name);

// The sensor with those mutations that are nothing but another recipe: strongestIsClosest and cutoffIgnored.
SensorRecipe mutated(SensorRecipe sensor);

// How far to the left of the axis the middle of a beam lies, at 1 m: 0 without stencilOffCentre.
double offCentreLeft(const BeamRecipe& beam);

}  // namespace understory
