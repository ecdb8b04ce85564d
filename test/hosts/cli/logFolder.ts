// Commands about logs in a folder of their own: what they take, and what their files say.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { beamStates } from '#contract/log/log.ts';
import { distance, type LoggedBeam } from '#test/services/logs/imported.ts';
import { ran } from '#test/support/commandLine.ts';

/** A row of a CSV file, by the names of its columns. */
type Row = Record<string, string>;

/** The output of `log show --json`. */
interface Statistics {
  beams: number;
  returns: number;
  misses: number;
  unknown: number;
  missesAre: string;
  source: string;
  crs: string | null;
  extentM: { minM: number[]; maxM: number[] };
  hash: string;
}

export interface LogFolder {
  folder: string;
  fileOf: (name: string) => string;
  /** A command that must succeed. @returns its stdout */
  run: (...args: string[]) => Promise<string>;
  statistics: (log: string) => Promise<Statistics>;
  rowsOf: (csv: string) => Row[];
}

/** Columns of tables that say where pulses began. */
export const beamColumns = ['--columns', 'default,beam'];
/** A scan beside a box; `still` is a fifth of a turn. */
export const place = ['scan', 'box', '--sensor', 'vlp-16', '--pose', '0,0,1,20'];
export const still = [...place, '--seconds', '0.02'];
/** A survey in the folder of every test. */
export const stripsFile = 'strips.understory.yaml';

/** Two strips over a box at a world origin, with a navigation that errs, and a sensor of several returns. */
const survey = JSON.stringify({
  understory: 2,
  name: 'strips',
  seed: 5,
  scene: {
    origin: [500_000, 5_400_000, 0],
    crs: 'EPSG:32632',
    materials: { soil: { reflectance: 0.4 } },
    models: { box: { kind: 'box', sizeM: [2, 2, 2], material: 'soil' } },
    ground: { kind: 'plane', centreM: [500_000, 5_400_000], sizeM: [60, 60], material: 'soil' },
    instances: [{ name: 'box', model: 'box', positionM: [500_000, 5_400_000, 1] }],
  },
  sensors: [{ name: 'lidar', sensor: 'vlp-16', mount: { rollDeg: 90 } }],
  survey: {
    kind: 'strips',
    sensor: 'lidar',
    heightM: 40,
    speedMPerS: 400,
    strips: [
      { fromM: [499_995, 5_400_000], toM: [500_005, 5_400_000] },
      { fromM: [500_005, 5_400_010], toM: [499_995, 5_400_010] },
    ],
    noise: { position: { sigmaM: 0.05, correlationS: 1 } },
  },
});

/** A folder that is removed after the tests of the file that calls this. */
export function createLogFolder(): LogFolder {
  const folder = mkdtempSync(join(tmpdir(), 'understory-logs-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const fileOf = (name: string): string => join(folder, name);
  writeFileSync(fileOf(stripsFile), survey);

  async function run(...args: string[]): Promise<string> {
    const stdout = await ran(folder, ...args);
    return stdout;
  }

  return {
    folder,
    fileOf,
    run,
    statistics: async (log) => JSON.parse(await run('log', 'show', log, '--json')) as Statistics,
    rowsOf: (csv) => {
      const [head = '', ...lines] = readFileSync(fileOf(csv), 'utf8').trimEnd().split('\n');
      const names = head.split(',');
      return lines.map((line) => {
        const cells = line.split(',');
        return Object.fromEntries(names.map((known, index) => [known, cells[index] ?? '']));
      });
    },
  };
}

/** The greatest differences of two logs, beam by beam. */
export function compared(
  found: readonly LoggedBeam[],
  expected: readonly LoggedBeam[],
): { originM: number; angleRad: number; rangeM: number; timeNs: number; wrong: number } {
  const worst = { originM: 0, angleRad: 0, rangeM: 0, timeNs: 0, wrong: 0 };
  for (const [at, beam] of expected.entries()) {
    const other = found[at];
    if (other?.state !== beam.state || other.laser !== beam.laser) {
      worst.wrong += 1;
      continue;
    }
    worst.originM = Math.max(worst.originM, distance(other.origin, beam.origin));
    worst.angleRad = Math.max(worst.angleRad, distance(other.direction, beam.direction));
    worst.timeNs = Math.max(worst.timeNs, Math.abs(Number(other.timeNs - beam.timeNs)));
    if (beam.state === beamStates.returned) {
      worst.rangeM = Math.max(worst.rangeM, Math.abs(other.rangeM - beam.rangeM));
    }
  }
  return worst;
}
