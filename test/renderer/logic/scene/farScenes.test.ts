// Documents hold world coordinates, the view those of the scene: what is drawn is relative to the origin, what is
// written into a document is not.
import { expect, it } from 'vitest';
import { scenarioSchema } from '#contract/documents/scenario.ts';
import { poseEdits } from '#renderer/logic/sceneEdit/gizmoEdits.ts';
import { rigOf } from '#renderer/logic/sceneEdit/rigOf.ts';
import { groundShapes } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { documentOrigin } from '#renderer/logic/scene/documentOrigin.ts';
import { startPose } from '#renderer/logic/scans/startPose.ts';

const scenario = scenarioSchema.parse({
  understory: 2,
  name: 'far',
  scene: {
    origin: [500_000, 5_400_000, 300],
    materials: { a: { reflectance: 0.5 } },
    models: { box: { kind: 'box', sizeM: [1, 1, 1], material: 'a' } },
    walls: [
      {
        name: 'wall',
        fromM: [500_004, 5_400_000],
        toM: [500_004, 5_400_016],
        heightM: 2,
        thicknessM: 0.25,
        material: 'a',
      },
    ],
    instances: [{ name: 'one', model: 'box', positionM: [500_001, 5_400_002, 0] }],
    scatters: [
      {
        name: 'many',
        model: 'box',
        count: 3,
        areaM: [
          [500_000, 5_400_000],
          [500_016, 5_400_000],
          [500_000, 5_400_016],
        ],
        keepClear: [{ centreM: [500_002, 5_400_003], radiusM: 1 }],
      },
    ],
  },
  mission: { startM: [499_992, 5_400_002], goalM: [500_012, 5_399_994] },
});
const level: [number, number, number, number] = [0, 0, 0, 1];

it('draws areas, vehicle and sensor relative to the origin', () => {
  expect(documentOrigin(scenario)).toEqual([500_000, 5_400_000, 300]);
  expect(documentOrigin({ scene: { origin: ['a', 1] } })).toEqual([0, 1, 0]);
  const [area, clear] = groundShapes(scenario, (_, isInOverview) => isInOverview);
  expect(area?.pointsM[0]).toEqual([0, 0]);
  expect(clear?.pointsM[0]).toEqual([2, 3]);
  expect(rigOf(scenario).placeM).toEqual([-8, 2]);
  expect(startPose(scenario, null, [0, 0])).toMatchObject({ xM: -8, yM: 2 });
});

it('writes world coordinates when walls and objects are moved by hand', () => {
  const moved = (from: number[], to: number[]) =>
    [from, to].map(([x = 0, y = 0, z = 0]) => {
      return { positionM: [x, y, z] as [number, number, number], rotation: level, scale: 1 };
    });
  const [wallBefore, wallAfter] = moved([4, 8, 1], [5, 10, 1]);
  const [before, after] = moved([1, 2, 0], [1.5, 1, 0]);
  if (!wallBefore || !wallAfter || !before || !after) throw new Error('unreachable');
  expect(poseEdits(scenario, 'wall', wallBefore, wallAfter)).toEqual([
    { path: ['scene', 'walls', 0, 'fromM'], op: 'set', value: [500_005, 5_400_002] },
    { path: ['scene', 'walls', 0, 'toM'], op: 'set', value: [500_005, 5_400_018] },
  ]);
  expect(poseEdits(scenario, 'one', before, after)).toEqual([
    { path: ['scene', 'instances', 0, 'positionM'], op: 'set', value: [500_001.5, 5_400_001, 0] },
  ]);
});
