// Every sensor that is shipped: a wall is one row for each pulse in every mode that its schema accepts, and targets at
// the limits that its file states are detected with the probability that it states.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ReturnColumnName } from '#contract/columns.ts';
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { ModelSource, SceneRecipe } from '#contract/worker/recipe.ts';
import { parseSensor } from '#domain/scenario/documentText.ts';
import { pulsesPerSecond } from '#domain/sensor/summary.ts';
import { createNodeFiles } from '#hosts/node/nodeFiles.ts';
import { assetsFolder } from '#hosts/packageFolders.ts';
import { createDocuments } from '#services/documents/documents.ts';
import type { ScanWorker } from '#services/ports/workers.ts';
import { openWorker, scanScene, sceneOf, standingAt } from './bench.ts';

let worker: ScanWorker;
beforeAll(async () => {
  worker = await openWorker();
});
afterAll(() => worker.dispose());

const documents = createDocuments({ files: createNodeFiles({ assetsFolder }) });
const shipped = readdirSync(join(assetsFolder, 'sensors')).map((file) => file.replace('.yaml', ''));

function textOf(id: string): string {
  return readFileSync(join(assetsFolder, 'sensors', `${id}.yaml`), 'utf8');
}

type Sensor = Awaited<ReturnType<typeof documents.expectSensor>>;

/** With settings as `--set` takes them. */
function sensorWith(
  id: string,
  settings: readonly string[] = [],
  mode?: ReturnMode,
): Promise<Sensor> {
  return documents.expectSensor(id, { mode }, undefined, settings);
}

/** Those that the schema accepts for the sensor. */
async function modesOf(id: string): Promise<ReturnMode[]> {
  const accepted: ReturnMode[] = [];
  for (const mode of returnModes) {
    if ((await documents.loadSensor(id, { mode })).value !== null) accepted.push(mode);
  }
  return accepted;
}

function thingAt(xM: number, source: ModelSource, reflectance: number): SceneRecipe {
  return sceneOf([{ source, at: [{ positionM: [xM, 0, 0] }] }], [reflectance]);
}

/** Columns of a scan from the origin by `pulses` pulses, images whole; misses included. */
async function scanned(
  scene: SceneRecipe,
  { recipe }: Sensor,
  pulses: number,
  columns: ReturnColumnName[],
): Promise<(name: ReturnColumnName) => number[]> {
  const seconds =
    recipe.scan.kind === 'image' ? 1 / recipe.scan.rateHz : pulses / pulsesPerSecond(recipe);
  const at = standingAt([0, 0, 0]);
  const { table } = await scanScene(worker, scene, recipe, at, seconds, columns, true);
  return (name) => table[name] ?? [];
}

/** Fewer of beams of a thousand rays. */
function pulsesOf({ recipe }: Sensor): number {
  return (recipe.beam.rays?.count ?? 0) > 100 ? 5_000 : 12_000;
}

describe('a wall of 40 by 40 m at 5 m', () => {
  const wall = thingAt(5.1, { kind: 'box', sizeM: [0.2, 40, 40], material: 0 }, 0.5);
  const columns: ReturnColumnName[] = [
    'pulse',
    'azimuth_rad',
    'elevation_rad',
    'n_returns',
    'beam_share',
    'object_id',
  ];

  interface Facing {
    pulses: number;
    /** Without misses. */
    rows: number;
    /** Greatest difference of a pulse's sum of shares, false alarms aside, from 1; of pulses with returns. */
    shareError: number;
    /** Most rows of one pulse. */
    most: number;
  }

  /** Pulses that meet the wall at less than 45 degrees. */
  async function facing(sensor: Sensor): Promise<Facing> {
    const of = await scanned(wall, sensor, pulsesOf(sensor), columns);
    const pulses = new Map<number, { rows: number; share: number }>();
    of('pulse').forEach((pulse, row) => {
      const [azimuth = NaN, elevation = NaN] = [of('azimuth_rad')[row], of('elevation_rad')[row]];
      if (Math.cos(azimuth) * Math.cos(elevation) <= Math.SQRT1_2) return;
      const sums = pulses.get(pulse) ?? { rows: 0, share: 0 };
      pulses.set(pulse, sums);
      if (of('n_returns')[row] === 0) return;
      sums.rows += 1;
      sums.share += of('beam_share')[row] ?? NaN;
    });
    const all = [...pulses.values()];
    const seen = all.filter(({ rows }) => rows > 0);
    return {
      pulses: all.length,
      rows: all.reduce((sum, { rows }) => sum + rows, 0),
      shareError: Math.max(...seen.map(({ share }) => Math.abs(share - 1))),
      most: Math.max(...all.map(({ rows }) => rows)),
    };
  }

  it.each(shipped)('%s returns it once, whole, in every mode', async (id) => {
    const { recipe } = await sensorWith(id);
    const settings = [
      'sensor.noise.dropOutShare=0',
      ...(recipe.returns.detection ? ['sensor.returns.detection.falseAlarmsPerPulse=0'] : []),
    ];
    const modes = await modesOf(id);
    expect(modes.length).toBeGreaterThanOrEqual(4);
    for (const mode of modes) {
      const found = await facing(await sensorWith(id, settings, mode));
      expect(found.pulses, mode).toBeGreaterThan(1000);
      expect(found, mode).toMatchObject({ rows: found.pulses, most: 1 });
      expect(found.shareError, mode).toBeLessThan(1e-6);
    }
  });

  it.each(shipped)('%s loses and adds rows as it states, in every mode', async (id) => {
    const { recipe } = await sensorWith(id);
    const alarms = recipe.returns.detection ? 0.02 : 0;
    const settings = [
      'sensor.noise.dropOutShare=0.1',
      ...(alarms > 0 ? [`sensor.returns.detection.falseAlarmsPerPulse=${alarms}`] : []),
    ];
    for (const mode of await modesOf(id)) {
      const { pulses, rows } = await facing(await sensorWith(id, settings, mode));
      // So near, P(detect) of the receiver is 1: the binomial law of drop-outs, and Poisson's.
      const expected = pulses * (0.9 + alarms);
      const standardError = Math.sqrt(pulses * (0.9 * 0.1 + alarms));
      expect(Math.abs(rows - expected) / standardError, mode).toBeLessThan(3);
    }
  });
});

describe('the detection limit', () => {
  const pulses = 12_000;

  it.each(shipped)(
    '%s detects its target with its probability, by 1, 9 and 25 rays',
    async (id) => {
      const { detection } = parseSensor(textOf(id)).value?.returns ?? {};
      if (detection === undefined) return;
      const { far, probability } = detection;
      const cases = [null, 1, 9, 25].map((rays) => ({ rays, target: detection }));
      for (const { rays, target } of [...cases, ...(far ? [{ rays: null, target: far }] : [])]) {
        // The target is all around: every pulse meets it head on, at its range, by facets of 1.5 degrees.
        const dome = thingAt(
          0,
          { kind: 'sphere', radiusM: target.rangeM, rings: 120, material: 0 },
          target.reflectance,
        );
        const beam =
          rays === null ? [] : [`sensor.beam.stencil=rays`, `sensor.beam.rays={count: ${rays}}`];
        const sensor = await sensorWith(id, [
          ...beam,
          'sensor.returns.detection.falseAlarmsPerPulse=0',
          // Noise carries targets at the greatest range beyond it.
          'sensor.noise=null',
        ]);
        const of = await scanned(dome, sensor, pulses, ['n_returns']);
        const fired = of('n_returns').length;
        const share = of('n_returns').filter((count) => count > 0).length / fired;
        expect(fired).toBeGreaterThanOrEqual(10_000);
        const what = `${rays ?? 'its own'} rays, ${target.rangeM} m`;
        expect(Math.abs(share - probability), what).toBeLessThan(0.02);
      }
    },
  );
});
