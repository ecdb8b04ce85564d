// Plants of a wanted height and crown, from a plant of assets: the generator's parameters follow from the ratio of
// crown width to height. Guarantee: extents are what variantOf says within 10 %
// (test/services/scenarios/treeLists.test.ts).
import type { Plant } from '#contract/documents/plant.ts';
import type { GrowthForm } from './species.ts';

/** A plant with the size of what its generator makes. */
export interface PlantVariant {
  plant: Plant;
  /** To the highest leaf. */
  heightM: number;
  /** Mean of the crown's width along x and y. */
  crownM: number;
}

/** Widths as shares of the height. */
export interface WidthRatios {
  crown: number;
  /** The stem at breast height; null: as the plant has it. */
  stem: number | null;
}

const breastHeightM = 1.3;

/**
 * Radius at the foot, without the flare, of a trunk with a radius at breast height: it falls evenly to nothing at the
 * tip, and an eighth of it flares (Weber and Penn 1995, sections 4.1 and 4.4). Below 2 m the trunk has it at its foot.
 */
function footRadiusM(radiusM: number, lengthM: number, flare: number): number {
  const along = breastHeightM / lengthM;
  if (along > 0.65) return radiusM;
  const flared = along < 0.125 ? 1 + (flare * (100 ** (1 - 8 * along) - 1)) / 100 : 1;
  return radiusM / ((1 - along) * flared);
}

/**
 * A plant so high whose crown is `ratio` times as wide; null where the generator has no measured law. Lengths that are
 * not asked for (trunk, crown base) grow with the height; leaves keep their size.
 *
 * Crown width and total height over `heightM` are linear in the `lengthRatio` of the boughs: least squares through the
 * extents of broadleaf-tree generated at 8.8 m and 20 m with ratios of 0.1 to 0.6 (residuals below 2 %).
 */
export function variantOf(
  plant: Plant,
  form: GrowthForm,
  heightM: number,
  { crown: ratio, stem }: WidthRatios,
  id: string,
): PlantVariant | null {
  if (plant.generator === 'shrub') return shrubVariant(plant, heightM, ratio, id);
  const [boughs, ...twigs] = plant.generator === 'tree' ? plant.levels : [];
  if (plant.generator !== 'tree' || plant.id !== 'broadleaf-tree' || !boughs) return null;
  const law = crownLaws[form === 'conical' ? 'conical' : 'spherical'];
  // crown / height = (a + b·r) / (1 + c·r), solved for r.
  const lengthRatio = Math.min(
    0.7,
    Math.max(0.05, (ratio - law.crownAtZero) / (law.crown - ratio * law.top)),
  );
  const grownM = heightM / (1 + law.top * lengthRatio);
  const factor = grownM / plant.heightM;
  return {
    plant: {
      ...plant,
      id,
      name: `${plant.name}, crown ${ratio.toFixed(2)} of its height`,
      heightM: rounded(grownM),
      crownBaseM: rounded(plant.crownBaseM * factor),
      crownShape: form === 'conical' ? 'conical' : plant.crownShape,
      trunk: {
        ...plant.trunk,
        radiusM: rounded(
          stem === null
            ? plant.trunk.radiusM * factor
            : footRadiusM((stem * heightM) / 2, grownM, plant.trunk.flare),
        ),
      },
      levels: [{ ...boughs, lengthRatio: rounded(lengthRatio) }, ...twigs],
    },
    heightM,
    crownM: grownM * (law.crownAtZero + law.crown * lengthRatio),
  };
}

/** The size of a plant as it is in assets. */
export function sizeOf(plant: Plant): Omit<PlantVariant, 'plant'> {
  if (plant.generator === 'grass-patch') {
    return { heightM: plant.heightM[1], crownM: 2 * plant.patchRadiusM };
  }
  if (plant.generator === 'sized-plant') {
    return { heightM: plant.heightM, crownM: plant.crownWidthM };
  }
  if (plant.generator === 'shrub') {
    return { heightM: plant.heightM, crownM: 2 * plant.crownRadiusM };
  }
  const law = crownLaws[plant.crownShape === 'conical' ? 'conical' : 'spherical'];
  const lengthRatio = plant.levels[0]?.lengthRatio ?? 0;
  return {
    heightM: plant.heightM * (1 + law.top * lengthRatio),
    crownM: plant.heightM * (law.crownAtZero + law.crown * lengthRatio),
  };
}

/** Crown width over trunk height: crownAtZero + crown·lengthRatio; total height over it: 1 + top·lengthRatio. */
const crownLaws = {
  spherical: { crownAtZero: 0.02, crown: 2.02, top: 0.23 },
  conical: { crownAtZero: 0.01, crown: 2.09, top: 0.19 },
} as const;

function shrubVariant(
  plant: Extract<Plant, { generator: 'shrub' }>,
  heightM: number,
  ratio: number,
  id: string,
): PlantVariant {
  const factor = heightM / plant.heightM;
  const crownRadiusM = rounded((ratio * heightM) / 2);
  const trunk = {
    radiusM: rounded(plant.trunk.radiusM * factor),
    heightM: rounded(plant.trunk.heightM * factor),
  };
  const grown = { heightM: rounded(heightM), crownBaseM: rounded(plant.crownBaseM * factor) };
  const name = `${plant.name}, crown ${ratio.toFixed(2)} of its height`;
  return {
    plant: { ...plant, ...grown, id, name, crownRadiusM, trunk },
    heightM,
    crownM: 2 * crownRadiusM,
  };
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
