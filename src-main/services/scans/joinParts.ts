// scan.join: parts of one scan become the file of the whole, byte for byte.
import { throwIfCancelled, UnderstoryError } from '#contract/errors.ts';
import { parseWith, type Problem } from '#contract/documents/problems.ts';
import { scanPartSchema, type ScanIdentity, type ScanPart } from '#contract/documents/scanPart.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { recordingFormat, type RecordingHead } from '#contract/host/recordingHead.ts';
import type { CompiledScenario } from '#contract/host/run.ts';
import type { HandlerContext, Handlers } from '#services/handlers.ts';
import type { Exporters, ExportTarget } from '#services/ports/exporters.ts';
import type { Files } from '#services/ports/files.ts';
import type { RecordingHeader, Recordings } from '#services/ports/recordings.ts';
import { expectTruth } from '#services/recordedTruth.ts';
import { scanFileFormatOf } from './scanFile.ts';
import { idTableFilesOf } from './idTables.ts';
import { partFileOf } from './scanParts.ts';

interface JoinPorts {
  files: Files;
  exporters: Exporters;
  recordings: Recordings;
}

interface NamedPart {
  file: string;
  part: ScanPart;
}

/** The handler of `scan.join`. */
export function joinHandler(ports: JoinPorts): Handlers<'scan'>['scan.join'] {
  return async (request, context) => {
    const { out } = request;
    const format = scanFileFormatOf(out);
    if (format === 'log') {
      const message = 'expected another format: `learn` takes several logs as they are';
      throw unjoinable([{ path: 'out', code: 'format', message }]);
    }
    const parts = await orderedParts(ports.files, request, context.signal);
    checkParts(parts, format);
    const whole = parts[0]?.part.whole;
    if (whole === undefined) throw new UnderstoryError('internal', 'there are no parts');
    const inputs = parts.flatMap(({ file }) => [file, partFileOf(file)]);
    const target = { isReplacing: request.isReplacing, inputs };
    const partFiles = parts.map(({ file }) => file);
    const written = [out];
    if (format === 'mcap') {
      await joinRecordings(ports, out, parts, target, context);
    } else {
      const { exporters } = ports;
      await exporters.join(out, partFiles, { ...target, format, signal: context.signal });
      written.push(...(await joinIdTables(ports, out, partFiles, target, context.signal)));
    }
    const rows = parts.reduce((sum, { part }) => sum + part.rows, 0);
    const [fromS, toS] = [whole.fromNs / 1e9, whole.toNs / 1e9];
    return { reply: { files: written, parts: parts.length, rows, fromS, toS } };
  };
}

/** In the order of their times. @throws 'bad-input' where one lacks what says what it holds */
async function orderedParts(
  files: Files,
  { parts }: Pick<RequestOf<'scan.join'>, 'parts'>,
  signal: AbortSignal,
): Promise<NamedPart[]> {
  const named: NamedPart[] = [];
  const problems: Problem[] = [];
  for (const file of parts) {
    const beside = partFileOf(file);
    if (!(await files.exists(file)) || !(await files.exists(beside))) {
      const missing = (await files.exists(file)) ? beside : file;
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

/** @throws 'bad-input' for gaps, overlaps, and parts of another scan */
function checkParts(parts: readonly NamedPart[], format: string): void {
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
  for (const { file, part } of parts) {
    if (part.fromNs !== endNs)
      throw unjoinable([seamProblem(endNs, part.fromNs, before, `'${file}'`)]);
    endNs = part.toNs;
    before = `'${file}'`;
  }
  if (endNs !== whole.toNs) {
    throw unjoinable([seamProblem(endNs, whole.toNs, before, 'the end of the scan')]);
  }
}

function seamProblem(endNs: number, nextNs: number, before: string, after: string): Problem {
  const kind = nextNs > endNs ? 'a gap' : 'an overlap';
  const [from, to] = [Math.min(endNs, nextNs) / 1e9, Math.max(endNs, nextNs) / 1e9];
  return ofParts(`${kind} of [${from} s, ${to} s) between ${before} and ${after}`);
}

/** The tables of ids that all parts have beside them. @returns the files written */
async function joinIdTables(
  { files, exporters }: Pick<JoinPorts, 'files' | 'exporters'>,
  out: string,
  parts: readonly string[],
  target: ExportTarget,
  signal: AbortSignal,
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
  out: string,
  parts: readonly NamedPart[],
  target: ExportTarget,
  { signal }: HandlerContext,
): Promise<void> {
  const open = await exporters.openTarget(out, target);
  let writer: Awaited<ReturnType<Recordings['create']>> | null = null;
  try {
    for (const { file } of parts) {
      const reader = await recordings.open(file);
      try {
        expectTruth(reader.header.compiled, 'a joined recording is made from');
        writer ??= await recordings.create(open.aside, {
          ...reader.header,
          compiled: await writtenCompiled(recordings, file, reader.header),
        });
        for await (const entry of reader.entries(true)) {
          throwIfCancelled(signal);
          if (entry.kind === 'tick') await writer.tick(entry.value);
          else if (entry.kind === 'scan') await writer.scan(entry.value);
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
