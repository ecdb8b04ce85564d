// Rules across the fields of plants.
#include "contract/plantRecipe.h"

#include "core/fieldReader.h"

namespace understory {

void check(const LeafParameters& leaves, const FieldReader& from) {
  double lastM = -1.0;
  for (const auto& [heightM, density] : leaves.areaDensity) {
    if (!(heightM > lastM && density >= 0.0)) {
      from.refuse(fields::leaves::areaDensity.name, "rising heights from 0 and densities from 0");
    }
    lastM = heightM;
  }
}

void check(const TreeParameters& tree, const FieldReader& from) {
  if (tree.crownBaseM >= tree.heightM) {
    from.refuse(fields::tree::crownBaseM.name, "less than heightM");
  }
}

void check(const ShrubParameters& shrub, const FieldReader& from) {
  if (!(shrub.crownBaseM < shrub.trunk.heightM && shrub.trunk.heightM < shrub.heightM)) {
    from.refuse(fields::shrub::crownBaseM.name, "crownBaseM < trunk.heightM < heightM");
  }
}

void check(const SizedPlantParameters& plant, const FieldReader& from) {
  namespace at = fields::sizedPlant;
  if (plant.diameterAtM >= plant.heightM) from.refuse(at::diameterAtM.name, "less than heightM");
  if (plant.crownBaseM >= plant.heightM) from.refuse(at::crownBaseM.name, "less than heightM");
}

}  // namespace understory
