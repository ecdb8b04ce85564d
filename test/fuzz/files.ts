// Mutated files through everything that reads files of others, each target in a child process that is watched.
//   files.ts SECONDS [SEED] [TARGET]
// A target fails where an input is neither accepted nor refused by an UnderstoryError: a crash, another exception,
// more time or memory than its size allows, or a file written elsewhere. Every input follows from its seed;
// `files.ts 0 SEED TARGET` runs one again. A valid input that is refused is a failure, too.
import { fork, type ChildProcess } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { projectRoot } from '../stages.ts';
import type { Order, Report } from './child.ts';
import type { Target } from './target.ts';
import { targets } from './targets.ts';

const childFile = fileURLToPath(new URL('child.ts', import.meta.url));
const findingsFolder = join(projectRoot, 'build/fuzz');

/** CPU time that an input may take. Why not wall time: other processes take most of a busy machine. */
const cpuSecondsOf = (bytes: number): number => 4 + bytes / 20_000;
/** Wall time without an answer, where no CPU time is used: nothing is to be expected any more. */
const idleSeconds = 40;
/** Resident memory above that of the child before its first input. */
const memoryOf = (bytes: number): number => 600e6 + 400 * bytes;
/** Findings of a target, each another one, after which it ends. */
const maxFindings = 12;
const watchMs = 50;

const [seconds = '60', firstSeed = '1', only] = process.argv.slice(2);
const wanted = targets.filter(({ name }) => only === undefined || name === only);
if (wanted.length === 0) throw new Error(`there is no target '${only}'`);
for (const target of wanted) await fuzz(target, Number(seconds) / wanted.length);

async function fuzz(target: Target, forSeconds: number): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'understory-fuzz-'));
  const found = new Map<string, number>();
  const count = { inputs: 0, accepted: 0 };
  let child: Child | null = null;
  try {
    child = await openChild(target.name, folder);
    const { seeds } = child;
    const endMs = performance.now() + 1000 * forSeconds;
    const isReplay = forSeconds === 0;
    const first = isReplay ? [] : [...Array(seeds).keys()];
    let next = Math.max(isReplay ? 0 : seeds, Number(firstSeed));
    do {
      const seed = first.shift() ?? next++;
      child ??= await openChild(target.name, folder);
      const outcome = await child.run(seed);
      count.inputs += 1;
      if (outcome.kind === 'accepted') count.accepted += 1;
      else if (outcome.kind !== 'refused' || seed < seeds) {
        const sort = `${outcome.kind} ${outcome.message}`.replace(/\d+/g, '0').slice(0, 160);
        if (!found.has(sort)) note(target.name, seed, outcome, folder);
        found.set(sort, (found.get(sort) ?? 0) + 1);
      } else if (isReplay)
        console.log(`${target.name}: refused, ${outcome.code}: ${outcome.message}`);
      if (!child.isAlive()) child = null;
    } while (performance.now() < endMs && found.size < maxFindings);
  } catch (error) {
    console.error(`${target.name}:`, error);
    process.exitCode = 1;
  } finally {
    child?.end();
    rmSync(folder, { recursive: true, force: true });
  }
  if (found.size > 0) process.exitCode = 1;
  const counts = `${count.inputs} inputs from seed ${firstSeed}, ${count.accepted} accepted`;
  const findings = found.size > 0 ? `, ${found.size} FINDINGS` : '';
  console.log(`${target.name}: ${counts}${findings}`);
}

type Outcome = Extract<Report, { kind: 'accepted' | 'refused' | 'exception' }> | Lost;
/** The child was ended, or ended by itself. */
interface Lost {
  kind: 'crash' | 'time' | 'memory';
  message: string;
}

function note(target: string, seed: number, outcome: Outcome, folder: string): void {
  const own = join(findingsFolder, `${target}-${seed}`);
  mkdirSync(own, { recursive: true });
  const input = join(folder, 'in');
  // A child that ends while it prepares has none.
  if (existsSync(input)) cpSync(input, own, { recursive: true, force: true });
  const message = 'message' in outcome ? outcome.message : '';
  const replay = `node test/fuzz/files.ts 0 ${seed} ${target}`;
  writeFileSync(
    join(own, 'FINDING.txt'),
    `${target}, seed ${seed}: ${outcome.kind}\n${replay}\n${message}\n`,
  );
  console.error(
    `${target}, seed ${seed}: ${outcome.kind}: ${message.slice(0, 900)}\n  again: ${replay}`,
  );
}

interface Child {
  seeds: number;
  run(seed: number): Promise<Outcome>;
  isAlive(): boolean;
  end(): void;
}

async function openChild(target: string, folder: string): Promise<Child> {
  const permissions = [
    '--permission',
    '--allow-fs-read=*',
    `--allow-fs-write=${folder}`,
    ...['--allow-worker', '--allow-addons', '--allow-child-process'],
  ];
  const child = fork(childFile, [target, folder], {
    execArgv: [...permissions, '--no-warnings', '--max-old-space-size=2048'],
    env: { ...process.env, TMPDIR: folder, HOME: folder },
    stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
  });
  let stderr = '';
  child.stderr?.on('data', (data: Buffer) => (stderr = (stderr + data.toString()).slice(-3000)));
  const closed = new Promise<string>((resolve) => {
    child.on('close', (code, signal) => resolve(`it ended with ${signal ?? code}: ${stderr}`));
  });
  const ready = await Promise.race([nextReport(child), closed]);
  if (typeof ready === 'string' || ready.kind !== 'ready') throw new Error(JSON.stringify(ready));
  let isAlive = true;
  const before = residentBytes(child.pid);
  const end = (): void => {
    isAlive = false;
    child.kill('SIGKILL');
  };
  return {
    seeds: ready.seeds,
    isAlive: () => isAlive,
    end,
    run: (seed) =>
      new Promise((resolve) => {
        let bytes = 0;
        const [fromS, fromMs] = [cpuSeconds(child.pid), performance.now()];
        const finish = (outcome: Outcome): void => {
          clearInterval(timer);
          child.off('message', onReport);
          resolve(outcome);
        };
        const lose = (kind: Lost['kind'], message: string): void => {
          end();
          void closed.then(() => finish({ kind, message }));
        };
        const onReport = (report: Report): void => {
          if (report.kind === 'begun') bytes = report.bytes;
          else if (report.kind !== 'ready') finish(report);
        };
        const timer = setInterval(() => {
          if (!isAlive) return;
          const [usedS, tookMs] = [cpuSeconds(child.pid) - fromS, performance.now() - fromMs];
          const more = residentBytes(child.pid) - before;
          if (usedS > cpuSecondsOf(bytes)) {
            lose('time', `${usedS.toFixed(1)} s of CPU for ${bytes} bytes`);
          } else if (tookMs > 1000 * idleSeconds && usedS < tookMs / 20_000) {
            lose('time', `no answer to ${bytes} bytes, and ${usedS.toFixed(1)} s of CPU`);
          } else if (more > memoryOf(bytes)) {
            lose('memory', `${(more / 1e6).toFixed(0)} MB more for ${bytes} bytes`);
          }
        }, watchMs);
        void closed.then((message) => {
          if (!isAlive) return;
          isAlive = false;
          finish({ kind: 'crash', message });
        });
        child.on('message', onReport);
        child.send({ seed } satisfies Order);
      }),
  };
}

function nextReport(child: ChildProcess): Promise<Report> {
  return new Promise((resolve) => child.once('message', (report) => resolve(report as Report)));
}

/** 0 once the process is gone. */
function residentBytes(pid: number | undefined): number {
  return 4096 * Number(procText(pid, 'statm').split(' ')[1] ?? 0);
}

/** User and system time in hundredths of a second. */
function cpuSeconds(pid: number | undefined): number {
  const fields = procText(pid, 'stat')
    .replace(/^.*\) /, '')
    .split(' ');
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100;
}

function procText(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
