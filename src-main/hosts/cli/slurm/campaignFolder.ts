// The folder of a campaign that a cluster executes: DATA/campaigns/NAME with task.json, job.sh, job.json, results and logs.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { UnderstoryError } from '#contract/errors.ts';
import { readTextSync } from '#files/regularFileSync.ts';
import { writeWhole } from '../files.ts';
import type { ArrayTasks } from './arrayJob.ts';

/** The text of a campaign and the ranges of its tasks. */
const maxTaskBytes = 6.4e7;

export interface CampaignFolder {
  folder: string;
  results: string;
  tasksFile: string;
  scriptFile: string;
}

/** `dataFolder`: absolute. Nothing is made. */
export function campaignFolderOf(dataFolder: string, name: string): CampaignFolder {
  const folder = join(dataFolder, 'campaigns', name);
  return { folder, ...filesIn(folder) };
}

/** Names of the files in a folder that campaignFolderOf named. */
export function filesIn(folder: string): Omit<CampaignFolder, 'folder'> {
  return {
    results: join(folder, 'results'),
    tasksFile: join(folder, 'task.json'),
    scriptFile: join(folder, 'job.sh'),
  };
}

/** Makes the folder and writes what a job needs. Logs of an earlier job are removed. */
export function writeJob(
  { folder, tasksFile, scriptFile }: CampaignFolder,
  tasks: ArrayTasks,
  script: string,
): void {
  const logs = join(folder, 'logs');
  rmSync(logs, { recursive: true, force: true });
  mkdirSync(logs, { recursive: true });
  writeWhole(tasksFile, `${JSON.stringify(tasks)}\n`);
  writeWhole(scriptFile, script);
}

/** The id of the last job that was submitted; null: none was. */
export function jobIdIn(folder: string): string | null {
  try {
    const job = JSON.parse(readTextSync(join(folder, 'job.json'), maxTaskBytes)) as {
      jobId: string;
    };
    return job.jobId;
  } catch {
    // Why swallowed: no job was submitted.
    return null;
  }
}

export function saveJobId(folder: string, jobId: string): void {
  writeWhole(join(folder, 'job.json'), `${JSON.stringify({ jobId })}\n`);
}

/** @throws UnderstoryError 'not-found' */
export function readTasks(folder: string): ArrayTasks {
  const { tasksFile } = filesIn(folder);
  try {
    return JSON.parse(readTextSync(tasksFile, maxTaskBytes)) as ArrayTasks;
  } catch (error) {
    const message = `${tasksFile} cannot be read: ${(error as Error).message}`;
    throw new UnderstoryError('not-found', message);
  }
}
