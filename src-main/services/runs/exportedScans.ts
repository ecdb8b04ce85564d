// The scans of a recording that an export takes, and the refusals that exports share.
import { epochOf } from '#contract/documents/epoch.ts';
import { badInput, throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Catalogue, RunRow, ScanFilter } from '#services/ports/catalogue.ts';
import type { Exporters } from '#services/ports/exporters.ts';
import type { RecordedScan, RecordingReader } from '#services/ports/recordings.ts';
import { lacking, type RunRecordingPorts } from './openRun.ts';
import { createRecordedPaths } from './recordedMotion.ts';

export interface ExportRunPorts extends RunRecordingPorts {
  catalogue: Catalogue;
  exporters: Exporters;
}

/** The part of a recording that an export takes. */
export interface Selection {
  /** Index of the only sensor; null: all. */
  only: number | null;
  fromNs: number;
  toNs: number;
}

/** The selected scans, in turn. @throws 'corrupt' where the recording lacks some */
export async function eachScan(
  catalogue: Catalogue,
  run: RunRow,
  reader: RecordingReader,
  { only, fromNs, toNs }: Selection,
  { signal, progress }: HandlerContext,
  take: (scan: RecordedScan) => Promise<void>,
): Promise<void> {
  const total = run.metrics?.points ?? 0;
  let done = 0;
  let scans = 0;
  for await (const scan of reader.scans()) {
    throwIfCancelled(signal);
    if (scan.toNs <= fromNs) continue;
    if (scan.fromNs >= toNs) break;
    if (only !== null && scan.sensor !== only) continue;
    await take(scan);
    done += scan.rows;
    scans += 1;
    progress({ phase: 'exporting', done, total });
  }
  expectAllScans(catalogue, run, scans, { ...(only !== null && { sensor: only }), fromNs, toNs });
}

/** @throws 'corrupt' where fewer scans were read than the catalogue holds of an ended run */
function expectAllScans(
  catalogue: Pick<Catalogue, 'counts'>,
  run: RunRow,
  read: number,
  filter: ScanFilter,
): void {
  if (run.state === 'running' || run.state === 'interrupted') return;
  const { scans } = catalogue.counts(run.id, filter);
  if (read < scans) throw lacking(run, `holds ${read} of ${scans} scans`);
}

/** worldFromSensor over time, by sensor: as the pulses had it. */
export async function sensorPaths(reader: RecordingReader): Promise<Trajectory[]> {
  const paths = createRecordedPaths(reader.header.compiled.sensors.length);
  for await (const tick of reader.ticks()) paths.take(tick);
  return paths.sensors.map((path) => path.trajectory());
}

/** @throws 'bad-input' where the run has no such sensor */
export function sensorIndex(names: readonly string[], name: string): number {
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const message = `expected one of ${names.join(', ')}, found '${name}'`;
  throw badInput('sensor', message, { title: `the run has no sensor '${name}'` });
}

/** The instant of time 0 where the scenario gives its recordings one. */
export function epochOptionOf({ scenario }: CompiledScenario): { epochS?: number } {
  const epoch = scenario.recording?.epoch;
  if (epoch === undefined) return {};
  const { sec, nanosec } = epochOf(epoch);
  return { epochS: sec + nanosec / 1e9 };
}

/** Index of the only sensor. @throws 'bad-input' where a run has several and none is named */
export function oneSensorOf(
  { sensors }: CompiledScenario,
  { only }: Selection,
  title: string,
): number {
  if (only !== null || sensors.length <= 1) return only ?? 0;
  const message = `expected one of ${sensors.map(({ name }) => name).join(', ')}, found none`;
  throw badInput('sensor', message, { code: 'missing', title });
}

/** A refusal before the beginning, as a problem of the request's field. */
export function atField(path: string, error: unknown): unknown {
  if (!(error instanceof UnderstoryError)) return error;
  const { code, message, details } = error;
  const { reason } = details;
  if (typeof reason !== 'string') return error;
  return new UnderstoryError(code, message, {
    ...details,
    problems: [{ path, code: reason, message }],
  });
}
