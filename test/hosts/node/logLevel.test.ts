// The level of the log: option before environment, and what it lets through, run processes and workers included.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { logLevelOf } from '#hosts/logLevel.ts';
import { createNodeLog } from '#hosts/node/nodeLog.ts';
import { logLevels } from '#services/ports/system.ts';
import { ran, runHere } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

interface Line {
  msg: string;
  from?: string;
  method?: string;
}

const linesOf = async (dataFolder: string): Promise<Line[]> =>
  (await readFile(join(dataFolder, 'understory.log'), 'utf8').catch(() => ''))
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);

it('is the option, else the variable, else info; another word is refused', () => {
  const environment = { UNDERSTORY_LOG: 'warn' };
  expect(logLevelOf({ option: 'debug', environment })).toBe('debug');
  expect(logLevelOf({ environment })).toBe('warn');
  expect(logLevelOf({ environment: { UNDERSTORY_LOG: '' } })).toBe('info');
  expect(() => logLevelOf({ environment: { UNDERSTORY_LOG: 'loud' } })).toThrow(
    expect.objectContaining({ code: 'bad-input' }),
  );
});

it.each(logLevels)('%s writes lines of its own level and above', async (level) => {
  const dataFolder = temporaryFolder();
  const log = createNodeLog({ dataFolder, level });
  for (const name of logLevels) log[name](name);
  const written = (await linesOf(dataFolder)).map(({ msg }) => msg);
  expect(written).toEqual(logLevels.slice(logLevels.indexOf(level)));
});

it('debug shows the calls of a worker, also of one that a run process owns', async () => {
  const folder = temporaryFolder();
  const drive = ['drive', 'courtyard', '--sensor', 'vlp-16', '--seconds', '0.2', '--quiet'];
  const quiet = await runHere(folder, ...drive, '--log-level', 'info');
  expect([quiet.exitCode, await linesOf(join(folder, 'data'))]).toEqual([0, []]);
  await ran(folder, ...drive, '--log-level', 'debug');
  const calls = (await linesOf(join(folder, 'data'))).filter(({ msg }) => msg === 'worker call');
  expect(calls).toContainEqual(expect.objectContaining({ from: 'run', method: 'scene.build' }));
  expect(calls).toContainEqual(expect.objectContaining({ from: 'run', method: 'scan' }));
});
