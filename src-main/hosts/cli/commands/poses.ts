// `understory poses`: where objects, vehicle and sensors are over an interval, as the lines of TUM files.
import type { Command } from 'commander';
import type { Columns } from '#contract/columns.ts';
import { UnderstoryError } from '#contract/errors.ts';
import type { Replies, RequestInputOf } from '#contract/host/methods.ts';
import type { PosesOf } from '#contract/host/runMethods.ts';
import { beginPartFile, type PartFile } from '#recordings/export/partFile.ts';
import { addAction, jsonText } from '../command.ts';
import type { Session } from '../session.ts';
import { countText, exactSecondsText } from '#domain/shared/formats.ts';
import { defined, type CommandHost } from './shared.ts';

/** Adds the command to the program. */
export function addPoses(program: Command, host: CommandHost): void {
  const help = `\n${formatHelp}`;
  addAction(program, host, 'scenario.poses', { help }, async (session, given) => {
    const { terminal } = session;
    const { out } = given.options;
    const reply = await beginPartFile(out, async (file) => {
      const written = await writePoses(session, given.request, file);
      await file.finish();
      return written;
    });
    terminal.endProgress();
    if (given.isJson) terminal.print(jsonText(reply));
    terminal.say(`${countText(reply.poses)} poses of ${countText(reply.objects)} in ${out}`);
  });
}

const formatHelp = `A line is: time_s x_m y_m z_m qx qy qz qw, as in files of the TUM RGB-D benchmark: worldFromThing, world ENU,
REP-103 axes, quaternion with w last. Lines are grouped by object; '# kind NAME' and its other data begin a group.
Without --step, moving objects are given at the end of each recorded tick, stationary ones once. At any time, vehicle and
sensors have the pose that a pulse of that time had, to rounding (recordings of version 0.1.0: at the ends of ticks).`;

async function writePoses(
  { call }: Session,
  request: RequestInputOf<'scenario.poses'>,
  file: PartFile,
): Promise<Replies['runs.poses']> {
  const write = (text: string): Promise<void> => file.append(new TextEncoder().encode(text));
  await write(`${formatHelp.replaceAll(/^/gm, '# ')}\n`);
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
      const { scenario: runId, objects, fromS, toS, stepS } = request;
      const asked = { runId, ...defined({ objects, fromS, toS, stepS }) };
      return (await call('runs.poses', asked, { onChunk })).reply;
    } catch (error) {
      if (!(error instanceof UnderstoryError) || error.code !== 'not-found') throw error;
    }
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
    text += `${exactSecondsText(BigInt(timeNs))} ${arrays.map((array) => String(array?.[row])).join(' ')}\n`;
  }
  return text;
}
