// FILE.part.json beside a file that holds part of a scan: its identity and its interval.
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import type { ScanIdentity, ScanPart } from '#contract/documents/scanPart.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { engineHash } from '#services/engine.ts';
import { sha256 } from '#services/sha256.ts';
import type { PlannedScan, ReturnsFile } from './scanSink.ts';

/** Name of the file beside a part. */
export function partFileOf(file: string): string {
  return `${file}.part.json`;
}

/** `whole` as it is, or where the scan is a part of another, with what describes the part beside it. */
export function withPart(
  scan: PlannedScan,
  file: string,
  format: ExportFormat | 'mcap',
  whole: ReturnsFile,
): ReturnsFile {
  if (!scan.plan.path.isPart) return whole;
  let rows = 0;
  return {
    ...whole,
    rows: (table, added, piece) => {
      rows += added;
      return whole.rows(table, added, piece);
    },
    close: async () => {
      const { files, leftOut } = await whole.close();
      await writePart(scan, file, { format, rows });
      return { files: [...files, partFileOf(file)], leftOut };
    },
  };
}

/** Writes the file beside `file`, which is whole, in place of one that is there: it belongs to it. */
async function writePart(
  scan: PlannedScan,
  file: string,
  { format, rows }: { format: string; rows: number },
): Promise<void> {
  const { exporters, files } = scan.ports;
  const { path, target } = scan.plan;
  const part: ScanPart = {
    understoryPart: 1,
    whole: await identityOf(scan, format),
    fromNs: path.fromNs,
    toNs: path.toNs,
    rows,
    sha256: await files.hash(file),
  };
  const text = await exporters.createText(partFileOf(file), { ...target, isReplacing: true });
  try {
    await text.write(`${JSON.stringify(part, null, 2)}\n`);
    await text.close();
  } catch (error) {
    await text.abort();
    throw error;
  }
}

/** The identity that parts of a scan share. */
async function identityOf(
  { ports, plan: { compiled, path, misses, columns }, worker: { hello } }: PlannedScan,
  format: string,
): Promise<ScanIdentity> {
  const legs: string[] = [];
  for (const { name, fromNs, toNs, trajectory, sensor } of path.legs) {
    const own = sensor === undefined ? '' : ` ${canonicalJson(sensor)}`;
    legs.push(`${name} ${fromNs} ${toNs} ${await trajectoryHash(trajectory)}${own}`);
  }
  return {
    scene: compiled.scenarioHash,
    sensor: await sha256(canonicalJson(compiled.sensors.map(({ recipe }) => recipe))),
    path: await sha256(legs.join('\n')),
    seed: compiled.scenario.seed,
    engine: await engineHash(hello, ports.product.simulatingSources),
    isa: hello.isa,
    misses,
    format,
    columns: [...columns],
    ...path.whole,
  };
}

async function trajectoryHash({ mount, reported, ...columns }: Trajectory): Promise<string> {
  const arrays = [
    ...Object.values(columns),
    ...(mount ? [mount] : []),
    ...(reported ? [reported] : []),
  ];
  const hashes: string[] = [];
  for (const array of arrays) {
    hashes.push(await sha256(new Uint8Array(array.buffer, array.byteOffset, array.byteLength)));
  }
  return sha256(hashes.join('\n'));
}
