// Checks one run: its row, its compiled scenario, its folder, its recording against both. Guarantees: a run that a
// process holds, or that changed while it was checked, is reported as under way and never as damaged.
import { toWire } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import { storedMesh } from '#contract/documents/bundle.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import { adoptRun } from '#services/runs/adoptRuns.ts';
import { closeInterrupted } from '#services/runs/recovery.ts';
import { lastName } from '#services/runs/sideFiles.ts';
import { compiledOf } from '#services/runs/storedDocument.ts';
import type { CheckPorts } from './checkPorts.ts';
import {
  checkedRecording,
  differences,
  sideFaults,
  tagging,
  withHostLock,
  type Catalogued,
} from './checkRecorded.ts';
import { orDamage, type CheckRound, type Fault } from './checkRound.ts';

/** A run as catalogue and disk have it. */
export interface CheckedRun {
  id: string;
  /** In the catalogue; null: it has no row. */
  documentHash: string | null;
}

/** Known to the check besides the run. */
export interface RunSurroundings {
  /** Names of the files in `meshes/`. */
  meshes: ReadonlySet<string>;
  /** Names of folders, as they were listed. */
  listed: { runs: ReadonlySet<string>; trash: ReadonlySet<string> };
  /** Names of meshes that runs use are added. */
  usedMeshes: Set<string>;
  /** Runs whose meshes are not known: under way, or damaged. */
  unread: number;
  damagedDocuments: ReadonlySet<string>;
  /** Runs with a row that was found to be damaged. */
  damagedRows: ReadonlySet<string>;
  /** False: the catalogue is damaged, and nothing is written in it. */
  isCatalogueSound: boolean;
}

/** Reports what is wrong with a run. Returns false for one under way, whose folder is to be left alone. */
export async function checkRun(
  ports: CheckPorts,
  round: CheckRound,
  run: CheckedRun,
  surroundings: RunSurroundings,
): Promise<boolean> {
  const { id } = run;
  const path = `runs/${id}`;
  surroundings.unread += 1;
  const before = await orDamage(() => ({ row: rowOf(ports, id), locks: lockFaults(ports, id) }));
  if (before.damage !== null) {
    const text = { expected: 'a row', found: before.damage };
    const fault = { kind: 'row-damaged', path, runId: id, ...text } as const;
    if (!surroundings.damagedRows.has(id)) await round.report(fault);
    return false;
  }
  const { row, locks } = before.value;
  if (locks === null) return underWay(round, id);
  for (const fault of locks) await round.report(fault);
  if (row === null && run.documentHash !== null) return false; // it was removed meanwhile
  const faults = await faultsOf(ports, round, run, row, surroundings);
  round.checked.runs += 1;
  if (faults.length === 0) return true;
  const isSame = lockFaults(ports, id) !== null && isUnchanged(row, rowOf(ports, id));
  if (!isSame) return underWay(round, id);
  for (const fault of faults) await round.report(repairable(fault, surroundings));
  return true;
}

async function faultsOf(
  ports: CheckPorts,
  round: CheckRound,
  { id, documentHash }: CheckedRun,
  row: RunRow | null,
  surroundings: RunSurroundings,
): Promise<Fault[]> {
  if (row === null) return orphanFaults(ports, round, id, surroundings);
  const { catalogue } = ports;
  const records = await orDamage(() => ({
    counts: catalogue.counts(id),
    scans: catalogue.scanRecords(id),
    order: catalogue.order(id),
  }));
  if (records.damage === null) {
    return rowFaults(ports, round, { row, documentHash, ...records.value }, surroundings);
  }
  const text = { expected: 'its ticks, scans and order', found: records.damage };
  const fault: Fault = { kind: 'row-damaged', path: `runs/${id}`, runId: id, ...text };
  const isKnown = surroundings.damagedRows.has(id) || !surroundings.isCatalogueSound;
  const recorded =
    ports.folders.recordingBytes(id) === null
      ? null
      : (await checkedRecording(ports, round, id, row)).fault;
  return [...(isKnown ? [] : [fault]), ...(recorded === null ? [] : [recorded])];
}

/** Nothing is written in a catalogue that is damaged. */
function repairable({ repair, ...fault }: Fault, { isCatalogueSound }: RunSurroundings): Fault {
  return isCatalogueSound && repair !== undefined ? { ...fault, repair } : fault;
}

async function underWay(round: CheckRound, id: string): Promise<boolean> {
  const text = { expected: 'a run that has ended', found: 'one under way: it is not checked' };
  await round.report({ kind: 'run-under-way', path: `runs/${id}`, runId: id, ...text });
  return false;
}

/** Locks that are no locks; null: a process holds one. */
function lockFaults(
  { catalogue, dataFolder, folders, locks }: CheckPorts,
  id: string,
): Fault[] | null {
  const { lockFile, hostLockFile } = folders.files(id);
  const faults: Fault[] = [];
  for (const file of [hostLockFile, lockFile]) {
    try {
      if (locks.isHeld(file)) return null;
    } catch (error) {
      // Why: nothing can be locked where nothing can be written.
      if (catalogue.isReadOnly) continue;
      const { message, details = {} } = toWire(error);
      const path = `runs/${id}/${lastName(file)}`;
      const text = { expected: 'a lock as SQLite makes it', found: message };
      const fault: Fault = { kind: 'lock-damaged', path, runId: id, ...text };
      // Why removed: no process can hold a lock on a file that SQLite refuses.
      const repair = { as: 'remove' as const, work: () => dataFolder.remove(path) };
      faults.push(details['cause'] === 'SQLITE_NOTADB' ? { ...fault, repair } : fault);
    }
  }
  return faults;
}

/** The row of this very id. */
function rowOf({ catalogue }: CheckPorts, id: string): RunRow | null {
  const row = catalogue.run(id);
  return row?.id === id ? row : null;
}

function isUnchanged(before: RunRow | null, now: RunRow | null): boolean {
  const stateOf = (row: RunRow | null): string =>
    row === null ? '' : [row.state, row.endedMs, row.deletedMs].join();
  return stateOf(before) === stateOf(now);
}

/** A folder that the catalogue does not have. */
async function orphanFaults(
  ports: CheckPorts,
  round: CheckRound,
  id: string,
  { isCatalogueSound }: RunSurroundings,
): Promise<Fault[]> {
  const { folders } = ports;
  const bytes = folders.recordingBytes(id);
  if (bytes === null) return [];
  const { fault } = await checkedRecording(ports, round, id);
  if (!isCatalogueSound) return fault === null ? [] : [fault];
  const adopt = { as: 'adopt' as const, work: () => adoptRun(ports, id, round.context) };
  const text = { expected: 'a row in the catalogue', found: 'none' };
  const orphan: Fault = { kind: 'run-without-row', path: `runs/${id}`, runId: id, ...text };
  if (fault === null) return [{ ...orphan, repair: adopt }];
  return fault.kind === 'recording-cut-off' ? [{ ...orphan, repair: adopt }] : [orphan, fault];
}

async function rowFaults(
  ports: CheckPorts,
  round: CheckRound,
  catalogued: Catalogued,
  surroundings: RunSurroundings,
): Promise<Fault[]> {
  const { folders } = ports;
  const { row, documentHash, counts } = catalogued;
  const { id } = row;
  const own = { path: `runs/${id}`, runId: id };
  if (row.state === 'running') {
    const work = (): Promise<void> =>
      withHostLock(ports, id, () => closeInterrupted(ports, id, 'Interrupted: its process ended'));
    const text = { expected: 'a process that holds it', found: 'none' };
    return [{ kind: 'run-interrupted', ...own, ...text, repair: { as: 'close', work } }];
  }
  const faults = await misplacedFaults(ports, row, surroundings);
  const stored = surroundings.damagedDocuments.has(documentHash ?? '')
    ? { value: null, damage: 'another text than its hash says' }
    : await orDamage(() => compiledOf(ports, id));
  if (stored.damage !== null) {
    const text = { expected: 'the scenario of the run', found: stored.damage };
    faults.push({ kind: 'scenario-damaged', ...own, ...text });
  } else {
    faults.push(...meshFaults(row, stored.value, surroundings));
  }
  if (folders.recordingBytes(id) !== null) {
    const { fault, recording } = await checkedRecording(ports, round, id, row);
    if (fault !== null) faults.push(fault);
    else if (recording !== null) faults.push(...differences(ports, catalogued, recording));
  } else if (counts.ticks + counts.scans > 0) {
    if (row.origin === null) {
      const text = { expected: 'a recording', found: 'none' };
      const path = `runs/${id}/recording.mcap`;
      faults.push({
        kind: 'recording-missing',
        path,
        runId: id,
        ...text,
        repair: tagging(ports, id),
      });
    } else if (stored.value !== null) {
      faults.push(...(await sideFaults(ports, round, catalogued, stored.value)));
    }
  }
  return faults;
}

/** A crash between the two steps of moving a run into the trash, or out of it. */
async function misplacedFaults(
  { dataFolder, folders }: CheckPorts,
  row: RunRow,
  { listed }: RunSurroundings,
): Promise<Fault[]> {
  const { id, deletedMs } = row;
  const [wrong, right] =
    deletedMs === null ? (['trash', 'runs'] as const) : (['runs', 'trash'] as const);
  // Why first: a folder may have been moved since, which the disk says.
  if (!listed[wrong].has(id)) return [];
  const isThere = async (parent: string): Promise<boolean> =>
    (await dataFolder.entries(`${parent}/${id}`)).length > 0;
  if (!(await isThere(wrong)) || (await isThere(right))) return [];
  const work = (): void =>
    deletedMs === null ? folders.restoreFromTrash(id) : folders.moveToTrash(id);
  const text = { expected: `its folder in ${right}`, found: `it in ${wrong}` };
  const path = `${wrong}/${id}`;
  return [{ kind: 'run-misplaced', path, runId: id, ...text, repair: { as: 'move', work } }];
}

function meshFaults(
  { id }: RunRow,
  { recipe }: CompiledScenario,
  surroundings: RunSurroundings,
): Fault[] {
  surroundings.unread -= 1;
  const names = recipe.models.flatMap(({ source }) =>
    source.kind === 'mesh' && storedMesh.test(source.file) ? source.file : [],
  );
  const text = { expected: 'the mesh of a model', found: 'no file' };
  return [...new Set(names)].flatMap((name): Fault[] => {
    surroundings.usedMeshes.add(name);
    return surroundings.meshes.has(name)
      ? []
      : [{ kind: 'mesh-missing', path: name, runId: id, ...text }];
  });
}
