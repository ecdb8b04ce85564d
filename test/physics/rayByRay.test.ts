// Scenes that anybody can write down, through the command line: a box, a wall straight and tilted, a sphere of
// facets, an edge between two rays. Every ray of a wide beam (`--rays`) and every return against the closed form of
// the body, to 1e-4: range, intensity, share of the beam.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  boxBody,
  entryOf,
  facettedSphereBody,
  meetingOf,
  type HalfSpace,
} from '#validation/invariants/convexBody.ts';
import type { Vector3 } from '#domain/shared/pose.ts';
import { runHere } from '#test/hosts/cli/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const tolerance = 1e-4;
const reflectance = 0.5;
const count = 1000;
/** Rays that pass the silhouette nearer than this may fall on either side. */
const edgeM = 2e-5;

interface Body {
  name: string;
  model: string;
  place: string;
  halfSpaces: HalfSpace[];
}

const turnRad = Math.PI / 3;
const bodies: Body[] = [
  {
    name: 'box',
    model: '{ kind: box, sizeM: [2, 2, 2], material: grey }',
    place: 'positionM: [8, 0.3, 0.2]',
    halfSpaces: boxBody([8, 0.3, 0.2], [2, 2, 2]),
  },
  {
    name: 'straight wall',
    model: '{ kind: box, sizeM: [0.1, 40, 40], material: grey }',
    place: 'positionM: [10, 0, 0]',
    halfSpaces: boxBody([10, 0, 0], [0.1, 40, 40]),
  },
  {
    name: 'wall turned by 60 degrees',
    model: '{ kind: box, sizeM: [0.1, 80, 40], material: grey }',
    place: 'positionM: [10, 0, 0], yawDeg: 60',
    halfSpaces: boxBody([0, 0, 0], [0.1, 80, 40]).map(({ normal: [x, y, z], offsetM }) => {
      const [cos, sin] = [Math.cos(turnRad), Math.sin(turnRad)];
      const normal: Vector3 = [cos * x - sin * y, sin * x + cos * y, z];
      return { normal, offsetM: offsetM + 10 * normal[0] };
    }),
  },
  {
    name: 'sphere of facets',
    model: '{ kind: sphere, radiusM: 1.2, rings: 9, material: grey }',
    place: 'positionM: [8, -0.2, 0.1]',
    halfSpaces: facettedSphereBody([8, -0.2, 0.1], 1.2, 9),
  },
  {
    // 4 mm left of the axis of a beam whose spot ends 15 mm from it.
    name: 'edge within a narrow beam',
    model: '{ kind: box, sizeM: [1e-5, 4, 4], material: grey }',
    place: 'positionM: [10, 2.004, 0]',
    halfSpaces: boxBody([10, 2.004, 0], [1e-5, 4, 4]),
  },
];

describe('every ray of a beam of 1000', () => {
  it.each(bodies)('$name', async ({ name, model, place, halfSpaces }) => {
    const isEdge = name.startsWith('edge');
    const { rays, returns } = await scan(model, place, isEdge ? 3 : 400);
    expect(rays).toHaveLength(count);
    const hits: { weight: number; rangeM: number; intensity: number }[] = [];
    for (const ray of rays) {
      const [left, up] = [numberOf(ray, 'left_m'), numberOf(ray, 'up_m')];
      const length = Math.hypot(1, left, up);
      const direction: Vector3 = [1 / length, left / length, up / length];
      const entry = entryOf(halfSpaces, [0, 0, 0], direction);
      const isHit = numberOf(ray, 'hit_no') === 1;
      const weight = numberOf(ray, 'weight');
      if (isHit) {
        const rangeM = numberOf(ray, 'range_m');
        hits.push({ weight, rangeM, intensity: numberOf(ray, 'intensity') });
      }
      // Why not at an edge: a plate thinner than edgeM has no inside to move its planes to.
      if (!isEdge && meetingOf(halfSpaces, [0, 0, 0], direction, edgeM) === 'at the silhouette')
        continue;
      expect(isHit).toBe(entry !== null);
      if (entry === null) continue;
      expect(Math.abs(numberOf(ray, 'range_m') - entry.rangeM)).toBeLessThan(tolerance);
      const expected = reflectance * entry.cosIncidence;
      expect(Math.abs(numberOf(ray, 'intensity') - expected)).toBeLessThan(tolerance);
      expect(Math.abs(weight - 1 / count)).toBeLessThan(1e-8);
    }
    // Mode `first` with an endless window: one return, the mean over the rays that met the body.
    const share = hits.reduce((sum, { weight }) => sum + weight, 0);
    const meanOf = (value: 'rangeM' | 'intensity'): number =>
      hits.reduce((sum, hit) => sum + hit.weight * hit[value], 0) / share;
    expect(returns).toHaveLength(1);
    const [found] = returns as [Row];
    expect(share).toBeGreaterThan(0.01);
    expect(share < 1 - 1e-6).toBe(!name.includes('wall'));
    expect(Math.abs(numberOf(found, 'beam_share') - share)).toBeLessThan(tolerance);
    expect(Math.abs(numberOf(found, 'range_m') - meanOf('rangeM'))).toBeLessThan(tolerance);
    expect(Math.abs(numberOf(found, 'intensity') - meanOf('intensity'))).toBeLessThan(tolerance);
  });
});

type Row = Record<string, string>;

/** One pulse from the origin along x. */
async function scan(
  model: string,
  place: string,
  divergenceMrad: number,
): Promise<{ rays: Row[]; returns: Row[] }> {
  const scene = `understory: 2
name: One body
scene:
  materials: { grey: { reflectance: ${reflectance} } }
  models: { body: ${model} }
  instances: [{ name: body, model: body, ${place}, onGround: false }]
`;
  const folder = temporaryFolder();
  const sceneFile = join(folder, 'body.understory.yaml');
  const sensorFile = join(folder, 'beam.yaml');
  await writeFile(sceneFile, scene);
  await writeFile(sensorFile, sensorText(divergenceMrad));
  const { exitCode, stderr } = await runHere(
    folder,
    ...['scan', sceneFile, '--sensor', sensorFile, '--pose', '0,0,0,0'],
    ...['--seconds', '0.1', '--misses', '--out', 'returns.csv', '--rays', 'rays.csv'],
  );
  expect(exitCode, stderr).toBe(0);
  const [rays, returns] = await Promise.all(
    ['rays.csv', 'returns.csv'].map((name) => readRows(join(folder, name))),
  );
  return { rays: rays ?? [], returns: returns ?? [] };
}

async function readRows(file: string): Promise<Row[]> {
  const text = await readFile(file, 'utf8');
  const [head, ...lines] = text.trimEnd().split('\n');
  const columns = head?.split(',') ?? [];
  return lines.map((line) => {
    const cells = line.split(',');
    return Object.fromEntries(columns.map((column, n) => [column, cells[n] ?? '']));
  });
}

function numberOf(row: Row, column: string): number {
  const cell = row[column];
  return cell === undefined || cell === '' ? Number.NaN : Number(cell);
}

function sensorText(divergenceMrad: number): string {
  return `understorySensor: 3
id: beam
name: A beam of ${count} rays
source: a sensor of this test
scan: { kind: sweep, rateHz: 10, minAzimuthDeg: 0, maxAzimuthDeg: 0, slotsPerScan: 1 }
banks: [{ name: laser, elevationsDeg: [0] }]
range: { minM: 0, maxM: 200 }
beam:
  shape: circular
  divergenceHorizontalMrad: ${divergenceMrad}
  divergenceVerticalMrad: ${divergenceMrad}
  stencil: rays
  rays: { count: ${count} }
returns: { mode: first, signalCutoffM: 100 }
`;
}
