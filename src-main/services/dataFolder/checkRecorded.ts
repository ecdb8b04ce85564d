// Checks the recording of a run in itself and against the catalogue, and the files of a run that came without one.
import type { CompiledScenario, ScanRecord } from '#contract/host/run.ts';
import { scenarioHashInput } from '#domain/scenario/canonicalJson.ts';
import type { NewRun, RunRow } from '#services/ports/catalogue.ts';
import type { CheckedRecording } from '#services/ports/recordings.ts';
import { adoptRun } from '#services/runs/adoptRuns.ts';
import { reconcile } from '#services/runs/reconcile.ts';
import { scanKey } from '#services/runs/scanKey.ts';
import { hashesInNames, storedFormOf } from '#services/runs/storedDocument.ts';
import { commandsName, heightsName, readCommands } from '#services/runs/sideFiles.ts';
import type { CheckPorts } from './checkPorts.ts';
import { orDamage, type CheckRound, type Fault } from './checkRound.ts';

/** A run as the catalogue has it. */
export interface Catalogued {
  row: RunRow;
  documentHash: string | null;
  counts: { ticks: number; scans: number };
  scans: readonly ScanRecord[];
  order: NewRun['order'];
}

/** The recording of a run, and what is wrong with it in itself. */
export async function checkedRecording(
  ports: CheckPorts,
  round: CheckRound,
  id: string,
  row: RunRow | null = null,
): Promise<{ recording: CheckedRecording | null; fault: Fault | null }> {
  const { recordings, folders } = ports;
  const path = `${row?.deletedMs == null ? 'runs' : 'trash'}/${id}/recording.mcap`;
  const own = { path, runId: id };
  round.checked.recordings += 1;
  const { value, damage } = await orDamage(() =>
    recordings.check(folders.recordingFile(id), {
      isQuick: round.isQuick,
      signal: round.context.signal,
      onBytes: (bytes) => round.onBytes(bytes),
    }),
  );
  const damaged = {
    ...({ kind: 'recording-damaged', ...own } as const),
    ...(row !== null && { repair: tagging(ports, id) }),
  };
  if (damage !== null) {
    return { recording: null, fault: { ...damaged, expected: 'a recording', found: damage } };
  }
  if (value.fault !== null) return { recording: value, fault: { ...damaged, ...value.fault } };
  if (value.isComplete) return { recording: value, fault: null };
  const adopt = { as: 'close' as const, work: () => adoptRun(ports, id, round.context) };
  const text = { expected: 'a recording with its end', found: 'one that is cut off' };
  const cutOff: Fault = { kind: 'recording-cut-off', ...own, ...text };
  // Why only then: a quick check has not seen what follows the last whole chunk.
  return { recording: value, fault: round.isQuick ? cutOff : { ...cutOff, repair: adopt } };
}

/** A sound recording against its rows. */
export function differences(
  ports: CheckPorts,
  { row, counts, scans }: Catalogued,
  { scenarioHash, counts: recorded, contents }: CheckedRecording,
): Fault[] {
  const own = { path: `runs/${row.id}/recording.mcap`, runId: row.id };
  if (scenarioHash !== row.scenarioHash) {
    const expected = `the scenario ${row.scenarioHash.slice(0, 12)}`;
    const found = `that of another run, ${scenarioHash.slice(0, 12)}`;
    return [{ kind: 'recording-differs', ...own, expected, found }];
  }
  const work = (): Promise<void> => withHostLock(ports, row.id, () => reconciled(ports, row.id));
  const repair = { as: 'reconcile', work } as const;
  const text = ({ ticks, scans }: typeof counts): string => `${ticks} ticks, ${scans} scans`;
  if (recorded !== null && text(recorded) !== text(counts)) {
    const found = `${text(recorded)} in the recording`;
    const expected = `${text(counts)} as in the catalogue`;
    return [{ kind: 'recording-differs', ...own, expected, found, repair }];
  }
  if (contents === null) return [];
  const hashes = new Map(contents.scans.map((scan) => [scanKey(scan), scan.hash]));
  const other = scans.find((scan) => hashes.get(scanKey(scan)) !== scan.hash);
  if (other !== undefined) {
    const expected = `the hash ${other.hash} in tick ${other.tick}, sensor ${other.sensor}`;
    const found = hashes.get(scanKey(other)) ?? 'no such scan';
    return [{ kind: 'recording-differs', ...own, expected, found, repair }];
  }
  const points = contents.scans.reduce((sum, { returns }) => sum + returns, 0);
  if (row.points === null || row.points === points) return [];
  const found = `${points} in the recording`;
  return [{ kind: 'recording-differs', ...own, expected: `${row.points} points`, found, repair }];
}

/** Files beside a run that came without a recording. */
export async function sideFaults(
  ports: CheckPorts,
  round: CheckRound,
  { row, order }: Catalogued,
  { recipe }: CompiledScenario,
): Promise<Fault[]> {
  const { id } = row;
  const entries = new Map(
    (await ports.dataFolder.entries(`runs/${id}`)).map((entry) => [entry.name, entry]),
  );
  const faults: Fault[] = [];
  const add = (kind: Fault['kind'], name: string, expected: string, found: string): void => {
    faults.push({ kind, path: `runs/${id}/${name}`, runId: id, expected, found });
  };
  const ground = recipe.models.find(({ source }) => source.kind === 'height-field')?.source;
  if (ground?.kind === 'height-field') {
    const bytes = 4 * ground.columns * ground.rows;
    const found = entries.get(heightsName)?.bytes;
    if (found === undefined) add('side-file-missing', heightsName, 'heights of the ground', 'none');
    else if (found !== bytes) add('side-file-damaged', heightsName, `${bytes} bytes`, `${found}`);
    else if (!round.isQuick && !(await areHeightsSound(ports, round, row))) {
      const expected = `the heights of the scenario ${row.scenarioHash.slice(0, 12)}`;
      add('side-file-damaged', heightsName, expected, 'others');
    }
  }
  if ((order.control ?? 'autonomy') === 'autonomy') return faults;
  if (!entries.has(commandsName)) {
    add('side-file-missing', commandsName, 'commands of the driver', 'none');
  } else if (!round.isQuick) {
    round.onBytes(entries.get(commandsName)?.bytes ?? 0);
    const { damage } = await orDamage(() => readCommands(ports.files, ports.folders, id));
    if (damage !== null) add('side-file-damaged', commandsName, 'commands', damage);
  }
  return faults;
}

/** Whether the heights of a run are those that it was simulated from: the hash of its scenario covers them. */
async function areHeightsSound(
  ports: CheckPorts,
  round: CheckRound,
  { id, scenarioHash }: RunRow,
): Promise<boolean> {
  const { files, folders } = ports;
  const stored = await storedFormOf(ports, id);
  const { value: heights } = await orDamage(() =>
    files.freshHash(
      folders.sideFile(id, heightsName),
      (bytes) => round.onBytes(bytes),
      round.context.signal,
    ),
  );
  if (heights === null) return false;
  const content = { meshes: hashesInNames(stored), heights };
  return (await files.hashOf(scenarioHashInput(stored, content))) === scenarioHash;
}

export function tagging({ catalogue }: CheckPorts, id: string): NonNullable<Fault['repair']> {
  return { as: 'tag', work: () => catalogue.changeTags(id, ['damaged'], []) };
}

async function reconciled(
  { catalogue, recordings, folders }: CheckPorts,
  id: string,
): Promise<void> {
  const recorded = await recordings.openMetadata(folders.recordingFile(id));
  try {
    await reconcile(catalogue, id, recorded);
  } finally {
    await recorded.close();
  }
}

/** So that no other host takes the run for dead. @throws 'locked' */
export async function withHostLock(
  { folders, locks }: CheckPorts,
  id: string,
  work: () => Promise<unknown>,
): Promise<void> {
  const lock = locks.acquire(folders.files(id).hostLockFile);
  try {
    await work();
  } finally {
    lock.release();
  }
}
