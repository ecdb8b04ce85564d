// How the worker packs a scan into the MCAP message that encodeCloud would give: the same bytes, without a
// point passing through this process.
import type { ReturnColumnName } from '#contract/columns.ts';
import type { HeadPatch, PackedField } from '#contract/worker/rowTemplate.ts';
import type { RowPacking } from '#services/ports/workers.ts';
import { messageHeadBytes, encodeMessageHead } from '../mcap/messageHead.ts';
import { type Epoch, simulatedTime } from './epoch.ts';
import { type CloudField, countsIn, encodeCloudFrame, layOutCloud } from './cloudFields.ts';

/** A message record with a cloud of these columns; every scan has a return for each row (no misses). */
export function cloudPacking(
  message: { channelId: number; sequence: number; timeNs: number; fromNs: number },
  columns: readonly ReturnColumnName[],
  epoch: Epoch = simulatedTime,
): RowPacking {
  const { channelId, sequence, fromNs } = message;
  const layout = layOutCloud(new Set(columns));
  const { before: cloudHead, after } = encodeCloudFrame(layout, {
    stamp: epoch.stamp(fromNs),
    rows: 0,
    isDense: true,
  });
  const emptyBytes = cloudHead.length + after.length;
  const recordHead = encodeMessageHead(
    { channelId, sequence, logTime: epoch.logTime(message.timeNs) },
    emptyBytes,
  );
  const before = new Uint8Array(recordHead.length + cloudHead.length);
  before.set(recordHead);
  before.set(cloudHead, recordHead.length);
  const { widthAt, bytesAt } = countsIn(cloudHead);
  const perRow = layout.pointStep;
  const patches: HeadPatch[] = [
    // The record's length: opcode and length itself do not count.
    { at: 1, bytes: 8, plus: messageHeadBytes - 9 + emptyBytes, perRow },
    { at: messageHeadBytes + widthAt, bytes: 4, plus: 0, perRow: 1 },
    ...bytesAt.map((at): HeadPatch => ({ at: messageHeadBytes + at, bytes: 4, plus: 0, perRow })),
  ];
  // The low word of a 64-bit value copies both.
  const fields = layout.fields
    .filter(({ from }) => from !== 'high')
    .map((field) => packedField(field, fromNs));
  return { template: { rowBytes: layout.pointStep, fields, patches }, before, after };
}

function packedField({ column, offset, from }: CloudField, fromNs: number): PackedField {
  if (from === 'value' || from === 'low') return { column, offset, how: 'copy' };
  const base = column === 'time_ns' ? { base: fromNs } : {};
  return from === 'difference'
    ? { column, offset, how: 'difference', ...base }
    : { column, offset, how: 'scaledDifference', factor: 1e-9, ...base };
}
