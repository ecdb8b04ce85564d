// `scan --out` took the place of an existing file without asking, its own scenario's too; `runs export --force`
// wrote over the catalogue and over the recording that it read.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodeOfCode } from '#hosts/cli/exitCodes.ts';
import { ran, runHere, start } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';
import { finishedRun } from '#test/services/finishedRun.ts';
import { openHost } from '#test/support/host.ts';

const refused = exitCodeOfCode('bad-input');
const scan = ['--sensor', 'vlp-16', '--pose', '0,0,2,0', '--seconds', '0.01'];
const scenario = `understory: 2
name: small
scene:
  materials: { g: { reflectance: 0.5 } }
  ground: { kind: flat, material: g }
`;

const commands: [string, string, (file: string) => string[]][] = [
  ['scan', 'a.csv', (file) => ['scan', 'box', ...scan, '--out', file]],
  ['scan --rays', 'a.npz', (file) => ['scan', 'box', ...scan, '--out', 'b.csv', '--rays', file]],
  ['scan to a recording', 'a.mcap', (file) => ['scan', 'box', ...scan, '--out', file]],
  [
    'render',
    'a.png',
    (file) => ['render', 'box', '--camera', '0,0,2,0,0', '--size', '8x8', '--out', file],
  ],
  [
    'depth',
    'a.npy',
    (file) => ['depth', 'box', '--pose', '0,0,2,0', '--size', '8x8', '--out', file],
  ],
  ['poses', 'a.txt', (file) => ['poses', 'box', '--out', file]],
  ['sensor show', 'a.png', (file) => ['sensor', 'show', 'vlp-16', '--out', file]],
];

describe.each(commands)('%s', (_, name, argumentsFor) => {
  it('replaces a file only with --force', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, name), 'as it was');
    const { exitCode, stderr } = await runHere(folder, ...argumentsFor(name));
    expect(stderr).toContain('--force replaces it');
    expect(exitCode).toBe(refused);
    expect(readFileSync(join(folder, name), 'utf8')).toBe('as it was');
    await ran(folder, ...argumentsFor(name), '--force');
    expect(readFileSync(join(folder, name), 'utf8')).not.toBe('as it was');
    expect(readdirSync(folder).filter((file) => file.includes('.part'))).toEqual([]);
  });

  it('writes nothing into the data folder, by no name', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'data'));
    symlinkSync(join(folder, 'data'), join(folder, 'linked'));
    for (const place of ['data', 'linked']) {
      const { exitCode, stderr } = await runHere(
        folder,
        ...argumentsFor(join(place, name)),
        '--force',
      );
      expect(stderr).toContain('is in the data folder');
      expect(exitCode).toBe(refused);
    }
    expect(existsSync(join(folder, 'data', name))).toBe(false);
  });
});

it('a scan never writes over its own scenario, --force or not', async () => {
  const folder = temporaryFolder({ 'mine.csv': scenario });
  const own = ['scan', 'mine.csv', ...scan, '--out', './mine.csv', '--force'];
  const { exitCode, stderr } = await runHere(folder, ...own);
  expect(stderr).toContain('is read by this very work');
  expect(exitCode).toBe(refused);
  expect(readFileSync(join(folder, 'mine.csv'), 'utf8')).toBe(scenario);
});

it.each(['catalogue.sqlite', 'runs/RUN/recording.mcap', 'new.csv'])(
  'an export never writes to DATA/%s, --force or not',
  async (name) => {
    const folder = temporaryFolder();
    const { runId } = await finishedRun(join(folder, 'data'), { ticks: 2 });
    const file = join(folder, 'data', name.replace('RUN', runId));
    const before = existsSync(file) ? readFileSync(file) : null;
    const out = ['--format', 'csv', '--columns', 'x_m', '--force', '--out', file];
    const { exitCode, stderr } = await runHere(folder, 'runs', 'export', runId, ...out);
    expect(exitCode).toBe(refused);
    expect(stderr).toMatch(/data folder|ends in/);
    expect(existsSync(file) ? readFileSync(file) : null).toEqual(before);
  },
);

it('the page saves scenarios into their folder of the data folder, and nothing elsewhere in it', async () => {
  const folder = temporaryFolder();
  const dataFolder = join(folder, 'data');
  const { runId } = await finishedRun(dataFolder, { ticks: 2 });
  const { ask } = await openHost(dataFolder);
  const out = join(dataFolder, 'catalogue.sqlite');
  const request = { runId, format: 'csv', out, isReplacing: true } as const;
  await expect(ask('runs.export', request)).rejects.toMatchObject({
    code: 'bad-input',
    details: { problems: [{ path: 'out', code: 'data-folder' }] },
  });
  const save = { kind: 'scenario', file: out, text: 'a: 1', isReplacing: true } as const;
  await expect(ask('document.save', save)).rejects.toMatchObject({
    code: 'bad-input',
  });
  // The folder that the page proposes; twice, because at first it does not exist.
  const own = join(dataFolder, 'scenarios', 'my-box.understory.yaml');
  for (const text of ['a: 1', 'a: 2']) {
    await ask('document.save', { ...save, file: own, text });
    expect(readFileSync(own, 'utf8')).toBe(text);
  }
  const climbing = join(dataFolder, 'scenarios') + '/../catalogue.sqlite';
  await expect(ask('document.save', { ...save, file: climbing })).rejects.toMatchObject({
    code: 'bad-input',
  });
});

it('refuses a name that promises another format', async () => {
  const folder = temporaryFolder();
  const { runId } = await finishedRun(join(folder, 'data'), { ticks: 2 });
  const out = ['--format', 'csv', '--out', 'cloud.las'];
  const { exitCode, stderr } = await runHere(folder, 'runs', 'export', runId, ...out);
  expect(exitCode).toBe(refused);
  expect(stderr).toContain('expected a file that ends in .csv');
});

it('a scan to a recording that is stopped leaves the old one as it was', async () => {
  const folder = temporaryFolder({ 'a.mcap': 'as it was' });
  const long = ['--sensor', 'hdl-64e', '--pose', '0,0,2,0', '--seconds', '1000', '--out', 'a.mcap'];
  const { child, finished, saw } = start(folder, 'scan', 'box', ...long, '--force');
  await saw(/scanning/);
  child.kill('SIGINT');
  expect((await finished).exitCode).toBe(exitCodeOfCode('cancelled'));
  expect(readFileSync(join(folder, 'a.mcap'), 'utf8')).toBe('as it was');
  expect(readdirSync(folder).filter((name) => name.includes('.part'))).toEqual([]);
});

it('an empty --data is refused, not taken for the default', async () => {
  const { exitCode, stderr } = await runHere(temporaryFolder(), 'runs', 'list', '--data', '');
  expect(exitCode).toBe(refused);
  expect(stderr).toContain('expected a folder after --data');
});
