// Results of a sensor in the courtyard, by ground truth: the cells of the cost map in which it met grass and
// trees, by distance; how far apart the ranges within one tree lie; how high up it saw. Pure.
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { MapGeometry } from '#contract/host/run.ts';
import { standardDeviation } from '#domain/shared/statistics.ts';

/** Edges of the bins of distance, in metres. */
export const distanceEdgesM = [0, 10, 20, 40, 70, 100] as const;

type Place = readonly [xM: number, yM: number];

/** The returns of a tick, and where the vehicle was. */
export interface SeenTick {
  vehicleM: Place;
  columns: {
    x_m: Float32Array;
    y_m: Float32Array;
    z_m: Float32Array;
    range_m: Float32Array;
    object_id: Uint32Array;
    class_id: Uint16Array;
  };
}

export interface ClassIds {
  grass: number;
  tree: number;
}

/** By distance, as distanceEdgesM. */
export interface ByDistance {
  grassCells: number[];
  grassCellsThere: number[];
  treeCells: number[];
  trees: number[];
  treesThere: number[];
}

export interface Findings extends ByDistance {
  /** Standard deviation of the ranges within one tree in one tick, of at least `fewest` returns. */
  spreadsM: { tree: number; distanceM: number; spreadM: number }[];
  /** Greatest height at which each tree was met, with its distance. */
  heightsM: { tree: number; distanceM: number; heightM: number }[];
}

/** Fewer returns have no spread to speak of. */
const fewest = 5;

/** The results of the ticks. */
export function findIn(
  ticks: Iterable<SeenTick>,
  classes: ClassIds,
  map: MapGeometry,
  truth: Truth,
): Findings {
  const grass = new Map<number, number>();
  const trees = new Map<number, number>();
  const treesSeen = new Map<number, { distanceM: number; heightM: number }>();
  const spreadsM: Findings['spreadsM'] = [];
  const places: Place[] = [];
  for (const { vehicleM, columns } of ticks) {
    places.push(vehicleM);
    const rangesOfTree = new Map<number, number[]>();
    for (let row = 0; row < columns.x_m.length; row += 1) {
      const kind = columns.class_id[row] ?? -1;
      if (kind !== classes.grass && kind !== classes.tree) continue;
      const at: Place = [columns.x_m[row] ?? NaN, columns.y_m[row] ?? NaN];
      const distanceM = Math.hypot(at[0] - vehicleM[0], at[1] - vehicleM[1]);
      const cell = cellOf(map, at);
      if (kind === classes.grass) {
        keepLeast(grass, cell, distanceM);
        continue;
      }
      keepLeast(trees, cell, distanceM);
      const tree = columns.object_id[row] ?? 0;
      const heightM = columns.z_m[row] ?? NaN;
      const seen = treesSeen.get(tree) ?? { distanceM, heightM };
      treesSeen.set(tree, {
        distanceM: Math.min(seen.distanceM, distanceM),
        heightM: Math.max(seen.heightM, heightM),
      });
      const ranges = rangesOfTree.get(tree) ?? [];
      if (ranges.length === 0) rangesOfTree.set(tree, ranges);
      ranges.push(columns.range_m[row] ?? NaN);
    }
    for (const [tree, ranges] of rangesOfTree) {
      if (ranges.length < fewest) continue;
      const distanceM = ranges.reduce((least, rangeM) => Math.min(least, rangeM), Infinity);
      spreadsM.push({ tree, distanceM, spreadM: standardDeviation(ranges) });
    }
  }
  const grassThere = [...truth.grassCells].map((cell) => nearestM(centreOf(map, cell), places));
  const treesThere = truth.trees.map(({ atM }) => nearestM(atM, places));
  const found = [...grass].filter(([cell]) => truth.grassCells.has(cell));
  return {
    grassCells: countByDistance(found.map(([, distanceM]) => distanceM)),
    grassCellsThere: countByDistance(grassThere),
    treeCells: countByDistance([...trees.values()]),
    trees: countByDistance(
      truth.trees.filter(({ id }) => treesSeen.has(id)).map(({ atM }) => nearestM(atM, places)),
    ),
    treesThere: countByDistance(treesThere),
    spreadsM,
    heightsM: [...treesSeen].map(([tree, seen]) => ({ tree, ...seen })),
  };
}

/** Positions of trees and grass. */
export interface Truth {
  /** Cells with a patch of grass on their middle. */
  grassCells: Set<number>;
  trees: { id: number; atM: Place }[];
}

/** From the instances of the scene. @throws 'protocol' where columns are left out */
export function truthOf(instances: Columns, classes: ClassIds, map: MapGeometry): Truth {
  const column = (name: string): ArrayLike<number> => {
    const values = instances[name];
    if (values instanceof BigInt64Array || values instanceof BigUint64Array || !values) {
      throw new UnderstoryError('protocol', `the worker left the column '${name}' out`);
    }
    return values;
  };
  const [ids, kinds] = [column('instance_id'), column('class_id')];
  const [xM, yM] = [column('x_m'), column('y_m')];
  const box = ['min_x_m', 'max_x_m', 'min_y_m', 'max_y_m'].map(column);
  const truth: Truth = { grassCells: new Set(), trees: [] };
  for (let row = 0; row < ids.length; row += 1) {
    if (kinds[row] === classes.tree) {
      truth.trees.push({ id: ids[row] ?? 0, atM: [xM[row] ?? NaN, yM[row] ?? NaN] });
    }
    if (kinds[row] !== classes.grass) continue;
    const [west, east, south, north] = box.map((edge) => edge[row] ?? NaN) as [
      number,
      number,
      number,
      number,
    ];
    for (const cell of cellsWithin(map, [west, east], [south, north])) truth.grassCells.add(cell);
  }
  return truth;
}

/** Cells, on the map, whose middle lies within. */
function* cellsWithin(
  { cells, cellM, originM }: MapGeometry,
  acrossM: Place,
  upM: Place,
): Generator<number> {
  const span = (edges: Place, fromM: number): [number, number] => [
    Math.max(0, Math.ceil((edges[0] - fromM) / cellM - 0.5)),
    Math.min(cells - 1, Math.floor((edges[1] - fromM) / cellM - 0.5)),
  ];
  const [west, east] = span(acrossM, originM[0]);
  const [south, north] = span(upM, originM[1]);
  for (let row = south; row <= north; row += 1) {
    for (let column = west; column <= east; column += 1) yield row * cells + column;
  }
}

/** −1 beside the map. */
function cellOf({ cells, cellM, originM }: MapGeometry, [xM, yM]: Place): number {
  const column = Math.floor((xM - originM[0]) / cellM);
  const row = Math.floor((yM - originM[1]) / cellM);
  const isOnMap = column >= 0 && column < cells && row >= 0 && row < cells;
  return isOnMap ? row * cells + column : -1;
}

function centreOf({ cells, cellM, originM }: MapGeometry, cell: number): Place {
  const [row, column] = [Math.floor(cell / cells), cell % cells];
  return [originM[0] + (column + 0.5) * cellM, originM[1] + (row + 0.5) * cellM];
}

function keepLeast(least: Map<number, number>, cell: number, distanceM: number): void {
  if (cell < 0) return;
  least.set(cell, Math.min(least.get(cell) ?? Infinity, distanceM));
}

function nearestM(at: Place, places: readonly Place[]): number {
  return Math.min(...places.map(([xM, yM]) => Math.hypot(at[0] - xM, at[1] - yM)));
}

function countByDistance(distancesM: readonly number[]): number[] {
  return distanceEdgesM
    .slice(1)
    .map(
      (toM, bin) =>
        distancesM.filter((each) => each >= (distanceEdgesM[bin] ?? 0) && each < toM).length,
    );
}
