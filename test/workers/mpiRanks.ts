// Whether this machine has MPI, and the processes of its ranks.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { mpiWorkerBinary } from '#hosts/packageFolders.ts';

/** Prints why tests of ranks are left out, where they are. */
export function hasMpi(): boolean {
  const isInstalled = spawnSync('mpirun', ['--version'], { stdio: 'ignore' }).status === 0;
  const isBuilt = mpiWorkerBinary !== null && existsSync(mpiWorkerBinary);
  if (isInstalled && isBuilt) return true;
  const reason = isInstalled ? 'scanWorkerMpi is not built' : 'Open MPI is not installed';
  console.log(`${reason}: scans over MPI ranks are not tested`);
  return false;
}

/** Process ids by rank, of the ranks that mpirun (a process id) has started. */
export function rankPids(mpirun: number): number[] {
  const children = readFileSync(`/proc/${mpirun}/task/${mpirun}/children`, 'utf8');
  const pids: number[] = [];
  for (const pid of children.trim().split(/\s+/).map(Number)) {
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
    const [, rank] =
      /=(\d+)/.exec(environment.find((entry) => entry.startsWith('OMPI_COMM_WORLD_RANK=')) ?? '') ??
      [];
    if (rank !== undefined) pids[Number(rank)] = pid;
  }
  return pids;
}
