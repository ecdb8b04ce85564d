// An intensity of two million times that of white became a reflectance that `learn` wrote and `learn evaluate` refused.
import { expect, it } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

const head =
  'time_s,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m,intensity';
const line = (n: number): string => `${n},0,0,0,1,${n / 500},${(n % 7) / 100},5,2e6`;
const text = [head, ...Array.from({ length: 40 }, (_, n) => line(n)), ''].join('\n');

it.each(['voxel', 'surface', 'nearest-neighbors'])('a model %s of them is read', async (model) => {
  const folder = temporaryFolder({ 'bright.csv': text });
  const run = async (...args: string[]): Promise<string> => {
    const { exitCode, stderr } = await runHere(folder, ...args);
    expect(exitCode, stderr).toBe(0);
    return stderr;
  };
  await run('log', 'import', 'bright.csv', '--white', '1', '--out', 'bright.log');
  const learned = await run('learn', 'bright.log', '--model', model, '--out', 'bright.ply');
  expect(learned).toContain('40 returns are so much brighter than the white wall');
  await run('learn', 'evaluate', 'bright.ply', '--log', 'bright.log');
});
