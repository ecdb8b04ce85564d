// The signal of a pulse over range as a drawing: positions of its hits, echoes, windows and returns, in pixels of the page
// (figure 2 of Goodin 2018).
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { axisTicks } from '#renderer/logic/plots/axisTicks.ts';
import { classColour, toHex } from '#domain/shared/colours.ts';
import {
  energyOf,
  type FormedReturn,
  type PulseSignal,
  type ReceivedWaveform,
} from './pulseSignal.ts';
import type { PulseReturn } from './pulseTable.ts';
import { needsResolution } from './pulseWords.ts';

/** A pulse as the worker traced it. */
export interface TracedPulse {
  signal: PulseSignal;
  returns: readonly PulseReturn[];
  waveform: ReceivedWaveform | null;
  /** The returns of each mode. */
  formed: Record<ReturnMode, FormedReturn[]>;
}

const left = 116;
const top = 20;
const barsHeight = 132;
const rowHeight = 17;
const axisY = top + barsHeight;
/** Room above the highest bar. */
const headroom = 8;
/** Bins of a waveform below this share of its highest are not worth the room: less than a pixel high. */
const minBinShare = 0.005;
/** With more visible samples than this, their marks would touch. */
const maxSampleMarks = 150;

/** The frame of the drawing: the field of the bars, and the rows of the modes below it. */
export const axisFrame = {
  left,
  top,
  axisY,
  rightGap: 14,
  modesY: axisY + 26,
  height: axisY + 26 + returnModes.length * rowHeight + 4,
};
/** A tick has so much room. */
const tickPx = 60;

/** All that is drawn, as wide as there is room. */
export function pulseAxis(pulse: TracedPulse, recipe: SensorRecipe, widthPx: number) {
  const { signal, waveform, formed } = pulse;
  const { mode: used, signalCutoffM, detectionThreshold = 0 } = recipe.returns;
  const { from, to } = spanOf(pulse, recipe);
  const most = maxEnergy(signal);
  const right = Math.max(widthPx - axisFrame.rightGap, left + 1);
  const xOf = (rangeM: number): number => left + ((rangeM - from) / (to - from)) * (right - left);
  const yOf = (energy: number): number => axisY - (energy / most) * (barsHeight - headroom);
  return {
    right,
    ticks: axisTicks(from, to, (right - left) / tickPx).map(({ value, share, text }) => {
      return { value, text, x: left + share * (right - left) };
    }),
    // Bars are signals, as the threshold is, by the radar equation alone.
    thresholdY:
      recipe.radiometry === 'radar-equation' && detectionThreshold > 0 && detectionThreshold <= most
        ? yOf(detectionThreshold)
        : null,
    bars: signal.hits.map((hit) => ({
      key: hit.row,
      ray: hit.ray,
      x: xOf(hit.rangeM),
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
    ...waveOf(waveform, xOf, right),
    energyTicks: [0, 0.5, 1].map((share) => ({
      y: axisY - share * (barsHeight - headroom),
      // The scale of a waveform is its own peak; bars are energies.
      text: waveform === null ? shortNumber(share * most) : String(share),
    })),
    // The hits that the mode in use averaged, or those that it counts as its share of the beam.
    windows: formed[used].map(({ averaged, shared, rangeM }, index) => {
      const isFirst = used === 'first';
      const nearestM = signal.hits[averaged?.[0] ?? shared[0]]?.rangeM ?? rangeM;
      const fromX = xOf(isFirst ? nearestM : rangeM - signalCutoffM);
      const toX = xOf(isFirst ? nearestM + signalCutoffM : rangeM + signalCutoffM);
      const x = Math.max(fromX, left);
      const wide = Math.max(Math.min(toX, right) - x, 1);
      return { index, x, width: wide, isAveraged: averaged !== null };
    }),
    marks: pulse.returns.map(({ returnNo, rangeM }) => ({ returnNo, rangeM, x: xOf(rangeM) })),
    modes: returnModes.map((mode, row) => ({
      mode,
      isUsed: mode === used,
      y: axisFrame.modesY + row * rowHeight,
      note: needsResolution(mode, recipe.returns) ? 'needs a range resolution or a waveform' : null,
      places: formed[mode].map(({ rangeM }) => ({ x: xOf(rangeM), rangeM })),
    })),
  };
}

/** The span of all visible ranges, with some room beside it. */
function spanOf(
  { signal, returns, formed, waveform }: TracedPulse,
  recipe: SensorRecipe,
): { from: number; to: number } {
  const all = [signal.hits, signal.unseen, returns, ...Object.values(formed)];
  const ranges = all.flatMap((list) => list.map(({ rangeM }) => rangeM));
  ranges.push(...samplesOf(waveform, minBinShare).map(({ rangeM }) => rangeM));
  if (ranges.length === 0) return { from: 0, to: recipe.maxRangeM };
  const low = ranges.reduce((least, range) => Math.min(least, range), Infinity);
  const high = ranges.reduce((most, range) => Math.max(most, range), -Infinity);
  const least = Math.max(0.25 * recipe.returns.signalCutoffM, 0.1);
  const pad = Math.max(0.12 * (high - low), least);
  return { from: Math.max(0, low - pad), to: high + pad };
}

function maxEnergy({ hits, echoes }: PulseSignal): number {
  const single = hits.reduce((most, hit) => Math.max(most, energyOf(hit)), 0);
  const grouped = echoes.reduce((most, { strength }) => Math.max(most, strength), 0);
  return Math.max(single, grouped, 1e-12);
}

/** The line through the visible samples, and the samples where they can be distinguished. */
function waveOf(
  waveform: ReceivedWaveform | null,
  xOf: (rangeM: number) => number,
  right: number,
): { wave: string; samples: { x: number; y: number }[] } {
  const all = samplesOf(waveform, 0);
  const highest = all.reduce((max, { energy }) => Math.max(max, energy), 1e-12);
  const points = all
    .map(({ rangeM, energy }) => ({
      x: xOf(rangeM),
      y: axisY - (energy / highest) * (barsHeight - headroom),
    }))
    .filter(({ x }) => x >= left && x <= right);
  const wave = points
    .map(({ x, y }, at) => `${at === 0 ? 'M' : 'L'}${x.toFixed(1)} ${y.toFixed(1)}`)
    .join(' ');
  return { wave, samples: points.length > maxSampleMarks ? [] : points };
}

/** Middles of the bins with at least this share of the highest one's energy. */
function samplesOf(
  waveform: ReceivedWaveform | null,
  minShare: number,
): { rangeM: number; energy: number }[] {
  if (waveform === null) return [];
  const { bins, firstRangeM, binM } = waveform;
  const energies = Array.from(bins);
  const highest = energies.reduce((max, energy) => Math.max(max, energy), 0);
  return energies
    .map((energy, index) => ({ rangeM: firstRangeM + (index + 0.5) * binM, energy }))
    .filter(({ energy }) => energy >= minShare * highest);
}

function shortNumber(value: number): string {
  return String(Number(value.toPrecision(2)));
}
