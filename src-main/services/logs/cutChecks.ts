// Cuts of an import that cannot be meant, and cuts that leave no beam: both are refused.
import { badInput, type UnderstoryError } from '#contract/errors.ts';
import type { RequestOf } from '#contract/host/methods.ts';
import { beamStates, type LogTable } from '#contract/log/log.ts';

type Cuts = Pick<
  RequestOf<'log.import'>,
  'azimuthDeg' | 'rangeM' | 'body' | 'fromS' | 'toS' | 'source'
>;

/** @throws 'bad-input' for spans and boxes that end before they begin */
export function checkCuts({ rangeM, body, fromS = -Infinity, toS = Infinity }: Cuts): void {
  if (rangeM !== undefined && rangeM[0] > rangeM[1]) {
    throw badInput('rangeM', `expected "from,to", from the nearer, found ${rangeM.join(',')} m`);
  }
  if (rangeM !== undefined && rangeM[1] < 0) {
    throw badInput('rangeM', `expected ranges from 0 up, found ${rangeM.join(',')} m`);
  }
  if (fromS >= toS) {
    throw badInput(
      'toS',
      `expected an end after ${fromS} s, where the part begins, found ${toS} s`,
    );
  }
  if (body === undefined || body === 'vehicle') return;
  const [low, high] = body;
  const axis = low.findIndex((m, at) => m > (high[at] ?? 0));
  if (axis < 0) return;
  const found = `${low[axis]} and ${high[axis]} m in ${'xyz'[axis] ?? ''}`;
  throw badInput('body', `expected the lower corner of the box first, found ${found}`);
}

/** Refuses a sector of a file whose beams have no azimuths. @throws 'bad-input' */
export function checkAzimuths({ azimuthDeg, source }: Cuts, hasAzimuths: boolean): void {
  if (azimuthDeg === undefined || hasAzimuths) return;
  const message = `azimuths are unknown: '${source}' has no azimuth_rad, and no orientation of its sensor to derive it from`;
  throw badInput('azimuthDeg', message);
}

/** Extent of an import before its cuts, and the number of beams they left. */
export interface CutExtent {
  /** Nanoseconds since any fixed time. */
  takeTime(timeNs: number): void;
  /** Ranges alone. */
  takeRanges(table: LogTable, beams: number): void;
  takeBeams(table: LogTable, beams: number): void;
  left: number;
  /** @throws 'bad-input' where cuts left nothing, with the extent of the source */
  check(cuts: Cuts): void;
}

export function createCutExtent(): CutExtent {
  let [fromNs, toNs, minM, maxM] = [Infinity, -Infinity, Infinity, -Infinity];
  let baseNs: bigint | null = null;
  const takeTime = (timeNs: number): void => {
    fromNs = Math.min(fromNs, timeNs);
    toNs = Math.max(toNs, timeNs);
  };
  const takeRanges = ({ range_m: rangesM, state }: LogTable, beams: number): void => {
    for (let beam = 0; beam < beams; beam++) {
      if (state[beam] !== beamStates.returned) continue;
      minM = Math.min(minM, rangesM[beam] ?? NaN);
      maxM = Math.max(maxM, rangesM[beam] ?? NaN);
    }
  };
  return {
    left: 0,
    takeTime,
    takeRanges,
    takeBeams(table, beams) {
      takeRanges(table, beams);
      for (let beam = 0; beam < beams; beam++) {
        const timeNs = table.time_ns[beam] ?? 0n;
        baseNs ??= timeNs;
        takeTime(Number(timeNs - baseNs));
      }
    },
    check(cuts) {
      const { azimuthDeg, rangeM, body, fromS, toS } = cuts;
      const isCut = [azimuthDeg, rangeM, body, fromS, toS].some((cut) => cut !== undefined);
      if (this.left === 0 && isCut)
        throw nothingLeft(cuts, { seconds: (toNs - fromNs) / 1e9, minM, maxM });
    },
  };
}

function nothingLeft(
  { fromS, toS, rangeM, azimuthDeg }: Cuts,
  { seconds, minM, maxM }: { seconds: number; minM: number; maxM: number },
): UnderstoryError {
  const isOfTime = fromS !== undefined || toS !== undefined;
  const span = Number.isFinite(seconds) ? [`${Math.max(0, seconds).toFixed(3)} s`] : [];
  const ranges = minM <= maxM ? [`ranges from ${minM.toFixed(2)} to ${maxM.toFixed(2)} m`] : [];
  const extent = [...span, ...ranges].join(' with ');
  const path = isOfTime ? 'fromS' : rangeM ? 'rangeM' : azimuthDeg ? 'azimuthDeg' : 'body';
  const found = extent === '' ? '' : `: the source has ${extent}`;
  return badInput(path, `expected a part with beams, found none${found}`);
}
