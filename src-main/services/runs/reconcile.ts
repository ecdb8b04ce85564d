// Brings the catalogue into agreement with a recording, which counts: rows of what is not recorded go, rows of what
// is recorded and not catalogued come, with their returns by class and instance counted from the points.
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RecordedScan, RecordingMetadata } from '#services/ports/recordings.ts';
import { scanKey } from './scanKey.ts';

export interface Reconciled {
  scans: number;
  /** Rows of ticks and scans that were removed or added. */
  changes: number;
  /** Time of the last tick; 0: there is none. */
  simSeconds: number;
  points: number;
}

/** @throws UnderstoryError 'corrupt' where points that are to be counted are damaged */
export async function reconcile(
  catalogue: Catalogue,
  runId: string,
  recorded: RecordingMetadata,
): Promise<Reconciled> {
  const { ticks, scans } = recorded;
  const isRecorded = new Map(scans.map((scan) => [scanKey(scan), scan.hash]));
  const catalogued = catalogue.scanRecords(runId);
  const extraScans = catalogued.filter((scan) => isRecorded.get(scanKey(scan)) !== scan.hash);
  const cataloguedTicks = catalogue.ticks(runId).map(({ tick }) => tick);
  const recordedTicks = new Set(ticks.map(({ tick }) => tick));
  const extraTicks = cataloguedTicks.filter((tick) => !recordedTicks.has(tick));
  catalogue.removeRecords(runId, extraTicks, extraScans);

  const isCatalogued = new Set(catalogued.map((scan) => `${scanKey(scan)} ${scan.hash}`));
  const newScans = scans.filter((scan) => !isCatalogued.has(`${scanKey(scan)} ${scan.hash}`));
  for (const scan of newScans) {
    const { objectId, objectReturns } = returnsByObject(await recorded.scan(scan));
    catalogue.addScan(runId, scan, objectId, objectReturns);
  }
  const knownTicks = new Set(cataloguedTicks);
  const newTicks = ticks.filter(({ tick }) => !knownTicks.has(tick));
  for (const tick of newTicks) catalogue.addTick(runId, tick);

  const simSeconds = (ticks.at(-1)?.timeNs ?? 0) / 1e9;
  const points = scans.reduce((sum, { returns }) => sum + returns, 0);
  catalogue.setTotals(runId, { simSeconds, points });
  const changes = extraTicks.length + extraScans.length + newScans.length + newTicks.length;
  return { scans: scans.length, changes, simSeconds, points };
}

/** As the worker counts them: objects in ascending order, each with its returns. */
function returnsByObject({ table }: RecordedScan): {
  objectId: Uint32Array;
  objectReturns: Uint32Array;
} {
  const counts = new Map<number, number>();
  for (const id of table.object_id ?? []) {
    if (id !== 0) counts.set(id, (counts.get(id) ?? 0) + 1);
  }
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return {
    objectId: Uint32Array.from(sorted, ([id]) => id),
    objectReturns: Uint32Array.from(sorted, ([, returns]) => returns),
  };
}
