// `understory log ranges`: where beams of a log that pass a place end, and where learned models have them end.
import { basename, resolve } from 'node:path';
import type { Command } from 'commander';
import type { RequestInputOf } from '#contract/host/methods.ts';
import type { PlaceReply } from '#contract/worker/learnedViews.ts';
import { countText } from '#domain/shared/formats.ts';
import { rangeCurves, type RangeCurve } from '#domain/shared/rangeCurves.ts';
import { parseNumber, parsePosition } from '../arguments.ts';
import { exitCodes } from '../exitCodes.ts';
import { withSession } from '../session.ts';
import { tableLines, type TableColumn } from '../table.ts';
import { defined, optionsOf, type CommandHost } from './shared.ts';

interface RangesOptions {
  at: [number, number, number];
  radius?: number;
  window?: number;
  bins?: number;
  seed?: number;
  json?: boolean;
}

export function addRanges(log: Command, { surroundings, end }: CommandHost): void {
  const command = log
    .command('ranges')
    .description(
      'where beams that pass a place end, in a log and in models (Deschaud 2012, figure 1)',
    )
    .argument('<x.log>')
    .argument('[model...]', 'files of `learn`, up to 8')
    .requiredOption('--at <x,y,z>', 'the place, in the world: metres', parsePosition)
    .option('--radius <m>', 'beams pass nearer than this; default: 0.1', parseNumber)
    .option('--window <m>', 'ranges so far before and behind the place; default: 1', parseNumber)
    .option('--bins <n>', 'of the window; default: 50', parseNumber)
    .option('--seed <n>', 'of the ranges that models draw', parseNumber)
    .option('--json', 'print shares, by bin of the window too, as JSON')
    .action(async (name: string, models: string[]) => {
      const options = optionsOf<RangesOptions>(command);
      const { radius: radiusM, window: windowM, bins, seed } = options;
      const absolute = (file: string): string => resolve(surroundings.workingFolder, file);
      await withSession(surroundings, options, async ({ call, terminal }) => {
        const request: RequestInputOf<'learn.place'> = {
          log: absolute(name),
          models: models.map(absolute),
          placeM: options.at,
          ...defined({ radiusM, windowM, bins, seed }),
        };
        const { reply, columns } = await call('learn.place', request);
        terminal.endProgress();
        const counts = columns?.['counts'];
        const own = counts instanceof Uint32Array ? counts : new Uint32Array(0);
        const names = [name, ...models].map((file) => basename(file));
        const curves = rangeCurves(names, reply.outcomes, own);
        if (options.json === true) terminal.print(JSON.stringify({ ...reply, curves }, null, 2));
        else for (const line of linesOf(reply, curves)) terminal.print(line);
      });
      end(exitCodes.ok);
    });
}

const columns: readonly TableColumn<RangeCurve>[] = [
  { title: 'beams that end', value: ({ name }) => name, maxLength: 40 },
  { title: 'before %', value: ({ before }) => percent(before), align: 'right' },
  { title: 'here %', value: ({ within }) => percent(within), align: 'right' },
  { title: 'behind %', value: ({ behind }) => percent(behind), align: 'right' },
  { title: 'misses %', value: ({ missed }) => percent(missed), align: 'right' },
  { title: 'Bhattacharyya', value: ({ distance }) => distanceText(distance), align: 'right' },
];

function linesOf(reply: PlaceReply, curves: readonly RangeCurve[]): string[] {
  const { beams, sensorM } = reply;
  if (sensorM === null) return ['no beam passes here: a larger --radius, or a point of the log'];
  return [
    `${countText(beams)} beams, the sensor ${sensorM.toFixed(1)} m away in the mean`,
    ...tableLines(curves, columns),
  ];
}

function percent(share: number): string {
  return (100 * share).toFixed(1);
}

function distanceText(distance: number | null): string {
  if (distance === null) return '';
  return Number.isFinite(distance) ? distance.toFixed(3) : '∞';
}
