// Mutants: deliberate errors that show that checks of `npm run validate` and of the tests fail when they must. They
// exist in the binary scanWorkerMutants alone (UNDERSTORY_MUTANTS, chosen by UNDERSTORY_TEST=mutation=NAME). In the
// released worker activeMutation() is a constant, and the compiler removes what depends on it. A worker with an active
// mutation traces everything through PulseTracer: the fast path has none.
#pragma once

#include <string_view>

namespace understory {

enum class Mutation {
  none,
  stencilOffCentre,      // the beam's rays lie half a half-divergence to the left
  strongestIsClosest,    // 'strongest' returns the closest
  cutoffIgnored,         // the averaging window is endless
  centreMissDropsPulse,  // no return where the ray on the axis has no hit
  biasOfEachRay,         // the per-laser bias is drawn again for each return
  noiseOnEmptyPulses,    // a pulse without a hit returns noise
  fourthPower,           // power falls with the fourth power of distance on a wall, too
};

#ifdef UNDERSTORY_MUTANTS
// The active one: set once, before the first scan, read where it applies.
Mutation activeMutation();
// By its name on the switch: mutation=stencil-off-centre … Empty: none. Throws UnderstoryError 'bad-input'.
void setMutation(std::string_view name);
#else
constexpr Mutation activeMutation() { return Mutation::none; }
#endif

}  // namespace understory
