// Slurm's own commands: nothing else is talked to.
import { spawnSync } from 'node:child_process';
import { UnderstoryError } from '#contract/errors.ts';

/** Tasks of a job by state. */
export interface SlurmTasks {
  running: number;
  /** Waiting to be started, or to be started again. */
  pending: number;
}

/** Submits a script; returns the job's id. @throws 'unsupported' without Slurm, 'io' where it refuses */
export function submit(scriptFile: string): string {
  const id = ask('sbatch', ['--parsable', scriptFile]).trim().split(';')[0] ?? '';
  if (/^\d+$/.test(id)) return id;
  throw new UnderstoryError('io', `sbatch answered '${id}', where the id of a job was expected`);
}

/** Tasks of a job that have not ended. @throws as `submit` */
export function tasksOfJob(jobId: string): SlurmTasks {
  const args = ['--noheader', '--array', '--jobs', jobId, '--format=%T'];
  const { error, status, stdout, stderr } = run('squeue', args);
  // Slurm has forgotten a job some minutes after its end.
  if (status !== 0 && /invalid job id/i.test(stderr)) return { running: 0, pending: 0 };
  if (error !== undefined || status !== 0) throw failed('squeue', error, stderr);
  const states = stdout.split('\n').filter((line) => line !== '');
  const running = states.filter((state) => state === 'RUNNING' || state === 'COMPLETING').length;
  return { running, pending: states.length - running };
}

function ask(command: string, args: string[]): string {
  const { error, status, stdout, stderr } = run(command, args);
  if (error === undefined && status === 0) return stdout;
  throw failed(command, error, stderr);
}

function run(command: string, args: string[]) {
  return spawnSync(command, args, { encoding: 'utf8' });
}

function failed(command: string, error: Error | undefined, stderr: string): UnderstoryError {
  if (error !== undefined && (error as NodeJS.ErrnoException).code === 'ENOENT') {
    return new UnderstoryError(
      'unsupported',
      `Slurm is not installed here: there is no ${command}`,
    );
  }
  const reason = (error?.message ?? stderr).trim();
  return new UnderstoryError('io', `${command} failed: ${reason}`);
}
