// How the irradiance of a beam of N rays falls from its axis.
#pragma once

#include <array>
#include <vector>

#include "contract/contract.h"

namespace understory {

class FieldReader;

// NamedProfile, or a table.
enum class BeamProfile { uniform, gaussian, tabulated };

struct RayProfile {
  BeamProfile kind = BeamProfile::uniform;
  std::vector<std::array<double, 2>> table{};  // distance in half divergences, irradiance
};

// Throws 'bad-input' for what is neither a word nor a table.
RayProfile readRayProfile(FieldReader& rays, const Field& field);

}  // namespace understory
