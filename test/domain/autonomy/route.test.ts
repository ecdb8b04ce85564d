// Obstacles inflated by the footprint: what a gap lets through, how a vehicle gets out of a tight place,
// and when a route counts as blocked.
import { describe, expect, it } from 'vitest';
import { createPlanner } from '#domain/autonomy/aStar.ts';
import { createPointCostMap, type PointCostMap } from '#test/support/referenceMap.ts';
import { createRouter, type Route, type Router } from '#domain/autonomy/route.ts';
import { defaults } from './discWorld.ts';

const { vehicle } = defaults({ startM: [0, 0], goalM: [10, 0] });
const geometry = { cells: 80, cellM: 0.5, originM: [0, 0] as [number, number] };

const firstGapRow = 38;

/** A wall along x = 20 m with a gap of so many cells from y = 19 m on, and more cells marked. */
function walled(
  gapCells: number,
  marked: [number, number][] = [],
): { map: PointCostMap; router: Router } {
  const map = createPointCostMap(geometry, 1.5);
  for (let row = 0; row < 80; row += 1) {
    if (row >= firstGapRow && row < firstGapRow + gapCells) continue;
    map.mark(20.25, (row + 0.5) * 0.5);
  }
  for (const [x, y] of marked) map.mark(x, y);
  const router = createRouter(vehicle, map, createPlanner(80));
  router.refresh(map);
  return { map, router };
}

/** Least clearance of the cells that the straight pieces of a route lead through. */
function minClearanceM(map: PointCostMap, { xM, yM }: Route): number {
  let least = Infinity;
  for (let n = 1; n < xM.length; n += 1) {
    for (let share = 0; share <= 1; share += 1 / 256) {
      const x = (xM[n - 1] as number) + share * ((xM[n] as number) - (xM[n - 1] as number));
      const y = (yM[n - 1] as number) + share * ((yM[n] as number) - (yM[n - 1] as number));
      const cell = Math.floor(y / 0.5) * 80 + Math.floor(x / 0.5);
      least = Math.min(least, map.clearanceM[cell] as number);
    }
  }
  return least;
}

describe('router', () => {
  // 1.6 m wide and straying by 0.2 m, it needs 1 m from the centre of a cell to either side: the two
  // middle cells of a gap of four have 0.75 m to one.
  it.each([
    { gapCells: 6, isPassable: true },
    { gapCells: 5, isPassable: true },
    { gapCells: 4, isPassable: false },
  ])('goes through a gap of $gapCells cells: $isPassable', ({ gapCells, isPassable }) => {
    const { map, router } = walled(gapCells);
    const route = router.plan([5.25, 20.25], [35.25, 20.25]) as Route;
    expect(route.isGoalReached).toBe(isPassable);
    expect(minClearanceM(map, route)).toBeGreaterThanOrEqual(vehicle.widthM / 2);
    const [endX, endY] = [route.xM.at(-1) as number, route.yM.at(-1) as number];
    if (isPassable) expect([endX, endY]).toEqual([35.25, 20.25]);
    else expect(endX).toBeLessThan(20);
  });

  it('prefers a wide gap to a narrow one where the detour is small', () => {
    const map = createPointCostMap(geometry, 1.5);
    for (let row = 0; row < 80; row += 1) {
      const isNarrowGap = row >= 38 && row < 42;
      const isWideGap = row >= 48 && row < 66;
      if (!isNarrowGap && !isWideGap) map.mark(20.25, (row + 0.5) * 0.5);
    }
    const router = createRouter(vehicle, map, createPlanner(80));
    router.refresh(map);
    const route = router.plan([5.25, 20.25], [35.25, 20.25]) as Route;
    expect(Math.max(...route.yM)).toBeGreaterThan(24);
  });

  it('finds a path out from beside a wall, away from it', () => {
    const { map, router } = walled(0);
    // The bumper nearly touches: 0.5 m from the wall, where nothing may be planned through.
    const route = router.plan([19.6, 10.25], [5.25, 10.25]) as Route;
    expect(route.isGoalReached).toBe(true);
    expect(map.clearanceM[20 * 80 + 39]).toBeLessThan(0.8);
  });

  it('ends at the nearest reachable place where the goal lies in an obstacle', () => {
    const { router } = walled(0, [[30.25, 10.25]]);
    const route = router.plan([35.25, 30.25], [30.25, 10.25]) as Route;
    expect(route.isGoalReached).toBe(false);
    const end = [route.xM.at(-1) as number, route.yM.at(-1) as number] as const;
    // 1 m of clearance from the square of the cell, and a cell of slack.
    expect(Math.hypot(end[0] - 30.25, end[1] - 10.25)).toBeLessThan(1.25 + 0.5 * Math.SQRT2);
  });

  it('detects a new obstacle on the route, and its distance', () => {
    const { map, router } = walled(20);
    const route = router.plan([5.25, 20.25], [35.25, 20.25]) as Route;
    expect(router.isBlocked(route, [5.25, 20.25], 30)).toBe(false);
    map.mark(34.25, 20.25);
    router.refresh(map);
    expect(router.isBlocked(route, [5.25, 20.25], 30)).toBe(true);
    expect(router.isBlocked(route, [5.25, 20.25], 10)).toBe(false);
  });

  it('has no route from outside the map', () => {
    expect(walled(20).router.plan([-1, 0], [5, 5])).toBeNull();
  });
});
