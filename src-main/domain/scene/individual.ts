// An individual of a species: its sizes by the laws of the species, and the plant that grows with them.
import type { Plant } from '#contract/documents/plant.ts';
import type { Season, Species } from '#contract/documents/species.ts';
import { power, squared } from '#domain/shared/numbers.ts';

/** Sizes that a list states; the species' laws give the rest. */
export interface StatedSizes {
  diameterM?: number | undefined;
  heightM?: number | undefined;
  crownWidthM?: number | undefined;
  crownBaseM?: number | undefined;
}

export interface Sizes {
  /** At diameterAtM. */
  diameterM: number;
  heightM: number;
  crownWidthM: number;
  crownBaseM: number;
}

const breastHeightM = 1.3;

/**
 * All sizes of an individual. Text instead: what was expected of those stated.
 *
 * Height by Näslund 1936, H = 1.3 + (d/(a + b·d))^p with d in cm, and its inverse.
 */
export function sizesOf(
  { size, crownWidth, crownBaseShare }: Species,
  stated: StatedSizes,
): Sizes | string {
  let { diameterM, heightM } = stated;
  if (diameterM === undefined && heightM === undefined) return 'expected diameterM or heightM';
  if (size.kind === 'heights') {
    heightM ??= (diameterM ?? 0) / size.diameterPerHeight;
    diameterM ??= heightM * size.diameterPerHeight;
  } else {
    const { a, b, power: exponent } = size;
    if (heightM !== undefined && heightM <= breastHeightM) {
      return `expected a height above ${breastHeightM} m, where the diameter is measured, found ${heightM}`;
    }
    if (diameterM === undefined) {
      const root = power((heightM ?? 0) - breastHeightM, 1 / exponent);
      if (b * root >= 1) {
        const limitM = breastHeightM + power(b, -exponent);
        return `expected a height below ${limitM.toFixed(1)} m, the limit of the species' law, or a diameter, found ${heightM}`;
      }
      diameterM = (a * root) / (1 - b * root) / 100;
    }
    heightM ??= breastHeightM + power((100 * diameterM) / (a + b * 100 * diameterM), exponent);
  }
  const { baseM, perDiameterCm, perHeight } = crownWidth;
  const crownWidthM =
    stated.crownWidthM ?? baseM + perDiameterCm * 100 * diameterM + perHeight * heightM;
  const crownBaseM = stated.crownBaseM ?? crownBaseShare * heightM;
  if (crownWidthM <= 0) return `expected a crown wider than 0, found ${crownWidthM}`;
  if (crownBaseM >= heightM) {
    return `expected a crown base below the height of ${heightM} m, found ${crownBaseM}`;
  }
  return { diameterM, heightM, crownWidthM, crownBaseM: Math.max(crownBaseM, 0.02 * heightM) };
}

/** One-sided leaf area of an individual in full leaf. */
export function leafAreaM2({ leafAreaPerProjection }: Species, { crownWidthM }: Sizes): number {
  return (leafAreaPerProjection * Math.PI * squared(crownWidthM)) / 4;
}

/** Share of the leaves that stay in a season. */
export function leafShareIn({ leafShares }: Species, season: Season): number {
  return season === 'summer' ? 1 : leafShares[season];
}

/** Materials of an individual by the names in its plant. */
export const individualMaterials = { leaf: 'leaf', bark: 'bark' } as const;

/** The plant of an individual; `leafScale`: factor on the size of its leaves, of the same area in all. */
export function individualPlant(
  species: Species,
  sizes: Sizes,
  id: string,
  { season, leafScale }: { season: Season; leafScale: number },
): Extract<Plant, { generator: 'sized-plant' }> {
  const { size, crown, stems, levels, leaves, forCrownM } = species;
  const crownM = sizes.heightM - sizes.crownBaseM;
  const factor = Math.min(3, Math.max(0.25, power(crownM / forCrownM, 0.6)));
  return {
    understoryPlant: 1,
    id,
    name: species.name,
    seed: 1,
    generator: 'sized-plant',
    heightM: rounded(sizes.heightM),
    diameterM: rounded(sizes.diameterM),
    diameterAtM: size.kind === 'naslund' ? breastHeightM : rounded(size.diameterAt * sizes.heightM),
    crownBaseM: rounded(sizes.crownBaseM),
    crownWidthM: rounded(sizes.crownWidthM),
    leafAreaM2: rounded(leafAreaM2(species, sizes)),
    leafShare: leafShareIn(species, season),
    crown,
    stems,
    // Branches of branches follow the root: both lengths and numbers grow with the crown.
    levels: levels.map((level, order) => ({
      ...level,
      count: Math.max(1, Math.round(level.count * (order === 0 ? factor : Math.sqrt(factor)))),
    })),
    leaves: {
      ...leaves,
      lengthM: rounded(leaves.lengthM * leafScale),
      widthM: rounded(leaves.widthM * leafScale),
      material: individualMaterials.leaf,
    },
    barkMaterial: individualMaterials.bark,
  };
}

/** Six digits: recipes stay short. */
function rounded(value: number): number {
  return Number(value.toPrecision(6));
}
