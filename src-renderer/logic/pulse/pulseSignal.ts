// From the rays of one pulse to its echoes and to what each return mode would report: PHYSICS.md, 1.3, as
// native-workers/core/returns/signal.cpp computes it, kept in all its parts so that they can be shown. What a
// sensor returned is the worker's answer; this explains it, and a test holds the two together.
import type { MaterialRecipe, SensorRecipe } from '#contract/worker/recipe.ts';
import type { ReturnMode } from '#contract/documents/sensorReturns.ts';
import { waveformPeaks, type ReceivedWaveform } from './waveformPeaks.ts';

/** One hit of a ray, as scene.pulse gives it. */
export interface PulseHit {
  /** Row in the table of rays. */
  row: number;
  ray: number;
  rangeM: number;
  intensity: number;
  /** Of the whole ray. */
  rayWeight: number;
  /** Share of the beam that ends here: the ray's weight times the share of it. */
  weight: number;
  objectId: number;
  classId: number;
  materialId: number;
  triangleId: number;
  incidenceRad: number;
}

export interface PulseEcho {
  rangeM: number;
  strength: number;
  /** Neighbours in the signal: [from, to). */
  from: number;
  to: number;
  isDetected: boolean;
}

/** A return as a mode forms it. */
export interface FormedReturn {
  rangeM: number;
  share: number;
  /** In the signal. */
  decidingHit: number;
  /** In the echoes; of `first` the nearest one. */
  echo: number;
  /** Hits whose mean is the range: [from, to) of the signal; null: the echo's own range. */
  averaged: [number, number] | null;
  /** Hits that make up its share of the beam. */
  shared: [number, number];
}

export interface PulseSignal {
  /** What the gate lets through, by range. */
  hits: PulseHit[];
  /** What it keeps back. */
  unseen: PulseHit[];
  echoes: PulseEcho[];
}

type Returns = SensorRecipe['returns'];

/** The signal of a pulse and its echoes. `waveform`: as it was received, where the sensor has one. */
export function pulseSignal(
  hits: readonly PulseHit[],
  { returns, wavelengthNm = 905 }: Pick<SensorRecipe, 'returns' | 'wavelengthNm'>,
  materials: readonly MaterialRecipe[],
  waveform: ReceivedWaveform | null,
): PulseSignal {
  const reflectanceOf = ({ materialId }: PulseHit): number =>
    reflectanceAt(materials[materialId]?.reflectance ?? 0, wavelengthNm);
  const inOrder = [...hits].sort(
    (a, b) =>
      a.rangeM - b.rangeM ||
      a.objectId - b.objectId ||
      a.triangleId - b.triangleId ||
      a.ray - b.ray,
  );
  const isSeen = (hit: PulseHit): boolean =>
    passesGate(returns.gate, hit.rangeM, reflectanceOf(hit));
  const seen = inOrder.filter(isSeen);
  const echoes =
    returns.waveform === undefined || waveform === null
      ? groupedEchoes(seen, returns)
      : peakEchoes(seen, returns, waveform);
  return { hits: seen, unseen: inOrder.filter((hit) => !isSeen(hit)), echoes };
}

/** What a mode returns of a signal, in order of return_no. Without noise. */
export function formReturns(
  signal: PulseSignal,
  returns: Returns,
  mode: ReturnMode,
): FormedReturn[] {
  const { hits, echoes } = signal;
  const detected = echoes.flatMap((echo, index) => (echo.isDetected ? [{ echo, index }] : []));
  const [nearest] = detected;
  if (nearest === undefined) return [];
  const strongest = detected.reduce((a, b) => (b.echo.strength > a.echo.strength ? b : a));
  const last = detected.reduce((a, b) => (b.echo.rangeM > a.echo.rangeM ? b : a));
  switch (mode) {
    case 'first':
      return [averagedFirst(nearest)];
    case 'closest':
      return [reported(nearest, false)];
    case 'strongest':
      return [reported(strongest, returns.window)];
    case 'last':
      return [reported(last, returns.window)];
    case 'strongest-and-last':
      return strongest.echo.rangeM === last.echo.rangeM
        ? [reported(strongest, returns.window)]
        : [reported(strongest, returns.window), reported(last, returns.window)];
    case 'all':
      return detected.slice(0, returns.maxReturns ?? 3).map((one) => reported(one, false));
  }

  function averagedFirst({ echo, index }: { echo: PulseEcho; index: number }): FormedReturn {
    const nearestM = hits[echo.from]?.rangeM ?? NaN;
    let to = echo.from + 1;
    while (to < hits.length && (hits[to]?.rangeM ?? NaN) - nearestM <= returns.signalCutoffM)
      to += 1;
    const averaged: [number, number] = [echo.from, to];
    return {
      rangeM: meanRangeM(hits, averaged),
      share: weightOf(hits, averaged),
      decidingHit: echo.from,
      echo: index,
      averaged,
      shared: averaged,
    };
  }

  function reported(
    { echo, index }: { echo: PulseEcho; index: number },
    isWindowed: boolean,
  ): FormedReturn {
    const around = within(echo.rangeM);
    const averaged = isWindowed && around[1] > around[0] ? around : null;
    const rangeM = averaged === null ? echo.rangeM : meanRangeM(hits, averaged);
    const shared = within(rangeM);
    let decidingHit = echo.from;
    for (let hit = echo.from + 1; hit < echo.to; hit += 1) {
      if (energyOf(hits[hit]) > energyOf(hits[decidingHit])) decidingHit = hit;
    }
    const isMean = averaged === null && echo.to > echo.from + 1 && returns.waveform === undefined;
    return {
      rangeM,
      share: weightOf(hits, shared),
      decidingHit,
      echo: index,
      averaged: isMean ? [echo.from, echo.to] : averaged,
      shared,
    };
  }

  /** Hits within the cutoff of a range, either side: neighbours, since hits are in order of range. */
  function within(centreM: number): [number, number] {
    const isOut = ({ rangeM }: PulseHit): boolean =>
      Math.abs(rangeM - centreM) > returns.signalCutoffM;
    const from = hits.findIndex((hit) => !isOut(hit));
    if (from === -1) return [hits.length, hits.length];
    const end = hits.findIndex((hit, at) => at > from && isOut(hit));
    return [from, end === -1 ? hits.length : end];
  }
}

/** What arrives of a hit at the receiver, the whole beam's energy being 1. */
export function energyOf(hit: PulseHit | undefined): number {
  return hit === undefined ? 0 : hit.rayWeight * hit.intensity;
}

/** Diffuse, at a wavelength: linear between the points of a spectrum, constant beyond. */
export function reflectanceAt(
  reflectance: MaterialRecipe['reflectance'],
  wavelengthNm: number,
): number {
  if (typeof reflectance === 'number') return reflectance;
  const after = reflectance.findIndex(([nm]) => nm >= wavelengthNm);
  const next = reflectance[after];
  if (next === undefined) return reflectance.at(-1)?.[1] ?? 0;
  const before = reflectance[after - 1];
  if (before === undefined) return next[1];
  const along = (wavelengthNm - before[0]) / (next[0] - before[0]);
  return before[1] + (next[1] - before[1]) * along;
}

/** Gschwandtner 2011, figure 2b. */
function passesGate(gate: Returns['gate'], rangeM: number, reflectance: number): boolean {
  if (gate === undefined) return true;
  if (reflectance <= 0 || rangeM > gate.noneBeyondM) return false;
  if (rangeM <= gate.fullToM) return true;
  const along = (rangeM - gate.fullToM) / (gate.noneBeyondM - gate.fullToM);
  return reflectance >= gate.reflectanceNear + (gate.reflectanceFar - gate.reflectanceNear) * along;
}

function groupedEchoes(hits: readonly PulseHit[], returns: Returns): PulseEcho[] {
  const { rangeResolutionM = 0, detectionThreshold = 0 } = returns;
  const echoes: PulseEcho[] = [];
  for (let from = 0; from < hits.length;) {
    const opensM = hits[from]?.rangeM ?? 0;
    let to = from + 1;
    while (to < hits.length && (hits[to]?.rangeM ?? 0) - opensM < rangeResolutionM) to += 1;
    const strength = sumOf(hits, [from, to], energyOf);
    const rangeM = meanRangeM(hits, [from, to]);
    echoes.push({ rangeM, strength, from, to, isDetected: strength >= detectionThreshold });
    from = to;
  }
  return echoes;
}

/** Hits belong to the nearest of all peaks; one in the middle between two to the nearer one. */
function peakEchoes(
  hits: readonly PulseHit[],
  { detectionThreshold = 0, waveform: receiver }: Returns,
  waveform: ReceivedWaveform,
): PulseEcho[] {
  const peaks = waveformPeaks(waveform, receiver?.pulseWidthNs ?? 0);
  let from = 0;
  return peaks.flatMap(({ rangeM, strength }, index) => {
    const next = peaks[index + 1];
    let to = hits.length;
    if (next !== undefined) {
      const middleM = 0.5 * (rangeM + next.rangeM);
      to = from;
      while (to < hits.length && (hits[to]?.rangeM ?? 0) <= middleM) to += 1;
    }
    const echo = { rangeM, strength, from, to, isDetected: strength >= detectionThreshold };
    from = to;
    return echo.to > echo.from ? [echo] : [];
  });
}

function meanRangeM(hits: readonly PulseHit[], range: [number, number]): number {
  const weight = weightOf(hits, range);
  // Hits on which no energy ends: the nearest represents them.
  if (weight <= 0 || range[1] === range[0] + 1) return hits[range[0]]?.rangeM ?? NaN;
  return sumOf(hits, range, (hit) => hit.weight * hit.rangeM) / weight;
}

function weightOf(hits: readonly PulseHit[], range: [number, number]): number {
  return sumOf(hits, range, ({ weight }) => weight);
}

function sumOf(
  hits: readonly PulseHit[],
  [from, to]: [number, number],
  value: (hit: PulseHit) => number,
): number {
  return hits.slice(from, to).reduce((sum, hit) => sum + value(hit), 0);
}
