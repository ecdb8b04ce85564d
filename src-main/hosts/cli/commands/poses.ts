// `understory poses`: where objects, vehicle and sensors are over an interval, as the lines of TUM files.
import type { Command } from 'commander';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies } from '#contract/host/methods.ts';
import type { PosesOf } from '#contract/host/runMethods.ts';
import { beginPartFile, type PartFile } from '#recordings/export/partFile.ts';
import { parseList, parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile } from '../files.ts';
import { withSession, type Session } from '../session.ts';
import { countText } from '#domain/shared/formats.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface PosesOptions {
  out: string;
  objects?: string[];
  from?: number;
  to?: number;
  step?: number;
  seed?: number;
  json?: boolean;
  force?: boolean;
}

/** Adds the command to the program. */
export function addPoses(program: Command, { surroundings, end }: CommandHost): void {
  const command = program
    .command('poses')
    .description('where objects, vehicle and sensors are, as text')
    .argument('<scenario|run>', 'id of a run or its beginning; a scenario file, or a sample')
    .requiredOption('--out <file>', 'the text file to write')
    .option('--force', 'replace the file where there is one')
    .option('--objects <a,b>', 'only these; * matches anything, as in tree-*', parseList)
    .option('--from <s>', 'from this simulated time on', parseNumber)
    .option('--to <s>', 'up to this simulated time, included', parseNumber)
    .option('--step <s>', 'at these steps; default: at the end of each tick', parseNumber)
    .option('--seed <n>', 'of a scenario; default: its own', parseNumber)
    .option('--json', 'print the result as JSON')
    .addHelpText('after', `\n${formatHelp}`)
    .action(async (name: string) => {
      const options = optionsOf<PosesOptions>(command);
      const out = prepareFile(surroundings, options.out, { ...options, inputs: [name] });
      await withSession(surroundings, options, async (session) => {
        const { terminal } = session;
        const reply = await beginPartFile(out, async (file) => {
          const written = await writePoses(session, name, options, file);
          await file.finish();
          return written;
        });
        terminal.endProgress();
        if (options.json === true) terminal.print(JSON.stringify(reply, null, 2));
        const { poses, objects } = reply;
        terminal.say(`${countText(poses)} poses of ${countText(objects)} in ${out}`);
      });
      end(exitCodes.ok);
    });
}

const formatHelp = `A line is: time_s x_m y_m z_m qx qy qz qw, as in files of the TUM RGB-D benchmark: worldFromThing, world ENU,
REP-103 axes, quaternion with w last. Lines are grouped by object; '# kind NAME' and its other data begin a group.
Without --step, moving objects are given at the end of each recorded tick, stationary ones once. At any time, vehicle and
sensors have the pose that a pulse of that time had, to rounding (recordings of version 0.1.0: at the ends of ticks).`;

async function writePoses(
  { call }: Session,
  name: string,
  { objects, from, to, step, seed }: PosesOptions,
  file: PartFile,
): Promise<Replies['runs.poses']> {
  const write = (text: string): Promise<void> => file.append(new TextEncoder().encode(text));
  await write(`${formatHelp.replaceAll(/^/gm, '# ')}\n`);
  const interval = defined({ objects, fromS: from, toS: to, stepS: step });
  // Why gathered: a scene has as many groups as instances, most of one line.
  let gathered = '';
  const onChunk = async (body: unknown, columns: Columns): Promise<void> => {
    gathered += groupText(body as PosesOf, columns);
    if (gathered.length < 1 << 20) return;
    await write(gathered);
    gathered = '';
  };
  const reply = await callEither();
  await write(gathered);
  return reply;

  /** A run, or where there is none of that name, a scenario. */
  async function callEither(): Promise<Replies['runs.poses']> {
    try {
      return (await call('runs.poses', { runId: name, ...interval }, { onChunk })).reply;
    } catch (error) {
      if (!(error instanceof UnderstoryError) || error.code !== 'not-found') throw error;
    }
    const request = { scenario: name, ...interval, ...defined({ seed }) };
    return (await call('scenario.poses', request, { onChunk })).reply;
  }
}

const poseColumnNames = ['x_m', 'y_m', 'z_m', 'qx', 'qy', 'qz', 'qw'];

function groupText({ kind, name, class: className, scale }: PosesOf, columns: Columns): string {
  const details = [
    className === '' ? '' : ` class ${className}`,
    scale === 1 ? '' : ` scale ${scale}`,
  ].join('');
  const arrays = poseColumnNames.map((column) => columns[column]);
  const times = columns['time_ns'] ?? new BigInt64Array();
  let text = `# ${kind === name ? kind : `${kind} ${name}`}${details}\n`;
  for (const [row, timeNs] of times.entries()) {
    text += `${secondsText(BigInt(timeNs))} ${arrays.map((array) => String(array?.[row])).join(' ')}\n`;
  }
  return text;
}

/** Exact: nine decimals. */
function secondsText(timeNs: bigint): string {
  return `${timeNs / 1_000_000_000n}.${String(timeNs % 1_000_000_000n).padStart(9, '0')}`;
}
