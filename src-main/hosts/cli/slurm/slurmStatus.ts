// The part of a campaign's status that Slurm knows.
import { UnderstoryError } from '#contract/errors.ts';
import { countText } from '#domain/shared/formats.ts';
import { createNodeSharedResults } from '#hosts/node/nodeSharedResults.ts';
import { campaignFolderOf, jobIdIn } from './campaignFolder.ts';
import { tasksOfJob, type SlurmTasks } from './slurm.ts';

export interface SlurmStatus {
  jobId: string;
  /** Null: this machine has no Slurm to ask. */
  tasks: SlurmTasks | null;
  /** Runs that tasks have finished, collected or not. */
  results: number;
}

/** Status of the last job of a campaign; null: none was submitted. `dataFolder`: absolute. */
export async function slurmStatus(dataFolder: string, name: string): Promise<SlurmStatus | null> {
  const { folder, results } = campaignFolderOf(dataFolder, name);
  const jobId = jobIdIn(folder);
  if (jobId === null) return null;
  return {
    jobId,
    tasks: tasksOrNull(jobId),
    results: await createNodeSharedResults(results).count(),
  };
}

/** 'job 7: 3 tasks running, 2 waiting; 40 runs finished'. */
export function slurmLine({ jobId, tasks, results }: SlurmStatus): string {
  const state =
    tasks === null
      ? 'Slurm is not installed here'
      : `${countText(tasks.running)} tasks running, ${countText(tasks.pending)} waiting`;
  return `job ${jobId}: ${state}; ${countText(results)} runs finished (campaign collect)`;
}

function tasksOrNull(jobId: string): SlurmTasks | null {
  try {
    return tasksOfJob(jobId);
  } catch (error) {
    if (error instanceof UnderstoryError && error.code === 'unsupported') return null;
    throw error;
  }
}
