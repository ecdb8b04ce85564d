// Moving objects of a run: boxes at any time, which are those that it recorded.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { objectStatesAt } from '#domain/shared/motion/objects.ts';
import { createRecordings } from '#recordings/recordings.ts';
import { driveHere } from '#test/support/commandLine.ts';
import { flatGround, placed, scenario } from '#test/support/documents.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { openHost } from '#test/support/host.ts';

type Fields = NonNullable<Parameters<typeof scenario>[0]>;

const sensors: Fields['sensors'] = [
  { name: 'lidar', sensor: 'vlp-16', mount: { positionM: [0, 0, 2] } },
];
const mission: Fields['mission'] = { startM: [0, 0], startYawDeg: 90, goalM: [0, 20] };
const moving = scenario({
  models: {
    body: { kind: 'box', sizeM: [4, 2, 1], material: 'grey' },
    wheel: { kind: 'box', sizeM: [0.5, 0.2, 0.5], material: 'grey' },
  },
  ground: flatGround(100),
  motions: {
    car: {
      kind: 'path',
      pointsM: [
        [20, 5, 0],
        [20, 25, 0],
      ],
      speedMPerS: 5,
    },
    unused: { kind: 'rotating', pivotM: [0, 0, 0], rateDegPerS: 10 },
  },
  instances: [
    placed('body', [0, 0, 0.5], { motion: 'car', class: 'car' }),
    placed('wheel', [1, 1, 0.25], { motion: 'car', class: 'car' }),
    placed('body', [-20, -20, 0.5], { name: 'parked' }),
  ],
  sensors,
  mission,
});

it('a run has the boxes of its recording at the end of each tick', async () => {
  const folder = temporaryFolder({ 'scene.yaml': moving });
  const runId = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=0.5');
  const host = await openHost(join(folder, 'data'));
  const { objects } = await host.ask('runs.objects', { runId });
  expect(objects).toMatchObject([{ name: 'car', class: 'car' }]);
  const { recordingFile } = await host.ask('runs.show', { runId });
  const reader = await createRecordings().open(recordingFile);
  let ticks = 0;
  for await (const { timeNs, objects: recorded } of reader.objects()) {
    ticks += 1;
    const states = objectStatesAt(objects, timeNs / 1e9);
    expect(states).toHaveLength(recorded.length);
    for (const [index, { name, class: className, pose, sizeM }] of recorded.entries()) {
      expect(states[index]).toMatchObject({ name, class: className });
      for (const axis of [0, 1, 2] as const) {
        expect(states[index]?.pose.positionM[axis]).toBeCloseTo(pose.positionM[axis], 9);
        expect(states[index]?.sizeM[axis]).toBeCloseTo(sizeM[axis], 9);
      }
    }
  }
  await reader.close();
  expect(ticks).toBe(5);
});

it('a run without motions has none', async () => {
  const still = scenario({ ground: flatGround(100), sensors, mission });
  const folder = temporaryFolder({ 'scene.yaml': still });
  const runId = await driveHere(folder, join(folder, 'scene.yaml'), '--seconds=0.1');
  const host = await openHost(join(folder, 'data'));
  expect(await host.ask('runs.objects', { runId })).toEqual({ objects: [] });
});
