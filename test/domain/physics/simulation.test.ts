// Bodies on a height field and before what moves by a law.
import { expect, it } from 'vitest';
import { createSimulation, loadEngine } from '#domain/physics/simulation.ts';
import type { PhysicsScene, PlacedShape, Shape } from '#domain/physics/physicsScene.ts';
import { motionSchema, type BodyDocument } from '#contract/documents/motion.ts';
import type { Vector3 } from '#domain/shared/pose.ts';

const engine = await loadEngine();
const document = motionSchema.parse({ kind: 'baked', shape: 'box' }) as BodyDocument;

const box = (name: string, sizeM: Vector3, positionM: Vector3): PlacedShape => ({
  name,
  shape: { kind: 'box', centreM: [0, 0, 0], sizeM },
  pose: { positionM, rotation: [0, 0, 0, 1] },
  scale: 1,
  minM: positionM.map((m, axis) => m - (sizeM[axis] ?? 0) / 2) as Vector3,
  maxM: positionM.map((m, axis) => m + (sizeM[axis] ?? 0) / 2) as Vector3,
});

const ground = (shape: Shape): PlacedShape => ({
  name: 'ground',
  shape,
  pose: { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] },
  scale: 1,
  minM: [-100, -100, -10],
  maxM: [100, 100, 10],
});

/** Places of the bodies after some seconds. */
function placesAfter(scene: Partial<PhysicsScene>, seconds: number): Vector3[] {
  const whole = {
    gravityMPerS2: 9.81,
    friction: 0.6,
    restitution: 0,
    stationary: [],
    movers: [],
    bodies: [],
  };
  const simulation = createSimulation(engine, { ...whole, ...scene });
  try {
    expect(simulation.overlaps()).toEqual([]);
    for (let step = 0; step < seconds / 0.01; step += 1) simulation.step();
    return simulation.poses().map(({ positionM }) => positionM);
  } finally {
    simulation.dispose();
  }
}

it('bodies rest on the heights below them', () => {
  // Three metres high in the north-west alone, with steep sides.
  const [columns, rows] = [21, 11];
  const heightsM = Float32Array.from({ length: columns * rows }, (_, post) => {
    return post % columns < 8 && Math.floor(post / columns) > 6 ? 3 : 0;
  });
  const field = { columns, rows, originM: [-20, -10], stepM: [2, 2], heightsM } as const;
  const places: Vector3[] = [
    [-15, 8, 4],
    [15, 8, 4],
    [-15, -8, 4],
    [15, -8, 4],
  ];
  const bodies = places.map((place, index) => {
    return { name: `b${index}`, document, parts: [box(`b${index}`, [1, 1, 1], place)] };
  });
  const after = placesAfter({ stationary: [ground({ kind: 'heights', field })], bodies }, 3);
  for (const [index, place] of after.entries()) {
    expect(place[0]).toBeCloseTo(places[index]?.[0] ?? NaN, 1);
    expect(place[2]).toBeCloseTo(index === 0 ? 3.5 : 0.5, 1);
  }
});

it('what moves by a law pushes a body, whose own weight decides nothing', () => {
  const law = {
    kind: 'path',
    pointsM: [
      [-3, 0, 0.5],
      [7, 0, 0.5],
    ],
    speedMPerS: 1,
    startS: 0,
    isClosed: false,
    turnM: 1,
  } satisfies PhysicsScene['movers'][number]['law'];
  const stationary = [ground({ kind: 'box', centreM: [0, 0, -1], sizeM: [100, 100, 2] })];
  for (const massKg of [1, 10_000]) {
    const body = {
      name: 'b',
      document: { ...document, massKg },
      parts: [box('b', [1, 1, 1], [0, 0, 0.5])],
    };
    const movers = [{ law, parts: [box('pusher', [1, 2, 0.8], [-3, 0, 0.5])] }];
    // After 5 s it is at x = 2, and the faces touch.
    const [place] = placesAfter({ stationary, movers, bodies: [body] }, 5);
    expect(place?.[0]).toBeGreaterThan(2.95);
    expect(place?.[0]).toBeLessThan(3.2);
  }
});

it('a body that begins below the ground is found, however deep', () => {
  const field = {
    columns: 3,
    rows: 3,
    originM: [-10, -10],
    stepM: [10, 10],
    heightsM: new Float32Array(9),
  } as const;
  const scene = {
    gravityMPerS2: 9.81,
    friction: 0.6,
    restitution: 0,
    movers: [],
    stationary: [ground({ kind: 'heights', field })],
    bodies: [{ name: 'b', document, parts: [box('b', [1, 1, 1], [0, 0, -5])] }],
  };
  const simulation = createSimulation(engine, scene);
  expect(simulation.overlaps()).toMatchObject([{ body: 'b', other: 'ground', depthM: 5 }]);
  simulation.dispose();
});
