// A pulse explained by the worker (scan.signal): hits in order of range, echoes, and what each return mode would form
// of them. Nothing is computed here but energies: the columns of scene.pulse become rows.
import type { Columns } from '#contract/columns.ts';
import { returnModes, type ReturnMode } from '#contract/documents/sensorReturns.ts';
import { columnReader } from './columnReader.ts';

/** One hit of a ray, as scene.pulse gives it. */
export interface PulseHit {
  /** Row in the table of rays. */
  row: number;
  ray: number;
  /** Along its ray, from 1. */
  hitNo: number;
  rangeM: number;
  intensity: number;
  /** Weight of the whole ray. */
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
  /** Neighbours in `hits` and, behind them, `unseen`: [from, to). */
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
  /** Detected hits, by range. */
  hits: PulseHit[];
  /** Hits that the detection limit loses, and then those that the gate holds back or that send nothing back. */
  unseen: PulseHit[];
  /** How many of `unseen` the detection limit loses: the first so many. */
  lost: number;
  /** Detected ones by range, then those that are lost. */
  echoes: PulseEcho[];
}

/** A waveform as it was received. */
export interface ReceivedWaveform {
  /** Lower edge of the first bin, and length of each, in range. */
  firstRangeM: number;
  binM: number;
  bins: ArrayLike<number>;
}

/** The signal of a pulse; `hits`: those of its rays, of which `seenHits` are detected. */
export function pulseSignal(
  columns: Columns,
  hits: readonly PulseHit[],
  { seenHits, lostHits }: { seenHits: number; lostHits: number },
): PulseSignal {
  const at = columnReader(columns, '');
  const rows = (name: string): number[] => [...(columns[name]?.keys() ?? [])];
  const byNumber = new Map(hits.map((hit) => [`${hit.ray}/${hit.hitNo}`, hit]));
  const ordered = rows('signal_ray').flatMap(
    (row) => byNumber.get(`${at('signal_ray', row)}/${at('signal_hit_no', row)}`) ?? [],
  );
  return {
    hits: ordered.slice(0, seenHits),
    unseen: ordered.slice(seenHits),
    lost: lostHits,
    echoes: rows('echo_range_m').map((row) => ({
      rangeM: at('echo_range_m', row),
      strength: at('echo_strength', row),
      from: at('echo_from_hit', row),
      to: at('echo_to_hit', row),
      isDetected: at('echo_is_detected', row) === 1,
    })),
  };
}

/** The returns of each mode for the signal, in order of return_no. Without noise. */
export function formedReturns(columns: Columns): Record<ReturnMode, FormedReturn[]> {
  const at = columnReader(columns, '');
  const formed = Object.fromEntries(
    returnModes.map((mode): [ReturnMode, FormedReturn[]] => [mode, []]),
  ) as Record<ReturnMode, FormedReturn[]>;
  for (const row of columns['formed_mode']?.keys() ?? []) {
    const mode = returnModes[at('formed_mode', row)];
    if (mode === undefined) continue;
    const averaged: [number, number] = [
      at('formed_averaged_from_hit', row),
      at('formed_averaged_to_hit', row),
    ];
    formed[mode].push({
      rangeM: at('formed_range_m', row),
      share: at('formed_beam_share', row),
      decidingHit: at('formed_deciding_hit', row),
      echo: at('formed_echo', row),
      averaged: averaged[0] === averaged[1] ? null : averaged,
      shared: [at('formed_shared_from_hit', row), at('formed_shared_to_hit', row)],
    });
  }
  return formed;
}

/** Energy of a hit that arrives at the receiver, the whole beam's energy being 1. */
export function energyOf(hit: PulseHit | undefined): number {
  return hit === undefined ? 0 : hit.rayWeight * hit.intensity;
}
