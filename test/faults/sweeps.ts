// The commands that are tried under faults, over a data folder with one finished run.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { runHere } from '#test/support/commandLine.ts';
import {
  builtFaults,
  copyOf,
  expectClearEnd,
  expectSoundData,
  type Call,
  type Fault,
  filesIn,
  hashOf,
  recordingOf,
  runFaulted,
} from './faulted.ts';

/** A command, and the process of it that fails. */
export interface Command {
  name: string;
  args: string[];
  process: 'cli/main.ts' | 'runProcess/entry.ts' | 'scanWorker';
}

export interface Base {
  folder: string;
  library: string;
  /** Hashes of the recordings of finished runs, by their ids. */
  finished: Record<string, string>;
  /** Contents of the files in `made` that each command writes, by their names. */
  expected: Map<string, Map<string, Buffer>>;
  commands: Command[];
}

/** Calls that each fault is for: others would go on as they are, or cannot fail so. */
const callsOf: Record<Fault, readonly Call[]> = {
  ENOSPC: ['write', 'sync', 'rename', 'create'],
  EDQUOT: ['write', 'sync', 'rename', 'create'],
  EIO: ['write', 'sync', 'rename', 'truncate', 'create', 'unlink'],
  ENOMEM: ['malloc'],
  short: ['write'],
  kill: ['write', 'sync', 'rename', 'truncate', 'create', 'unlink'],
  power: ['write', 'sync', 'rename', 'truncate', 'create', 'unlink'],
};
const csvBeams = `time_ns,origin_x_m,origin_y_m,origin_z_m,direction_x,direction_y,direction_z,range_m,laser
${Array.from({ length: 500 }, (_, row) => `${row * 1000},0,0,1,1,0,0,${5 + (row % 7)},0`).join('\n')}
`;

/** A folder with a run, a bundle and a CSV of beams; what each command writes without a fault. */
export async function makeBase(): Promise<Base> {
  const root = mkdtempSync(join(tmpdir(), 'understory-faults-'));
  const folder = join(root, 'here');
  mkdirSync(folder);
  const library = builtFaults(root);
  await expectDone(folder, 'drive', 'clearing', '--sensor', 'vlp-16', '--seconds', '0.2');
  const [id = ''] = readdirSync(join(folder, 'data/runs'));
  await expectDone(folder, 'runs', 'pack', id, '--recording', '--out', join(root, 'x.understory'));
  writeFileSync(join(root, 'beams.csv'), csvBeams);
  await expectDone(folder, 'log', 'import', join(root, 'beams.csv'), '--out', join(root, 'x.log'));
  const host = 'cli/main.ts';
  const drive = ['drive', 'clearing', '--sensor', 'vlp-16', '--seconds', '0.2'];
  const scan = ['--sensor', 'vlp-16', '--pose', '0,0,1,0', '--seconds', '0.1'];
  const made = (name: string, ...args: string[]): Command => {
    return { name, args: [...args, '--out', `made/${name}`], process: host };
  };
  const bundle = ['runs', 'pack', id, '--recording'];
  const unpack = ['--data', 'other', 'runs', 'unpack', join(root, 'x.understory')];
  const commands: Command[] = [
    { name: 'drive, its host', args: drive, process: host },
    { name: 'drive, its run', args: drive, process: 'runProcess/entry.ts' },
    { name: 'drive, its worker', args: drive, process: 'scanWorker' },
    { ...made('scan.npz', 'scan', 'clearing', ...scan), process: 'scanWorker' },
    { ...made('x.ply', 'learn', join(root, 'x.log'), '--model', 'voxel'), process: 'scanWorker' },
    ...['csv', 'las', 'npz'].map((format) =>
      made(`x.${format}`, 'runs', 'export', id, '--format', format),
    ),
    made('x.understory', ...bundle),
    made('x.log', 'log', 'import', join(root, 'beams.csv')),
    { name: 'runs unpack', args: unpack, process: host },
  ];
  const expected = new Map<string, Map<string, Buffer>>();
  const place = join(folder, 'made');
  for (const { name, args } of commands.filter((command) => command.args.includes('--out'))) {
    mkdirSync(place);
    await expectDone(folder, ...args);
    const files = filesIn(place).map((file) => [file, readFileSync(join(place, file))] as const);
    expected.set(name, new Map(files));
    rmSync(place, { recursive: true });
  }
  mkdirSync(place);
  return {
    folder,
    library,
    expected,
    commands,
    finished: { [id]: hashOf(recordingOf(folder, id)) },
  };
}

async function expectDone(folder: string, ...args: string[]): Promise<void> {
  const { exitCode, stderr } = await runHere(folder, '--quiet', ...args);
  // 12: a drive of a few ticks does not arrive.
  expect([0, 12], `${args.join(' ')}: ${stderr}`).toContain(exitCode);
}

/** Calls of a command that works which a fault is for, each with its file or size. */
export async function listCalls(base: Base, command: Command, how: Fault): Promise<string[]> {
  const folder = copyOf(base.folder);
  const plan = { process: command.process, calls: callsOf[how], at: 0, how };
  const { exitCode, stderr, calls } = await runFaulted(base.library, folder, command.args, plan);
  expect([0, 12], stderr).toContain(exitCode);
  return calls;
}

/** One try: the command ends clearly, and nothing that was there before is lost or half of what is new is there. */
export async function tryFault(
  base: Base,
  command: Command,
  at: number,
  how: Fault,
): Promise<void> {
  const folder = copyOf(base.folder);
  const plan = { process: command.process, calls: callsOf[how], at, how };
  const ended = await runFaulted(base.library, folder, command.args, plan);
  const what = `${command.name}, ${how} at call ${at} (${ended.calls.join()})`;
  expectClearEnd(ended, what);
  await expectSoundData(folder, base.finished, what);
  if (existsSync(join(folder, 'other'))) await expectSoundOther(folder, what);
  const expected = base.expected.get(command.name) ?? new Map<string, Buffer>();
  const found = filesIn(join(folder, 'made'));
  // A process that was killed leaves files aside, which the next one finds; one that failed leaves none.
  const whole = found.filter((name) => expected.has(name) || ended.signal === null);
  for (const name of whole) {
    const bytes = readFileSync(join(folder, 'made', name));
    expect(expected.get(name)?.equals(bytes), `${what}: ${name}`).toBe(true);
  }
  if (ended.exitCode === 0) expect(found, what).toEqual([...expected.keys()]);
}

async function expectSoundOther(folder: string, what: string): Promise<void> {
  const data = join(folder, 'other');
  const place = join(folder, 'unpacked');
  mkdirSync(place);
  renameSync(data, join(place, 'data'));
  mkdirSync(join(place, 'data/runs'), { recursive: true });
  await expectSoundData(place, {}, what);
}
