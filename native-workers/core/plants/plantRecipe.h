// The parameters of plants as plain data (src-main/contract/documents/plant.ts), angles in radians but for the ranges
// of grass.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/fieldReader.h"
#include "core/maths/maths.h"

namespace understory {

struct GrassPatchParameters {
  std::uint32_t blades = 0;
  double patchRadiusM = 0.0;
  std::array<double, 2> heightM{};  // shortest and tallest
  std::array<double, 2> widthM{};
  std::array<double, 2> leanDeg{};  // in degrees, so that what is drawn between them keeps its bits
  std::array<double, 2> bendDeg{};
  std::uint32_t segments = 1;
  double foldRad = 0.0;
  std::string material;
};

struct LeafParameters {
  std::uint32_t perTwig = 1;
  double lengthM = 0.1;
  double widthM = 0.05;
  std::uint32_t triangles = 8;  // a multiple of 4
  double bendRad = 0.0;
  std::optional<LeafAngleLaw> angles;              // nothing: turned to the light
  std::vector<std::array<double, 2>> areaDensity;  // (height in m, m²/m³); empty: perTwig on each
  std::string material;
};

// One order of branches; the trunk uses the bends only.
struct BranchOrder {
  std::uint32_t branches = 0;  // on the longest parent
  double lengthRatio = 0.0;
  double lengthVariation = 0.0;
  double downAngleRad = 0.0;
  double downAngleVariationRad =
      0.0;  // negative: by position along the parent instead of at random
  double rotateRad = 0.0;
  double rotateVariationRad = 0.0;
  double curveRad = 0.0;
  double curveVariationRad = 0.0;
  std::uint32_t segments = 1;
  std::uint32_t sides = 3;
};

struct TreeParameters {
  double heightM = 0.0;
  double trunkRadiusM = 0.0;
  double crownBaseM = 0.0;
  CrownShape crownShape = CrownShape::spherical;
  double flare = 0.0;
  double ratioPower = 1.2;
  double attractionUp = 0.0;
  std::vector<BranchOrder> orders;  // [0]: the trunk
  LeafParameters leaves;
  std::string barkMaterial;
};

struct ShrubParameters {
  double heightM = 0.0;
  double crownRadiusM = 0.0;
  double crownBaseM = 0.0;
  double trunkRadiusM = 0.0;
  double trunkHeightM = 0.0;
  std::uint32_t stems = 0;
  double stemRadiusM = 0.0;
  std::uint32_t twigsPerStem = 0;
  double twigLengthM = 0.0;
  double shellShare = 0.0;  // outer share of a stem that bears twigs
  LeafParameters leaves;
  std::string barkMaterial;
};

// One order of branches of a sized plant, boughs first.
struct SizedLevel {
  std::uint32_t count = 0;  // on the longest parent
  std::uint32_t whorl = 1;
  std::array<double, 2> angleRad{};  // of the first along the parent, of the last
  double lengthRatio = 1.0;
  double lengthVariation = 0.0;
  double sag = 0.0;
  double spray = 0.0;
  double bareShare = 0.0;
  double slenderness = 0.01;
  double bend = 0.0;
  std::uint32_t segments = 1;
  std::uint32_t sides = 3;
};

struct SizedLeaves {
  double lengthM = 0.0;
  double widthM = 0.0;
  std::uint32_t triangles = 4;  // 2 or 4
  LeafAngleLaw angles = LeafAngleLaw::spherical;
  double forwardRad = 0.0;
  double petiole = 0.0;  // in lengths of the leaf
  std::string material;
};

struct SizedPlantParameters {
  double heightM = 0.0;
  double diameterM = 0.0;
  double diameterAtM = 1.3;
  double crownBaseM = 0.0;
  double crownWidthM = 0.0;
  double leafAreaM2 = 0.0;
  double leafShare = 1.0;
  double widestAt = 0.0;
  double topPower = 2.0;
  double basePower = 2.0;
  std::uint32_t stems = 1;
  double footRadiusM = 0.0;
  double topShare = 1.0;
  double flare = 0.0;
  double bend = 0.0;
  std::uint32_t segments = 1;
  std::uint32_t sides = 3;
  std::uint32_t deadBoughs = 0;
  std::vector<SizedLevel> levels;
  SizedLeaves leaves;
  std::string barkMaterial;
};

using Plant =
    std::variant<GrassPatchParameters, TreeParameters, ShrubParameters, SizedPlantParameters>;

// Throws 'bad-input' with the path of the first parameter that is missing, unknown or out of bounds.
Plant parsePlant(FieldReader& plant);

inline constexpr double radPerDeg = piRad / 180.0;

}  // namespace understory
