// The leaves of one plant while it grows: added as twigs bear them, or with a density by height when all twigs are
// known.
#pragma once

#include <cstdint>
#include <vector>

#include "core/plants/leaf.h"

namespace understory {

class LeafGrowth {
 public:
  // `grown` and `leaves` outlive it.
  LeafGrowth(GrownPlant& grown, const LeafParameters& leaves, std::uint16_t material,
             std::uint64_t seed)
      : grown_(grown), leaves_(leaves), material_(material), seed_(seed) {}

  // As forEachLeafAlong.
  void addAlong(const Stem& twig, double fromShare, RandomStream& random);

  // Once after all twigs: adds what is left and sets grown.foliage. Throws as chooseLeaves.
  void finish();

 private:
  GrownPlant& grown_;
  const LeafParameters& leaves_;
  std::uint16_t material_;
  std::uint64_t seed_;
  std::vector<LeafShape> candidates_;  // with a density by height
};

}  // namespace understory
