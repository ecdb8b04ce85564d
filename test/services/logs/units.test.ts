// Positions of LAS in other units than metres: GeoTIFF keys and well-known text are converted or refused by name, and
// what an option changes is said.
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { imported } from './imported.ts';
import { type LasOptions, type LasPoint, writeLas } from './lasFiles.ts';
import { writeFileSync } from 'node:fs';

const offset = [636_000, 850_000, 500] as const;
const points: LasPoint[] = Array.from({ length: 40 }, (_, row) => {
  const [x, y, z] = offset;
  return { positionM: [x + row, y + 10, z], timeS: row / 100, intensity: 9, classification: 2 };
});
const [foot, footUs] = [0.3048, 1200 / 3937];

/** The sensor hangs 100 units above the points. */
async function read(las: LasOptions, options: Record<string, unknown> = {}) {
  const folder = temporaryFolder();
  const [file, trajectory] = [join(folder, 'x.las'), join(folder, 'x.tum')];
  writeLas(file, points, offset, las);
  const [x, y, z] = offset;
  const poses = [0, 1].map((timeS) => {
    return { timeS, pose: { positionM: [x, y, z + 100], rotation: [0, 0, 0, 1] } as const };
  });
  writeFileSync(
    trajectory,
    poses.map(({ timeS, pose }) => [timeS, ...pose.positionM, 0, 0, 0, 1].join(' ')).join('\n'),
  );
  const { reply, beams } = await imported(file, { trajectory, maxM: 5000, ...options });
  // The point below row 0 is 10 units aside and 100 below.
  const [first] = beams;
  return { reply, rangeM: first?.rangeM ?? NaN };
}

const withProblem = (message: string): object => {
  return { details: { problems: [{ message: expect.stringContaining(message) as string }] } };
};
const near = (found: number, expected: number): void => {
  expect(Math.abs(found - expected)).toBeLessThan(1e-4);
};

it.each<[string, LasOptions, number, number, RegExp | null, string]>([
  [
    'a system in feet and its unit',
    { geoKeys: { 1024: 1, 3072: 2994, 3076: 9002 } },
    foot,
    foot,
    /NAD83\(HARN\).* in metres/,
    'foot (0.3048 m)',
  ],
  [
    'a system in feet alone',
    { geoKeys: { 1024: 1, 3072: 2277 } },
    footUs,
    footUs,
    /Texas Central.* in metres/,
    'US survey foot (0.304801 m)',
  ],
  [
    'metres and a system of heights in feet',
    { geoKeys: { 1024: 1, 3072: 25832, 4096: 6360 } },
    1,
    footUs,
    /^EPSG:25832$/,
    'heights in US survey foot',
  ],
  [
    'metres and heights in feet',
    { geoKeys: { 1024: 1, 3072: 25832, 4099: 9002 } },
    1,
    foot,
    /^EPSG:25832$/,
    'heights in foot',
  ],
  [
    'a system of its own in feet',
    { geoKeys: { 1024: 1, 3072: 32767, 3076: 9003 } },
    footUs,
    footUs,
    null,
    'heights state no unit of their own',
  ],
  [
    'well-known text',
    { format: 6, wkt: 'LOCAL_CS["site",UNIT["yard",0.9144]]' },
    0.9144,
    0.9144,
    null,
    'yard',
  ],
])('keys and text: %s', async (_name, las, level, height, crs, note) => {
  const { reply, rangeM } = await read(las);
  near(rangeM, Math.hypot(10 * level, 100 * height));
  near(reply.extentM?.minM[0] ?? NaN, 636_000 * level);
  near(reply.extentM?.minM[2] ?? NaN, 500 * height);
  if (crs === null) expect(reply.crs).toBeNull();
  else expect(reply.crs).toMatch(crs);
  expect(reply.notes.join('\n')).toContain(note);
});

it('metres stay as they are, with their system', async () => {
  const { reply, rangeM } = await read({ geoKeys: { 1024: 1, 3072: 25832, 3076: 9001 } });
  near(rangeM, Math.hypot(10, 100));
  expect(reply.crs).toBe('EPSG:25832');
  expect(reply.notes.join('\n')).not.toContain('metre');
});

it.each<[string, LasOptions, string]>([
  ['degrees of keys', { geoKeys: { 1024: 2, 2048: 4326 } }, "angles ('degree') in EPSG:4326"],
  ['degrees of keys without a model', { geoKeys: { 2048: 4269 } }, "angles ('degree')"],
  [
    'degrees of text',
    { format: 6, wkt: 'GEOGCS["WGS 84",UNIT["degree",0.0174532925199433]]' },
    "angles ('degree') in WGS 84",
  ],
  ['a unit that is not known', { geoKeys: { 1024: 1, 3072: 32767, 3076: 9999 } }, 'unit EPSG:9999'],
])('refused: %s', async (_name, las, found) => {
  await expect(read(las)).rejects.toMatchObject(withProblem(found));
});

it('an option replaces the unit, and what contradicts the file is said', async () => {
  const las = { geoKeys: { 1024: 1, 3072: 2994, 3076: 9002 } };
  const { reply, rangeM } = await read(las, { unit: 'us-ft', crs: 'EPSG:32610' });
  near(rangeM, Math.hypot(10, 100) * footUs);
  const notes = reply.notes.join('\n');
  expect(notes).toContain('--unit us-ft replaces the unit of the file, foot (0.3048 m)');
  expect(notes).toMatch(/--crs EPSG:32610 replaces the system of the file, NAD83\(HARN\)/);
  const contradicting = await read({ geoKeys: { 1024: 1, 3072: 2994, 3076: 9001 } });
  near(contradicting.rangeM, Math.hypot(10, 100));
  expect(contradicting.reply.notes.join('\n')).toContain(
    'the file states metre (1 m), its system has foot',
  );
  await expect(read(las, { crs: 'EPSG:2994' })).rejects.toMatchObject(
    withProblem('foot (0.3048 m)'),
  );
  await expect(read(las, { crs: 'EPSG:4326' })).rejects.toMatchObject(
    withProblem("angles ('degree')"),
  );
});

it('places where pulses began are in the unit of the points', async () => {
  const names = ['Origin', 'Direction'].flatMap((part) =>
    ['X', 'Y', 'Z'].map((axis) => `Beam${part}${axis}`),
  );
  const [x, y, z] = offset;
  const file = join(temporaryFolder(), 'x.las');
  const beam = [x, y, z + 100, 0, 0, -1];
  const extra = Object.fromEntries(names.map((name, at) => [name, beam[at] ?? 0]));
  const rows = [0, 1, 2].map((row) => {
    return { positionM: [x, y, z] as const, timeS: row, intensity: 1, classification: 2, extra };
  });
  const extras = names.map((name) => ({ name, type: 'f8' as const }));
  writeLas(file, rows, offset, { format: 6, extras, geoKeys: { 1024: 1, 3072: 2994 } });
  const { reply, beams } = await imported(file);
  expect(beams).toHaveLength(3);
  near(beams[0]?.rangeM ?? NaN, 30.48);
  near(reply.extentM?.maxM[2] ?? NaN, 600 * foot);
});
