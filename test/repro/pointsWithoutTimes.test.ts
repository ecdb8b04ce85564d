// Points at times that are NaN, or so far away that single precision has no range for them, ended an import with
// "The number NaN cannot be converted to a BigInt" or "expected a range exactly where there is a return".
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryFolder } from '#test/support/folder.ts';
import { sensorAt } from '#test/services/logs/firingSensors.ts';
import { imported, refusal } from '#test/services/logs/imported.ts';
import { type PointColumn, tumText, writePcd } from '#test/services/logs/pointFiles.ts';

function sourceOf(columns: PointColumn[]): { file: string; trajectory: string } {
  const folder = temporaryFolder();
  const [file, trajectory] = [join(folder, '0.pcd'), join(folder, 'poses.tum')];
  writePcd(file, columns);
  writeFileSync(trajectory, tumText([0, 1e8], sensorAt));
  return { file, trajectory };
}

const rows = 100;
const column = (value: (row: number) => number): number[] =>
  Array.from({ length: rows }, (_, row) => value(row));
const places: PointColumn[] = [
  ['x', 'f4', column((row) => 5 + row / 10)],
  ['y', 'f4', column(() => 1)],
];

it('leaves out points without a time', async () => {
  const { file, trajectory } = sourceOf([
    ...places,
    ['z', 'f4', column(() => 1)],
    ['time', 'f4', column((row) => (row === 7 ? NaN : row / 2000))],
  ]);
  expect((await imported(file, { trajectory })).reply.returns).toBe(rows - 1);
});

it('leaves out points beyond every range', async () => {
  const { file, trajectory } = sourceOf([
    ...places,
    ['z', 'f4', column((row) => (row === 7 ? 1e38 : row === 8 ? 2e6 : 1))],
    ['time', 'f4', column((row) => row / 2000)],
  ]);
  expect((await imported(file, { trajectory })).reply.returns).toBe(rows - 2);
});

it.each(['1e999', '-0', '0', '1.5', 'x'])('refuses a field of %s numbers', async (count) => {
  const { file, trajectory } = sourceOf([...places, ['z', 'f4', column(() => 1)]]);
  const head = `FIELDS x y z\nSIZE 4 4 4\nCOUNT 1 1 ${count}\nTYPE F F F\nPOINTS 1\nDATA binary\n`;
  writeFileSync(file, head + '0'.repeat(12));
  expect(await refusal(file, { trajectory })).toMatchObject({ code: 'corrupt' });
});
