// runs.unpack: runs from a bundle, a bare recording, or another data folder. A bundle is checked as a whole before
// anything of it is written.
import { isCancelled, throwIfCancelled, toWire, UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { RunOrigin } from '#contract/host/run.ts';
import { bytesText } from '#domain/shared/formats.ts';
import type { HandlerContext } from '#services/handlers.ts';
import type { BundleReader } from '#services/ports/bundles.ts';
import type { Catalogue } from '#services/ports/catalogue.ts';
import type { RunFolders, ScratchFiles } from '#services/ports/files.ts';
import type { AdoptPorts } from '#services/runs/adoptRuns.ts';
import type { Machine } from '#services/ports/system.ts';
import type { AgainPorts } from '#services/runs/simulateAgain.ts';
import { readBundledRun, type BundledRunParts } from './bundledRuns.ts';
import { importRun, type IncomingRun } from './importRun.ts';
import { packRuns, type PackPorts } from './packRuns.ts';
import { runOfRecording } from './recordedRun.ts';
import { commandsName, heightsName, lastName, readHeights } from '#services/runs/sideFiles.ts';

export interface UnpackPorts
  extends Omit<PackPorts, 'recordings'>, Omit<AdoptPorts, 'files'>, AgainPorts {
  machine: Pick<Machine, 'availableMemoryBytes' | 'freeDiskBytes'>;
  scratch: ScratchFiles;
  /** Opens another data folder, to be read only. */
  openDataFolder(folder: string): { catalogue: Catalogue; folders: RunFolders };
}

type Unpacked = Replies['runs.unpack'];

/** A file or folder to unpack. */
export interface Incoming {
  /** Absolute. */
  path: string;
  /** Its owner's name for it, without folders: the origin of its runs. */
  name: string;
}

/** @throws UnderstoryError 'corrupt' | 'unsupported' | 'disk-full' | 'not-found' | 'bad-input' | 'io' | 'cancelled' */
export async function unpackRuns(
  ports: UnpackPorts,
  { path, name }: Incoming,
  context: HandlerContext,
): Promise<Unpacked> {
  const kind = await ports.bundles.kindOf(path);
  if (kind === 'data-folder') return unpackFolder(ports, path, context);
  if (kind === 'bundle') {
    const runs = await unpackBundle(ports, path, { kind, file: name }, context);
    return { runs, refused: [] };
  }
  const { bytes, incoming } = await runOfRecording(ports, { path, name }, context);
  expectFreeSpace(ports, bytes);
  return { runs: [await importRun(ports, incoming, context)], refused: [] };
}

async function unpackBundle(
  ports: UnpackPorts,
  path: string,
  origin: Pick<RunOrigin, 'kind' | 'file'>,
  context: HandlerContext,
): Promise<Unpacked['runs']> {
  const { signal, progress } = context;
  const onBytes = (bytes: number): void =>
    progress({ phase: `checking ${bytesText(bytes)}`, done: 0, total: 0 });
  const reader = await ports.bundles.open(path, { signal, onBytes });
  try {
    const read = (identity: string): Promise<BundledRunParts> =>
      readBundledRun(path, reader, identity, ports);
    // Why twice: the scenarios of all runs together may be more than the memory holds.
    const shared = new Set<string>();
    for (const identity of reader.runs) {
      throwIfCancelled(signal);
      for (const entry of (await read(identity)).shared) shared.add(entry);
    }
    await reader.checkAll(shared);
    expectFreeSpace(
      ports,
      [...reader.entries.values()].reduce((sum, { bytes }) => sum + bytes, 0),
    );
    const runs: Unpacked['runs'] = [];
    for (const [index, identity] of reader.runs.entries()) {
      throwIfCancelled(signal);
      const incoming = incomingRun(ports, reader, await read(identity), origin);
      runs.push(await importRun(ports, incoming, context));
      progress({ phase: 'unpacking', done: index + 1, total: reader.runs.length });
    }
    return runs;
  } finally {
    await reader.close();
  }
}

function incomingRun(
  { folders, files }: UnpackPorts,
  reader: BundleReader,
  parts: BundledRunParts,
  origin: Pick<RunOrigin, 'kind' | 'file'>,
): IncomingRun {
  const { identity, run, compiled, stored, scans, commands, meshes, heights, recording } = parts;
  let ownId = '';
  return {
    identity,
    run,
    compiled,
    stored,
    scans,
    origin,
    heights: async () =>
      heights === null ? new Float32Array() : readHeights(files, folders, ownId),
    writeFiles: async (runId) => {
      ownId = runId;
      if (heights !== null) await reader.extract(heights, folders.sideFile(runId, heightsName));
      if (commands !== null) {
        const name = `runs/${identity}/${commandsName}`;
        await reader.extract(name, folders.sideFile(runId, commandsName));
      }
      const written: string[] = [];
      for (const { entry, file: name } of meshes) {
        const file = folders.dataFile(name);
        const isThere = await files.exists(file);
        // Why hashed: its name says what it was, not what it is. One that was changed is replaced.
        const hash = isThere ? await files.freshHash(file, () => undefined) : null;
        if (hash === reader.entries.get(entry)?.sha256) continue;
        await reader.extract(entry, file);
        if (!isThere) written.push(file);
      }
      return written;
    },
    writeRecording: recording === null ? null : (file) => reader.extract(recording, file),
  };
}

/** Each run of another data folder goes through a bundle: the same checks, and the same result. */
async function unpackFolder(
  ports: UnpackPorts,
  path: string,
  context: HandlerContext,
): Promise<Unpacked> {
  const { catalogue, folders } = ports.openDataFolder(path);
  const origin = { kind: 'data-folder', file: lastName(path) } as const;
  const reply: Unpacked = { runs: [], refused: [] };
  try {
    for (const row of catalogue.runs()) {
      throwIfCancelled(context.signal);
      try {
        expectFreeSpace(ports, 2 * (folders.recordingBytes(row.id) ?? 0));
        const from = { ...ports, catalogue, folders };
        const runs = await ports.scratch.use('understory', async (out) => {
          const drawings = { pictures: false, page: false };
          const options = { out, isReplacing: false, recording: true, clouds: [], ...drawings };
          await packRuns(from, [row], options, context);
          return unpackBundle(ports, out, origin, context);
        });
        reply.runs.push(...runs);
      } catch (error) {
        const { code, message } = toWire(error);
        if (isCancelled(error) || code === 'disk-full') throw error;
        reply.refused.push({ runId: row.id, reason: message });
      }
    }
    return reply;
  } finally {
    catalogue.dispose();
  }
}

/** @throws UnderstoryError 'disk-full' before anything is written */
function expectFreeSpace({ machine, folders }: UnpackPorts, neededBytes: number): void {
  const freeBytes = machine.freeDiskBytes(folders.dataFolder);
  if (freeBytes >= neededBytes) return;
  const message =
    `unpacking takes ${bytesText(neededBytes)}, but ${folders.dataFolder} has only ` +
    `${bytesText(freeBytes)} free`;
  throw new UnderstoryError('disk-full', message, { neededBytes, freeBytes });
}
