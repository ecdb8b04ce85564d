// An MCAP message record up to its data (mcap.dev/spec, "Message"), for data that are not here.

const messageOpcode = 0x05;

/** Opcode, length, channel, sequence, log time, publish time. */
export const messageHeadBytes = 1 + 8 + 2 + 4 + 8 + 8;

/** The record's bytes before its data of `dataBytes`. */
export function encodeMessageHead(
  { channelId, sequence, logTime }: { channelId: number; sequence: number; logTime: bigint },
  dataBytes: number,
): Uint8Array {
  const head = new Uint8Array(messageHeadBytes);
  const view = new DataView(head.buffer);
  view.setUint8(0, messageOpcode);
  view.setBigUint64(1, BigInt(messageHeadBytes - 9 + dataBytes), true);
  view.setUint16(9, channelId, true);
  view.setUint32(11, sequence, true);
  view.setBigUint64(15, logTime, true);
  view.setBigUint64(23, logTime, true);
  return head;
}
