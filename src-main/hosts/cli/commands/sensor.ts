// `understory sensor`: the sensors that come with Understory, what is wrong with a file, and what a sensor is
// like, in words, as data and as a picture.
import type { Command } from 'commander';
import { badInput } from '#contract/errors.ts';
import {
  describedColumns,
  type SensorDescriptionColumns,
} from '#contract/worker/sensorDescription.ts';
import { sensorSummary } from '#domain/shared/sensorSummary.ts';
import { addAction, addCommand, jsonText, type Given } from '../command.ts';
import { writeWhole } from '../files.ts';
import { tableLines } from '../table.ts';
import { refuseProblems } from './refusals.ts';
import type { CommandHost } from './shared.ts';

/** Adds the commands to the program. */
export function addSensor(program: Command, host: CommandHost): void {
  const sensor = program.command('sensor').description('list, check and show sensors');
  addCommand(sensor, host, 'sensor.list', {
    lines: (reply) =>
      tableLines(reply, [
        { title: 'id', value: ({ id }) => id },
        { title: 'name', value: ({ name }) => name },
        { title: 'file', value: ({ file }) => file },
      ]),
  });
  addCommand(sensor, host, 'sensor.check', {
    json: ({ problems }) => problems,
    says: ({ problems, notices }, { request: { sensor: name } }) => {
      refuseProblems(`sensor '${name}'`, problems);
      return [...notices.map(({ path, message }) => `${path}: ${message}`), `${name}: no problems`];
    },
  });
  addShow(sensor, host);
}

function addShow(sensor: Command, host: CommandHost): void {
  const check = ({ options: { out } }: Given<'sensor.show'>): void => {
    if (out !== undefined) checkPicture(out);
  };
  addAction(sensor, host, 'sensor.show', { check }, async ({ call, terminal }, given) => {
    const { out } = given.options;
    const { reply, columns: received = {} } = await call('sensor.show', given.request);
    terminal.endProgress();
    const columns = describedColumns(received);
    if (out !== undefined) {
      // Why only now: the charts' library would slow the start of every command.
      const { drawSensor } = await import('../pictures/sensorPicture.ts');
      writeWhole(out, drawSensor({ shown: reply, columns }));
    }
    if (given.isJson) {
      const rows = { rays: rowsOf(columns, 'ray_'), lasers: rowsOf(columns, 'laser_') };
      terminal.print(jsonText({ ...reply, ...rows }));
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
    if (out !== undefined) terminal.say(`drawn in ${out}`);
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
