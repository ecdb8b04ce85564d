// Entries of a bundle for people without the product: pictures of its runs, and pages that open from disk.
import type { Catalogue, RunRow } from '#services/ports/catalogue.ts';
import {
  pictureNames,
  type DrawnRun,
  type ListedRun,
  type RunDrawings,
} from '#services/ports/runDrawings.ts';
import { openRunRecording, type RunRecordingPorts } from '#services/runs/openRun.ts';
import type { BundleWriter } from '#services/ports/bundles.ts';
import type { RunContents } from './runContents.ts';

export interface DrawingPorts extends RunRecordingPorts {
  catalogue: Pick<Catalogue, 'sceneSummary'>;
  /** Loaded when something is drawn. */
  drawings: () => Promise<RunDrawings>;
}

/** A run of the bundle that is written. */
export interface PackedContents {
  row: RunRow;
  identity: string;
  hasRecording: boolean;
  listed: ListedRun;
}

type ContentsOf = (row: RunRow) => Promise<RunContents>;
type Entry = (writer: BundleWriter) => Promise<void>;

/** One run in the list of a page about several. */
export function listedRun({ identity, run, compiled }: RunContents): ListedRun {
  const { sensors, scenario } = compiled;
  return { identity, run, sensors: sensors.map(({ name }) => name), seed: scenario.seed };
}

/** The pictures of a run with a recording, by name; those that it has nothing for are not written. */
export function pictureEntries(
  ports: DrawingPorts,
  { row, identity }: PackedContents,
  contentsOf: ContentsOf,
  signal: AbortSignal,
): Map<string, Entry> {
  let drawn: Promise<Record<string, Uint8Array | null>> | null = null;
  const draw = async (): Promise<Record<string, Uint8Array | null>> => {
    const contents = await contentsOf(row);
    const drawings = await ports.drawings();
    const recording = await openRunRecording(ports, row);
    try {
      return await drawings.pictures(drawnRun(ports, row, contents), recording, signal);
    } finally {
      await recording.close();
    }
  };
  const last = pictureNames.at(-1);
  return new Map(
    pictureNames.map((name) => {
      const entry = `runs/${identity}/pictures/${name}`;
      return [
        entry,
        async (writer) => {
          const png = (await (drawn ??= draw()))[name];
          if (png !== undefined && png !== null) await writer.add(entry, png);
          // Why: of many runs only the pictures of one are in memory.
          if (name === last) drawn = null;
        },
      ];
    }),
  );
}

/** One page, or several and the list of them, by name. */
export function pageEntries(
  ports: DrawingPorts,
  packed: readonly PackedContents[],
  contentsOf: ContentsOf,
  signal: AbortSignal,
): Map<string, Entry> {
  // The last run of an identity counts: among equal runs one with a recording.
  const ordered = [...packed].sort((a, b) => Number(a.hasRecording) - Number(b.hasRecording));
  const byIdentity = new Map(ordered.map((one) => [one.identity, one]));
  const runs = [...byIdentity.values()].sort((a, b) => (a.identity < b.identity ? -1 : 1));
  const entries = new Map<string, Entry>();
  const text = async (writer: BundleWriter, name: string, page: string): Promise<void> =>
    writer.add(name, new TextEncoder().encode(page));
  for (const { row, identity } of runs) {
    const name = runs.length === 1 ? 'index.html' : `runs/${identity}/index.html`;
    entries.set(name, async (writer) =>
      text(writer, name, await pageOf(ports, row, await contentsOf(row), signal)),
    );
  }
  if (runs.length > 1) {
    const listed = runs.map((run) => run.listed);
    entries.set('index.html', async (writer) =>
      text(writer, 'index.html', (await ports.drawings()).list(listed)),
    );
  }
  return entries;
}

async function pageOf(
  ports: DrawingPorts,
  row: RunRow,
  contents: RunContents,
  signal: AbortSignal,
): Promise<string> {
  const drawings = await ports.drawings();
  const drawn = drawnRun(ports, row, contents);
  if (!contents.hasRecording) return drawings.page(drawn, null, signal);
  const recording = await openRunRecording(ports, row);
  try {
    return await drawings.page(drawn, recording, signal);
  } finally {
    await recording.close();
  }
}

function drawnRun(
  { catalogue }: Pick<DrawingPorts, 'catalogue'>,
  row: RunRow,
  { identity, run, compiled, scans }: RunContents,
): DrawnRun {
  const summary = catalogue.sceneSummary(row.id);
  const extentM = summary && { minM: summary.minM, maxM: summary.maxM };
  return { identity, run, compiled, scans: scans.tick.length, extentM };
}
