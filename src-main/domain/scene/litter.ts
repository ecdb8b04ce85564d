// Litter: squares of dead leaves side by side on the ground, of a few variants in four directions. PHYSICS.md, 2.12.
import { materialSchema } from '#contract/documents/optics.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { Stand } from '#contract/documents/stand.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { radians, squared } from '#domain/shared/numbers.ts';
import type { StandTarget, TiledStand } from './standTarget.ts';
import { isInZone, maxStandTrees, polygonOf } from './standTrees.ts';

type Litter = Extract<Stand, { kind: 'litter' }>;
type Corner = readonly [number, number];

/** Sides of squares. Why short: the ground below a square is taken for a plane. */
const shortestM = 0.5;
const longestM = 2;
/** A leaf reaches beyond its square by less than a tenth of the side. */
const lengthsOfSide = 5;
const maxLeavesOfSquare = 50_000;
/** Leaves of all variants, about: the share that they cover differs from the law by half a per cent. */
const leavesInAll = 6000;
const variants = [4, 64] as const;
/** Area of a leaf in its length times its width, about; the worker has the exact one. */
const shareOfBox = 0.65;

const deadLeaves = materialSchema.parse({
  reflectance: [
    [532, 0.2],
    [905, 0.42],
    [1064, 0.47],
    [1550, 0.48],
  ],
  colour: '#7a6244',
});

/** Adds the squares whose middles are in the area of a stand, but for its exclusion zones. */
export function addLitter(
  { stand, at, stream, seed }: TiledStand & { stand: Litter },
  target: StandTarget,
): Problem[] {
  const { name, cover, leafM, areaM } = stand;
  const problem = (field: string, message: string): Problem[] => [
    { path: formatPath([...at, field]), code: 'custom', message },
  ];
  const { areaM2 } = polygonOf(areaM);
  if (areaM2 <= 0) return problem('areaM', 'expected a polygon with an area');
  if (cover === 0) return [];
  const leavesPerM2 = -Math.log1p(-cover) / (shareOfBox * leafM[0] * leafM[1]);
  const sideM = sideOf(stand, leavesPerM2, areaM2);
  if (sideM > Math.max(longestM, lengthsOfSide * Math.max(...leafM))) {
    const most = maxStandTrees * squared(longestM);
    return problem('areaM', `expected at most ${most} m², found ${Math.round(areaM2)}`);
  }
  const leaves = leavesPerM2 * squared(sideM);
  if (leaves > maxLeavesOfSquare) {
    const found = `${Math.round(leaves)} on ${sideM} × ${sideM} m`;
    const most = `expected leaves of which at most ${maxLeavesOfSquare} lie on a square`;
    return problem('leafM', `${most}, found ${found}: larger leaves or less cover`);
  }
  const material =
    stand.material === undefined
      ? target.material('litter:dead-leaf', deadLeaves)
      : target.materialOfScene(stand.material);
  const count = Math.min(variants[1], Math.max(variants[0], Math.ceil(leavesInAll / leaves)));
  const models = Array.from({ length: count }, (_, n) => {
    const [ofShape] = uniforms(seed, purposes.standShapes, stream, n);
    const source = {
      kind: 'litter',
      sideM,
      cover,
      leafM,
      maxTiltRad: radians(stand.maxTiltDeg),
      seed: Math.floor(ofShape * 2 ** 32),
      material,
    } as const;
    return target.model(`${name}:litter-${n + 1}`, source, 'none');
  });
  for (const [n, [x, y]] of squaresOf(areaM, sideM).entries()) {
    if (isInZone(stand.keepClear, [x, y])) continue;
    const [ofModel, ofTurn] = uniforms(seed, purposes.standTurns, stream, n);
    target.instance(
      {
        name: `${name}-${n + 1}`,
        class: stand.class,
        model: models[Math.floor(ofModel * count)] ?? -1,
        positionM: [x, y, 0],
        yawDeg: 90 * Math.floor(4 * ofTurn),
        liesOnGround: true,
        scale: 1,
      },
      0,
    );
  }
  return [];
}

/** Side of squares that have some leaves each, and are no more than a stand has instances. */
function sideOf({ leafM }: Litter, leavesPerM2: number, areaM2: number): number {
  return Math.max(
    shortestM,
    lengthsOfSide * Math.max(...leafM),
    Math.min(longestM, Math.sqrt(20 / leavesPerM2)),
    Math.sqrt(areaM2 / maxStandTrees),
  );
}

/** Middles of the squares of a grid that are in a polygon, row by row from the south. */
function squaresOf(areaM: readonly Corner[], sideM: number): Corner[] {
  const { min, max } = polygonOf(areaM);
  const middles: Corner[] = [];
  for (let y = min[1] + sideM / 2; y < max[1]; y += sideM) {
    const crossings = crossingsOf(areaM, y);
    for (let pair = 0; pair + 1 < crossings.length; pair += 2) {
      const [from = 0, to = 0] = crossings.slice(pair, pair + 2);
      const first = Math.ceil((from - min[0]) / sideM - 0.5);
      for (let x = min[0] + (first + 0.5) * sideM; x < to; x += sideM) middles.push([x, y]);
    }
  }
  return middles;
}

/** Where a line along x meets the edges of a polygon, rising. */
function crossingsOf(corners: readonly Corner[], y: number): number[] {
  return corners
    .flatMap(([x0, y0], index) => {
      const [x1, y1] = corners[(index + 1) % corners.length] ?? [x0, y0];
      return y0 > y === y1 > y ? [] : [x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)];
    })
    .sort((a, b) => a - b);
}
