// An array job of Slurm that executes a campaign: its script, and what its tasks read. Pure.

export interface ArrayJobOptions {
  /** Name of the campaign. */
  name: string;
  tasks: number;
  /** Tasks under way at a time; null: as many as Slurm allows. */
  atOnce: number | null;
  /** As Slurm writes it, such as 02:00:00; null: the limit of the partition. */
  time: string | null;
  partition: string | null;
  cpusPerTask: number;
  /** Absolute, on all nodes: holds task.json, results and logs. */
  folder: string;
  /** Program and first arguments of the command line, absolute, on all nodes. */
  command: readonly string[];
}

/** Contents of task.json: what every task needs. */
export interface ArrayTasks {
  /** A file (absolute), or the name of a sample. */
  campaign: string;
  /** Contents of the file when the job was submitted; left out: of a sample. */
  text?: string;
  /** Engine of the machine that submitted the job; results of another are never collected. */
  engine?: string;
  /** Places in the plan, by task. */
  tasks: number[][];
}

/** Seconds before its time limit at which a task is asked to end. */
const warningS = 60;
/** Exit code of a command that was interrupted (exitCodes.ts). */
const interrupted = 130;

/**
 * The script of the job. A task works in a folder of its node, which it removes. Asked to end before its runs have ended,
 * as by its time limit, it queues itself again; after the loss of its node Slurm does.
 */
export function arrayScript(options: ArrayJobOptions): string {
  const { name, tasks, atOnce, time, partition, cpusPerTask, folder, command } = options;
  const directives = [
    `--job-name=${name}`,
    `--array=0-${tasks - 1}${atOnce === null ? '' : `%${atOnce}`}`,
    `--ntasks=1`,
    `--cpus-per-task=${cpusPerTask}`,
    `--requeue`,
    `--open-mode=append`,
    `--output=${fileOfSlurm(folder)}`,
    `--signal=B:TERM@${warningS}`,
    ...(time === null ? [] : [`--time=${time}`]),
    ...(partition === null ? [] : [`--partition=${partition}`]),
  ];
  return `#!/bin/sh
${directives.map((line) => `#SBATCH ${line}`).join('\n')}
scratch=$(mktemp -d "\${SLURM_TMPDIR:-\${TMPDIR:-/tmp}}/understory.XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
child=
stop() { if [ -n "$child" ]; then kill -TERM "$child" 2>/dev/null; fi; }
trap stop TERM
UNDERSTORY_CACHE=$scratch/cache
export UNDERSTORY_CACHE
${command.map(quoted).join(' ')} --data "$scratch/data" campaign task ${quoted(folder)} "$SLURM_ARRAY_TASK_ID" &
child=$!
# A signal ends a wait before the command has ended.
while :; do
  wait "$child"
  code=$?
  kill -0 "$child" 2>/dev/null || break
done
if [ "$code" -eq ${interrupted} ] && [ -n "\${SLURM_ARRAY_JOB_ID:-}" ]; then
  scontrol requeue "\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
fi
exit "$code"
`;
}

/** Places in the plan, cut into tasks of neighbours. */
export function tasksOf(indices: readonly number[], runsPerTask: number): number[][] {
  const tasks: number[][] = [];
  for (let from = 0; from < indices.length; from += runsPerTask) {
    tasks.push(indices.slice(from, from + runsPerTask));
  }
  return tasks;
}

/** The log of each task, as sbatch reads it: % begins a name of its own, and spaces end a word. */
function fileOfSlurm(folder: string): string {
  return `"${folder.replaceAll('%', '%%').replaceAll(/["\\]/g, String.raw`\$&`)}/logs/%a.log"`;
}

/** A word of a shell. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
