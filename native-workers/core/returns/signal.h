// From the signal of a pulse, the hits of all its rays, to echoes and returns (PHYSICS.md, 1.3). The general
// form of returns.h: any number of rays, several hits along one, echoes of several rays, gate, threshold.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/returns/returns.h"
#include "core/sensor/sensorRecipe.h"

namespace understory {

// One hit of a ray within the range limits. A ray that passes leaves, or is mirrored, may have several.
struct SignalHit {
  float rangeM = 0.0F;       // along the ray's whole way
  float intensity = 0.0F;    // of the ray's whole energy as 1: radiometry, losses on the way
  float weight = 0.0F;       // share of the beam's energy that ends here: of ranges' means and of beam_share
  float rayWeight = 0.0F;    // of its whole ray: rayWeight * intensity is what an echo's strength adds up
  float reflectance = 0.0F;  // diffuse, of the material: what the gate asks for
  std::uint32_t ray = 0;     // of the pulse
  std::uint32_t instance = 0;
  std::uint32_t primitive = 0;
  std::uint32_t place = 0;   // the caller's own number of the hit
};

// Works on one pulse after another without allocating after the first few. One for each thread.
class SignalEvaluator {
 public:
  explicit SignalEvaluator(const SensorRecipe& sensor);

  // Most returns of a pulse.
  std::size_t mostReturns() const { return mostReturns_; }

  // The returns of a pulse, in order of return_no: by range with mode 'all', strongest before last. Puts
  // `hits` in order (range, instance, primitive, ray); PulseReturn::decidingHit is an index in that order.
  // The span lasts until the next call.
  std::span<const PulseReturn> evaluate(std::vector<SignalHit>& hits);

  // Of the pulse evaluated last, by index in its ordered hits: the return (from 1) that each went into; 0:
  // none.
  std::span<const std::uint8_t> returnOfHit() const { return returnOfHit_; }

 private:
  struct Echo {
    float rangeM = 0.0F;
    double strength = 0.0;
    std::size_t firstHit = 0;  // hits of an echo follow each other
    std::size_t endHit = 0;
  };

  SensorRecipe sensor_;
  std::size_t mostReturns_ = 1;
  std::vector<Echo> echoes_;
  std::vector<PulseReturn> returns_;
  std::vector<std::uint8_t> returnOfHit_;
};

}  // namespace understory
