// The signal of a pulse over range as a drawing: where its hits, echoes, windows and returns stand, in the units of
// the drawing (figure 2 of Goodin 2018).
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/recipe.ts';
import { axisTicks } from '#renderer/logic/plots/axisTicks.ts';
import { classColour, toHex } from '#renderer/logic/colours/colourMaps.ts';
import { energyOf, type FormedReturn, type PulseSignal } from './pulseSignal.ts';
import type { PulseReturn } from './pulseTable.ts';
import type { ReceivedWaveform } from './waveformPeaks.ts';

/** A pulse as the worker traced it. */
export interface TracedPulse {
  signal: PulseSignal;
  returns: readonly PulseReturn[];
  waveform: ReceivedWaveform | null;
  /** What each mode would return of it. */
  formed: Record<ReturnMode, FormedReturn[]>;
}

const left = 116;
const top = 20;
const barsHeight = 132;
const rowHeight = 17;
const width = 560;
const axisY = top + barsHeight;

/** The frame of the drawing: the field of the bars, and the rows of the modes below it. */
export const axisFrame = {
  ...{ width, left, top, axisY, right: width - 14 },
  modesY: axisY + 26,
  height: axisY + 26 + returnModes.length * rowHeight + 4,
};

/** All that is drawn. */
export function pulseAxis(pulse: TracedPulse, recipe: SensorRecipe) {
  const { signal, waveform, formed } = pulse;
  const { mode: used, signalCutoffM, detectionThreshold = 0 } = recipe.returns;
  const { from, to } = spanOf(pulse, recipe);
  const most = mostEnergy(signal);
  const xOf = (rangeM: number): number =>
    left + ((rangeM - from) / (to - from)) * (axisFrame.right - left);
  const yOf = (energy: number): number => axisY - (energy / most) * (barsHeight - 8);
  return {
    ticks: axisTicks(from, to, 7).map(({ value, share, text }) => {
      return { value, text, x: left + share * (axisFrame.right - left) };
    }),
    thresholdY:
      detectionThreshold > 0 && detectionThreshold <= most ? yOf(detectionThreshold) : null,
    bars: signal.hits.map((hit) => ({
      ...{ key: hit.row, ray: hit.ray, x: xOf(hit.rangeM) },
      y: Math.min(yOf(energyOf(hit)), axisY - 1.5),
      colour: toHex(classColour(hit.classId)),
    })),
    unseen: signal.unseen.map(({ row, rangeM }) => ({ row, x: xOf(rangeM) })),
    // Where an echo is more than one bar.
    echoes: signal.echoes.flatMap((echo, index) => {
      if (echo.to <= echo.from + 1 && waveform === null) return [];
      const { isDetected } = echo;
      return { index, isDetected, x: xOf(echo.rangeM), y: yOf(echo.strength) };
    }),
    wave: waveform === null ? '' : wavePath(waveform, xOf),
    // The hits that the mode in use averaged, or those that it counts as its share of the beam.
    windows: formed[used].map(({ averaged, shared, rangeM }, index) => {
      const isFirst = used === 'first';
      const nearestM = signal.hits[averaged?.[0] ?? shared[0]]?.rangeM ?? rangeM;
      const fromX = xOf(isFirst ? nearestM : rangeM - signalCutoffM);
      const toX = xOf(isFirst ? nearestM + signalCutoffM : rangeM + signalCutoffM);
      const x = Math.max(fromX, left);
      const wide = Math.max(Math.min(toX, axisFrame.right) - x, 1);
      return { index, x, width: wide, isAveraged: averaged !== null };
    }),
    marks: pulse.returns.map(({ returnNo, rangeM }) => ({ returnNo, rangeM, x: xOf(rangeM) })),
    modes: returnModes.map((mode, row) => ({
      ...{ mode, isUsed: mode === used, y: axisFrame.modesY + row * rowHeight },
      places: formed[mode].map(({ rangeM }) => ({ x: xOf(rangeM), rangeM })),
    })),
  };
}

/** Of ranges: all that there is to see, with some room beside it. */
function spanOf(
  { signal, returns, formed }: TracedPulse,
  recipe: SensorRecipe,
): { from: number; to: number } {
  const all = [signal.hits, signal.unseen, returns, ...Object.values(formed)];
  const ranges = all.flatMap((list) => list.map(({ rangeM }) => rangeM));
  if (ranges.length === 0) return { from: 0, to: recipe.maxRangeM };
  const low = ranges.reduce((least, range) => Math.min(least, range), Infinity);
  const high = ranges.reduce((most, range) => Math.max(most, range), -Infinity);
  const least = Math.max(0.25 * recipe.returns.signalCutoffM, 0.1);
  const pad = Math.max(0.12 * (high - low), least);
  return { from: Math.max(0, low - pad), to: high + pad };
}

function mostEnergy({ hits, echoes }: PulseSignal): number {
  const single = hits.reduce((most, hit) => Math.max(most, energyOf(hit)), 0);
  const grouped = echoes.reduce((most, { strength }) => Math.max(most, strength), 0);
  return Math.max(single, grouped, 1e-12);
}

function wavePath(
  { bins, firstRangeM, binM }: ReceivedWaveform,
  xOf: (rangeM: number) => number,
): string {
  const highest = Array.from(bins).reduce((most, bin) => Math.max(most, bin), 1e-12);
  const points = Array.from(bins, (bin, index) => ({
    x: xOf(firstRangeM + (index + 0.5) * binM),
    y: axisY - (bin / highest) * (barsHeight - 8),
  })).filter(({ x }) => x >= left && x <= axisFrame.right);
  return points
    .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join(' ');
}
