// How a return came about, in a sentence or two: which rays, which mode, which window.
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';
import { shareText } from '#domain/shared/formats.ts';
import {
  hasSeveralReturns,
  separatesEchoes,
  type ReturnMode,
} from '#contract/documents/sensorReturns.ts';
import { energyOf, type FormedReturn, type PulseSignal } from './pulseSignal.ts';

type Returns = SensorRecipe['returns'];

export interface PulseStory {
  mode: ReturnMode;
  returns: Returns;
  rays: number;
  signal: PulseSignal;
  nameOf: (objectId: number) => string;
}

/** Why a mode reports what it reports. */
export function returnWords(formed: FormedReturn, number: number, story: PulseStory): string {
  const { mode, returns, signal, rays, nameOf } = story;
  const { hits, echoes } = signal;
  const echo = echoes[formed.echo];
  const deciding = hits[formed.decidingHit];
  const what = deciding === undefined ? 'something' : nameOf(deciding.objectId);
  const found = echoes.filter(({ isDetected }) => isDetected).length;
  const chosen = choiceWords(mode, number, found);
  const [from, to] = formed.averaged ?? formed.shared;
  const inside = hits.slice(from, to);
  const rayCount = new Set(inside.map(({ ray }) => ray)).size;
  const span = spanText(inside.map(({ rangeM }) => rangeM));
  const ofRays = `${rayCount} of ${rays} ${rays === 1 ? 'ray' : 'rays'}`;
  if (mode === 'first' && !separatesEchoes({ rangeResolutionM: 0, ...returns })) {
    return `${chosen} ${ofRays} hit at ${span}, within ${metres(returns.signalCutoffM)} behind the nearest hit, on ${what}. Range = weighted mean ${metres(formed.rangeM, 3)}.`;
  }
  if (returns.waveform !== undefined) {
    return `${chosen} A waveform peak at ${metres(echo?.rangeM ?? NaN, 3)}, mostly from ${what}${formed.averaged === null ? '' : `; averaged over ${ofRays} within ${metres(returns.signalCutoffM)}: ${metres(formed.rangeM, 3)}`}. ${shareWords(formed, rays, story)}`;
  }
  if (formed.averaged !== null) {
    const why =
      returns.window && mode !== 'closest' && mode !== 'all'
        ? `within ${metres(returns.signalCutoffM)} of it, either side`
        : `one maximum of the signal at a resolution of ${metres(returns.rangeResolutionM ?? 0)}`;
    return `${chosen} ${ofRays} hit at ${span}, ${why}; mostly ${what}. Range = mean by ${(returns.rangeResolutionM ?? 0) > 0 ? 'signal' : 'weight'} ${metres(formed.rangeM, 3)}.`;
  }
  const ray = deciding === undefined ? 'A ray' : `Ray ${deciding.ray + 1} of ${rays}`;
  return `${chosen} ${ray} hit ${what} at ${metres(formed.rangeM, 3)}. ${shareWords(formed, rays, story)}`;
}

/** Why a pulse returned nothing. */
export function nothingWords({ mode, signal, returns, rays }: PulseStory): string {
  const { hits, unseen, lost, echoes } = signal;
  if (hits.length === 0 && unseen.length === 0)
    return `None of the ${rays} rays has a hit within range.`;
  if (hits.length === 0 && lost > 0) {
    const most = echoes.reduce((least, { strength }) => Math.max(least, strength), 0);
    const limit =
      returns.detection === undefined
        ? `the threshold of ${short(returns.detectionThreshold ?? 0)}/m²`
        : `the detection limit (${shareText(returns.detection.reflectance, 0)} at ${metres(returns.detection.rangeM)}) and the receiver's noise`;
    return `Not detected: a signal of ${short(most)}/m², the strongest, is lost by ${limit}.`;
  }
  if (hits.length === 0) {
    return unseen.every(({ intensity }) => intensity <= 0)
      ? 'Nothing that the rays hit sends light back.'
      : 'Every hit is below the reflectance gate at its range.';
  }
  if (needsResolution(mode, returns)) {
    return 'Several returns need a range resolution or a waveform of the sensor.';
  }
  return 'The return was lost at random (noise.dropOutShare).';
}

/** The mode reports several returns, and the sensor does not separate echoes: it reports none. */
export function needsResolution(mode: ReturnMode, returns: Returns): boolean {
  return hasSeveralReturns(mode) && !separatesEchoes({ rangeResolutionM: 0, ...returns });
}

/** The steps from the range as formed to the range as reported. */
export function reportWords(formedM: number, reportedM: number, recipe: SensorRecipe): string {
  const differenceMm = 1000 * (reportedM - formedM);
  if (Math.abs(differenceMm) < 0.5) return `Reported as ${metres(reportedM, 3)}.`;
  const { backfoldM, quantisation, noise } = recipe;
  const causes = [
    ...(backfoldM !== undefined && formedM >= backfoldM
      ? [`the range fold at ${metres(backfoldM)}`]
      : []),
    ...(noise !== undefined && Object.values(noise).some((sigma) => sigma > 0) ? ['noise'] : []),
    ...(quantisation !== undefined && quantisation.rangeM > 0
      ? [`steps of ${short(1000 * quantisation.rangeM)} mm`]
      : []),
  ];
  const sign = differenceMm > 0 ? '+' : '−';
  const size = Math.abs(differenceMm);
  const by = size < 1000 ? `${size.toFixed(size < 10 ? 1 : 0)} mm` : metres(size / 1000, 2);
  return `Reported as ${metres(reportedM, 3)}: ${sign}${by}${causes.length === 0 ? '' : ` by ${causes.join(' and ')}`}.`;
}

function choiceWords(mode: ReturnMode, number: number, echoes: number): string {
  const only = 'there is one echo.';
  switch (mode) {
    case 'strongest':
      return echoes === 1 ? `Strongest: ${only}` : `The strongest of ${echoes} echoes.`;
    case 'last':
      return echoes === 1 ? `Last: ${only}` : `The last of ${echoes} echoes.`;
    case 'strongest-and-last':
      if (echoes === 1) return `Strongest and last: ${only}`;
      return `The ${number === 1 ? 'strongest' : 'last'} of ${echoes} echoes.`;
    case 'first':
      return 'First:';
    case 'closest':
      return echoes === 1 ? `Closest: ${only}` : `The closest of ${echoes} echoes, not averaged.`;
    case 'all':
      return echoes === 1 ? `All returns: ${only}` : `Echo ${number} of ${echoes}.`;
  }
}

function shareWords(formed: FormedReturn, rays: number, { signal, returns }: PulseStory): string {
  const isSeparated = returns.waveform !== undefined || (returns.rangeResolutionM ?? 0) > 0;
  const within = signal.hits.slice(...formed.shared);
  const count = new Set(within.map(({ ray }) => ray)).size;
  return `${count} of ${rays} ${rays === 1 ? 'ray' : 'rays'} ${count === 1 ? 'lies' : 'lie'} ${isSeparated ? 'in it' : `within ${metres(returns.signalCutoffM)} of it`}: ${shareText(formed.share, 0)} of the beam.`;
}

function spanText(ranges: readonly number[]): string {
  const low = ranges.reduce((least, range) => Math.min(least, range), Infinity);
  const high = ranges.reduce((most, range) => Math.max(most, range), -Infinity);
  return high - low < 0.0005 ? metres(low, 2) : `${low.toFixed(2)}–${high.toFixed(2)} m`;
}

function metres(value: number, digits?: number): string {
  return `${digits === undefined ? short(value) : value.toFixed(digits)} m`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** For each hit its share of all energy that arrives. */
export function energyShares(signal: PulseSignal): Map<number, number> {
  const total = signal.hits.reduce((sum, hit) => sum + energyOf(hit), 0);
  return new Map(signal.hits.map((hit) => [hit.row, total > 0 ? energyOf(hit) / total : 0]));
}
