// How the worker packs a scan into the MCAP message that encodeCloud or encodeDriverCloud would give: the same bytes,
// without a point passing through this process.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { HeadPatch, PackedField } from '#contract/worker/rowTemplate.ts';
import type { RowPacking } from '#services/ports/workers.ts';
import { messageHeadBytes, encodeMessageHead } from '../mcap/messageHead.ts';
import { type Epoch, type RosTime, simulatedTime } from './epoch.ts';
import {
  type CloudField,
  type CloudLayout,
  countsIn,
  encodeCloudFrame,
  layOutCloud,
  putStamp,
  stampValue,
} from './cloudFields.ts';
import type { CloudGrid } from './cloudGrid.ts';
import type { DriverCloud } from './driverCloud.ts';
import { frames } from './frames.ts';
import { withoutFollowing, type PulseRecipe } from './pulseColumns.ts';

/** The message that a cloud becomes. */
export interface PackedMessage {
  channelId: number;
  sequence: number;
  timeNs: number;
  /** Stamp of the cloud. */
  fromNs: number;
}

/** How the worker packs one scan after the other: what is equal for all is made once. */
export type MessagePacking = (message: PackedMessage) => RowPacking;

/**
 * Message records with clouds of these columns. Every row is a return; with `misses` pulses without an echo have rows
 * too.
 * @param recipe as that of encodeCloud
 */
export function cloudPacking(
  columns: readonly ReturnColumnName[],
  epoch: Epoch = simulatedTime,
  { misses = false, recipe }: { misses?: boolean; recipe?: PulseRecipe } = {},
): MessagePacking {
  const layout = layOutCloud(new Set(withoutFollowing(columns, recipe)));
  const frame = { frameId: frames.map, grid: null, isDense: !misses };
  const packed = packing(layout, frame, epoch);
  if (!misses) return packed;
  return (message) => {
    const { template, ...around } = packed(message);
    return { ...around, template: { ...template, misses } };
  };
}

/** The same for clouds as the sensor's driver publishes them. */
export function driverPacking(cloud: DriverCloud, epoch: Epoch = simulatedTime): MessagePacking {
  return packing(cloud.layout, { ...cloud, isDense: cloud.grid === null }, epoch);
}

function packing(
  layout: CloudLayout,
  { frameId, grid, isDense }: { frameId: string; grid: CloudGrid | null; isDense: boolean },
  epoch: Epoch,
): MessagePacking {
  const height = grid?.grid.rows ?? 1;
  const { before: cloudHead, after } = encodeCloudFrame(layout, {
    stamp: { sec: 0, nanosec: 0 },
    frameId,
    height,
    width: 0,
    isDense,
  });
  const emptyBytes = cloudHead.length + after.length;
  const { widthAt, rowBytesAt, bytesAt } = countsIn(cloudHead, frameId);
  const { pointStep } = layout;
  const inHead = (at: number, perRow: number): HeadPatch => {
    return { at: messageHeadBytes + at, bytes: 4, plus: 0, perRow };
  };
  const patches: HeadPatch[] = [
    // The record's length: opcode and length itself do not count.
    { at: 1, bytes: 8, plus: messageHeadBytes - 9 + emptyBytes, perRow: pointStep * height },
    inHead(widthAt, 1),
    inHead(rowBytesAt, pointStep),
    inHead(bytesAt, pointStep * height),
  ];
  // The low word of a 64-bit value copies both.
  const packedFields = layout.fields.filter(({ from }) => from !== 'high');
  return ({ channelId, sequence, timeNs, fromNs }) => {
    const stamp = epoch.stamp(fromNs);
    const logTime = epoch.logTime(timeNs);
    const recordHead = encodeMessageHead({ channelId, sequence, logTime }, emptyBytes);
    const before = new Uint8Array(recordHead.length + cloudHead.length);
    before.set(recordHead);
    before.set(cloudHead, recordHead.length);
    putStamp(before.subarray(recordHead.length), stamp);
    const fields = packedFields.map((field) => packedField(field, fromNs, stamp));
    const template = { rowBytes: pointStep, fields, patches };
    if (grid === null) return { template: { ...template, groupBy: 'ring' }, before, after };
    return { template: { ...template, grid: grid.grid }, before, after, blank: grid.blank };
  };
}

/** How the worker packs a field. @param stamp the time fromNs */
export function packedField(
  { column, offset, from, type, factor = 1, plus = 0, step }: CloudField,
  fromNs: number,
  stamp: RosTime,
): PackedField {
  const base = column === 'time_ns' ? { base: fromNs } : {};
  switch (from) {
    case 'difference':
      return { column, offset, how: 'difference', ...base };
    case 'seconds':
      return { column, offset, how: 'scaledDifference', factor: 1e-9, ...base };
    case 'absolute': {
      const after = { factor, plus: stampValue(stamp, factor), type };
      return { column, offset, how: 'scaledDifference', ...after, ...base };
    }
    case 'scaled':
      return { column, offset, how: 'scaled', factor, plus, type, ...(step && { step }) };
    default:
      return { column, offset, how: 'copy' };
  }
}
