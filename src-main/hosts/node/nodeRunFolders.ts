// The RunFolders port: DATA/runs/<id>/{recording.mcap,lock,host.lock}, DATA/trash/<id> for what was deleted, and
// DATA/campaigns/<name>.lock. Why two locks: the run process outlives its host for a moment, and the host its run process;
// a run is marked as interrupted only when both are free.
import { existsSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { failureReason } from '#files/failureReason.ts';
import type { RunFiles, RunFolders } from '#services/ports/files.ts';
import { makeFolders } from './makeFolders.ts';

/** A folder that is younger may be that of a run whose row is just being written. */
const abandonedMs = 3_600_000;

/** @throws (each method) UnderstoryError 'disk-full' | 'io' */
export function createNodeRunFolders({ dataFolder }: { dataFolder: string }): RunFolders {
  const folderOf = (runId: string): string => join(dataFolder, 'runs', folderName(runId));
  const files = (runId: string): RunFiles => ({
    recordingFile: join(folderOf(runId), 'recording.mcap'),
    lockFile: join(folderOf(runId), 'lock'),
    hostLockFile: join(folderOf(runId), 'host.lock'),
  });
  const trash = join(dataFolder, 'trash');
  const recordingFile = (runId: string): string => {
    const { recordingFile: file } = files(runId);
    const trashed = join(trash, runId, basename(file));
    return !existsSync(dirname(file)) && existsSync(dirname(trashed)) ? trashed : file;
  };
  const sideFile = (runId: string, name: string): string =>
    join(dirname(recordingFile(runId)), name);
  return {
    dataFolder,
    files,
    recordingFile,
    sideFile,
    dataFile: (name) => join(dataFolder, name),
    discard: (runId, others) => {
      const folder = folderOf(runId);
      asFailure(folder, () => {
        for (const file of others) rmSync(file, { force: true });
        rmSync(folder, { recursive: true, force: true });
      });
    },
    removeRecording: (runId) => {
      const { recordingFile: file } = files(runId);
      asFailure(file, () => rmSync(file, { force: true }));
    },
    create: (runId) => {
      asFailure(folderOf(runId), () => makeFolders(folderOf(runId)));
      return files(runId);
    },
    campaignLockFile: (name) => {
      const folder = join(dataFolder, 'campaigns');
      asFailure(folder, () => makeFolders(folder));
      return join(folder, `${folderName(name)}.lock`);
    },
    recordingBytes: (runId) =>
      statSync(recordingFile(runId), { throwIfNoEntry: false })?.size ?? null,
    list: () => {
      const runs = join(dataFolder, 'runs');
      if (!existsSync(runs)) return [];
      const entries = readdirSync(runs, { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])).sort();
    },
    removeLeftovers: (runId, hasRow) => {
      const { recordingFile: file, lockFile, hostLockFile } = files(runId);
      const folder = folderOf(runId);
      if (!existsSync(folder)) return false;
      asFailure(folder, () => {
        for (const path of [`${file}.part`, `${lockFile}-journal`, `${hostLockFile}-journal`]) {
          rmSync(path, { force: true });
        }
      });
      const locks = [lockFile, hostLockFile].map((path) => basename(path));
      const isEmpty = readdirSync(folder).every((name) => locks.includes(name));
      if (hasRow || !isEmpty || Date.now() - statSync(folder).mtimeMs < abandonedMs) return false;
      asFailure(folder, () => rmSync(folder, { recursive: true, force: true }));
      return true;
    },
    moveToTrash: (runId) => {
      asFailure(trash, () => {
        makeFolders(trash);
        if (existsSync(folderOf(runId))) renameSync(folderOf(runId), join(trash, runId));
      });
    },
    restoreFromTrash: (runId) => {
      const folder = folderOf(runId);
      asFailure(folder, () => {
        makeFolders(dirname(folder));
        if (existsSync(join(trash, runId))) renameSync(join(trash, runId), folder);
      });
    },
    removeFromTrash: (runId) => {
      const folder = join(trash, folderName(runId));
      const recording = join(folder, basename(files(runId).recordingFile));
      const bytes = statSync(recording, { throwIfNoEntry: false })?.size ?? 0;
      asFailure(folder, () => rmSync(folder, { recursive: true, force: true }));
      return bytes;
    },
  };
}

/** @throws UnderstoryError 'corrupt' for an id that would lead out of the folder of runs */
function folderName(runId: string): string {
  if (/^[\w-]+$/.test(runId)) return runId;
  throw new UnderstoryError('corrupt', `expected the id of a run, found '${runId}'`, { runId });
}

function asFailure(path: string, act: () => void): void {
  try {
    act();
  } catch (error) {
    if (error instanceof UnderstoryError) throw error;
    const code = (error as NodeJS.ErrnoException).code === 'ENOSPC' ? 'disk-full' : 'io';
    throw new UnderstoryError(code, `'${path}' cannot be written: ${failureReason(error)}`, {
      path,
    });
  }
}
