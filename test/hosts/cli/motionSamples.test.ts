// Samples with motions from files: scanned, and what their descriptions say of them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ran } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { csvRows } from '#test/support/scan.ts';

const columns = 'time_ns,x_m,y_m,is_moving';

/** Places and headings of an object every 0.05 s, from `understory poses`. */
async function posesOf(
  scenario: string,
  object: string,
): Promise<{ xM: number; yM: number; yawRad: number }[]> {
  const folder = temporaryFolder({});
  const out = join(folder, 'poses.txt');
  await ran(
    folder,
    'poses',
    scenario,
    `--objects=${object}`,
    '--step=0.05',
    '--to=8',
    `--out=${out}`,
  );
  return readFileSync(out, 'utf8')
    .trimEnd()
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .map((line) => line.split(' ').map(Number))
    .map(([, xM = NaN, yM = NaN, , , , qz = NaN, qw = NaN]) => {
      return { xM, yM, yawRad: 2 * Math.atan2(qz, qw) };
    });
}

/** Points along the sides of a car of 4.4 × 1.8 m. */
function outlineOf({ xM, yM, yawRad }: { xM: number; yM: number; yawRad: number }): number[][] {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const points: number[][] = [];
  for (let along = -2.2; along <= 2.2001; along += 0.1) {
    for (let across = -0.9; across <= 0.9001; across += 0.1) {
      if (Math.abs(along) < 2.15 && Math.abs(across) < 0.85) continue;
      points.push([xM + cos * along - sin * across, yM + sin * along + cos * across]);
    }
  }
  return points;
}

it('the cars of near-collision pass each other with less than a metre between them', async () => {
  const [red, white] = await Promise.all(
    ['car-red-body', 'car-white-body'].map((name) => posesOf('near-collision', name)),
  );
  expect(red).toHaveLength(161);
  const distancesM = (red ?? []).map((pose, step) => {
    const other = outlineOf(white?.[step] ?? pose);
    return Math.min(
      ...outlineOf(pose).flatMap(([x = NaN, y = NaN]) =>
        other.map(([ox = NaN, oy = NaN]) => Math.hypot(x - ox, y - oy)),
      ),
    );
  });
  const closestM = Math.min(...distancesM);
  expect(closestM).toBeGreaterThan(0.3);
  expect(closestM).toBeLessThan(0.8);
  // It brakes from 14 m/s, and is on its lane again in the end.
  const speedAt = (step: number): number => {
    const [from, to] = [red?.[step], red?.[step + 1]];
    return (
      Math.hypot((to?.xM ?? NaN) - (from?.xM ?? NaN), (to?.yM ?? NaN) - (from?.yM ?? NaN)) / 0.05
    );
  };
  expect(speedAt(10)).toBeCloseTo(14, 1);
  expect(speedAt(80)).toBeCloseTo(5, 1);
  expect(red?.at(-1)?.yM).toBeCloseTo(-2, 2);
});

it.each([
  ['near-collision', 3.4, 3.6],
  ['rockfall', 6, 6.2],
])('%s is scanned, with returns of what moves', async (name, fromS, toS) => {
  const folder = temporaryFolder({});
  await ran(
    folder,
    'scan',
    name,
    `--from=${fromS}`,
    `--to=${toS}`,
    `--columns=${columns}`,
    '--out=out.csv',
  );
  const rows = csvRows(join(folder, 'out.csv'));
  const moving = rows.filter((row) => row['is_moving'] === 1);
  expect(rows.length).toBeGreaterThan(10_000);
  expect(moving.length).toBeGreaterThan(200);
});
