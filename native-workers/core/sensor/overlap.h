// The overlap of a sensor's beam and its receiver, which lie beside each other (PHYSICS.md, 2.8).
#pragma once

namespace understory {

// Ranges from which on the receiver sees a part of the beam, and all of it; 0, 0: everywhere.
struct Overlap {
  double fromM = 0.0;
  double fullM = 0.0;

  bool isEverywhere() const { return fullM <= 0.0; }
  // The share that it sees.
  double at(double rangeM) const {
    if (rangeM >= fullM) return 1.0;
    return rangeM <= fromM ? 0.0 : (rangeM - fromM) / (fullM - fromM);
  }
};

}  // namespace understory
