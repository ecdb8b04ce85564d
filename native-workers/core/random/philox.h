// Counter-based random numbers (Philox4x32-10; Salmon et al. 2011, through Random123). A number is a
// pure function of what it is for, never of what was drawn before it: the same on any thread, in any
// order, in any process.
#pragma once

#include <Random123/philox.h>

#include <array>
#include <cmath>
#include <cstdint>

#include "core/maths/maths.h"

namespace understory {

// The purpose of a random number: part of its key. Values are written into recordings' identities; never reuse one.
enum class RandomPurpose : std::uint32_t {
  scatter = 1,
  plant = 2,
  picture = 3,
  beam = 4,
  pointing = 5,
  rangeNoise = 6,
  laserBias = 7,
  dropOut = 8,
  levelOfDetail = 9,
  detection = 10,
  falseAlarm = 11,
  intensityNoise = 12,
  particle = 13,
  learnedInstance = 20,
  learnedPass = 21,
  learnedReflectance = 22,
  learnedRange = 23,
  voxelLeaf = 24,
  clusters = 40,     // starts and samples of k-means
  evolution = 41,    // differential evolution
  heldOut = 42,      // beams that judge a voxel size
  sampledLine = 44,  // beams that represent their neighbours in learning
  litter = 43,       // leaves on the ground
  sway = 50,         // phases of plants in the wind
  gapRay = 60,       // rays through a plot
  leafDisc = 61,     // leaves of a homogeneous canopy
  deadLaser = 30,
  mount = 31,
};

// One block of four words for a 128-bit counter and a 64-bit key.
inline std::array<std::uint32_t, 4> philoxBlock(std::array<std::uint32_t, 4> counter,
                                                std::array<std::uint32_t, 2> key) {
  const r123::Philox4x32::ctr_type in{{counter[0], counter[1], counter[2], counter[3]}};
  const r123::Philox4x32::key_type by{{key[0], key[1]}};
  const r123::Philox4x32::ctr_type out = r123::Philox4x32{}(in, by);
  return {out[0], out[1], out[2], out[3]};
}

// Uniform in [0, 1) from the upper 24 + 29 bits of two words: every value a multiple of 2^-53.
inline double uniformFrom(std::uint32_t high, std::uint32_t low) {
  const std::uint64_t bits = (std::uint64_t{high} << 32U | low) >> 11U;
  return static_cast<double>(bits) * 0x1.0p-53;
}

// The block of four words for one thing about one pulse of a sensor: `number` counts rays, returns or draws
// of that pulse. `sensorStream` (SensorRecipe::stream) below 2^24 shares its word with the purpose, so no block
// is ever another's, nor one of a RandomStream of another purpose.
inline std::array<std::uint32_t, 4> pulseBlock(std::uint64_t seed, RandomPurpose purpose,
                                               std::uint32_t sensorStream, std::uint64_t pulse,
                                               std::uint32_t number) {
  return philoxBlock({number, static_cast<std::uint32_t>(purpose) | sensorStream << 8U,
                      static_cast<std::uint32_t>(pulse), static_cast<std::uint32_t>(pulse >> 32U)},
                     {static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)});
}

// Two independent standard normal numbers from one block (Box and Muller 1958).
inline std::array<double, 2> normalPair(const std::array<std::uint32_t, 4>& block) {
  // Why 1 minus: a logarithm of 0 has no value, and uniform numbers lie in [0, 1).
  const double radius = std::sqrt(-2.0 * std::log(1.0 - uniformFrom(block[0], block[1])));
  const double turn = 2.0 * piRad * uniformFrom(block[2], block[3]);
  return {radius * std::cos(turn), radius * std::sin(turn)};
}

// A sequence of numbers keyed by (seed, purpose, stream). Two sequences that differ in any of the three
// share no block: stream takes 64 bits of the counter, the position 32, the purpose 32.
class RandomStream {
 public:
  RandomStream(std::uint64_t seed, RandomPurpose purpose, std::uint64_t stream)
      : key_{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32U)},
        counter_{0, static_cast<std::uint32_t>(purpose), static_cast<std::uint32_t>(stream),
                 static_cast<std::uint32_t>(stream >> 32U)} {}

  std::uint32_t nextWord() {
    if (used_ == 4) {
      block_ = philoxBlock(counter_, key_);
      ++counter_[0];
      used_ = 0;
    }
    return block_[used_++];
  }

  // Uniform in [0, 1).
  double uniform() {
    const std::uint32_t high = nextWord();
    return uniformFrom(high, nextWord());
  }

  // Uniform in [from, to).
  double uniform(double from, double to) { return from + (to - from) * uniform(); }

 private:
  std::array<std::uint32_t, 2> key_;
  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 4> block_{};
  unsigned used_ = 4;
};

}  // namespace understory
