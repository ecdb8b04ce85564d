// `understory log ranges`: where beams of a log that pass a place end, and where learned models have them end.
import { basename } from 'node:path';
import type { Command } from 'commander';
import type { PlaceReply } from '#contract/worker/learnedViews.ts';
import { countText, shareText } from '#domain/shared/formats.ts';
import { rangeCurves, type RangeCurve } from '#domain/shared/rangeCurves.ts';
import { addAction, jsonText } from '../command.ts';
import { tableLines, type TableColumn } from '../table.ts';
import type { CommandHost } from './shared.ts';

export function addRanges(log: Command, host: CommandHost): void {
  addAction(log, host, 'learn.place', {}, async ({ call, terminal }, { request, args, isJson }) => {
    const { reply, columns } = await call('learn.place', request);
    terminal.endProgress();
    const counts = columns?.['counts'];
    const own = counts instanceof Uint32Array ? counts : new Uint32Array(0);
    const names = args.map((file) => basename(file));
    const curves = rangeCurves(names, reply.outcomes, own);
    if (isJson) terminal.print(jsonText({ ...reply, curves }));
    else for (const line of linesOf(reply, curves)) terminal.print(line);
  });
}

const columns: readonly TableColumn<RangeCurve>[] = [
  { title: 'beams that end', value: ({ name }) => name, maxLength: 40 },
  { title: 'before', value: ({ before }) => shareText(before), align: 'right' },
  { title: 'here', value: ({ within }) => shareText(within), align: 'right' },
  { title: 'behind', value: ({ behind }) => shareText(behind), align: 'right' },
  { title: 'misses', value: ({ missed }) => shareText(missed), align: 'right' },
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

function distanceText(distance: number | null): string {
  if (distance === null) return '';
  return Number.isFinite(distance) ? distance.toFixed(3) : '∞';
}
