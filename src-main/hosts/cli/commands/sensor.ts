// `understory sensor`: the sensors that come with Understory, what is wrong with a file, and what a sensor is
// like, in words, as data and as a picture.
import type { Command } from 'commander';
import { badInput, UnderstoryError } from '#contract/errors.ts';
import {
  describedColumns,
  type SensorDescriptionColumns,
} from '#contract/worker/sensorDescription.ts';
import { sensorSummary } from '#domain/shared/sensorSummary.ts';
import { parseNumber } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { prepareFile, writeWhole } from '../files.ts';
import { withSession } from '../session.ts';
import { tableLines } from '../table.ts';
import { defined, optionsOf, withSettings, type CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addSensor(program: Command, host: CommandHost): void {
  const sensor = program.command('sensor').description('list, check and show sensors');
  addList(sensor, host);
  addCheck(sensor, host);
  addShow(sensor, host);
}

function addList(sensor: Command, { surroundings, end }: CommandHost): void {
  const command = sensor
    .command('list')
    .description('the sensors that come with Understory')
    .option('--json', 'print as JSON')
    .action(async () => {
      const options = optionsOf<{ json?: boolean }>(command);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const { reply } = await call('sensor.list', {});
        if (options.json === true) return terminal.print(JSON.stringify(reply, null, 2));
        const lines = tableLines(reply, [
          { title: 'id', value: ({ id }) => id },
          { title: 'name', value: ({ name }) => name },
          { title: 'file', value: ({ file }) => file },
        ]);
        for (const line of lines) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

function addCheck(sensor: Command, { surroundings, end }: CommandHost): void {
  const command = withSettings(
    sensor
      .command('check')
      .description('every problem of a sensor file')
      .argument('<sensor>', 'a sensor file, or the id of a sample')
      .option('--json', 'print the problems as JSON'),
  ).action(async (name: string) => {
    const options = optionsOf<{ json?: boolean; set?: string[] }>(command);
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { problems } = (
        await call('sensor.check', { sensor: name, ...defined({ settings: options.set }) })
      ).reply;
      if (options.json === true) terminal.print(JSON.stringify(problems, null, 2));
      if (problems.length > 0) {
        throw new UnderstoryError('bad-input', `sensor '${name}' has problems`, { problems });
      }
      terminal.say(`${name}: no problems`);
    });
    end(exitCodes.ok);
  });
}

interface ShowOptions {
  out?: string;
  range?: number;
  rateHz?: number;
  mode?: string;
  seed?: number;
  json?: boolean;
  force?: boolean;
  set?: string[];
}

function addShow(sensor: Command, { surroundings, end }: CommandHost): void {
  const command = withSettings(
    sensor
      .command('show')
      .description('a sensor as it is simulated: footprint, lasers, pulses of a scan, rates')
      .argument('<sensor>', 'a sensor file, or the id of a sample')
      .option('--out <file>', 'ends in .png')
      .option('--force', 'replace the file where there is one')
      .option('--range <m>', 'at which the footprint is drawn; default: 10', parseNumber)
      .option('--rate-hz <r>', "turns, scans or lines a second; default: the sensor's", parseNumber)
      .option('--mode <mode>', "return mode; default: the sensor's")
      .option('--seed <n>', 'of rays that are drawn, and of biases; default: 1', parseNumber)
      .option('--json', 'print everything but the pulses as JSON'),
  ).action(async (name: string) => {
    const options = optionsOf<ShowOptions>(command);
    const { rateHz, mode, seed, range } = options;
    if (options.out !== undefined) checkPicture(options.out);
    const out =
      options.out === undefined
        ? null
        : prepareFile(surroundings, options.out, { ...options, inputs: [name] });
    await withSession(surroundings, options, async ({ call, terminal }) => {
      const { reply, columns: received = {} } = await call('sensor.show', {
        sensor: name,
        ...defined({ rateHz, mode, seed, rangeM: range, settings: options.set }),
      });
      terminal.endProgress();
      const columns = describedColumns(received);
      if (out !== null) {
        // Why only now: the charts' library would slow the start of every command.
        const { drawSensor } = await import('../pictures/sensorPicture.ts');
        writeWhole(out, drawSensor({ shown: reply, columns }));
      }
      if (options.json === true) {
        const rows = { rays: rowsOf(columns, 'ray_'), lasers: rowsOf(columns, 'laser_') };
        terminal.print(JSON.stringify({ ...reply, ...rows }, null, 2));
      } else {
        terminal.print(`${reply.sensor.name} (${reply.sensor.id})`);
        const sections = sensorSummary(reply);
        const width = Math.max(...sections.map(({ title }) => title.length)) + 2;
        for (const { title, lines } of sections) {
          for (const [index, line] of lines.entries()) {
            terminal.print(`${(index === 0 ? title : '').padEnd(width)}${line}`);
          }
        }
      }
      if (out !== null) terminal.say(`drawn in ${out}`);
    });
    end(exitCodes.ok);
  });
}

/** @throws UnderstoryError 'bad-input' for a name that promises something else than a PNG */
function checkPicture(file: string): void {
  if (/\.png$/i.test(file)) return;
  const message = `expected a file that ends in .png, found '${file}'`;
  throw badInput('out', message, { code: 'format', title: 'no picture can be drawn there' });
}

/** Rows of the columns that begin so, as objects. */
function rowsOf(columns: SensorDescriptionColumns, prefix: string): Record<string, number>[] {
  const named = Object.entries(columns).filter(([name]) => name.startsWith(prefix));
  return Array.from({ length: named[0]?.[1].length ?? 0 }, (_, row) =>
    Object.fromEntries(
      named.map(([name, array]) => [name.slice(prefix.length), Number(array[row])]),
    ),
  );
}
