// The messages of a sensor's driver from the returns of ticks: one a revolution, sweep or image. A message is stamped with
// the start of its scan and due at its end. One whose scan is cut short, by the start of the recording, a jump of the
// sensor or the end, holds a part of it and is stamped with the start of that part.
import { filled } from '#domain/shared/filledArrays.ts';
import { type DriverCloud, gridMessage, rowsMessage } from './driverCloud.ts';
import type { Epoch } from './epoch.ts';
import { encodeLaserScan } from './laserScanMessage.ts';
import { firstPulseFrom } from './pulseNumbers.ts';
import { cutsOf } from './scanCuts.ts';
import { addTimes, type ScanPiece } from './scanPieces.ts';
import type { MessageChannels } from './topics.ts';

/** A message, and when it is logged. */
export interface DueMessage {
  channelId: number;
  timeNs: number;
  data: Uint8Array;
}

export interface ScanMessages {
  /** Adds the returns of a tick. @returns the messages that are whole by its end, in the order of their times */
  add(piece: ScanPiece): DueMessage[];
  /** Ends the message under way. */
  end(): DueMessage[];
}

/** Rows of a piece that belong to the message under way. */
interface Part {
  piece: ScanPiece;
  from: number;
  to: number;
}

/** For the ticks of one sensor, in their order. */
export function createScanMessages(
  driver: DriverCloud,
  channels: MessageChannels,
  epoch: Epoch,
): ScanMessages {
  const { recipe } = driver;
  const cuts = cutsOf(recipe);
  let parts: Part[] = [];
  /** The scan under way and its part here: from a time on; null: none is. */
  let current: { scan: number; stampNs: number; firstPulse: bigint } | null = null;
  let untilNs = -1;

  return {
    add(piece) {
      const due = piece.fromNs === untilNs ? [] : end();
      current ??= begin(cuts.scanAt(piece.fromNs), piece.fromNs);
      let from = 0;
      for (;;) {
        const { scan } = current;
        const nextPulse = BigInt(cuts.firstPulse(scan + 1));
        const to = firstRowFrom(piece, nextPulse, from);
        if (to > from) parts.push({ piece, from, to });
        from = to;
        const endNs = cuts.startNs(scan + 1);
        if (endNs > piece.toNs) break;
        due.push(...messages(endNs, nextPulse));
        current = begin(scan + 1, endNs);
      }
      untilNs = piece.toNs;
      return due;
    },
    end,
  };

  function begin(scan: number, fromNs: number): NonNullable<typeof current> {
    const startNs = cuts.startNs(scan);
    if (fromNs <= startNs) {
      return { scan, stampNs: startNs, firstPulse: BigInt(cuts.firstPulse(scan)) };
    }
    return { scan, stampNs: fromNs, firstPulse: firstPulseFrom(recipe, fromNs) };
  }

  function end(): DueMessage[] {
    // Why: a scan that begins with the end has nothing.
    const isEmpty = current === null || current.stampNs >= untilNs;
    const due = isEmpty ? [] : messages(untilNs, firstPulseFrom(recipe, untilNs));
    [current, parts] = [null, []];
    return due;
  }

  /** Messages of the scan under way, which ends before a pulse. */
  function messages(timeNs: number, endPulse: bigint): DueMessage[] {
    const whole = parts;
    parts = [];
    const due: DueMessage[] = [];
    if (channels.cloud >= 0) {
      due.push({ channelId: channels.cloud, timeNs, data: cloud(whole, endPulse) });
    }
    if (channels.laserScan >= 0) {
      due.push({ channelId: channels.laserScan, timeNs, data: laserScan(whole) });
    }
    return due;
  }

  function cloud(of: readonly Part[], endPulse: bigint): Uint8Array {
    const { stampNs, firstPulse } = expectCurrent();
    const { pointStep } = driver.layout;
    const rows = countOf(of);
    const points = new Uint8Array(rows * pointStep);
    const sinceNs: number[] = [];
    let at = 0;
    let isDense = true;
    for (const { piece, from, to } of of) {
      points.set(piece.points.subarray(from * pointStep, to * pointStep), at);
      at += (to - from) * pointStep;
      const shiftNs = piece.fromNs - stampNs;
      for (let row = from; row < to; row++) {
        sinceNs.push(Math.max(0, (piece.sinceNs[row] ?? 0) + shiftNs));
        if (piece.isMiss?.[row] === 1) isDense = false;
      }
    }
    const stamp = epoch.stamp(stampNs);
    addTimes(driver.layout, points, { stamp, sinceNs });
    const { grid } = driver;
    if (grid === null) return rowsMessage(driver, { stamp, rows, isDense }, points);
    const pulse = new BigUint64Array(rows);
    let next = 0;
    for (const { piece, from, to } of of) {
      for (let row = from; row < to; row++, next++) {
        const number = pulseOf(piece, row);
        pulse[next] = number < firstPulse ? firstPulse : number;
      }
    }
    const span = { firstPulse, pulses: Number(endPulse - firstPulse) };
    return gridMessage({ ...driver, grid }, { stamp, pulse, span }, points);
  }

  /** One laser: pulses and slots have the same numbers. */
  function laserScan(of: readonly Part[]): Uint8Array {
    const { scan, stampNs } = expectCurrent();
    const [firstSlot, endSlot] = [cuts.firstSlot(scan), cuts.firstSlot(scan + 1)];
    const rangesM = filled(new Float32Array(endSlot - firstSlot), () => Infinity);
    const intensities = new Float32Array(rangesM.length);
    for (const { piece, from, to } of of) {
      for (let row = from; row < to; row++) {
        const slot = Number(pulseOf(piece, row)) - firstSlot;
        const rangeM = piece.rangesM[row] ?? NaN;
        if (piece.isMiss?.[row] === 1 || Number.isNaN(rangeM)) continue;
        if (rangesM[slot] !== Infinity) continue;
        rangesM[slot] = rangeM;
        intensities[slot] = piece.intensities[row] ?? 0;
      }
    }
    // Why the start of the scan, also of a part: times count from the first range.
    const stamp = epoch.stamp(Math.min(stampNs, cuts.startNs(scan)));
    return encodeLaserScan(recipe, {
      stamp,
      frameId: driver.frameId,
      firstSlot,
      rangesM,
      intensities,
    });
  }

  function expectCurrent(): NonNullable<typeof current> {
    if (current === null) throw new RangeError('no scan is under way');
    return current;
  }
}

function countOf(parts: readonly Part[]): number {
  return parts.reduce((sum, { from, to }) => sum + to - from, 0);
}

function pulseOf({ firstPulse, pulses }: ScanPiece, row: number): bigint {
  return firstPulse + BigInt(pulses[row] ?? 0);
}

/** The first row at or after `from` whose pulse is at least so far. */
function firstRowFrom(
  { firstPulse, pulses, rows }: ScanPiece,
  pulse: bigint,
  from: number,
): number {
  const wanted = Number(pulse - firstPulse);
  let [low, high] = [from, rows];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((pulses[middle] ?? 0) < wanted) low = middle + 1;
    else high = middle;
  }
  return low;
}
