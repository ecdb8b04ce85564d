// Laws of the angle between a leaf's normal and the vertical (de Wit 1965), and what a leaf shows to a beam.
#pragma once

#include "contract/contract.h"

namespace understory {

// The angle below which a share `share` (0 to 1) of the leaves lies, in radians, 0 to pi / 2. Densities: spherical
// sin t; planophile 2/pi (1 + cos 2t); erectophile 2/pi (1 - cos 2t); plagiophile 2/pi (1 - cos 4t); uniform 2/pi.
double leafAngleAt(LeafAngleLaw law, double share);

// The share of the leaves with smaller angles: the inverse of leafAngleAt.
double leafAngleShare(LeafAngleLaw law, double angleRad);

}  // namespace understory
