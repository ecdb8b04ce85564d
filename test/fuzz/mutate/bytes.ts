// Changes of bytes: flipped, set, removed, doubled, cut off, and lengths and counts at their extremes.
import { joined } from '#test/recordings/mcapRecords.ts';
import type { Random } from '../random.ts';

const extremes = [
  ...[0n, 1n, 2n, 0x7fn, 0x80n, 0xffn, 0x7fffn, 0x8000n, 0xffffn, 0x10000n, 0xffffffn],
  ...[0x7fffffffn, 0x80000000n, 0xffffffffn, 0x100000000n, 0x20000000000000n],
  ...[0x7fffffffffffffffn, 0x8000000000000000n, 0xffffffffffffffffn, 0x7ff0000000000000n],
];

/** A few changes of bytes. @param limit changes are before it: half of them in a head of that length */
export function mutatedBytes(bytes: Uint8Array, random: Random, headBytes = 256): Uint8Array {
  let changed: Uint8Array = bytes.slice();
  for (let change = 0; change <= random.below(4); change += 1) {
    if (changed.length === 0) return changed;
    const reach = random.oneIn(2) ? Math.min(headBytes, changed.length) : changed.length;
    changed = changedOnce(changed, random.below(reach), random);
  }
  return changed;
}

function changedOnce(bytes: Uint8Array, at: number, random: Random): Uint8Array {
  const end = Math.min(bytes.length, at + 1 + random.below(40));
  const kind = random.below(10);
  if (kind < 2) {
    bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8));
  } else if (kind < 3) {
    bytes[at] = random.below(256);
  } else if (kind < 7) {
    setInteger(bytes, at, random);
  } else if (kind < 8) {
    return joined(bytes.subarray(0, at), bytes.subarray(end));
  } else if (kind < 9) {
    const to = random.below(bytes.length + 1);
    return joined(bytes.subarray(0, to), bytes.subarray(at, end), bytes.subarray(to));
  } else {
    return random.oneIn(3) ? bytes.subarray(0, at) : joined(bytes, bytes.subarray(at, end));
  }
  return bytes;
}

/** An integer of 1, 2, 4 or 8 bytes, of either order, gets an extreme value or one near its own. */
export function setInteger(bytes: Uint8Array, at: number, random: Random): void {
  const size = random.of([1, 2, 4, 8]);
  if (at + size > bytes.length) return;
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  const isLittle = random.oneIn(2);
  const value = BigInt.asUintN(8 * size, random.of(extremes) + BigInt(random.below(3) - 1));
  if (size === 1) view.setUint8(at, Number(value));
  else if (size === 2) view.setUint16(at, Number(value), isLittle);
  else if (size === 4) view.setUint32(at, Number(value), isLittle);
  else view.setBigUint64(at, value, isLittle);
}
