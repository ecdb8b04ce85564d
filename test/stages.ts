// Runs the stages of a test command one after another and counts what passed and what failed.
// A stage is one process; its output streams through, and its counts are read from its closing lines. Neighbouring
// stages of one thread each run two at a time; each prints its output when it ends.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

export interface Stage {
  name: string;
  command: string;
  args: string[];
  env?: Record<string, string>;
  /** Pattern of the counts in the output; without it the stage counts as one test. */
  counts?: 'vitest' | 'doctest';
  /** Uses one core only. */
  isSingleThreaded?: boolean;
}

interface Outcome {
  passed: number;
  failed: number;
}

export const projectRoot = fileURLToPath(new URL('..', import.meta.url));

/** An npm tool's own entry file, run by this very Node. */
export function nodeTool(name: string, entry: string, args: string[], counts?: 'vitest'): Stage {
  const stage: Stage = { name, command: process.execPath, args: [entry, ...args] };
  return counts === undefined ? stage : { ...stage, counts };
}

/** Tests of vitest, chosen by parts of their files' names. */
export function suite(name: string, args: string[]): Stage {
  return nodeTool(name, 'node_modules/vitest/vitest.mjs', ['run', ...args], 'vitest');
}

/** The stages whose name contains one of the command's arguments; all where it has none. */
export function wantedOf(stages: Stage[]): Stage[] {
  const wanted = process.argv.slice(2);
  return stages.filter(
    ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
  );
}

/** Runs every stage, the rest too when one fails; prints 'N passed, N failed' and sets the exit code. */
export async function runStages(stages: Stage[]): Promise<void> {
  const total: Outcome = { passed: 0, failed: 0 };
  const failedStages: string[] = [];
  const count = (stage: Stage, outcome: Outcome): void => {
    total.passed += outcome.passed;
    total.failed += outcome.failed;
    if (outcome.failed > 0) failedStages.push(stage.name);
  };
  for (let next = 0; next < stages.length;) {
    const rest = stages.slice(next);
    const end = rest.findIndex(({ isSingleThreaded }) => isSingleThreaded !== true);
    const group = end === -1 ? rest : rest.slice(0, end);
    const [stage] = rest;
    if (group.length > 0) await runTwoAtATime(group, count);
    else if (stage !== undefined) count(stage, await reported(stage, process.stdout));
    next += Math.max(1, group.length);
  }
  if (failedStages.length > 0) console.log(`\nfailed: ${failedStages.join(', ')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 ? 0 : 1;
}

async function runTwoAtATime(
  stages: readonly Stage[],
  count: (stage: Stage, outcome: Outcome) => void,
): Promise<void> {
  const waiting = [...stages];
  const work = async (): Promise<void> => {
    for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift()) {
      const lines: (string | Uint8Array)[] = [];
      count(stage, await reported(stage, { write: (text) => lines.push(text) }));
      for (const line of lines) process.stdout.write(line);
    }
  };
  await Promise.all([work(), work()]);
}

/** Where a stage writes. */
interface Sink {
  write(text: string | Uint8Array): unknown;
}

async function reported(stage: Stage, sink: Sink): Promise<Outcome> {
  const started = performance.now();
  sink.write(`\n=== ${stage.name}\n`);
  const outcome = await runStage(stage, sink);
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  sink.write(`=== ${stage.name}: ${outcome.failed === 0 ? 'ok' : 'FAILED'} in ${seconds} s\n`);
  return outcome;
}

function runStage({ command, args, env, counts }: Stage, sink: Sink): Promise<Outcome> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: projectRoot,
      env: { ...process.env, ...env, FORCE_COLOR: '0', NO_COLOR: '1' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let tail = '';
    const onData = (data: Buffer): void => {
      sink.write(data);
      tail = (tail + data.toString()).slice(-20_000);
    };
    child.stdout.on('data', onData);
    child.stderr.on('data', onData);
    child.on('error', (error) => {
      sink.write(`${error.message}\n`);
      resolve({ passed: 0, failed: 1 });
    });
    child.on('close', (code) => resolve(outcomeOf(code === 0, tail, counts)));
  });
}

/** A stage that ended badly has failed at least once, and one that ran no test has not passed. */
function outcomeOf(isOk: boolean, output: string, counts: Stage['counts']): Outcome {
  if (counts === undefined) return isOk ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };
  const pattern =
    counts === 'vitest'
      ? /^\s*Tests\s+(?:(?<failed>\d+) failed \| )?(?<passed>\d+) passed/m
      : /test cases:\s+\d+ \|\s+(?<passed>\d+) passed \|\s+(?<failed>\d+) failed/;
  const groups = pattern.exec(output)?.groups;
  const passed = Number(groups?.['passed'] ?? 0);
  const failed = Number(groups?.['failed'] ?? 0);
  return { passed, failed: isOk && passed > 0 ? failed : Math.max(1, failed) };
}
