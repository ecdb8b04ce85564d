// From the cost map to a path that the vehicle can follow: what a metre costs in each cell, the cheapest
// grid path, and its corners cut wherever the straight line is no dearer and meets nothing.
import { unknownCost } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import type { CostGrid, GridPath, Planner } from './aStar.ts';
import { clearanceLimitM } from './clearances.ts';
import type { CostMap } from './costMap.ts';
import { cellAt, cellCentre } from './gridGeometry.ts';
import { circumscribedRadiusM, inscribedRadiusM } from './kinematics.ts';

/** Corners of the path from the vehicle to the end. */
export interface Route {
  xM: Float32Array;
  yM: Float32Array;
  /** False: the path ends at the reachable place nearest to the goal. */
  isGoalReached: boolean;
}

export interface Router {
  /** Takes over the costs and obstacles of the map as they are now, for the plans to come. */
  refresh(map: Pick<CostMap, 'planningCost' | 'clearanceM'>): void;
  /** The route from a place to the goal; null where the place lies outside the map. */
  plan(from: readonly [number, number], goal: readonly [number, number]): Route | null;
  /** True where the next `withinM` of a route lead through what is impassable on the map by now. */
  isBlocked(route: Route, from: readonly [number, number], withinM: number): boolean;
}

/** A metre through cells of cost 100 costs twice a metre over bare ground. */
const costWeight = 1;
/** Unseen cells cost as much as low grass. */
const unknownPerMetre = 1 + costWeight * 0.25;
/** The follower strays from its path by less than this. */
const trackingMarginM = 0.2;
/** Extra cost of a metre where the vehicle cannot turn freely, and where it can just. */
const tightPerMetre = 6;
const nearPerMetre = 1.5;
/** About the vehicle even impassable cells can be crossed at this price: it must find a path out. */
const escapePerMetre = 40;
const escapeRadiusM = 2;
const longestShortcutM = 25;
/** A straight line is taken if it costs no more than this share over the grid path, which zigzags. */
const shortcutTolerance = 1.03;

/** A router for one vehicle on one map. */
export function createRouter(vehicle: Vehicle, map: CostMap, planner: Planner): Router {
  const { geometry } = map;
  const { cells, cellM } = geometry;
  const grid: CostGrid = { cells, cellM, perMetre: new Float32Array(cells * cells).fill(1) };
  const hardM = hardClearanceM(vehicle);
  const turningM = circumscribedRadiusM(vehicle) + trackingMarginM;
  /** By cost: what a metre costs in a cell of that cost, clearance apart. */
  const perMetreOfCost = Float32Array.from({ length: 256 }, (_, cost) =>
    cost === unknownCost ? unknownPerMetre : 1 + (costWeight * cost) / 100,
  );

  /** Clears the cells at the vehicle; returns what restores the grid. */
  const openEscape = (cell: number): (() => void) => {
    const reach = Math.ceil(escapeRadiusM / cellM);
    const opened: number[] = [];
    for (let dy = -reach; dy <= reach; dy += 1) {
      for (let dx = -reach; dx <= reach; dx += 1) {
        const x = (cell % cells) + dx;
        const y = Math.floor(cell / cells) + dy;
        if (x < 0 || y < 0 || x >= cells || y >= cells) continue;
        if (Math.hypot(dx, dy) * cellM > escapeRadiusM) continue;
        const at = y * cells + x;
        // Obstacles themselves stay shut, unless the vehicle's centre is in the very cell.
        const isShut = grid.perMetre[at] === Infinity && (map.clearanceM[at] as number) > 0;
        if (isShut || at === cell) opened.push(at);
      }
    }
    const before = opened.map((at) => grid.perMetre[at] as number);
    for (const [n, at] of opened.entries()) {
      if (before[n] === Infinity) grid.perMetre[at] = escapePerMetre;
    }
    return () => {
      for (const [n, at] of opened.entries()) grid.perMetre[at] = before[n] as number;
    };
  };

  return {
    refresh({ planningCost, clearanceM }) {
      const { perMetre } = grid;
      for (let cell = 0; cell < perMetre.length; cell += 1) {
        const clearance = clearanceM[cell] as number;
        const base = perMetreOfCost[planningCost[cell] as number] as number;
        if (clearance >= clearanceLimitM) perMetre[cell] = base;
        else if (clearance < hardM) perMetre[cell] = Infinity;
        else if (clearance < turningM) perMetre[cell] = base + tightPerMetre;
        else {
          const nearness = (clearanceLimitM - clearance) / (clearanceLimitM - turningM);
          perMetre[cell] = base + nearPerMetre * nearness;
        }
      }
    },
    plan(from, goal) {
      const start = cellAt(geometry, from[0], from[1]);
      const end = cellAt(geometry, goal[0], goal[1]);
      if (start < 0 || end < 0) return null;
      const restore = openEscape(start);
      const path = planner.plan(grid, start, end);
      const corners = shortcut(grid, path);
      restore();
      const places = corners.map((cell) => cellCentre(geometry, cell));
      places[0] = [from[0], from[1]];
      if (path.isGoalReached) {
        if (places.length === 1) places.push([goal[0], goal[1]]);
        else places[places.length - 1] = [goal[0], goal[1]];
      }
      return {
        xM: Float32Array.from(places, ([x]) => x),
        yM: Float32Array.from(places, ([, y]) => y),
        isGoalReached: path.isGoalReached,
      };
    },
    isBlocked({ xM, yM }, from, withinM) {
      for (let n = 1; n < xM.length; n += 1) {
        const [ax, ay] = [xM[n - 1] as number, yM[n - 1] as number];
        const [bx, by] = [xM[n] as number, yM[n] as number];
        const lengthM = Math.hypot(bx - ax, by - ay);
        for (let alongM = 0; alongM <= lengthM; alongM += cellM / 2) {
          const share = lengthM === 0 ? 0 : alongM / lengthM;
          const [x, y] = [ax + share * (bx - ax), ay + share * (by - ay)];
          const distanceM = Math.hypot(x - from[0], y - from[1]);
          // Cells at the vehicle were cleared when the route was planned.
          if (distanceM > withinM || distanceM < escapeRadiusM) continue;
          const cell = cellAt(geometry, x, y);
          if (cell < 0) continue;
          const clearance = map.clearanceM[cell] as number;
          if (clearance < clearanceLimitM && clearance < hardM) return true;
        }
      }
      return false;
    },
  };
}

/**
 * The clearance that a cell's centre needs for the vehicle to pass: half of its width, its deviation from the
 * centre of a cell, and what the follower strays.
 */
function hardClearanceM(vehicle: Vehicle): number {
  return inscribedRadiusM(vehicle) + trackingMarginM;
}

/** Cells of a path that remain when corners are cut; the first and the last always do. */
export function shortcut(grid: CostGrid, { cells: path, costs }: GridPath): number[] {
  const kept: number[] = [path[0] as number];
  const last = path.length - 1;
  let from = 0;
  while (from < last) {
    let to = from + 1;
    // Looks ahead in growing strides, and takes the farthest place that can be seen.
    for (let seen = to, stride = 1; ; stride += 1) {
      const budget = (costs[seen] as number) - (costs[from] as number);
      const line = lineCost(grid, path[from] as number, path[seen] as number);
      if (line <= budget * shortcutTolerance + 1e-9) to = seen;
      const isFar = lengthM(grid, path[from] as number, path[seen] as number) > longestShortcutM;
      if (isFar || seen === last) break;
      seen = Math.min(last, seen + stride);
    }
    kept.push(path[to] as number);
    from = to;
  }
  return kept;
}

/**
 * Cost of the straight line between two cells' centres: Infinity where it touches an impassable cell,
 * be it at a corner only (all cells met, after Amanatides and Woo 1987).
 */
export function lineCost(grid: CostGrid, from: number, to: number): number {
  const { cells, cellM, perMetre } = grid;
  let x = from % cells;
  let y = Math.floor(from / cells);
  const dx = (to % cells) - x;
  const dy = Math.floor(to / cells) - y;
  const total = Math.hypot(dx, dy) * cellM;
  if (total === 0) return 0;
  const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
  const [perX, perY] = [1 / Math.abs(dx), 1 / Math.abs(dy)];
  let [nextX, nextY] = [perX / 2, perY / 2];
  let share = 0;
  let cost = 0;
  let left = Math.abs(dx) + Math.abs(dy);
  while (left >= 0) {
    const here = perMetre[y * cells + x] as number;
    if (here === Infinity) return Infinity;
    const until = Math.min(nextX, nextY, 1);
    cost += (until - share) * total * here;
    share = until;
    if (left === 0) break;
    if (Math.abs(nextX - nextY) < 1e-12) {
      // Through a corner: both cells beside it are touched.
      if (perMetre[y * cells + x + stepX] === Infinity) return Infinity;
      if (perMetre[(y + stepY) * cells + x] === Infinity) return Infinity;
      x += stepX;
      y += stepY;
      nextX += perX;
      nextY += perY;
      left -= 2;
    } else if (nextX < nextY) {
      x += stepX;
      nextX += perX;
      left -= 1;
    } else {
      y += stepY;
      nextY += perY;
      left -= 1;
    }
  }
  return cost;
}

function lengthM({ cells, cellM }: CostGrid, from: number, to: number): number {
  const dx = (to % cells) - (from % cells);
  const dy = Math.floor(to / cells) - Math.floor(from / cells);
  return Math.hypot(dx, dy) * cellM;
}
