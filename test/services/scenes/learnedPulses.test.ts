// Single pulses of a scene with a learned hedge before a wall, with and without a waveform: rays, returns and signal are
// those of the whole scan, and all rays of a pulse that end on elements end on one.
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { returnColumnNames } from '#contract/columns.ts';
import { learnedPly } from '#test/physics/learnedPly.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { sceneServices } from './openScene.ts';
import { circularBeam, placed, scenario, sensor } from '#test/support/documents.ts';

const services = sceneServices();
afterAll(() => services.closeAll());

const hedge = scenario({
  models: {
    hedge: { kind: 'learned', file: 'hedge.ply', material: 'grey' },
    wall: { kind: 'box', sizeM: [0.5, 40, 20], material: 'grey' },
  },
  instances: [placed('hedge', [0, 0, 0]), placed('wall', [12.25, 0, 0])],
});
const elements = Array.from({ length: 41 * 21 }, (_, index) => ({
  meanM: [8, 0.2 * ((index % 41) - 20), 0.2 * (Math.floor(index / 41) - 10)] as const,
  sigmaM: 0.1,
  permeability: 0.6,
  support: index + 1,
}));
const sensorText = sensor({
  scan: { kind: 'spinning', rateHz: 10, slotsPerRevolution: 1000 },
  banks: [{ name: 'all', elevationsDeg: [-3, 0, 3] }],
  range: { minM: 0.5, maxM: 60 },
  beam: circularBeam(12, 30),
  returns: { mode: 'all', signalCutoffM: 0.5, waveform: { binNs: 1, pulseWidthNs: 4 } },
});

type Row = Record<string, number | bigint | undefined>;

describe('a pulse through a learned hedge', () => {
  it.each([
    ['vlp-16', undefined],
    ['a sensor with a waveform', sensorText],
  ])('of %s is what it is in the scan', async (sensor, text) => {
    const files = { 'hedge.ply': learnedPly(elements), 'scene.understory.yaml': hedge };
    const folder = temporaryFolder(files);
    const opened = await services.open({ scenario: join(folder, 'scene.understory.yaml') });
    const { scene } = opened.contents;
    const pose = { positionM: [0, 0, 0] as [number, number, number], yawDeg: 0 };
    const order = { scene, sensor, pose, seed: 3, ...(text !== undefined && { sensorText: text }) };
    const whole = await services.ask('scene.scan', {
      ...order,
      seconds: 0.1,
      columns: returnColumnNames,
    });
    const rows = whole.chunks.flatMap(({ columns }) =>
      Array.from({ length: columns['pulse']?.length ?? 0 }, (_, row): Row =>
        Object.fromEntries(returnColumnNames.map((name) => [name, columns[name]?.[row]])),
      ),
    );
    const onHedge = rows.filter((row) => row['learned_part'] === 2);
    const onWall = rows.filter((row) => row['learned_part'] === 0);
    expect(onHedge.length).toBeGreaterThan(20);
    expect(onWall.length).toBeGreaterThan(20);
    for (const picked of [onHedge[3], onHedge.at(-2), onWall[1], onWall.at(-1)]) {
      const pulse = Number(picked?.['pulse']);
      const expected = rows.filter((row) => Number(row['pulse']) === pulse);
      const timeNs = Number(picked?.['time_ns']);
      const { reply, columns } = await services.ask('scene.pulse', { ...order, pulse, timeNs });
      for (const name of returnColumnNames) {
        const values = expected.map((row) => row[name]);
        expect([...(columns[`return_${name}`] ?? [])], name).toEqual(values);
      }
      const of = (name: string): number[] => Array.from(columns[name] ?? [], Number);
      const [objects, triangles, hitNo] = [of('object_id'), of('triangle_id'), of('hit_no')];
      const met = triangles.filter((_, row) => objects[row] === 1 && (hitNo[row] ?? 0) > 0);
      if (picked?.['learned_part'] === 2) expect(met.length).toBeGreaterThan(0);
      expect(new Set(met).size).toBeLessThanOrEqual(1);
      // The lost part of a ray ends somewhere: the wall is behind all of them.
      const ended = of('weight').map((weight, row) => weight * (of('share')[row] ?? 0));
      expect(ended.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 5);
      expect(reply.waveform === null).toBe(text === undefined);
      if (text !== undefined) {
        expect(of('waveform').reduce((sum, value) => sum + value, 0)).toBeGreaterThan(0);
      }
    }
    await opened.close();
  });
});
