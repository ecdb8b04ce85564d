// Contents of a tick that a recording gets one by one, written together in the order of time: readings and messages of drivers at their
// own times, then the scans of the tick.
import type { Pose } from '#contract/host/run.ts';
import type { RecordedTick } from '#services/ports/recordings.ts';
import type { McapSink } from './mcap/mcapSink.ts';
import type { DueMessage } from './ros/scanMessages.ts';
import type { ScanPiece } from './ros/scanPieces.ts';
import type { ScanClouds } from './scanClouds.ts';

/** A scan that waits for its tick. */
export interface HeldScan {
  sensor: number;
  /** End of its tick. */
  timeNs: number;
  piece: ScanPiece | null;
  write: () => Promise<void>;
}

export interface TickQueue {
  messages(messages: readonly DueMessage[]): void;
  /** Scans of another tick that still wait are written first. */
  scan(scan: HeldScan): Promise<void>;
  /** Writes what waits. @param tick null: not known */
  write(tick: Pick<RecordedTick, 'truth' | 'steps'> | null): Promise<void>;
  /** Writes what waits, and messages under way as far as they are. */
  end(): Promise<void>;
}

/** For one recording. */
export function createTickQueue(
  sink: Pick<McapSink, 'add'>,
  clouds: Pick<ScanClouds, 'messages' | 'endMessages'>,
): TickQueue {
  const due: DueMessage[] = [];
  const held: HeldScan[] = [];
  /** At the end of the last tick. */
  let lastPose: Pose | null = null;

  async function write(tick: Pick<RecordedTick, 'truth' | 'steps'> | null): Promise<void> {
    const scans = held.splice(0);
    const pieces = scans.flatMap(({ sensor, piece }) => (piece === null ? [] : { sensor, piece }));
    const from = tick === null ? null : (tick.steps?.poses[0] ?? tick.truth);
    const isElsewhere = from !== null && lastPose !== null && isJump(lastPose, from);
    const ended = isElsewhere ? clouds.endMessages() : [];
    const messages = [...ended, ...due.splice(0), ...clouds.messages(pieces)];
    for (const message of messages.sort((a, b) => a.timeNs - b.timeNs)) await sink.add([message]);
    for (const scan of scans) await scan.write();
    lastPose = tick?.truth ?? lastPose;
  }

  return {
    messages: (messages) => void due.push(...messages),
    async scan(scan) {
      if (held.some(({ timeNs }) => timeNs !== scan.timeNs)) await write(null);
      held.push(scan);
    },
    write,
    async end() {
      await write(null);
      for (const message of clouds.endMessages()) await sink.add([message]);
    },
  };
}

/** Whether a tick begins elsewhere than the one before ended: at another leg of a survey. */
function isJump(a: Pose, b: Pose): boolean {
  const [x, y, z] = a.positionM.map((value, axis) => value - (b.positionM[axis] ?? 0));
  const dot = a.rotation.reduce((sum, value, axis) => sum + value * (b.rotation[axis] ?? 0), 0);
  return Math.hypot(x ?? 0, y ?? 0, z ?? 0) > 1e-6 || Math.abs(dot) < 1 - 1e-9;
}
