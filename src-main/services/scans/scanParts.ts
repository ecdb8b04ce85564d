// FILE.part.json beside a file that holds part of a scan: its identity and its interval.
import type { ScanIdentity, ScanPart } from '#contract/documents/scanPart.ts';
import type { ReturnColumnName } from '#contract/columns.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { WorkerHello } from '#contract/worker/worker.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { engineHash } from '#services/engine.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Files } from '#services/ports/files.ts';
import { sha256 } from '#services/sha256.ts';
import type { Interval, ScanPath } from './scanPath.ts';

/** Name of the file beside a part. */
export function partFileOf(file: string): string {
  return `${file}.part.json`;
}

/** The identity that parts of a scan share. */
export async function identityOf(scan: {
  compiled: CompiledScenario;
  path: Pick<ScanPath, 'legs' | 'whole'>;
  misses: boolean;
  format: string;
  columns: readonly ReturnColumnName[];
  hello: WorkerHello;
  simulatingSources: string;
}): Promise<ScanIdentity> {
  const { compiled, path, misses, format, columns, hello, simulatingSources } = scan;
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
    engine: await engineHash(hello, simulatingSources),
    isa: hello.isa,
    misses,
    format,
    columns: [...columns],
    ...path.whole,
  };
}

/** Writes the file beside `file`, which is whole, in place of one that is there: it belongs to it. */
export async function writePart(
  { exporters, files }: { exporters: Exporters; files: Files },
  file: string,
  target: ExportTarget,
  { fromNs, toNs, rows, whole }: Interval & { rows: number; whole: ScanIdentity },
): Promise<string> {
  const part: ScanPart = {
    understoryPart: 1,
    whole,
    fromNs,
    toNs,
    rows,
    sha256: await files.hash(file),
  };
  const open = await exporters.openTarget(partFileOf(file), { ...target, isReplacing: true });
  try {
    await files.writeText(open.aside, `${JSON.stringify(part, null, 2)}\n`);
    await open.finish();
  } catch (error) {
    await open.abort();
    throw error;
  }
  return partFileOf(file);
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
