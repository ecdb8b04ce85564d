// Landscapes become squares with tiles: the stands and scatters of each are grown once for every tile, and each square has
// one of the tiles. PHYSICS.md, 2.15.
import { maxSquares, type LandscapeDocument } from '#contract/documents/landscape.ts';
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { LandscapeRecipe, ScatterRecipe, TilePlantRecipe } from '#contract/worker/recipe.ts';
import { maxFromOriginM } from '#contract/worldOrigin.ts';
import { purposes, uniforms } from '#domain/random/philox.ts';
import { rotationFromDegrees } from '#domain/shared/pose.ts';
import { addTiledStand, type StandFiles } from './stands.ts';
import type { StandTarget } from './standTarget.ts';
import { createTrunkGrid } from './trunkGrid.ts';

/** The last id of an instance. */
const maxId = 2 ** 32 - 2;
/** Streams of random numbers: of a tile, a stand, and a landscape, whose first follows those of the scene's stands. */
const tilesOfStand = 256;
const streamsOfLandscape = 2 ** 20;

interface LandscapeTarget extends Omit<StandTarget, 'instance'> {
  class: (name: string) => number;
  /** In the tile. */
  scatter: (scatter: LandscapeDocument['scatters'][number]) => ScatterRecipe;
}

/** Relative to the origin of the scene; null: there are problems. */
export function landscapeRecipe(
  landscape: LandscapeDocument,
  { index, firstId, sceneSeed }: { index: number; firstId: number; sceneSeed: number },
  files: StandFiles,
  target: LandscapeTarget,
  problems: Problem[],
): LandscapeRecipe | null {
  const at = ['scene', 'landscapes', index];
  const refuse = (part: (string | number)[], message: string): null => {
    problems.push({ path: formatPath([...at, ...part]), code: 'custom', message });
    return null;
  };
  const { name, areaM, sideM, keepClear } = landscape;
  const seed = landscape.seed ?? sceneSeed;
  const cornerM = minCorner(areaM);
  const [columns, rows] = squaresOf(areaM, cornerM, sideM);
  if (columns * rows > maxSquares) {
    const message = `expected at most ${maxSquares} squares, found ${columns} × ${rows}`;
    return refuse(['sideM'], message);
  }
  const outside = partOutside(landscape);
  if (outside !== null) {
    return refuse(outside, `expected coordinates from 0 to ${sideM}, those of a tile`);
  }
  const tiles = Array.from({ length: landscape.tiles }, (): TilePlantRecipe[] => []);
  const trunks = tiles.map(() => createTrunkGrid());
  const before = problems.length;
  for (const [number, stand] of landscape.stands.entries()) {
    const tiled = {
      stand,
      at: [...at, 'stands', number],
      stream: (index + 1) * streamsOfLandscape + number * tilesOfStand,
      seed: stand.seed ?? seed,
      trunks,
    };
    const found = addTiledStand(tiled, [0, 0, 0], files, {
      ...target,
      instance(placed, tile) {
        const { name: ofPlant, model, positionM, yawDeg, pitchDeg = 0, scale } = placed;
        const rotation = rotationFromDegrees(yawDeg, pitchDeg, 0);
        const ofClass = target.class(placed.class);
        tiles[tile]?.push({ name: ofPlant, class: ofClass, model, positionM, rotation, scale });
      },
    });
    problems.push(...found);
  }
  if (problems.length > before) return null;
  const scatters = landscape.scatters.map((scatter) => target.scatter(scatter));
  const scattered = scatters.reduce((sum, { count }) => sum + count, 0);
  const plantsPerSquare = scattered + Math.max(...tiles.map((plants) => plants.length));
  if (plantsPerSquare === 0) return refuse(['stands'], 'expected plants, found none in any tile');
  if (firstId + columns * rows * plantsPerSquare > maxId) {
    const message = `expected ids for at most ${maxId} plants, ${columns * rows} squares of up to ${plantsPerSquare} need more`;
    return refuse(['areaM'], message);
  }
  const tileOf = Array.from({ length: columns * rows }, (_, square) =>
    Math.floor(uniforms(seed, purposes.landscapeTiles, index, square)[0] * tiles.length),
  );
  return {
    name,
    firstId,
    seed,
    cornerM,
    sideM,
    columns,
    rows,
    plantsPerSquare,
    tiles: tiles.map((plants) => ({ plants, scatters })),
    tileOf,
    areaM,
    keepClear,
  };
}

/** Ids that a landscape takes. */
export function idsOf({ columns, rows, plantsPerSquare }: LandscapeRecipe): number {
  return columns * rows * plantsPerSquare;
}

export function middleOf({
  cornerM: [westM, southM],
  sideM,
  columns,
  rows,
}: LandscapeRecipe): [number, number] {
  return [westM + (columns * sideM) / 2, southM + (rows * sideM) / 2];
}

/** A box in the middle of a landscape that has the feet of about `count` plants. */
export function middleBox(
  landscape: LandscapeRecipe,
  count: number,
): { minM: Position; maxM: Position } {
  const { sideM, plantsPerSquare } = landscape;
  const half = (sideM * Math.sqrt(Math.max(1, count / plantsPerSquare))) / 2;
  const [x, y] = middleOf(landscape);
  const heightM = 10 * maxFromOriginM;
  return { minM: [x - half, y - half, -heightM], maxM: [x + half, y + half, heightM] };
}

type Position = [number, number, number];

/** Plants of landscapes that are shown and listed, about. */
export const shownPlants = 120_000;

/** Ids of at most `count` plants, rising, of the squares nearest to the middle; those that are left out are among them. */
export function middleIds(landscape: LandscapeRecipe, count: number): number[] {
  const { columns, rows, firstId, plantsPerSquare, tileOf } = landscape;
  const fromMiddle = (square: number): number => {
    const [column, row] = [square % columns, Math.floor(square / columns)];
    return Math.hypot(column - (columns - 1) / 2, row - (rows - 1) / 2);
  };
  const squares = Array.from(tileOf.keys())
    .filter((square) => (tileOf[square] ?? -1) >= 0)
    .sort((a, b) => fromMiddle(a) - fromMiddle(b) || a - b)
    .slice(0, Math.max(1, Math.floor(count / plantsPerSquare)))
    .sort((a, b) => a - b);
  return squares.flatMap((square) =>
    Array.from(
      { length: Math.min(count, plantsPerSquare) },
      (_, n) => firstId + square * plantsPerSquare + n,
    ),
  );
}

type Corners = LandscapeDocument['areaM'];

function minCorner(corners: Corners): [number, number] {
  return [Math.min(...corners.map(([x]) => x)), Math.min(...corners.map(([, y]) => y))];
}

function squaresOf(corners: Corners, [westM, southM]: [number, number], sideM: number) {
  const count = (lengthM: number): number => Math.max(1, Math.ceil(lengthM / sideM - 1e-9));
  return [
    count(Math.max(...corners.map(([x]) => x)) - westM),
    count(Math.max(...corners.map(([, y]) => y)) - southM),
  ] as const;
}

/** Path, in the landscape, of coordinates that leave the tile; null: none do. */
function partOutside({ sideM, stands, scatters }: LandscapeDocument): (string | number)[] | null {
  const leaves = (corners: Corners): boolean =>
    corners.flat().some((coordinateM) => coordinateM < 0 || coordinateM > sideM);
  for (const [index, stand] of stands.entries()) {
    if ('areaM' in stand && leaves(stand.areaM)) return ['stands', index, 'areaM'];
    const tree =
      stand.kind === 'trees' ? stand.trees.findIndex(({ positionM }) => leaves([positionM])) : -1;
    if (tree >= 0) return ['stands', index, 'trees', tree, 'positionM'];
  }
  const scatter = scatters.findIndex(({ areaM }) => leaves(areaM));
  return scatter >= 0 ? ['scatters', scatter, 'areaM'] : null;
}
