// The trees of a stand before they have shapes: those of a list, or drawn by its distributions. Guarantee: the same
// stand and seed give the same trees (Philox, by purpose, stand and tree).
import { formatPath, type Problem } from '#contract/documents/problems.ts';
import type { Species } from '#contract/documents/species.ts';
import type { Stand } from '#contract/documents/stand.ts';
import { normals, purposes, uniforms } from '#domain/random/philox.ts';
import { power } from '#domain/shared/numbers.ts';
import { createTrunkGrid, type TrunkGrid } from './trunkGrid.ts';
import { sizesOf, type Sizes, type StatedSizes } from './individual.ts';

/** A tree of a list, with the path of its problems. */
export interface ListedTree extends StatedSizes {
  species: string;
  /** In the world. */
  positionM: readonly [number, number];
  /** Path of the tree, or of its file; `line`: in the file. */
  path: string;
  line?: number;
}

export interface StandTree {
  /** Its name in the stand. */
  species: string;
  /** Relative to the origin of the scene. */
  positionM: readonly [number, number];
  sizes: Sizes;
}

type Zones = Distribution['keepClear'];
type Place = readonly [number, number];
type Distribution = Extract<Stand, { kind: 'distribution' }>;

/** Most trees of a stand: each is an instance with a name. */
export const maxStandTrees = 100_000;
/** Problems of one list that are reported. */
const maxProblems = 20;

export interface StandContext {
  /** Path of the stand. */
  at: (string | number)[];
  /** The stream of its random numbers. */
  stream: number;
  seed: number;
  /** By the names in the stand. */
  species: ReadonlyMap<string, Species>;
  /** Trunks of all stands so far. */
  trunks: TrunkGrid;
}

/** Trees of a list, placed relative to the origin; trunks that overlap are problems. */
export function listedTrees(
  trees: readonly ListedTree[],
  [originX, originY]: readonly number[],
  { species, trunks }: StandContext,
  problems: Problem[],
): StandTree[] {
  let found = 0;
  const report = ({ path, line }: ListedTree, field: string, message: string): void => {
    found += 1;
    if (found > maxProblems) return;
    if (line === undefined) problems.push({ path: `${path}${field}`, code: 'custom', message });
    else problems.push({ path, code: 'custom', message: `line ${line}: ${message}` });
  };
  return trees.flatMap((tree) => {
    const kind = species.get(tree.species);
    if (kind === undefined) return [];
    const sizes = sizesOf(kind, tree);
    if (typeof sizes === 'string') {
      report(tree, '', sizes);
      return [];
    }
    const [x, y] = tree.positionM;
    const positionM = [x - (originX ?? 0), y - (originY ?? 0)] as const;
    const near = trunks.overlapping(positionM, sizes.diameterM / 2);
    if (near !== null) {
      const other = `(${(near[0] + (originX ?? 0)).toFixed(2)}, ${(near[1] + (originY ?? 0)).toFixed(2)})`;
      report(
        tree,
        '.positionM',
        `expected a trunk beside that at ${other}, found one that overlaps it`,
      );
      return [];
    }
    trunks.add(positionM, sizes.diameterM / 2);
    return [{ species: tree.species, positionM, sizes }];
  });
}

/** Trees by distributions; fewer than stated are a problem. */
export function drawnTrees(
  stand: Distribution,
  context: StandContext,
  problems: Problem[],
): StandTree[] {
  const { stream, seed, species, trunks } = context;
  const area = polygonOf(stand.areaM);
  const at = (field: string): string => formatPath([...context.at, field]);
  const refuse = (field: string, message: string): StandTree[] => {
    problems.push({ path: at(field), code: 'custom', message });
    return [];
  };
  if (area.areaM2 <= 0) return refuse('areaM', 'expected a polygon with an area');
  const { pattern } = stand;
  const rows = pattern.kind === 'rows' ? rowPlaces(area, pattern, seed, stream) : null;
  const wanted = rows?.length ?? Math.round((stand.stemsPerHa * area.areaM2) / 10_000);
  if (wanted > maxStandTrees) {
    return refuse(
      'stemsPerHa',
      `expected at most ${maxStandTrees} trees of a stand, found ${wanted}`,
    );
  }
  const places =
    pattern.kind === 'rows' ? (rows ?? []) : placesIn(area, pattern, seed, stream, wanted);
  const spaceM = pattern.kind === 'hard-core' ? pattern.distanceM : 0;
  const own = createTrunkGrid(Math.max(1, spaceM));
  const trees: StandTree[] = [];
  let next = sizedTree(stand, species, seed, stream, 0);
  // Trees of exclusion zones are drawn and left out, so that the density elsewhere is as stated.
  let drawn = 0;
  for (const place of places) {
    if (drawn === wanted) break;
    if (!area.contains(place)) continue;
    if (typeof next === 'string') return refuse('diameters', next);
    const radiusM = next.sizes.diameterM / 2;
    if (trunks.overlapping(place, radiusM) !== null) continue;
    if (spaceM > 0 && own.overlapping(place, spaceM / 2) !== null) continue;
    trunks.add(place, radiusM);
    own.add(place, spaceM / 2);
    drawn += 1;
    if (!isInZone(stand.keepClear, place)) {
      trees.push({ ...next, positionM: place });
    }
    next = sizedTree(stand, species, seed, stream, drawn);
  }
  if (rows === null && drawn < wanted) {
    const room = `expected room for ${wanted} trees, found room for ${drawn}`;
    return refuse(spaceM > 0 ? 'pattern' : 'stemsPerHa', room);
  }
  return trees;
}

export function isInZone(zones: Zones, [atX, atY]: Place): boolean {
  return zones.some(({ centreM: [x, y], radiusM }) => Math.hypot(atX - x, atY - y) < radiusM);
}

/** The species and sizes of tree `n`. */
function sizedTree(
  { mixture, diameters, heightVariation }: Distribution,
  species: ReadonlyMap<string, Species>,
  seed: number,
  stand: number,
  n: number,
): Omit<StandTree, 'positionM'> | string {
  const [ofSpecies, ofSize] = uniforms(seed, purposes.standSizes, stand, n);
  const [ofHeight] = normals(seed, purposes.standHeights, stand, n);
  const shares = Object.entries(mixture).filter(([, share]) => share > 0);
  const sum = shares.reduce((total, [, share]) => total + share, 0);
  let rest = ofSpecies * sum;
  const name = (shares.find(([, share]) => (rest -= share) <= 0) ?? shares.at(-1))?.[0] ?? '';
  const kind = species.get(name);
  if (kind === undefined) return `expected the species '${name}'`;
  if (kind.size.kind === 'heights') {
    const [from, to] = kind.size.heightM;
    const sizes = sizesOf(kind, { heightM: from + (to - from) * ofSize });
    return typeof sizes === 'string' ? sizes : { species: name, sizes };
  }
  // A Weibull variable under the condition that it exceeds minM.
  const { shape, scaleM, minM } = diameters;
  const diameterM = scaleM * power(power(minM / scaleM, shape) - Math.log(ofSize), 1 / shape);
  const byLaw = sizesOf(kind, { diameterM });
  if (typeof byLaw === 'string') return byLaw;
  if (heightVariation === 0) return { species: name, sizes: byLaw };
  const factor = 1 + heightVariation * Math.max(-2, Math.min(2, ofHeight));
  const sizes = sizesOf(kind, { diameterM, heightM: Math.max(1.4, byLaw.heightM * factor) });
  return typeof sizes === 'string' ? sizes : { species: name, sizes };
}

type Pattern = Exclude<Distribution['pattern'], { kind: 'rows' }>;
type Rows = Extract<Distribution['pattern'], { kind: 'rows' }>;

/** Candidates in the order in which they are tried; not all lie in the area. */
function* placesIn(
  { min, max, areaM2 }: Polygon,
  pattern: Pattern,
  seed: number,
  stand: number,
  wanted: number,
): Generator<readonly [number, number]> {
  const size = [max[0] - min[0], max[1] - min[1]] as const;
  const boxShare = areaM2 / (size[0] * size[1]);
  const tries = Math.min(2e7, Math.ceil((60 * wanted + 10_000) / boxShare));
  const inBox = (u: number, v: number, roomM: number): [number, number] => [
    min[0] - roomM + (size[0] + 2 * roomM) * u,
    min[1] - roomM + (size[1] + 2 * roomM) * v,
  ];
  if (pattern.kind !== 'cluster') {
    for (let n = 0; n < tries; n += 1) {
      const [u, v] = uniforms(seed, purposes.standPlaces, stand, n);
      yield inBox(u, v, 0);
    }
    return;
  }
  const { spreadM, meanTrees } = pattern;
  // Parents also lie outside, up to the distance from which their trees reach the area.
  const roomM = 3 * spreadM;
  const withRoom = (size[0] + 2 * roomM) * (size[1] + 2 * roomM);
  const parents = Math.max(1, Math.round(((wanted / areaM2) * withRoom) / meanTrees));
  for (let n = 0; n < tries; n += 1) {
    const [u] = uniforms(seed, purposes.standPlaces, stand, n);
    const parent = Math.floor(u * parents);
    const [x, y] = inBox(...pairOf(uniforms(seed, purposes.standParents, stand, parent)), roomM);
    const [dx, dy] = normals(seed, purposes.standPlaces, stand, n + 2 ** 32);
    yield [x + spreadM * dx, y + spreadM * dy];
  }
}

function pairOf([u, v]: readonly number[]): [number, number] {
  return [u ?? 0, v ?? 0];
}

/** Places of rows through the middle of the area; all lie inside it. */
function rowPlaces(
  { min, max, contains }: Polygon,
  { rowM, inRowM, yawDeg, jitterM }: Rows,
  seed: number,
  stand: number,
): [number, number][] {
  const yawRad = (yawDeg * Math.PI) / 180;
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const [middleX, middleY] = [(min[0] + max[0]) / 2, (min[1] + max[1]) / 2];
  const reachM = Math.hypot(max[0] - min[0], max[1] - min[1]) / 2;
  const places: [number, number][] = [];
  const lastRow = Math.floor(reachM / rowM);
  const lastPlant = Math.floor(reachM / inRowM);
  for (let row = -lastRow; row <= lastRow; row += 1) {
    for (let plant = -lastPlant; plant <= lastPlant; plant += 1) {
      const n = (row + lastRow) * (2 * lastPlant + 1) + plant + lastPlant;
      const [u, v] = uniforms(seed, purposes.standPlaces, stand, n);
      const [along, across] = [plant * inRowM, row * rowM];
      const place: [number, number] = [
        middleX + along * cos - across * sin + jitterM * (2 * u - 1),
        middleY + along * sin + across * cos + jitterM * (2 * v - 1),
      ];
      if (contains(place)) places.push(place);
      if (places.length > maxStandTrees) return places;
    }
  }
  return places;
}

interface Polygon {
  min: readonly [number, number];
  max: readonly [number, number];
  areaM2: number;
  contains: (place: readonly [number, number]) => boolean;
}

export function polygonOf(corners: readonly (readonly [number, number])[]): Polygon {
  const edges = corners.map(
    (from, index) => [from, corners[(index + 1) % corners.length] ?? from] as const,
  );
  const twice = edges.reduce((sum, [[x0, y0], [x1, y1]]) => sum + x0 * y1 - x1 * y0, 0);
  const xs = corners.map(([x]) => x);
  const ys = corners.map(([, y]) => y);
  return {
    min: [Math.min(...xs), Math.min(...ys)],
    max: [Math.max(...xs), Math.max(...ys)],
    areaM2: Math.abs(twice) / 2,
    contains: ([x, y]) =>
      edges.filter(
        ([[x0, y0], [x1, y1]]) => y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0),
      ).length %
        2 ===
      1,
  };
}
