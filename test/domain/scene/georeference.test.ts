// World coordinates of a scenario become relative to its origin; what is too far away is reported.
import { expect, it } from 'vitest';
import { scenarioSchema, type Scenario } from '#contract/documents/scenario.ts';
import { distanceProblem, distanceProblems } from '#contract/documents/scenarioPlaces.ts';
import { terrainSchema } from '#contract/documents/terrain.ts';
import { compileScene } from '#domain/scene/compileScene.ts';
import {
  driveFromWorld,
  sceneFromWorld,
  trajectoryFromWorld,
  trajectoryToWorld,
} from '#domain/scene/georeference.ts';
import { trajectoryOf } from '#domain/trajectory/trajectory.ts';
import { noReferences } from '#test/support/documents.ts';

/** The same scenario about any origin; null: it states none. */
function scenarioAt(origin: [number, number, number] | null): Scenario {
  const [x, y, z] = origin ?? [0, 0, 0];
  const place = (dx: number, dy: number): [number, number] => [x + dx, y + dy];
  const box = { kind: 'box' as const, sizeM: [1, 1, 1] as [number, number, number], material: 'a' };
  return scenarioSchema.parse({
    understory: 2,
    name: 'about an origin',
    scene: {
      ...(origin && { origin, crs: 'EPSG:25832' }),
      materials: { a: { reflectance: 0.5 } },
      models: { box },
      ground: { kind: 'plane', sizeM: [50, 40], centreM: place(8, -4), zM: z + 2, material: 'a' },
      walls: [
        {
          name: 'wall',
          fromM: place(4, 0),
          toM: place(4, 16),
          heightM: 2,
          thicknessM: 0.25,
          material: 'a',
        },
      ],
      instances: [
        { name: 'up', model: 'box', positionM: [x + 1, y + 2, z + 3], onGround: false },
        { name: 'down', model: 'box', positionM: [x - 1, y - 2, 0.5] },
      ],
      scatters: [
        {
          name: 'many',
          model: 'box',
          count: 5,
          areaM: [place(0, 0), place(16, 0), place(0, 16)],
          keepClear: [{ centreM: place(2, 2), radiusM: 1 }],
        },
      ],
    },
    mission: { startM: place(-8, 2), goalM: place(12, -6) },
    navigation: { costMap: { originM: place(-32, -32) } },
  });
}

const utm: [number, number, number] = [500_000, 5_400_000, 300];

it('compiles a scene about any origin to the same recipe', () => {
  const atZero = compileScene(scenarioAt(null).scene, noReferences, 1);
  const atUtm = compileScene(scenarioAt(utm).scene, noReferences, 1);
  expect(atZero.problems).toEqual([]);
  expect(atUtm).toEqual(atZero);
  const [ground, , up, down] = atUtm.value?.instances ?? [];
  expect(ground?.positionM).toEqual([8, -4, 2]);
  expect(up?.positionM).toEqual([1, 2, 3]);
  // Above the ground: the origin has no part in it.
  expect(down?.positionM).toEqual([-1, -2, 0.5]);
});

it('lowers the heights of a height field by that of the origin', () => {
  const { scene } = scenarioAt(utm);
  const ground = {
    kind: 'height-field' as const,
    file: 'heights.png',
    sizeM: [100, 100] as [number, number],
    centreM: [500_050, 5_400_050] as [number, number],
    zM: [290, 340] as [number, number],
    material: 'a',
  };
  expect(sceneFromWorld({ ...scene, ground }).ground).toMatchObject({
    centreM: [50, 50],
    zM: [-10, 40],
  });
});

it('moves a terrain with its roads', () => {
  const { scene } = scenarioAt(utm);
  const ground = terrainSchema.parse({
    kind: 'terrain',
    sizeM: [100, 100],
    centreM: [500_050, 5_400_050],
    zM: 290,
    roads: [
      {
        pointsM: [
          [500_010, 5_400_020],
          [500_030, 5_400_040],
        ],
      },
    ],
    material: 'a',
  });
  expect(sceneFromWorld({ ...scene, ground }).ground).toMatchObject({
    centreM: [50, 50],
    zM: -10,
    roads: [
      {
        pointsM: [
          [10, 20],
          [30, 40],
        ],
      },
    ],
  });
});

it('gives mission and cost map relative to the origin', () => {
  const { mission, navigation } = driveFromWorld(scenarioAt(utm));
  expect(mission?.startM).toEqual([-8, 2]);
  expect(mission?.goalM).toEqual([12, -6]);
  expect(navigation.costMap.originM).toEqual([-32, -32]);
});

it('leaves a scenario without an origin as it is', () => {
  const scenario = scenarioAt(null);
  expect(scenario.scene.origin).toBeUndefined();
  expect(sceneFromWorld(scenario.scene)).toBe(scenario.scene);
  expect(driveFromWorld(scenario).mission).toBe(scenario.mission);
  expect(driveFromWorld(scenario).navigation).toBe(scenario.navigation);
});

it('moves trajectories', () => {
  const rotation: [number, number, number, number] = [0, 0, 0, 1];
  const worldM: [number, number, number] = [500_001.25, 5_400_002.5, 303];
  const world = trajectoryOf(
    [0, 5],
    [
      { positionM: worldM, rotation },
      { positionM: utm, rotation },
    ],
  );
  const moved = trajectoryFromWorld(world, utm);
  expect([...moved.x_m, ...moved.y_m, ...moved.z_m]).toEqual([1.25, 0, 2.5, 0, 3, 0]);
  expect(moved.time_ns).toBe(world.time_ns);
  expect(trajectoryToWorld(moved, utm)).toEqual(world);
  expect(trajectoryFromWorld(world, [0, 0, 0])).toBe(world);
});

it('reports every position of more than 10 km from the origin', () => {
  expect(distanceProblems(scenarioAt(utm))).toEqual([]);
  const astray = scenarioAt(utm);
  delete astray.scene.origin;
  const paths = distanceProblems(astray).map(({ path }) => path.join('.'));
  expect(paths).toEqual([
    'scene.ground.centreM',
    'scene.walls.0.fromM',
    'scene.walls.0.toM',
    'scene.instances.0.positionM',
    'scene.instances.1.positionM',
    'scene.scatters.0.areaM.0',
    'scene.scatters.0.areaM.1',
    'scene.scatters.0.areaM.2',
    'mission.startM',
    'mission.goalM',
    'navigation.costMap.originM',
  ]);
});

it('takes 10 km, and no more, height included', () => {
  expect(distanceProblem(utm, [510_000, 5_400_000])).toBeNull();
  expect(distanceProblem(utm, [510_000, 5_400_000, 300])).toBeNull();
  expect(distanceProblem(utm, [510_000, 5_400_000, 301])).toContain('within 10 km of scene.origin');
  expect(distanceProblem([0, 0, 0], [500_010.3, 5_400_000, 300])).toContain('5423.100 km away');
});
