// Reading the parameters of a plant, by its generator.
#include "core/plants/plantRecipe.h"

namespace understory {
namespace {

double degrees(FieldReader& value, const NumberField& field) {
  return value.number(field) * radPerDeg;
}

// The heading of every plant file, which no generator needs.
void skipHeading(FieldReader& plant) {
  plant.integer(fields::tree::understoryPlant);
  plant.skip(fields::tree::id);
  plant.skip(fields::tree::name);
  plant.skip(fields::tree::seed);  // in effect is the one beside the plant
}

GrassPatchParameters parseGrassPatch(FieldReader& plant) {
  namespace at = fields::grassPatch;
  GrassPatchParameters grass;
  grass.blades = plant.integer<std::uint32_t>(at::blades);
  grass.patchRadiusM = plant.number(at::patchRadiusM);
  grass.heightM = plant.numbers<2>(at::heightM);
  grass.widthM = plant.numbers<2>(at::widthM);
  grass.leanDeg = plant.numbers<2>(at::leanDeg);
  grass.bendDeg = plant.numbers<2>(at::bendDeg);
  grass.segments = plant.integer<std::uint32_t>(at::segments);
  grass.foldRad = degrees(plant, at::foldDeg);
  grass.material = plant.text(at::material);
  return grass;
}

std::vector<std::array<double, 2>> parseProfile(FieldReader& leaves) {
  namespace at = fields::leaves;
  const std::vector<std::array<double, 2>> profile = leaves.rows<2>(at::areaDensity);
  double lastM = -1.0;
  for (const auto& [heightM, density] : profile) {
    if (heightM > lastM && density >= 0.0) {
      lastM = heightM;
      continue;
    }
    leaves.refuse(at::areaDensity.name, "rising heights from 0 and densities from 0");
  }
  return profile;
}

LeafParameters parseLeaves(FieldReader& leaves) {
  namespace at = fields::leaves;
  LeafParameters result;
  result.perTwig = leaves.integer<std::uint32_t>(at::perTwig);
  result.lengthM = leaves.number(at::lengthM);
  result.widthM = leaves.number(at::widthM);
  result.triangles = leaves.integer<std::uint32_t>(at::triangles);
  if (result.triangles % 4 != 0) leaves.refuse(at::triangles.name, "a multiple of 4");
  result.bendRad = degrees(leaves, at::bendDeg);
  if (leaves.has(at::angles)) result.angles = leaves.word(at::angles);
  if (leaves.has(at::areaDensity)) result.areaDensity = parseProfile(leaves);
  result.material = leaves.text(at::material);
  return result;
}

// The same fields of a trunk and of a branch.
void parseBends(FieldReader& value, BranchOrder& order) {
  namespace at = fields::branch;
  order.curveRad = degrees(value, at::curveDeg);
  order.curveVariationRad = degrees(value, at::curveVariationDeg);
  order.segments = value.integer<std::uint32_t>(at::segments);
  order.sides = value.integer<std::uint32_t>(at::sides);
}

BranchOrder parseBranch(FieldReader& level) {
  namespace at = fields::branch;
  BranchOrder order;
  order.branches = level.integer<std::uint32_t>(at::branches);
  order.lengthRatio = level.number(at::lengthRatio);
  order.lengthVariation = level.number(at::lengthVariation);
  order.downAngleRad = degrees(level, at::downAngleDeg);
  order.downAngleVariationRad = degrees(level, at::downAngleVariationDeg);
  order.rotateRad = degrees(level, at::rotateDeg);
  order.rotateVariationRad = degrees(level, at::rotateVariationDeg);
  parseBends(level, order);
  return order;
}

TreeParameters parseTree(FieldReader& plant) {
  namespace at = fields::tree;
  TreeParameters tree;
  tree.heightM = plant.number(at::heightM);
  tree.crownBaseM = plant.number(at::crownBaseM);
  if (tree.crownBaseM >= tree.heightM) plant.refuse(at::crownBaseM.name, "less than heightM");
  tree.crownShape = plant.word(at::crownShape);
  tree.ratioPower = plant.number(at::ratioPower);
  tree.attractionUp = plant.number(at::attractionUp);
  tree.orders.push_back(plant.object(at::trunk, [&](FieldReader& trunk) {
    tree.trunkRadiusM = trunk.number(fields::treeTrunk::radiusM);
    tree.flare = trunk.number(fields::treeTrunk::flare);
    BranchOrder order;
    parseBends(trunk, order);
    return order;
  }));
  for (const BranchOrder& order : plant.list(at::levels, parseBranch)) tree.orders.push_back(order);
  tree.leaves = plant.object(at::leaves, parseLeaves);
  tree.barkMaterial = plant.text(at::barkMaterial);
  return tree;
}

ShrubParameters parseShrub(FieldReader& plant) {
  namespace at = fields::shrub;
  ShrubParameters shrub;
  shrub.heightM = plant.number(at::heightM);
  shrub.crownRadiusM = plant.number(at::crownRadiusM);
  shrub.crownBaseM = plant.number(at::crownBaseM);
  plant.object(at::trunk, [&](FieldReader& trunk) {
    shrub.trunkRadiusM = trunk.number(fields::shrubTrunk::radiusM);
    shrub.trunkHeightM = trunk.number(fields::shrubTrunk::heightM);
  });
  if (!(shrub.crownBaseM < shrub.trunkHeightM && shrub.trunkHeightM < shrub.heightM)) {
    plant.refuse(at::crownBaseM.name, "crownBaseM < trunk.heightM < heightM");
  }
  shrub.stems = plant.integer<std::uint32_t>(at::stems);
  shrub.stemRadiusM = plant.number(at::stemRadiusM);
  shrub.twigsPerStem = plant.integer<std::uint32_t>(at::twigsPerStem);
  shrub.twigLengthM = plant.number(at::twigLengthM);
  shrub.shellShare = plant.number(at::shellShare);
  shrub.leaves = plant.object(at::leaves, parseLeaves);
  shrub.barkMaterial = plant.text(at::barkMaterial);
  return shrub;
}

SizedLevel parseSizedLevel(FieldReader& value) {
  namespace at = fields::sizedLevel;
  SizedLevel level;
  level.count = value.integer<std::uint32_t>(at::count);
  level.whorl = value.integer<std::uint32_t>(at::whorl);
  const auto angleDeg = value.numbers<2>(at::angleDeg);
  level.angleRad = {angleDeg[0] * radPerDeg, angleDeg[1] * radPerDeg};
  level.lengthRatio = value.number(at::lengthRatio);
  level.lengthVariation = value.number(at::lengthVariation);
  level.sag = value.number(at::sag);
  level.spray = value.number(at::spray);
  level.bareShare = value.number(at::bareShare);
  level.slenderness = value.number(at::slenderness);
  level.bend = value.number(at::bend);
  level.segments = value.integer<std::uint32_t>(at::segments);
  level.sides = value.integer<std::uint32_t>(at::sides);
  return level;
}

SizedLeaves parseSizedLeaves(FieldReader& value) {
  namespace at = fields::sizedLeaves;
  SizedLeaves leaves;
  leaves.lengthM = value.number(at::lengthM);
  leaves.widthM = value.number(at::widthM);
  leaves.triangles = value.integer<std::uint32_t>(at::triangles);
  if (leaves.triangles % 2 != 0) value.refuse(at::triangles.name, "2 or 4");
  leaves.angles = value.word(at::angles);
  leaves.forwardRad = degrees(value, at::forwardDeg);
  leaves.petiole = value.number(at::petiole);
  leaves.material = value.text(at::material);
  return leaves;
}

void parseSizedShape(FieldReader& plant, SizedPlantParameters& sized) {
  plant.object(fields::sizedPlant::crown, [&](FieldReader& crown) {
    namespace at = fields::sizedCrown;
    sized.widestAt = crown.number(at::widestAt);
    sized.topPower = crown.number(at::topPower);
    sized.basePower = crown.number(at::basePower);
  });
  plant.object(fields::sizedPlant::stems, [&](FieldReader& stems) {
    namespace at = fields::sizedStems;
    sized.stems = stems.integer<std::uint32_t>(at::count);
    sized.footRadiusM = stems.number(at::footRadiusM);
    sized.topShare = stems.number(at::topShare);
    sized.flare = stems.number(at::flare);
    sized.bend = stems.number(at::bend);
    sized.segments = stems.integer<std::uint32_t>(at::segments);
    sized.sides = stems.integer<std::uint32_t>(at::sides);
    sized.deadBoughs = stems.integer<std::uint32_t>(at::deadBoughs);
  });
}

SizedPlantParameters parseSizedPlant(FieldReader& plant) {
  namespace at = fields::sizedPlant;
  SizedPlantParameters sized;
  sized.heightM = plant.number(at::heightM);
  sized.diameterM = plant.number(at::diameterM);
  sized.diameterAtM = plant.number(at::diameterAtM);
  if (sized.diameterAtM >= sized.heightM) plant.refuse(at::diameterAtM.name, "less than heightM");
  sized.crownBaseM = plant.number(at::crownBaseM);
  if (sized.crownBaseM >= sized.heightM) plant.refuse(at::crownBaseM.name, "less than heightM");
  sized.crownWidthM = plant.number(at::crownWidthM);
  sized.leafAreaM2 = plant.number(at::leafAreaM2);
  sized.leafShare = plant.number(at::leafShare);
  parseSizedShape(plant, sized);
  sized.levels = plant.list(at::levels, parseSizedLevel);
  sized.leaves = plant.object(at::leaves, parseSizedLeaves);
  sized.barkMaterial = plant.text(at::barkMaterial);
  return sized;
}

}  // namespace

Plant parsePlant(FieldReader& plant) {
  const auto generator = plant.kind<PlantGenerator>(fields::tree::generator);
  skipHeading(plant);
  switch (generator) {
    case PlantGenerator::grassPatch:
      return parseGrassPatch(plant);
    case PlantGenerator::tree:
      return parseTree(plant);
    case PlantGenerator::shrub:
      return parseShrub(plant);
    case PlantGenerator::sizedPlant:
      return parseSizedPlant(plant);
  }
  plant.refuse(fields::tree::generator.name, "a generator");
}

}  // namespace understory
