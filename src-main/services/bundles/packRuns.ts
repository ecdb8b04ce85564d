// runs.pack: runs into one file. Equal runs give equal bytes: what differs between machines and moments is left out,
// and entries are sorted. At most one run's contents are in memory.
import { throwIfCancelled } from '#contract/errors.ts';
import type { ExportFormat } from '#contract/host/exportFormats.ts';
import type { PackedRun } from '#contract/host/runMethods.ts';
import { canonicalJson } from '#domain/scenario/canonicalJson.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { Bundles, BundleWriter } from '#services/ports/bundles.ts';
import type { RunRow } from '#services/ports/catalogue.ts';
import { bytesOf, contentsOfRun, type ContentPorts, type RunContents } from './runContents.ts';
import { atField } from '#services/runs/exportedScans.ts';
import { commandsName } from '#services/runs/sideFiles.ts';
import {
  listedRun,
  pageEntries,
  pictureEntries,
  type DrawingPorts,
  type PackedContents,
} from './packDrawings.ts';

export interface PackPorts extends ContentPorts, Pick<DrawingPorts, 'drawings'> {
  bundles: Bundles;
  version: string;
  /** Writes the points of a run into a file. */
  exportCloud(
    runId: string,
    format: ExportFormat,
    out: string,
    context: HandlerContext,
  ): Promise<unknown>;
}

export interface PackOptions {
  out: string;
  isReplacing: boolean;
  recording: boolean;
  clouds: readonly ExportFormat[];
  /** With pictures of the runs that have a recording. */
  pictures: boolean;
  /** `index.html`, which opens from disk. */
  page: boolean;
}

type Entry = (writer: BundleWriter) => Promise<void>;

/** @throws UnderstoryError as contentsOfRun, and where the file cannot be written; nothing is left then */
export async function packRuns(
  ports: PackPorts,
  rows: readonly RunRow[],
  { out, isReplacing, recording, clouds, pictures, page }: PackOptions,
  context: HandlerContext,
): Promise<{ file: string; bytes: number; runs: PackedRun[] }> {
  const { signal, progress } = context;
  const packed: PackedContents[] = [];
  const entries = new Map<string, Entry>();
  const contentsAgain = lastContents(ports, signal);
  for (const [index, row] of rows.entries()) {
    throwIfCancelled(signal);
    const contents = await contentsOfRun(ports, row, signal);
    const { identity, hasRecording } = contents;
    const one = { row, identity, hasRecording, listed: listedRun(contents) };
    packed.push(one);
    addEntries(entries, row, contents);
    if (pictures && contents.hasRecording) {
      addAll(entries, pictureEntries(ports, one, contentsAgain, signal));
    }
    progress({ phase: 'reading runs', done: index + 1, total: rows.length });
  }
  if (page) addAll(entries, pageEntries(ports, packed, contentsAgain, signal));
  const onBytes = (): void => progress({ phase: 'packing', done: written, total: names.length });
  const names = [...entries.keys()].sort();
  let written = 0;
  const writer = await ports.bundles
    .create(out, isReplacing, { signal, onBytes })
    .catch((error: unknown) => {
      throw atField('out', error);
    });
  try {
    for (const name of names) {
      throwIfCancelled(signal);
      await entries.get(name)?.(writer);
      written += 1;
      onBytes();
    }
    const identities = [...new Set(packed.map(({ identity }) => identity))].sort();
    const runs = packed.map(({ row, identity }) => ({ runId: row.id, identity }));
    return { file: out, bytes: await writer.finish(identities), runs };
  } catch (error) {
    await writer.abort();
    throw error;
  }

  function addEntries(to: Map<string, Entry>, row: RunRow, contents: RunContents): void {
    const folder = `runs/${contents.identity}`;
    const json = (name: string, valueOf: (contents: RunContents) => unknown): void => {
      to.set(`${folder}/${name}`, async (writer_) => {
        const text = canonicalJson(valueOf(await contentsAgain(row)));
        await writer_.add(`${folder}/${name}`, new TextEncoder().encode(text));
      });
    };
    json('run.json', ({ run }) => run);
    json('scenario.json', ({ stored }) => stored);
    json('scans.json', ({ scans }) => scans);
    if (contents.commands !== null) json(commandsName, ({ commands }) => commands);
    const { heights } = contents.run;
    if (heights !== null) {
      const name = `heights/${heights}.f32`;
      to.set(name, async (w) => w.add(name, bytesOf((await contentsAgain(row)).heights)));
    }
    for (const [name, file] of contents.meshFiles) to.set(name, (w) => w.addFile(name, file, true));
    for (const [name, text] of contents.meshSets) {
      to.set(name, (w) => w.add(name, new TextEncoder().encode(text)));
    }
    if (recording && contents.hasRecording) {
      const name = `${folder}/recording.mcap`;
      to.set(name, (w) => w.addFile(name, ports.folders.recordingFile(row.id), false));
    }
    for (const format of clouds) {
      const name = `${folder}/clouds/points.${format}`;
      to.set(name, async (w) => {
        const file = w.scratchName(`.${format}`);
        await ports.exportCloud(row.id, format, file, context);
        await w.addFile(name, file, format !== 'npz' && format !== 'parquet');
      });
    }
  }
}

function addAll(to: Map<string, Entry>, added: ReadonlyMap<string, Entry>): void {
  for (const [name, entry] of added) to.set(name, entry);
}

/** Contents of the run that was asked for last stay: the entries of a run follow one another. */
function lastContents(
  ports: PackPorts,
  signal: AbortSignal,
): (row: RunRow) => Promise<RunContents> {
  let last: { id: string; contents: RunContents } | null = null;
  return async (row) => {
    if (last?.id !== row.id) {
      last = { id: row.id, contents: await contentsOfRun(ports, row, signal) };
    }
    return last.contents;
  };
}
