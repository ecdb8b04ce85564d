// The cost map from synthetic clouds: flat and tilted ground, grass, walls, a level planar scanner, a
// single registration error.
import { describe, expect, it } from 'vitest';
import { unknownCost } from '#contract/host/run.ts';
import { clearanceLimitM } from '#domain/autonomy/clearances.ts';
import {
  lethalCost,
  tiltMarginM,
  type CostMap,
  type CostMapOptions,
} from '#domain/autonomy/costMap.ts';
import { mapGeometryOf } from '#contract/documents/scenarioPlaces.ts';
import { cellAt } from '#domain/autonomy/gridGeometry.ts';
import type { WheelPlane } from '#contract/worker/tickMap.ts';
import { aFromB, quaternionOf, type Vector3 } from '#domain/shared/pose.ts';
import { samplePoses } from '#domain/autonomy/tickMapping.ts';
import { createPointCostMap, type PointCostMap } from '#test/support/referenceMap.ts';
import {
  createPointBuffer,
  registerReturns,
  selfFilterOf,
  type PointBuffer,
  type SelfFilter,
} from '#test/support/referenceRegistration.ts';
import { uniforms } from '#domain/random/philox.ts';
import { defaults } from './discWorld.ts';

const level: WheelPlane = { xM: 0, yM: 0, zM: 0, slopeX: 0, slopeY: 0 };
const { vehicle, mission, navigation } = defaults({ startM: [-10, 0], goalM: [10, 0] });
const geometry = mapGeometryOf(mission, navigation);

function cloud(points: [number, number, number][], from: WheelPlane = level): PointBuffer {
  const buffer = createPointBuffer();
  for (const [n, [x, y, z]] of points.entries()) {
    buffer.xM[n] = x;
    buffer.yM[n] = y;
    buffer.zM[n] = z;
    buffer.rangeM[n] = Math.hypot(x - from.xM, y - from.yM, z - from.zM - 2);
  }
  buffer.count = points.length;
  return buffer;
}

/** Points on a surface over 60 × 60 m about the origin, 9 to a square metre. */
function surface(height: (x: number, y: number, n: number) => number): [number, number, number][] {
  const points: [number, number, number][] = [];
  for (let x = -30; x < 30; x += 1 / 3) {
    for (let y = -30; y < 30; y += 1 / 3) points.push([x, y, height(x, y, points.length)]);
  }
  return points;
}

function costAt(map: Pick<CostMap, 'cost' | 'geometry'>, xM: number, yM: number): number {
  return map.cost[cellAt(map.geometry, xM, yM)] as number;
}

function hasObstacle(map: Pick<CostMap, 'clearanceM'>): boolean {
  return map.clearanceM.some((clearanceM) => clearanceM < clearanceLimitM);
}

function filled(
  points: [number, number, number][],
  plane = level,
  ticks = 3,
  seesGround = true,
): PointCostMap {
  const map = createPointCostMap(geometry, 1.5, { seesGround });
  for (let tick = 0; tick < ticks; tick += 1) map.integratePoints(cloud(points, plane), plane, 0);
  return map;
}

describe('map geometry', () => {
  it('has start and goal about its middle, on whole cells, unless the scenario says otherwise', () => {
    expect(geometry).toEqual({ cells: 400, cellM: 0.5, originM: [-100, -100] });
    const given = { ...navigation, costMap: { ...navigation.costMap, originM: [3, 4] } };
    expect(mapGeometryOf(mission, given as typeof navigation).originM).toEqual([3, 4]);
  });
});

describe('cost map', () => {
  it('is free on flat ground and unknown where nothing was seen', () => {
    const map = filled(surface(() => 0));
    expect(costAt(map, 5, 5)).toBe(0);
    expect(costAt(map, 50, 50)).toBe(unknownCost);
    expect(hasObstacle(map)).toBe(false);
  });

  it('is free on ground tilted by 15 %', () => {
    const plane = { xM: 0, yM: 0, zM: 0, slopeX: 0.15, slopeY: -0.05 };
    const map = filled(
      surface((x, y) => 0.15 * x - 0.05 * y),
      plane,
    );
    const known = map.cost.filter((cost) => cost !== unknownCost);
    expect(known.length).toBeGreaterThan(14_000);
    expect(Math.max(...known)).toBe(0);
  });

  it('follows a hill that begins ahead of the wheels', () => {
    // Level up to x = 6 m, then 10 % up: 2.4 m at the far edge, well above the plane under the wheels.
    // Beyond 40 m nothing is taken for ground.
    const hill = surface((x) => Math.max(0, 0.1 * (x - 6)));
    const map = filled(hill.filter(([x, y]) => Math.hypot(x, y) < 38));
    const known = map.cost.filter((cost) => cost !== unknownCost);
    expect(Math.max(...known)).toBeLessThan(lethalCost / 4);
  });

  it('recognises a slope ahead as ground though a dip hides the ground before it', () => {
    // 20 % up from x = 6 m on; seen are the surroundings and a far band, 2.8 m to 4.4 m up.
    const hill = surface((x) => Math.max(0, 0.2 * (x - 6)));
    const map = filled(hill.filter(([x]) => x < 4 || (x > 20 && x < 28)));
    expect(costAt(map, 24, 3)).toBeLessThan(lethalCost / 4);
    expect(hasObstacle(map)).toBe(false);
  });

  it('is not deceived by a crown that hides the ground below it', () => {
    const crown: [number, number, number][] = [];
    for (let x = 10; x < 16; x += 0.3) {
      for (let y = -3; y < 3; y += 0.3) {
        for (const z of [2.3, 3, 4]) crown.push([x, y, z]);
      }
    }
    const open = surface(() => 0).filter(([x, y]) => !(x > 9.9 && x < 16.1 && Math.abs(y) < 3.1));
    const map = filled([...open, ...crown]);
    for (const [x, y] of [
      [10.2, 0],
      [13, 0],
      [15.7, 2.7],
    ] as const) {
      expect(costAt(map, x, y)).toBe(100);
    }
  });

  it('gives grass its height, 100·h/h_max, and lets it pass', () => {
    // One point in five reaches the ground, the others lie at any height up to that of the blades.
    const map = filled(
      surface((x, _, n) => {
        const [isGround, share] = uniforms(1, 200, 0, n);
        const bladeM = x > 0 ? 0.8 : 0.3;
        return isGround < 0.2 ? 0 : bladeM * share;
      }),
      level,
      1,
    );
    const costs = (fromM: number): number[] =>
      Array.from({ length: 20 }, (_, n) => costAt(map, fromM + 0.25 + n / 2, 3.25));
    // The highest of about two points a cell: never above the blades, and somewhere near them.
    expect(Math.max(...costs(5))).toBeLessThanOrEqual(Math.round(80 / 1.5));
    expect(Math.max(...costs(5))).toBeGreaterThan(40);
    expect(Math.max(...costs(-20))).toBeLessThanOrEqual(20);
    expect(Math.max(...costs(-20))).toBeGreaterThan(14);
    expect(hasObstacle(map)).toBe(false);
  });

  it('keeps the highest cost of a cell, and rounds min(100·h/h_max, 100)', () => {
    const ground = surface(() => 0);
    const map = filled([...ground, [10.1, 0.1, 0.75], [20.1, 0.1, 1.2], [25.1, 0.1, 9]]);
    expect(costAt(map, 10.1, 0.1)).toBe(50);
    expect(costAt(map, 20.1, 0.1)).toBe(80);
    expect(costAt(map, 25.1, 0.1)).toBe(100);
    map.integratePoints(cloud(ground), level, 0);
    expect(costAt(map, 10.1, 0.1)).toBe(50);
  });

  it('makes a wall an obstacle with clearances about it', () => {
    const wall: [number, number, number][] = [];
    for (let y = -10; y < 10; y += 0.2) {
      for (let z = 0.3; z < 4; z += 0.4) wall.push([15.1, y, z]);
    }
    const map = filled([...surface((x) => (x < 15 ? 0 : 40)).filter(([, , z]) => z < 40), ...wall]);
    expect(costAt(map, 15.1, 0)).toBe(100);
    // Cells [15, 15.5): a centre 3 cells before is 1.25 m from the near face.
    expect(map.clearanceM[cellAt(geometry, 13.6, 0)]).toBeCloseTo(1.25, 6);
    expect(map.clearanceM[cellAt(geometry, 15.1, 0)]).toBe(0);
    expect(map.clearanceM[cellAt(geometry, 10, 0)]).toBe(clearanceLimitM);
  });

  it('takes the plane under the wheels where a level planar scanner sees no ground', () => {
    const plane = { xM: 0, yM: 0, zM: 5, slopeX: 0.1, slopeY: 0 };
    const trunks: [number, number, number][] = [
      [10.1, 0.1, 5 + 1.01 + 2],
      [-30.1, 8.1, 5 - 3.01 + 2],
    ];
    const map = filled(trunks, plane, 3, false);
    expect(costAt(map, 10.1, 0.1)).toBe(100);
    expect(costAt(map, -30.1, 8.1)).toBe(100);
    expect(map.cost.filter((cost) => cost !== unknownCost)).toHaveLength(2);
  });

  it('does not stop at one registration error, though the cell keeps its cost', () => {
    const map = createPointCostMap(geometry, 1.5);
    const ground = surface(() => 0);
    map.integratePoints(cloud(ground), level, 0);
    const tilted = surface((x) => 0.1 * x).filter(([x]) => x > 18 && x < 25);
    map.integratePoints(cloud(tilted), level, 0);
    for (let tick = 0; tick < 5; tick += 1) map.integratePoints(cloud(ground), level, 0);
    expect(costAt(map, 20, 0)).toBe(100);
    expect(hasObstacle(map)).toBe(false);
  });

  it('holds eq. 8 whatever the stated tilt; the margin is in the layer of the planner', () => {
    const map = createPointCostMap(geometry, 1.5, { seesGround: false });
    // The examples of the review: grass of 0.5 m at 50 m, something of 1.5 m at 100 m.
    const points: [number, number, number][] = [
      [25.1, 0.1, 0.9],
      [50.1, 0.1, 0.5],
      [99.1, 0.1, 1.5],
    ];
    const tiltSigmaRad = 0.0025;
    map.integratePoints(cloud(points), level, tiltSigmaRad);
    const [expected, planned] = [[] as number[], [] as number[]];
    for (const [xM, yM, zM] of points) {
      const rangeM = Math.hypot(xM, yM, zM - 2);
      expected.push(Math.round((100 * zM) / 1.5));
      planned.push(Math.round((100 * Math.max(0, zM - 2 * tiltSigmaRad * rangeM)) / 1.5));
    }
    const cells = points.map(([xM, yM]) => cellAt(geometry, xM, yM));
    expect(cells.map((cell) => map.cost[cell])).toEqual(expected);
    expect(expected).toEqual([60, 33, 100]);
    expect(cells.map((cell) => map.planningCost[cell])).toEqual(planned);
    expect(planned).toEqual([52, 17, 67]);
    expect(map.view().cost[cells[1] as number]).toBe(33);
  });

  it('takes a height for an obstacle only where the margin of the tilt leaves it one', () => {
    const tall: [number, number, number] = [80.1, 0.1, 1.6];
    const obstaclesWith = (tiltSigmaRad: number): boolean => {
      const map = createPointCostMap(geometry, 1.5, { seesGround: false });
      for (let tick = 0; tick < 3; tick += 1) {
        map.integratePoints(cloud([tall]), level, tiltSigmaRad);
      }
      expect(costAt(map, 80.1, 0.1)).toBe(100);
      return hasObstacle(map);
    };
    expect(obstaclesWith(0)).toBe(true);
    expect(obstaclesWith(0.0025)).toBe(false);
  });

  it('gives the planner the costs and obstacles that the map itself had with the margin in it', () => {
    const tiltSigmaRad = 0.0025;
    const map = createPointCostMap(geometry, 1.5, { seesGround: false });
    // As the map was: lowered points, and no margin.
    const before = createPointCostMap(geometry, 1.5, { seesGround: false });
    for (let tick = 0; tick < 4; tick += 1) {
      const points = Array.from({ length: 5000 }, (_, n): [number, number, number] => {
        const [x, y, z] = uniforms(7, 201, tick, n);
        return [180 * x - 90, 180 * y - 90, 2.5 * z - 0.3];
      });
      const measured = cloud(points);
      const lowered = cloud(points);
      for (let n = 0; n < points.length; n += 1) {
        const marginM = tiltMarginM(tiltSigmaRad, measured.rangeM[n] as number);
        lowered.zM[n] = (measured.zM[n] as number) - marginM;
      }
      map.integratePoints(measured, level, tiltSigmaRad);
      before.integratePoints(lowered, level, 0);
    }
    expect(map.planningCost).toEqual(before.cost);
    expect(map.clearanceM).toEqual(before.clearanceM);
    expect(map.cost).not.toEqual(before.cost);
    expect(map.cost.every((cost, cell) => cost >= (map.planningCost[cell] as number))).toBe(true);
  });

  describe('of what moved on', () => {
    const post = (x: number, y: number): [number, number, number][] =>
      [0.2, 0.8, 1.4, 1.7].map((z) => [x, y, z]);
    const bare = surface(() => 0).filter(([x, y]) => Math.hypot(x, y) > 3);
    const [goneX, stillX, farX, y] = [8.2, 10.2, 25.2, 0.2];
    const posts = [goneX, stillX, farX].flatMap((x) => post(x, y));
    /** All three posts are seen, then the one that stays; the ground without holes behind. */
    const seen = (options: CostMapOptions, lowTicks: number, mark = false): PointCostMap => {
      const map = createPointCostMap(geometry, 1.5, options);
      for (let tick = 0; tick < 3; tick += 1)
        map.integratePoints(cloud([...bare, ...posts]), level, 0);
      if (mark) map.mark(goneX, y);
      for (let tick = 0; tick < lowTicks; tick += 1) {
        map.integratePoints(cloud([...bare, ...post(stillX, y)]), level, 0);
      }
      return map;
    };

    it('keeps its highest cost, unless cells are cleared that are seen low again', () => {
      const kept = seen({}, 5);
      expect([goneX, stillX, farX].map((x) => costAt(kept, x, y))).toEqual([100, 100, 100]);
      // Once is no sight, as for obstacles.
      expect(costAt(seen({ clears: true }, 1), goneX, y)).toBe(100);
      const cleared = seen({ clears: true }, 2);
      expect(costAt(cleared, goneX, y)).toBe(0);
      expect(costAt(cleared, stillX, y)).toBe(100);
      // Too far to tell.
      expect(costAt(cleared, farX, y)).toBe(100);
    });

    it('leaves the clearances that the map without it has', () => {
      const cleared = seen({ clears: true }, 2);
      const without = createPointCostMap(geometry, 1.5, { clears: true });
      const left = [...post(stillX, y), ...post(farX, y)];
      for (let tick = 0; tick < 3; tick += 1)
        without.integratePoints(cloud([...bare, ...left]), level, 0);
      expect(cleared.clearanceM).toEqual(without.clearanceM);
      expect(cleared.planningCost).toEqual(without.planningCost);
    });

    it('stays where the vehicle felt it', () => {
      expect(costAt(seen({ clears: true }, 5, true), goneX, y)).toBe(100);
    });
  });

  it('is replaced, not overwritten, for those who look at it', () => {
    const map = createPointCostMap(geometry, 1.5);
    const before = map.view();
    expect(map.view().cost).toBe(before.cost);
    expect(map.integratePoints(cloud(surface(() => 0)), level, 0)).toBe(true);
    expect(map.view().cost).not.toBe(before.cost);
    expect(before.cost.every((cost) => cost === unknownCost)).toBe(true);
    expect(map.integratePoints(cloud(surface(() => 0)), level, 0)).toBe(false);
  });
});

describe('registration', () => {
  const mount = {
    positionM: [0.5, 0, 2] as [number, number, number],
    rotation: quaternionOf({ yawRad: 0.3, pitchRad: 0.1, rollRad: 0 }),
  };

  it('puts every pulse where the pose of its own time puts it, leaving out misses and the vehicle', () => {
    // Turning at 1 rad/s while driving at 2 m/s along x.
    const poseAt = (timeNs: number) => ({
      positionM: [(2 * timeNs) / 1e9, 0, 0] as [number, number, number],
      rotation: quaternionOf({ yawRad: timeNs / 1e9, pitchRad: 0, rollRad: 0 }),
    });
    const fromNs = 5e9;
    const times = [0, 30e6, 99e6, 50e6, 60e6];
    const points = createPointBuffer();
    const table = {
      time_ns: BigInt64Array.from(times, (ns) => BigInt(fromNs + ns)),
      x_sensor_m: Float32Array.of(10, 10, 10, NaN, 0.2),
      y_sensor_m: Float32Array.of(0, 0, 0, NaN, 0),
      z_sensor_m: Float32Array.of(0, 0, 0, NaN, -0.5),
      return_no: Uint8Array.of(1, 1, 1, 0, 1),
    };
    const samples = { ...samplePoses(fromNs, fromNs + 1e8, poseAt, mount), fromNs };
    registerReturns(points, table, samples, vehicle, null);
    expect(points.count).toBe(3);
    for (let n = 0; n < 3; n += 1) {
      const seconds = (fromNs + (times[n] as number)) / 1e9;
      const [cos, sin] = [Math.cos(seconds), Math.sin(seconds)];
      const reach = 10 * Math.cos(0.1);
      const [ownX, ownY] = [0.5 + reach * Math.cos(0.3), reach * Math.sin(0.3)];
      expect(points.xM[n]).toBeCloseTo(2 * seconds + cos * ownX - sin * ownY, 6);
      expect(points.yM[n]).toBeCloseTo(sin * ownX + cos * ownY, 6);
      expect(points.zM[n]).toBeCloseTo(2 - 10 * Math.sin(0.1), 6);
      expect(points.rangeM[n]).toBeCloseTo(10, 5);
    }
  });

  it("leaves out what lies in the box of the vehicle's body, on a slope too", () => {
    // A mast 3 m high at the right side of the vehicle, which leans 20° to the right: its top is out of the footprint.
    const isOwn = selfFilterOf({ centreM: [0, -0.6, 1.5], sizeM: [0.2, 0.2, 3] }, mount);
    const pose = {
      positionM: [0, 0, 0] as [number, number, number],
      rotation: quaternionOf({ yawRad: 0, pitchRad: 0, rollRad: 0.35 }),
    };
    const inSensor = [
      [0, -0.55, 2.9],
      [0, -0.75, 0.3],
      // Beside the mast, 0.1 m and a little away from its face.
      [0.21, -0.6, 2.9],
      [0, -0.6, 3.11],
    ].map((point) => aFromB(mount, { positionM: point as Vector3, rotation: [0, 0, 0, 1] }));
    const column = (axis: 0 | 1 | 2): Float32Array =>
      Float32Array.from(inSensor, ({ positionM }) => positionM[axis]);
    const table = {
      time_ns: BigInt64Array.from(inSensor, () => 0n),
      x_sensor_m: column(0),
      y_sensor_m: column(1),
      z_sensor_m: column(2),
      return_no: Uint8Array.from(inSensor, () => 1),
    };
    const registered = (filter: SelfFilter | null): number => {
      const points = createPointBuffer();
      const samples = { ...samplePoses(0, 1e8, () => pose, mount), fromNs: 0 };
      registerReturns(points, table, samples, vehicle, filter);
      return points.count;
    };
    expect(registered(null)).toBe(3);
    expect(registered(isOwn)).toBe(2);
  });
});
