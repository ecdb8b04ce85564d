// Ground truth: collisions by contact episode, path length, ground cover, outlines from the scene.
import { describe, expect, it } from 'vitest';
import { createJudge, type Judge } from '#domain/truth/judge.ts';
import { coverFrom, obstaclesFrom, type Obstacle } from '#domain/truth/obstacles.ts';
import { overlaps, rectangle } from '#domain/truth/polygon.ts';
import { quaternionOf } from '#domain/shared/pose.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';
import type { MotionLaw } from '#contract/worker/motions.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import type { SceneSummary } from '#contract/worker/worker.ts';
import { defaults, obstaclesOf } from '../autonomy/discWorld.ts';

const { vehicle } = defaults({ startM: [0, 0], goalM: [10, 0] });
const noCover = { xM: new Float32Array(), yM: new Float32Array(), radiusM: new Float32Array() };
const tree = obstaclesOf([{ xM: 10, yM: 0.3, radiusM: 0.25, heightM: 8, isSolid: true }]);
const wall: Obstacle[] = [
  { name: 'wall', outline: rectangle({ xM: 12, yM: 0, yawRad: 0.2 }, 0.5, 200) },
];

function drive(obstacles: Obstacle[], commands: [number, number][]): { judge: Judge; xM: number } {
  const judge = createJudge({ vehicle, obstacles, cover: noCover });
  const truth = createVehicle({
    vehicle,
    start: { positionM: [0, 0], yawRad: 0 },
    terrain: flatTerrain(0),
    isBlocked: (pose) => judge.isBlocked(pose),
  });
  for (const [speed, seconds] of commands) {
    for (let step = 0; step < 100 * seconds; step += 1) {
      truth.advance({ leftMPerS: speed, rightMPerS: speed }, 0.01);
      judge.update(truth.state().pose);
    }
  }
  return { judge, xM: truth.state().pose.positionM[0] };
}

describe('judge', () => {
  it('counts one collision with a tree however long the vehicle pushes', () => {
    const { judge, xM } = drive(tree, [[2, 30]]);
    expect(judge.metrics()).toMatchObject({ collisions: 1, collidedWith: ['cylinder-1'] });
    // The bumper is at the trunk, one 10 ms step away at most.
    const bumperM = xM + vehicle.lengthM / 2;
    expect(bumperM).toBeLessThanOrEqual(9.75 + 1e-9);
    expect(bumperM).toBeGreaterThan(9.75 - 0.021);
  });

  it('counts what runs into a stationary vehicle, at its time, and again when it comes back', () => {
    const law = {
      kind: 'path',
      pointsM: [
        [20, 0, 0],
        [-20, 0, 0],
        [20, 0, 0],
      ],
      speedMPerS: 5,
      startS: 1,
      isClosed: false,
      turnM: 0.1,
    } satisfies MotionLaw;
    const outline = rectangle({ xM: 20, yM: 0, yawRad: 0 }, 4, 2);
    const car = { name: 'car', outline, motion: { law, heightM: 0 } };
    const judge = createJudge({ vehicle, obstacles: [car], cover: noCover });
    const { pose } = createVehicle({
      vehicle,
      start: { positionM: [0, 0], yawRad: 0 },
      terrain: flatTerrain(0),
    }).state();
    const contactsAt = (timeS: number): number => {
      judge.advanceTo(timeS);
      judge.update(pose);
      return judge.metrics().collisions;
    };
    // Its front is 2 m before its middle.
    const meetsS = 1 + (20 - 2 - vehicle.lengthM / 2) / 5;
    expect(contactsAt(0)).toBe(0);
    expect(contactsAt(meetsS - 0.01)).toBe(0);
    expect(judge.metrics().clearanceM).toBeCloseTo(0.05, 6);
    expect(contactsAt(meetsS + 0.01)).toBe(1);
    for (let timeS = meetsS; timeS < 8; timeS += 0.05) expect(contactsAt(timeS)).toBe(1);
    expect(contactsAt(8 + meetsS - 0.01)).toBe(1);
    expect(contactsAt(8 + meetsS + 0.01)).toBe(2);
    expect(judge.metrics().movingCollisions).toBe(2);
    expect(judge.metrics().collidedWith).toEqual(['car']);
  });

  it('measures the smallest distance between hull and obstacle', () => {
    const past = (yM: number): number | null => {
      const beside = obstaclesOf([{ xM: 10, yM, radiusM: 0.25, heightM: 8, isSolid: true }]);
      return drive(beside, [[2, 10]]).judge.metrics().clearanceM;
    };
    // Outlines of cylinders are polygons inside the circle: at most 0.25 m · (1 − cos(π/16)) more.
    const gapM = 3 - 0.25 - vehicle.widthM / 2;
    expect(past(3)).toBeGreaterThanOrEqual(gapM - 1e-9);
    expect(past(3)).toBeLessThan(gapM + 0.01);
    expect(past(40)).toBeNull();
    // It stops up to 20 mm before the trunk that it ran into.
    expect(drive(tree, [[2, 30]]).judge.metrics().clearanceM).toBe(0);
  });

  it('counts parts of one body as one obstacle, and those of two as two', () => {
    const parts = (bodyOf: (part: number) => number): Obstacle[] =>
      Array.from({ length: 8 }, (_, part) => ({
        name: 'site',
        outline: rectangle({ xM: 10, yM: 0.25 * part - 1, yawRad: 0 }, 0.25, 0.25),
        body: bodyOf(part),
      }));
    const collisions = (bodyOf: (part: number) => number): number =>
      drive(parts(bodyOf), [[2, 8]]).judge.metrics().collisions;
    expect(collisions(() => 3)).toBe(1);
    expect(collisions((part) => (part < 4 ? 0 : 1))).toBe(2);
  });

  it('counts one collision with a wall met at an angle', () => {
    const { judge } = drive(wall, [[2, 30]]);
    expect(judge.metrics()).toMatchObject({ collisions: 1, collidedWith: ['wall'] });
  });

  it('counts again only after the vehicle has moved away', () => {
    const twitch = drive(tree, [
      [2, 8],
      [-0.1, 1],
      [2, 2],
    ]);
    expect(twitch.judge.metrics().collisions).toBe(1);
    const again = drive(tree, [
      [2, 8],
      [-1, 2],
      [2, 4],
    ]);
    expect(again.judge.metrics()).toMatchObject({ collisions: 2, collidedWith: ['cylinder-1'] });
  });

  it('counts nothing where the footprint passes by, and counts a corner that does not', () => {
    const at = (yM: number): Obstacle[] =>
      obstaclesOf([{ xM: 10, yM, radiusM: 0.2, heightM: 8, isSolid: true }]);
    expect(drive(at(1.01), [[2, 15]]).judge.metrics().collisions).toBe(0);
    expect(drive(at(0.99), [[2, 15]]).judge.metrics().collisions).toBe(1);
  });

  it('measures the path, the ground cover on it and the error of the estimate', () => {
    const judge = createJudge({
      vehicle,
      obstacles: [],
      cover: {
        xM: Float32Array.of(20),
        yM: Float32Array.of(0),
        radiusM: Float32Array.of(2),
      },
    });
    const pose = (xM: number, yM = 0) => ({
      positionM: [xM, yM, 0] as [number, number, number],
      rotation: quaternionOf({ yawRad: 0, pitchRad: 0, rollRad: 0 }),
    });
    for (let step = 0; step <= 4000; step += 1) judge.update(pose(step / 100));
    judge.compare(pose(0), pose(3, 4));
    judge.compare(pose(0), pose(0, 1));
    const metrics = judge.metrics();
    expect(metrics.pathLengthM).toBeCloseTo(40, 6);
    // A disc of 2 m, touched by the circle within the footprint: 2 · (2 + 0.8) m.
    expect(Math.abs(metrics.groundCoverLengthM - 5.6)).toBeLessThan(0.03);
    expect(metrics.meanPositionErrorM).toBe(3);
  });
});

describe('convex polygons', () => {
  it('overlap by area, not by touching', () => {
    const square = rectangle({ xM: 0, yM: 0, yawRad: 0 }, 2, 2);
    const turned = (xM: number): Float64Array =>
      rectangle({ xM, yM: 0, yawRad: Math.PI / 4 }, 2, 2);
    expect(overlaps(square, turned(1 + Math.SQRT2 - 1e-6))).toBe(true);
    expect(overlaps(square, turned(1 + Math.SQRT2 + 1e-6))).toBe(false);
    // At a corner the axes alone do not decide: the turned square's side lies 1 m from its centre on the
    // diagonal, the corner √2 m from the origin.
    const atCorner = (c: number): Float64Array =>
      rectangle({ xM: c, yM: c, yawRad: Math.PI / 4 }, 2, 2);
    expect(overlaps(square, atCorner(1 + Math.SQRT1_2 - 1e-6))).toBe(true);
    expect(overlaps(square, atCorner(1 + Math.SQRT1_2 + 1e-6))).toBe(false);
  });
});

describe('obstacles of a scene', () => {
  const box = { source: { kind: 'box' } };
  const recipe = {
    models: [box, box, box],
    instances: [
      { id: 1, name: 'ground' },
      { id: 2, name: 'east-wall' },
    ],
    scatters: [{ firstId: 3, name: 'tree', count: 3 }],
    ground: 0,
  } as unknown as SceneRecipe;
  const square: [number, number][] = [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ];
  const summary = {
    models: [{ footprintM: null }, { footprintM: square }, { footprintM: null }],
  } as SceneSummary;
  const half = Math.SQRT1_2;
  const instances = {
    instance_id: Uint32Array.of(1, 2, 3, 4, 5),
    model_id: Uint16Array.of(0, 1, 1, 2, 1),
    x_m: Float64Array.of(0, 10, 20, 30, 40),
    y_m: Float64Array.of(0, 0, 5, 5, 5),
    z_m: Float64Array.of(0, 0, 0, 0, 4),
    qx: Float64Array.of(0, 0, 0, 0, 0),
    qy: Float64Array.of(0, 0, 0, 0, 0),
    qz: Float64Array.of(0, half, 0, 0, 0),
    qw: Float64Array.of(1, half, 1, 1, 1),
    scale: Float64Array.of(1, 2, 0.5, 1, 1),
    min_x_m: Float32Array.of(-50, 8, 19.5, 29, 39),
    min_y_m: Float32Array.of(-50, -2, 4.5, 4, 4),
    min_z_m: Float32Array.of(0, 0, 0, 0, 4),
    max_x_m: Float32Array.of(50, 12, 20.5, 31, 41),
    max_y_m: Float32Array.of(50, 2, 5.5, 6, 6),
    max_z_m: Float32Array.of(0, 5, 5, 0.5, 6),
  };

  it('are turned, scaled and named; what hangs high is none', () => {
    const obstacles = obstaclesFrom(summary, instances, recipe, flatTerrain(0));
    expect(obstacles.map(({ name }) => name)).toEqual(['east-wall', 'tree-1']);
    const [first, second] = obstacles as [Obstacle, Obstacle];
    expect([...first.outline].map((v) => Math.round(v * 1e6) / 1e6)).toEqual([
      12, -2, 12, 2, 8, 2, 8, -2,
    ]);
    expect([...second.outline]).toEqual([19.5, 4.5, 20.5, 4.5, 20.5, 5.5, 19.5, 5.5]);
  });

  it('leave the ground and what stops nothing: the plants become cover', () => {
    const cover = coverFrom(summary, instances, recipe);
    expect([...cover.xM, ...cover.yM, ...cover.radiusM]).toEqual([30, 5, 1]);
  });
});
