// data.check: the catalogue first, then every run with its folder, then what runs share and what is left over. With
// repairs each finding is repaired as it is found. Guarantees: without repairs nothing is written; memory does not grow
// with the bytes that are read.
import { UnderstoryError } from '#contract/errors.ts';
import type { Handlers } from '#services/handlers.ts';
import type { CatalogueFault, CatalogueReport } from '#services/ports/catalogue.ts';
import type { DataEntry } from '#services/ports/dataFolder.ts';
import { checkMeshes, checkOwnFiles, storedMeshes } from './checkContents.ts';
import { checkLeftovers, checkRunFolder } from './checkLeftovers.ts';
import type { CheckPorts } from './checkPorts.ts';
import { checkRun, type RunSurroundings } from './checkRun.ts';
import { createCheckRound, orDamage, type CheckRound, type Fault } from './checkRound.ts';

/** Rows of the catalogue that are read at a time. */
const runsAtOnce = 200;

/** The handler of `data.check`. */
export function checkHandlers(ports: CheckPorts): Handlers<'data'> {
  let isChecking = false;
  return {
    'data.check': async (request, context) => {
      const { catalogue, folders } = ports;
      if (request.isRepairing && catalogue.isReadOnly) {
        throw new UnderstoryError(
          'io',
          `${folders.dataFolder} is read-only: nothing can be repaired`,
        );
      }
      if (isChecking) throw new UnderstoryError('locked', 'a check is under way: wait for its end');
      isChecking = true;
      try {
        const round = createCheckRound(request, context);
        await checkAll(ports, round);
        return { reply: round.reply(folders.dataFolder) };
      } finally {
        isChecking = false;
      }
    },
  };
}

async function checkAll(ports: CheckPorts, round: CheckRound): Promise<void> {
  const { dataFolder, folders } = ports;
  round.begin('checking the catalogue', 0);
  const report = await catalogueReport(ports, round);
  const isCatalogueSound = await reportCatalogue(ports, round, report.faults);
  const meshes = await storedMeshes(ports);
  const ofEnding = async (folder: string, ending: string): Promise<DataEntry[]> =>
    (await dataFolder.entries(folder)).filter(
      ({ name, kind }) => kind === 'file' && name.toLowerCase().endsWith(ending),
    );
  const own = { logs: await ofEnding('logs', '.log'), models: await ofEnding('models', '.ply') };
  const ownBytes = [...own.logs, ...own.models].reduce((sum, { bytes }) => sum + bytes, 0);

  const ids = new Set(folders.list());
  const trashed = new Set((await dataFolder.entries('trash')).map(({ name }) => name));
  const total = round.isQuick ? ids.size : recordedBytes(ports, [...ids, ...trashed]);
  round.begin(
    round.isQuick ? 'checking runs' : 'reading recordings',
    total + (round.isQuick ? 0 : meshes.bytes + ownBytes),
  );
  const surroundings: RunSurroundings = {
    meshes: meshes.names,
    listed: { runs: ids, trash: trashed },
    usedMeshes: new Set(),
    unread: 0,
    damagedDocuments: new Set(report.damagedDocuments),
    damagedRows: new Set(report.faults.flatMap(({ runId }) => runId ?? [])),
    isCatalogueSound,
  };
  const areAllRead = await checkRuns(ports, round, surroundings, { ids, trashed });
  const isComplete = areAllRead && surroundings.unread === 0;
  await checkMeshes(ports, round, meshes, isComplete ? surroundings.usedMeshes : null);
  await checkOwnFiles(ports, round, own);
  await checkCampaigns(ports, round, isCatalogueSound);
  await checkLeftovers(ports, round);
}

/** Where the file can be read once only, this process does it, and others wait. */
async function catalogueReport(
  ports: CheckPorts,
  { isQuick, context: { signal } }: CheckRound,
): Promise<CatalogueReport> {
  const { catalogue } = ports;
  try {
    return await ports.checkCatalogue(catalogue.file, isQuick, signal);
  } catch (error) {
    if (!(error instanceof UnderstoryError) || error.code !== 'locked') throw error;
    return catalogue.check(isQuick);
  }
}

/** Returns whether rows may be written. */
async function reportCatalogue(
  { catalogue }: CheckPorts,
  round: CheckRound,
  faults: readonly CatalogueFault[],
): Promise<boolean> {
  const isSound = !faults.some(({ kind }) => kind === 'catalogue-damaged');
  // Why once: one repair is for all faults of a kind.
  const isDone = new Set<string>();
  const once = (kind: string, work: () => unknown) => (): void => {
    if (!isDone.has(kind)) work();
    isDone.add(kind);
  };
  for (const { where, ...fault } of faults) {
    const path = `catalogue.sqlite: ${where}`;
    const repair: Fault['repair'] =
      fault.kind === 'index-damaged'
        ? { as: 'rebuild', work: once(fault.kind, () => catalogue.rebuildIndices()) }
        : fault.kind === 'rows-unreachable'
          ? { as: 'remove-rows', work: once(fault.kind, () => catalogue.removeUnreachable()) }
          : undefined;
    await round.report({ ...fault, path, ...(isSound && repair !== undefined && { repair }) });
  }
  return isSound;
}

function recordedBytes({ folders }: CheckPorts, ids: readonly string[]): number {
  return ids.reduce((sum, id) => sum + (folders.recordingBytes(id) ?? 0), 0);
}

/** Every row, then every folder without one. Returns false where rows may not have been read. */
async function checkRuns(
  ports: CheckPorts,
  round: CheckRound,
  surroundings: RunSurroundings,
  { ids, trashed }: { ids: Set<string>; trashed: Set<string> },
): Promise<boolean> {
  const { catalogue, events, timer } = ports;
  const { isCatalogueSound } = surroundings;
  const check = async (id: string, documentHash: string | null): Promise<void> => {
    const before = round.repairs;
    const isFree = await checkRun(ports, round, { id, documentHash }, surroundings);
    const row = isFree ? (await orDamage(() => catalogue.run(id))).value : null;
    const mayHaveRow = documentHash !== null || row?.id === id || !isCatalogueSound;
    if (isFree && ids.has(id) && row?.state !== 'running') {
      await checkRunFolder(ports, round, id, mayHaveRow);
    }
    if (round.isQuick) round.advance(1);
    if (row === null || before === round.repairs) return;
    events.emit({ name: 'runs.changed', body: { runId: id, state: row.state } });
  };
  let areAllRead = isCatalogueSound;
  for (let key = 0; ;) {
    const page = await orDamage(() => catalogue.runKeysAfter(key, runsAtOnce));
    if (page.damage !== null) areAllRead = false;
    if (page.value === null || page.value.length === 0) break;
    for (const { id, documentHash } of page.value) {
      await check(id, documentHash);
      trashed.delete(id);
      ids.delete(id);
    }
    key = page.value.at(-1)?.key ?? key;
    await timer.pause(0, round.context.signal);
  }
  for (const id of ids) await check(id, null);
  if (!areAllRead) return false;
  const text = { expected: 'a row in the catalogue', found: 'none' };
  for (const id of trashed) {
    await round.report({ kind: 'run-without-row', path: `trash/${id}`, runId: id, ...text });
  }
  return true;
}

/** Campaigns that were cut off. */
async function checkCampaigns(
  ports: CheckPorts,
  round: CheckRound,
  isCatalogueSound: boolean,
): Promise<void> {
  const { catalogue, dataFolder, folders, locks } = ports;
  const { value: campaigns } = await orDamage(() => catalogue.campaigns());
  // Why: asking for the file of a lock makes its folder.
  const held = new Set(
    (await dataFolder.entries('campaigns'))
      .filter(({ name }) => name.endsWith('.lock'))
      .map(({ name }) => name.replace(/\.lock$/, '')),
  );
  for (const { key, name } of campaigns ?? []) {
    round.checked.campaigns += 1;
    if (held.has(name) && locks.isHeld(folders.campaignLockFile(name))) continue;
    const { running } = catalogue.campaignCounts(key);
    if (running === 0) continue;
    const expected = 'a process that executes it';
    const found = `none, and ${running} planned runs marked as running`;
    const fault = {
      kind: 'campaign-interrupted',
      path: `campaigns/${name}`,
      expected,
      found,
    } as const;
    const repair = { as: 'reset' as const, work: () => catalogue.resetRunning(key) };
    await round.report(isCatalogueSound ? { ...fault, repair } : fault);
  }
}
