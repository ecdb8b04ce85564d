// `npm run campaign:long`: a campaign of many short runs, undisturbed, and the same killed again and again at seeded
// instants, one in each equal part of the duration that is expected of it, start-ups and recoveries included. Prints wall
// times and the host's peak of memory. Fails where the results differ by one byte, more runs were repeated than were
// under way, or memory grows with the runs. `--runs N` (10,000), `--kills K` (60), `--folder DIR` for the data.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCatalogue } from '#catalogue/catalogue.ts';
import { childrenOf } from '#test/hosts/runProcess/realRun.ts';
import { mainFile } from '#test/support/commandLine.ts';
import { seededRandom } from '#test/recordings/samples.ts';

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '10000' },
    kills: { type: 'string', default: '60' },
    folder: { type: 'string' },
    json: { type: 'string' },
  },
});
const runs = Number(values.runs);
const kills = Number(values.kills);
/** Runs of one scene: heights of the sensor. */
const pitches = 10;
/** Memory of the host at most, and beside that after so many runs. */
const [maxRssMB, maxRssGrowth, earlyRuns] = [300, 1.1, 1000];
/** Between two counts of the runs that are done: each opens the catalogue. */
const countEveryMs = 1000;
const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'understory-campaign-'));
mkdirSync(folder, { recursive: true });

const file = join(folder, 'long.campaign.yaml');
writeFileSync(
  file,
  `understoryCampaign: 1
name: long
scenarios: [clearing]
sensors: [lms-291]
vary: { pitch: { set: 'sensors[0].mount.pitchDeg', range: [-4, 5], steps: ${pitches} } }
replicates: ${Math.ceil(runs / pitches)}
measures:
  points: points
  energyJ: energyJ
  positionErrorM: positionErrorM
  grass: returns(class = 'grass')
  oakSeen: count(scans, returns(instance = 'oak-a') >= 5)
limits: { simSeconds: 1 }
`,
);

interface Part {
  wallS: number;
  /** Peak of the process of the campaign command, over all its starts. */
  hostPeakRssMB: number;
  /** After the first `earlyRuns`; null: there were no more. */
  earlyPeakRssMB: number | null;
  attempts: number;
  table: string;
  /** From the start of the command to its first run that is done. */
  startUpS: number;
}

const undisturbed = await execute('undisturbed', 0, null);
const { wallS, hostPeakRssMB, attempts, startUpS } = undisturbed;
console.log(`undisturbed: ${JSON.stringify({ wallS, hostPeakRssMB, attempts, startUpS })}`);
const disturbed = await execute('disturbed', kills, undisturbed);
const repeated = disturbed.attempts - runs;
const areEqual = disturbed.table === undisturbed.table;
const report = {
  runs,
  kills,
  wallS: disturbed.wallS,
  undisturbedWallS: undisturbed.wallS,
  secondsPerRun: undisturbed.wallS / runs,
  hostPeakRssMB: Math.max(disturbed.hostPeakRssMB, undisturbed.hostPeakRssMB),
  hostRssGrowth:
    undisturbed.hostPeakRssMB / (undisturbed.earlyPeakRssMB ?? undisturbed.hostPeakRssMB),
  repeated,
  areEqual,
};
console.log(JSON.stringify(report, null, 2));
if (values.json !== undefined) writeFileSync(values.json, `${JSON.stringify(report, null, 2)}\n`);
if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
// Each kill ends what two processes had under way, and each of them may have begun another run.
const hasRoom = report.hostPeakRssMB <= maxRssMB && report.hostRssGrowth <= maxRssGrowth;
process.exitCode = areEqual && repeated <= 4 * kills && hasRoom ? 0 : 1;

/**
 * Executes the campaign in a data folder of its own; a third of the kills each end the host, a run process, a worker.
 * @param calm the same without kills; null: there are none
 */
async function execute(name: string, killCount: number, calm: Part | null): Promise<Part> {
  const data = join(folder, name);
  const random = seededRandom(runs + killCount);
  const shares = Array.from({ length: killCount }, (_, index) => {
    // Why not to the end: a campaign that has ended cannot be killed.
    return (0.95 * (index + random())) / killCount;
  });
  const startMs = performance.now();
  const elapsedS = (): number => (performance.now() - startMs) / 1000;
  let startUpS = 0;
  let hostPeakRssMB = 0;
  let earlyPeakRssMB: number | null = null;
  let [done, countedMs] = [0, -Infinity];
  let child = start(data);
  let killed = 0;
  /** The share of the expected duration that has passed; that of the runs where kills take longer than runs. */
  const shareNow = (done: number): number => {
    if (calm === null) return 0;
    const runS = (calm.wallS - calm.startUpS) / runs;
    const leftS = (runs - done) * runS + (killCount - killed) * calm.startUpS;
    return Math.max(done / runs, elapsedS() / (elapsedS() + leftS));
  };
  for (;;) {
    hostPeakRssMB = Math.max(hostPeakRssMB, peakRssMB(child));
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - countedMs > (startUpS === 0 ? 0 : countEveryMs)) {
      [done, countedMs] = [doneRuns(data), performance.now()];
    }
    if (startUpS === 0 && done > 0) startUpS = elapsedS();
    if (done >= earlyRuns && done < runs) earlyPeakRssMB ??= hostPeakRssMB;
    if (hasEnded && done >= runs) break;
    if (hasEnded && child.signalCode === null) throw new Error(`it ended after ${done} runs`);
    const share = shareNow(done);
    if (hasEnded) child = start(data);
    else if (killed < killCount && share >= (shares[killed] ?? 1) && kill(child, killed % 3)) {
      killed += 1;
      const percent = `${(100 * share).toFixed(1)} %`;
      console.log(`${name}: kill ${killed} of ${killCount} at ${percent}, ${done} runs done`);
    }
    // Why not even: so that the instants fall anywhere in a run.
    await new Promise((resolve) => setTimeout(resolve, 50 + random() * 100));
  }
  if (killed < killCount) throw new Error(`only ${killed} of ${killCount} kills took place`);
  const catalogue = openCatalogue(join(data, 'catalogue.sqlite'));
  try {
    const rows = catalogue.campaignRuns(catalogue.campaign('long')?.key ?? 0);
    const table = rows.map(({ planIndex, state, identity, measures }) =>
      JSON.stringify({ planIndex, state, identity, measures }),
    );
    return {
      wallS: elapsedS(),
      hostPeakRssMB,
      earlyPeakRssMB,
      startUpS,
      attempts: rows.reduce((sum, { attempts }) => sum + attempts, 0),
      table: table.join('\n'),
    };
  } finally {
    catalogue.dispose();
  }
}

function start(data: string): ChildProcess {
  const args = [mainFile, '--data', data, '--quiet', 'campaign', 'run', file];
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
}

/** Ends the host with all that it started, or one run process, or one worker; false: there was none yet. */
function kill(child: ChildProcess, kind: number): boolean {
  const { pid } = child;
  if (pid === undefined || child.exitCode !== null) return false;
  const processes = childrenOf(pid);
  const workers = processes.flatMap((each) => childrenOf(each));
  const all = [pid, ...processes, ...workers];
  const targets = kind === 0 ? all : kind === 1 ? processes.slice(0, 1) : workers.slice(0, 1);
  for (const target of targets) {
    try {
      process.kill(target, 'SIGKILL');
    } catch {
      // Why swallowed: it has just ended by itself.
    }
  }
  return targets.length > 0;
}

function doneRuns(data: string): number {
  try {
    const catalogue = openCatalogue(join(data, 'catalogue.sqlite'));
    try {
      const row = catalogue.campaign('long');
      return row === null ? 0 : catalogue.campaignCounts(row.key).done;
    } finally {
      catalogue.dispose();
    }
  } catch {
    return 0; // it is just being made
  }
}

/** VmHWM, MB; 0 where the process is gone. */
function peakRssMB({ pid }: ChildProcess): number {
  try {
    const match = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
    return Number(match?.[1] ?? 0) / 1000;
  } catch {
    return 0;
  }
}
