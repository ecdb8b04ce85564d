// Beams of a log in memory: one entry a pulse, in the order of the log. Positions are relative to the log's origin, so
// that single precision holds them (0.03 mm at 400 m).
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "contract/contract.h"
#include "core/maths/maths.h"

namespace understory {

struct Beams {
  std::vector<Vec3f> originM;
  std::vector<Vec3f> direction;         // unit
  std::vector<float> rangeM;            // NaN without a return
  std::vector<std::uint8_t> state;      // BeamState
  std::vector<float> intensity;         // NaN where unknown
  std::vector<std::uint8_t> label;      // BeamLabel; empty: the log has none
  std::vector<std::uint16_t> classIds;  // empty: the log has none
  std::vector<std::uint32_t> sweep;  // scan that the beam came in; of several logs no two share one
  std::vector<std::uint16_t> laser;  // empty unless it was asked for
  std::vector<float> azimuthRad;     // in the sensor's frame; empty likewise
  std::vector<float> share;          // of its pulse; empty likewise, and where beams are pulses
  std::vector<std::size_t> logStarts;  // the first beam of each log; empty: there is one

  std::size_t size() const { return rangeM.size(); }
  bool isReturn(std::size_t beam) const { return stateOf(beam) == BeamState::returned; }
  BeamState stateOf(std::size_t beam) const { return static_cast<BeamState>(state[beam]); }
  // Fired without a return, as far as is known: it passed all that it pierced.
  bool isMiss(std::size_t beam) const {
    return stateOf(beam) == BeamState::miss || stateOf(beam) == BeamState::missInferred;
  }
  // The end of a return.
  Vec3d endM(std::size_t beam) const {
    return toDouble(originM[beam]) + toDouble(direction[beam]) * static_cast<double>(rangeM[beam]);
  }
};

// Bytes of a beam in memory, to be counted before they are read.
inline constexpr std::size_t bytesPerBeam = 12 + 12 + 4 + 1 + 4 + 1 + 2 + 4;

}  // namespace understory
