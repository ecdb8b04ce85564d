// scan.join: parts of one scan become the file of the whole, byte for byte.
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { parseWith, type Problem } from '#contract/documents/problems.ts';
import { scanPartSchema, type ScanIdentity, type ScanPart } from '#contract/documents/scanPart.ts';
import { recordingFormat, type RecordingHead } from '#contract/host/recordingHead.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { Handlers } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Files } from '#services/ports/files.ts';
import type {
  RecordedScan,
  RecordedStart,
  RecordedTick,
  RecordingHeader,
  Recordings,
  RecordingWriter,
} from '#services/ports/recordings.ts';
import { expectTruth } from '#services/recordedTruth.ts';
import { scanFileFormatOf } from './sinks/sinks.ts';
import { idTableFilesOf } from './sinks/idTables.ts';
import { partFileOf } from './sinks/scanParts.ts';

interface JoinPorts {
  files: Files;
  exporters: Exporters;
  recordings: Recordings;
}

interface NamedPart {
  file: string;
  part: ScanPart;
}

/** Parts that fit together, and the file that they become. */
interface Joining {
  out: string;
  parts: readonly string[];
  target: ExportTarget;
  signal: AbortSignal;
}

/** The handler of `scan.join`. */
export function joinHandler(ports: JoinPorts): Handlers<'scan'>['scan.join'] {
  return async ({ out, parts: names, isReplacing }, { signal }) => {
    const format = scanFileFormatOf(out);
    if (format === 'log' || format === 'pcap') {
      const message = `expected another format: ${advice[format]}`;
      throw unjoinable([{ path: 'out', code: 'format', message }]);
    }
    const named = await orderedParts(ports.files, names, signal);
    const { fromNs, toNs } = checkedParts(named, format);
    const parts = named.map(({ file }) => file);
    const inputs = parts.flatMap((file) => [file, partFileOf(file)]);
    const joining = { out, parts, target: { isReplacing, inputs }, signal };
    const files = [out];
    if (format === 'mcap') await joinRecordings(ports, joining);
    else {
      await ports.exporters.join(out, parts, { ...joining.target, format, signal });
      files.push(...(await joinIdTables(ports, joining)));
    }
    const rows = named.reduce((sum, { part }) => sum + part.rows, 0);
    const reply = { files, parts: parts.length, rows, fromS: fromNs / 1e9, toS: toNs / 1e9 };
    return { reply };
  };
}

/** Formats whose parts are not joined. */
const advice = {
  log: '`learn` takes several logs as they are',
  pcap: '`mergecap` joins captures',
};

/** In the order of their times. @throws 'bad-input' where one lacks what says what it holds */
async function orderedParts(
  files: Files,
  parts: readonly string[],
  signal: AbortSignal,
): Promise<NamedPart[]> {
  const named: NamedPart[] = [];
  const problems: Problem[] = [];
  for (const file of parts) {
    const beside = partFileOf(file);
    const isThere = await files.exists(file);
    if (!isThere || !(await files.exists(beside))) {
      const missing = isThere ? beside : file;
      problems.push(ofParts(`expected a part with its .part.json, there is no '${missing}'`));
      continue;
    }
    const { value } = parseWith(scanPartSchema, jsonOf(await files.readText(beside, signal)));
    if (value === null) problems.push(ofParts(`'${beside}' describes no part of a scan`));
    else if ((await files.hash(file, signal)) !== value.sha256) {
      problems.push(
        ofParts(`'${file}' is damaged, or not the file that '${beside}' was written for`),
      );
    } else named.push({ file, part: value });
  }
  if (problems.length > 0) throw unjoinable(problems);
  return named.sort((a, b) => a.part.fromNs - b.part.fromNs);
}

const names: Record<keyof ScanIdentity, string> = {
  scene: 'another scene',
  sensor: 'another sensor',
  path: 'other poses',
  seed: 'another seed',
  engine: 'another engine',
  isa: 'another instruction set',
  misses: 'other rows (misses)',
  format: 'another format',
  columns: 'other columns',
  fromNs: 'a scan of another interval',
  toNs: 'a scan of another interval',
};

/** The identity of the whole. @throws 'bad-input' for gaps, overlaps, and parts of another scan */
function checkedParts(parts: readonly NamedPart[], format: string): ScanIdentity {
  const [first] = parts;
  if (first === undefined) throw unjoinable([ofParts('expected a part, found none')]);
  const { whole } = first.part;
  for (const { file, part } of parts) {
    for (const key of Object.keys(names) as (keyof ScanIdentity)[]) {
      if (String(part.whole[key]) === String(whole[key])) continue;
      const message = `'${file}' is of ${names[key]} than '${first.file}' (${key} differs)`;
      throw unjoinable([ofParts(message)]);
    }
  }
  if (whole.format !== format) {
    throw unjoinable([{ ...ofParts(`the parts are .${whole.format} files`), path: 'out' }]);
  }
  let endNs = whole.fromNs;
  let before = 'the start of the scan';
  const seams = [
    ...parts.map(({ file, part }) => ({ ...part, name: `'${file}'` })),
    { fromNs: whole.toNs, toNs: whole.toNs, name: 'the end of the scan' },
  ];
  for (const { fromNs, toNs, name } of seams) {
    if (fromNs !== endNs) {
      const kind = fromNs > endNs ? 'a gap' : 'an overlap';
      const times = `[${Math.min(endNs, fromNs) / 1e9} s, ${Math.max(endNs, fromNs) / 1e9} s)`;
      throw unjoinable([ofParts(`${kind} of ${times} between ${before} and ${name}`)]);
    }
    endNs = toNs;
    before = name;
  }
  return whole;
}

/** The tables of ids that all parts have beside them. @returns the files written */
async function joinIdTables(
  { files, exporters }: Pick<JoinPorts, 'files' | 'exporters'>,
  { out, parts, target, signal }: Joining,
): Promise<string[]> {
  const written: string[] = [];
  for (const [index, name] of idTableFilesOf(out).entries()) {
    const tables = parts.map((part) => idTableFilesOf(part)[index] ?? part);
    const areThere = await Promise.all(tables.map((table) => files.exists(table)));
    if (!areThere.every(Boolean)) continue;
    const inputs = [...(target.inputs ?? []), ...tables];
    await exporters.joinTables(name, tables, { ...target, inputs, signal });
    written.push(name);
  }
  return written;
}

/** Ticks and scans of all parts in one recording. */
async function joinRecordings(
  { exporters, recordings }: JoinPorts,
  { out, parts, target, signal }: Joining,
): Promise<void> {
  const open = await exporters.openTarget(out, target);
  let writer: RecordingWriter | null = null;
  /** The tick under way: its record, which states the poses, comes before its scan or after. */
  let tick: RecordedTick | null = null;
  let scan: RecordedScan | null = null;
  let hasStart = false;
  try {
    for (const file of parts) {
      const reader = await recordings.open(file);
      try {
        expectTruth(reader.header.compiled, 'a joined recording is made from');
        writer ??= await recordings.create(open.aside, {
          ...reader.header,
          compiled: await writtenCompiled(recordings, file, reader.header),
        });
        for await (const entry of reader.entries(true)) {
          throwIfCancelled(signal);
          if (entry.kind === 'tick') tick = entry.value;
          if (entry.kind === 'scan') scan = entry.value;
          if (tick === null || scan === null) continue;
          if (!hasStart) await writer.start(startOf(tick, scan.fromNs));
          hasStart = true;
          await writer.scan(scan);
          await writer.tick(tick);
          [tick, scan] = [null, null];
        }
      } finally {
        await reader.close();
      }
    }
    await writer?.close();
    await open.finish();
  } catch (error) {
    // Why swallowed: what is removed need not be whole.
    await writer?.close().catch(() => undefined);
    await open.abort();
    throw error;
  }
}

/** As the sink of a recorded scan has it. */
function startOf({ steps, truth: end }: RecordedTick, timeNs: number): RecordedStart {
  const truth = steps?.poses[0] ?? end;
  return { timeNs, truth, estimate: truth, speedMPerS: 0 };
}

/** The compiled scenario of a part to the letter, so that the whole has the bytes of one that was never parted. */
async function writtenCompiled(
  recordings: Recordings,
  file: string,
  { compiled }: RecordingHeader,
): Promise<CompiledScenario> {
  const head = jsonOf(await recordings.headText(file)) as RecordingHead;
  return head.format === recordingFormat ? head.compiled : compiled;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function ofParts(message: string): Problem {
  return { path: 'parts', code: 'custom', message };
}

function unjoinable(problems: Problem[]): UnderstoryError {
  const lines = problems.map(({ message }) => message).join('; ');
  return new UnderstoryError('bad-input', `the parts cannot be joined: ${lines}`, { problems });
}
