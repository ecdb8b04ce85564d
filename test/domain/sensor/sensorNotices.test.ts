// Modes that choose among single rays are noted: the receiver of such a sensor joins nothing.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { sensorSchema } from '#contract/documents/sensor.ts';
import { compileSensor } from '#domain/sensor/compileSensor.ts';
import { sensorNotices } from '#domain/sensor/sensorNotices.ts';
import { projectRoot } from '#test/stages.ts';

const folder = join(projectRoot, 'assets', 'sensors');

function noticesOf(change: (sensor: Record<string, Record<string, unknown>>) => void): string[] {
  const sensor = parse(readFileSync(join(folder, 'vlp-16.yaml'), 'utf8')) as Record<
    string,
    Record<string, unknown>
  >;
  change(sensor);
  const { value, problems } = compileSensor(sensorSchema.parse(sensor));
  expect(problems).toEqual([]);
  return value === null ? [] : sensorNotices(value).map(({ path }) => path);
}
const returns = (mode: string, more: object = {}) => {
  return (sensor: Record<string, unknown>): void => {
    sensor.returns = { mode, signalCutoffM: 0, ...more };
  };
};

it.each(['strongest', 'last', 'first'])('%s without a length in range is noted', (mode) => {
  expect(noticesOf(returns(mode))).toEqual(['returns.mode']);
});

it.each<[string, Parameters<typeof noticesOf>[0]]>([
  ['a range resolution', returns('strongest', { rangeResolutionM: 0.5 })],
  ['a cutoff', returns('last', { signalCutoffM: 1 })],
  ['a waveform', returns('first', { waveform: { binNs: 1, pulseWidthNs: 5 } })],
  ['the nearest ray', returns('closest')],
  [
    'one ray',
    (sensor) => {
      returns('strongest')(sensor);
      Object.assign(sensor.beam ?? {}, { stencil: 'rays', rays: { count: 1 } });
    },
  ],
  [
    'a beam without width',
    (sensor) => {
      returns('strongest')(sensor);
      const none = { divergenceHorizontalMrad: 0, divergenceVerticalMrad: 0 };
      sensor.beam = { shape: 'circular', ...none };
    },
  ],
])('%s is not', (_name, change) => {
  expect(noticesOf(change)).toEqual([]);
});

it('no sample has such a mode', () => {
  for (const file of readdirSync(folder)) {
    const sensor = sensorSchema.parse(parse(readFileSync(join(folder, file), 'utf8')));
    const { value } = compileSensor(sensor);
    expect(value === null ? [file] : sensorNotices(value), file).toEqual([]);
  }
});
