// Finds what processes that are gone left in a data folder, and what does not belong there.
import type { DataEntry } from '#services/ports/dataFolder.ts';
import { commandsName, heightsName } from '#services/runs/sideFiles.ts';
import type { CheckPorts } from './checkPorts.ts';
import type { CheckRound } from './checkRound.ts';

/** Names in a data folder; those of runs, meshes and scratch files are looked at by themselves. */
const known =
  /^(catalogue\.sqlite(-wal|-shm|-journal|\.version-\d+)?|understory\.log(\.1)?|web-token|desktop\.json|runs|trash|meshes|scratch|campaigns|exports|clouds|logs|models|scenarios|sensors|cache|set-aside)$/;

/** Folders with files that commands write, aside first. */
const written = ['', 'exports', 'logs', 'models', 'scenarios', 'sensors', 'campaigns', 'meshes'];

const ofRun = ['recording.mcap', 'lock', 'host.lock', heightsName, commandsName];

/** Why so long: a process on another machine, over a network, has no number here. */
const abandonedMs = 3_600_000;

export async function checkLeftovers(ports: CheckPorts, round: CheckRound): Promise<void> {
  for (const folder of written) await checkWritten(ports, round, folder);
  for (const entry of await ports.dataFolder.entries('scratch')) {
    const pid = /^(\d+)-/.exec(entry.name)?.[1];
    if (pid !== undefined && ports.dataFolder.isAlive(Number(pid))) continue;
    await leftover(ports, round, entry, 'a process that works on it');
  }
  for (const entry of await ports.dataFolder.entries('')) {
    if (entry.name === 'web-token') await checkToken(ports, round, entry);
    if (known.test(entry.name) || entry.name.endsWith('.part')) continue;
    await unknown(round, entry);
  }
}

/** A folder of a run that no process holds. */
export async function checkRunFolder(
  ports: CheckPorts,
  round: CheckRound,
  id: string,
  hasRow: boolean,
): Promise<void> {
  const { clock, dataFolder, folders } = ports;
  const entries = await dataFolder.entries(`runs/${id}`);
  const others = entries.filter(({ name }) => !ofRun.includes(name));
  const left = others.filter(({ name }) => /(\.part|lock-journal)$/.test(name));
  const remove = { as: 'remove' as const, work: () => folders.removeLeftovers(id, hasRow) };
  for (const { path } of left) {
    const text = { expected: 'a process that writes it', found: 'none' };
    await round.report({ kind: 'leftover', path, runId: id, ...text, repair: remove });
  }
  for (const entry of others) if (!left.includes(entry)) await unknown(round, entry, id);
  const isEmpty = entries.every(({ name }) => name === 'lock' || name === 'host.lock');
  if (hasRow || !isEmpty) return;
  const [folder] = (await dataFolder.entries('runs')).filter(({ name }) => name === id);
  if (folder === undefined || clock.nowMs() - folder.modifiedMs < abandonedMs) return;
  const text = { expected: 'a run', found: 'an empty folder' };
  await round.report({ kind: 'leftover', path: folder.path, runId: id, ...text, repair: remove });
}

async function checkWritten(ports: CheckPorts, round: CheckRound, folder: string): Promise<void> {
  for (const entry of await ports.dataFolder.entries(folder)) {
    const isOpen = folder !== '' && entry.kind === 'folder' && !entry.name.endsWith('.part');
    if (isOpen) await checkWritten(ports, round, entry.path);
    // Why not .earlier: it may be the only copy of a file that was to be replaced.
    if (!entry.name.endsWith('.part')) continue;
    const pid = /\.(\d+)(-[0-9a-f]{8})?\.part$/.exec(entry.name)?.[1];
    if (pid !== undefined && ports.dataFolder.isAlive(Number(pid))) continue;
    await leftover(ports, round, entry, 'a process that writes it');
  }
}

async function leftover(
  { clock, dataFolder }: CheckPorts,
  round: CheckRound,
  { path, modifiedMs }: DataEntry,
  expected: string,
): Promise<void> {
  const fault = { kind: 'leftover', path, expected, found: 'none on this machine' } as const;
  const repair = { as: 'remove' as const, work: () => dataFolder.remove(path) };
  const isOld = clock.nowMs() - modifiedMs > abandonedMs;
  await round.report(isOld ? { ...fault, repair } : fault);
}

async function checkToken(
  { dataFolder }: CheckPorts,
  round: CheckRound,
  { path, mode }: DataEntry,
): Promise<void> {
  if ((mode & 0o077) === 0) return;
  const text = { expected: 'mode 600', found: `mode ${mode.toString(8)}: others can read it` };
  const repair = { as: 'restrict' as const, work: () => dataFolder.restrict(path) };
  await round.report({ kind: 'token-readable', path, ...text, repair });
}

function unknown(round: CheckRound, { path, kind }: DataEntry, runId?: string): Promise<void> {
  const text = { expected: 'files of Understory only', found: `a ${kind} of another name` };
  return round.report({
    kind: 'unknown-file',
    path,
    ...text,
    ...(runId !== undefined && { runId }),
  });
}
