// Linear between the two distances, as in figure 2b.
#include "core/returns/gate.h"

#include "core/mutation.h"

namespace understory {

bool passesGate(const ReturnsRecipe& recipe, const SignalHit& hit) {
  if (!recipe.gate) return true;
  const ReflectanceGate& gate = *recipe.gate;
  const double rangeM = static_cast<double>(hit.rangeM);
  const double reflectance = static_cast<double>(hit.reflectance);
  if (reflectance <= 0.0 || rangeM > gate.noneBeyondM) return false;
  if (rangeM <= gate.fullToM) return true;
  const double along = (rangeM - gate.fullToM) / (gate.noneBeyondM - gate.fullToM);
  const double minReflectance =
      gate.reflectanceNear + (gate.reflectanceFar - gate.reflectanceNear) * along;
  return activeMutation() == Mutation::gateInverted ? reflectance <= minReflectance
                                                    : reflectance >= minReflectance;
}

}  // namespace understory
