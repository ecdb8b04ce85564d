// The port Octrees on a real disk: KEY.octree in a folder of the cache, and KEY.points of scans without one. Guarantees: a
// file has that name only when it is whole; a build or scan that fails, is cancelled or dies leaves none; those used
// longest ago go while all together exceed the limit; an octree that is open can be read until the host ends, also when
// it was removed.
import { existsSync } from 'node:fs';
import { readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { toWire, UnderstoryError } from '#contract/errors.ts';
import { bytesText } from '#domain/shared/formats.ts';
import { failureReason } from '#files/failureReason.ts';
import { naming, syncPath } from '#files/appendFile.ts';
import { isAlive, partNameOf } from '#recordings/export/partName.ts';
import { buildBytesPerPoint } from '#recordings/octree/buildOctree.ts';
import { pointsNear } from '#recordings/octree/measureDistances.ts';
import { nearestPointBytes } from '#recordings/octree/nearestPoints.ts';
import { nodePointBytes } from '#recordings/octree/octreeLayout.ts';
import { openOctree, type OpenOctree } from '#recordings/octree/octreeReader.ts';
import { createSavedPoints, openSavedPoints } from '#recordings/octree/savedPoints.ts';
import type { BuildOptions, Octrees } from '#services/ports/octrees.ts';
import type { Log, Machine } from '#services/ports/system.ts';
import { entryFileBeside } from '../entryFile.ts';
import { createJobThread } from './jobThread.ts';
import type { OctreeJobs } from './octreeEntry.ts';
import { makeFolders } from './makeFolders.ts';
import type { WorkLimits } from './watchedThread.ts';

export interface NodeOctreesOptions {
  folder: string;
  machine: Pick<Machine, 'freeDiskBytes' | 'availableMemoryBytes'>;
  log?: Pick<Log, 'warn'>;
  /** Size of all octrees together; the newest stays, whatever its size. */
  maxBytes?: number;
}

interface OctreeJob {
  name: keyof OctreeJobs;
  args: readonly unknown[];
  /** As messages name what it reads. */
  file: string;
  points: number;
  neededBytes: number;
}

const entryFile = entryFileBeside(import.meta.url, 'octreeEntry');
/** Ten clouds of 80 million points. */
const defaultMaxBytes = 16e9;
/** Stays free beside what a build needs. */
const reserveBytes = 500e6;
const endings = { octree: '.octree', scan: '.points' };
const limits: WorkLimits = {
  // Between two reports of progress, of which one comes each 65,536 points or cube.
  cpuS: 120,
  // Distances to the largest cloud need most: 2.3 GB. Sorting needs a tenth, however large a cloud is.
  memoryBytes: 3e9,
};

/** The adapter. Nothing is made before it is needed. */
export function createNodeOctrees(options: NodeOctreesOptions): Octrees {
  const { folder, machine, log, maxBytes = defaultMaxBytes } = options;
  const scanFileOf = (key: string): string => join(folder, `${key}${endings.scan}`);
  const fileOf = (key: string): string => join(folder, `${key}${endings.octree}`);
  const { find, findTwo, dispose } = createOpened(fileOf, log);

  /** Makes the file of a key by a job whose last argument is the name to write it by. */
  async function make(
    key: string,
    { file: source, neededBytes, ...job }: OctreeJob,
    { signal, progress }: BuildOptions,
  ): Promise<void> {
    prepareFolder(folder);
    expectRoom(machine, folder, { ...job, neededBytes });
    const file = fileOf(key);
    const aside = partNameOf(file);
    const thread = createJobThread(entryFile, { ...(log && { log }), isKept: true });
    try {
      const args = [...job.args, aside];
      const { name } = job;
      await thread.run({ name, args, file: source, limits: () => limits, signal, progress });
      await naming(file, () => rename(aside, file));
      await syncPath(folder);
    } finally {
      thread.end();
      await rm(aside, { force: true });
    }
  }

  /** After a file was made. */
  async function reopened(key: string, { keep = [] }: BuildOptions): Promise<OpenOctree> {
    const file = fileOf(key);
    await clear(folder, { maxBytes, kept: [file, ...keep.map(fileOf)] });
    const octree = await find(key);
    if (octree === null) throw new UnderstoryError('io', `${file} cannot be read again`);
    return octree;
  }

  return {
    find,
    async build(cloud, options) {
      const { file, key, returns: points } = cloud;
      const neededBytes = points * buildBytesPerPoint;
      await make(key, { name: 'build', args: [cloud], file, points, neededBytes }, options);
      if (cloud.kind === 'scan') await rm(file, { force: true });
      return reopened(key, options);
    },
    async measure({ from, to, key }, options) {
      const file = fileOf(from);
      const [own, other] = await findTwo(from, to);
      expectMemory(machine, pointsNear(own.head, other) * nearestPointBytes);
      const { points, hasColour } = own.head;
      const neededBytes = points * nodePointBytes({ hasColour, distances: { to } });
      const args = [file, fileOf(to), key];
      await make(key, { name: 'measure', args, file, points, neededBytes }, options);
      return reopened(key, options);
    },
    saveScan({ heldReturns, ...about }) {
      prepareFolder(folder);
      const aside = partNameOf(join(folder, `scan${endings.scan}`));
      const points = createSavedPoints(aside, about, heldReturns);
      return {
        add: (table) => points.add(table),
        async save(key) {
          if (!(await points.end(key))) return false;
          const file = scanFileOf(key);
          await naming(file, () => rename(aside, file));
          await syncPath(folder);
          await clear(folder, { maxBytes, kept: [file] });
          return true;
        },
        async end() {
          await points.close();
          await rm(aside, { force: true });
        },
      };
    },
    async savedScan(key) {
      const file = scanFileOf(key);
      try {
        const points = await openSavedPoints(file);
        await points.close();
        return { kind: 'scan', file, key, returns: points.maxPoints };
      } catch (error) {
        if (toWire(error).code === 'not-found') return null;
        throw error;
      }
    },
    async pointFile(file, signal) {
      const thread = createJobThread(entryFile, { ...(log && { log }), isKept: true });
      try {
        const job = { name: 'pointFile', args: [file], file, limits: () => limits, signal };
        return (await thread.run(job)) as ReturnType<OctreeJobs['pointFile']>;
      } finally {
        thread.end();
      }
    },
    dispose,
  };
}

/** Octrees that are open: a page asks for nodes some times a second. */
function createOpened(
  fileOf: (key: string) => string,
  log: NodeOctreesOptions['log'],
): {
  find: (key: string) => Promise<OpenOctree | null>;
  /** Those of which both files are there. */
  findTwo: (one: string, other: string) => Promise<[OpenOctree, OpenOctree]>;
  dispose: () => Promise<void>;
} {
  const opened = new Map<string, Promise<OpenOctree | null>>();
  return {
    find,
    async findTwo(one, other) {
      // Why: what is open would be found again without its file.
      for (const key of [one, other]) if (!existsSync(fileOf(key))) opened.delete(key);
      const [first, second] = [await find(one), await find(other)];
      if (first !== null && second !== null) return [first, second];
      throw new UnderstoryError('not-found', 'a cloud left the cache: open it again');
    },
    async dispose() {
      const octrees = await Promise.all([...opened.values()]);
      opened.clear();
      for (const octree of octrees) await octree?.close();
    },
  };

  async function find(key: string): Promise<OpenOctree | null> {
    const opening = opened.get(key) ?? open(key);
    opened.set(key, opening);
    const found = await opening;
    if (found === null) opened.delete(key);
    return found;
  }

  async function open(key: string): Promise<OpenOctree | null> {
    const file = fileOf(key);
    try {
      const octree = await openOctree(file);
      // Used now: the next clearing takes others first.
      const now = new Date();
      await utimes(file, now, now).catch(() => undefined);
      return octree;
    } catch (error) {
      const { code, message } = toWire(error);
      if (code !== 'not-found') log?.warn('an octree cannot be used', { file, message });
      return null;
    }
  }
}

function prepareFolder(folder: string): void {
  try {
    makeFolders(folder);
  } catch (error) {
    const reason = failureReason(error);
    throw new UnderstoryError('io', `the folder '${folder}' cannot be made: ${reason}`);
  }
}

/** @throws UnderstoryError 'disk-full' */
function expectRoom(
  machine: NodeOctreesOptions['machine'],
  folder: string,
  { points, ...job }: Pick<OctreeJob, 'points' | 'neededBytes'>,
): void {
  const neededBytes = job.neededBytes + reserveBytes;
  const freeBytes = machine.freeDiskBytes(folder);
  if (freeBytes >= neededBytes) return;
  const message = `an octree of ${points} points needs ${bytesText(neededBytes)}, but ${folder} has only ${bytesText(freeBytes)} free`;
  throw new UnderstoryError('disk-full', message, { neededBytes, freeBytes });
}

/** @throws UnderstoryError 'unsupported' */
function expectMemory(machine: NodeOctreesOptions['machine'], neededBytes: number): void {
  const freeBytes = machine.availableMemoryBytes();
  if (freeBytes >= neededBytes) return;
  const message = `distances to this cloud need ${bytesText(neededBytes)} of memory, and ${bytesText(freeBytes)} are free`;
  throw new UnderstoryError('unsupported', message, { neededBytes, freeBytes });
}

/** Removes the files that were not used for longest, and what processes that are gone have left. */
async function clear(
  folder: string,
  { maxBytes, kept }: { maxBytes: number; kept: readonly string[] },
): Promise<void> {
  const names = await readdir(folder);
  for (const name of names) {
    const pid = /\.(?:octree|points)\.(\d+)-[0-9a-f]{8}\.part/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await rm(join(folder, name), { force: true });
  }
  const found = await Promise.all(
    names
      .filter((name) => Object.values(endings).some((ending) => name.endsWith(ending)))
      .map(async (name) => {
        const path = join(folder, name);
        // Another host clears the same folder.
        const stats = await stat(path).catch(() => null);
        return { path, bytes: stats?.size ?? 0, usedMs: stats?.mtimeMs ?? 0 };
      }),
  );
  let total = found.reduce((sum, { bytes }) => sum + bytes, 0);
  for (const { path, bytes } of found.sort((a, b) => a.usedMs - b.usedMs)) {
    if (total <= maxBytes) return;
    if (kept.includes(path)) continue;
    await rm(path, { force: true });
    total -= bytes;
  }
}
