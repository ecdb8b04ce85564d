// How the worker over MPI ranks is started: with srun inside an allocation of Slurm, else with mpirun. Rank 0 has the
// pipes of the command. Why nothing is bound to cores: each rank has a thread that sends and receives beside those that
// trace.

export interface MpiCommand {
  command: string;
  args: string[];
  /** Added to the environment. */
  environment: Record<string, string>;
}

/** @param environment of this process: says whether it is inside an allocation, and as whom it runs */
export function mpiCommand(
  ranks: number,
  worker: readonly string[],
  environment: Record<string, string | undefined>,
  isRoot: boolean,
): MpiCommand {
  if (environment['SLURM_JOB_ID'] !== undefined) {
    return {
      command: 'srun',
      args: [
        ...['--ntasks', String(ranks), '--mpi=pmix', '--input=0', '--unbuffered'],
        ...['--kill-on-bad-exit=1', '--cpu-bind=none', '--overlap', ...worker],
      ],
      environment: {},
    };
  }
  return {
    command: 'mpirun',
    args: ['-n', String(ranks), '--bind-to', 'none', '--oversubscribe', ...worker],
    // Why: containers run as root, and Open MPI refuses that unless both are set.
    environment: isRoot ? { OMPI_ALLOW_RUN_AS_ROOT: '1', OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: '1' } : {},
  };
}

/** The sentence of mpirun or srun about a rank that has ended, in lines of stderr; null: there is none. */
export function lostRank(lines: readonly string[]): string | null {
  const text = lines.join(' ');
  const [, rank, how] =
    /process rank (\d+) with PID \d+ on node \S+ exited on (signal \d+ \([^)]*\))/.exec(text) ?? [];
  if (rank !== undefined) return `rank ${rank} was ended by ${how}`;
  const [, task, state] = /srun: error: \S+: task (\d+): (\w+)/.exec(text) ?? [];
  return task === undefined ? null : `rank ${task} has ended: ${state}`;
}
