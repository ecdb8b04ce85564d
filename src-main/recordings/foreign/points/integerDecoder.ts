// Integers of LASzip's arithmetic coding (Said 2004, HPL-2004-76; Isenburg 2013), as tables of chunks have them: each is
// predicted by the one before it in its context, and the correction is coded by its number of bits.

/** The next integer of a context, of 32 bits without sign. */
export type NextInteger = (predicted: number, context: 0 | 1) => number;

/** Symbols with frequencies that adapt. */
interface SymbolModel {
  counts: Uint32Array;
  /** Sums of the shares of the symbols before each, in steps of 2^-15. */
  distribution: Uint32Array;
  total: number;
  cycle: number;
  untilUpdate: number;
}

interface BitModel {
  zeros: number;
  total: number;
  /** Probability of 0, in steps of 2^-13. */
  zeroShare: number;
  cycle: number;
  untilUpdate: number;
}

const [minLength, maxLength] = [0x01000000, 0xffffffff];
const [symbolBits, bitBits] = [15, 13];
/** A correction of more bits has the others appended as they are. */
const modelledBits = 8;

/** @param onEnd throws: more is asked for than there is */
export function integerDecoder(bytes: Uint8Array, onEnd: () => never): NextInteger {
  let [at, value, length] = [0, 0, maxLength];
  for (let byte = 0; byte < 4; byte += 1) value = ((value << 8) | nextByte()) >>> 0;
  const bitCounts = [symbolModel(33), symbolModel(33)] as const;
  const corrections = Array.from({ length: 31 }, (_, bits) =>
    symbolModel(1 << Math.min(bits + 1, modelledBits)),
  );
  const zeroOrOne: BitModel = { zeros: 1, total: 2, zeroShare: 4096, cycle: 4, untilUpdate: 4 };

  function nextByte(): number {
    // Why some beyond the end: the coder leaves out zeros there.
    if (at > bytes.length + 3) onEnd();
    return bytes[at++] ?? 0;
  }

  function renormalise(): void {
    while (length < minLength) {
      value = ((value << 8) | nextByte()) >>> 0;
      length = (length << 8) >>> 0;
    }
  }

  function nextSymbol(model: SymbolModel): number {
    let end = length;
    length >>>= symbolBits;
    let [low, high, start] = [0, model.counts.length, 0];
    for (let middle = high >> 1; middle !== low; middle = (low + high) >> 1) {
      const bound = length * (model.distribution[middle] ?? 0);
      if (bound > value) [high, end] = [middle, bound];
      else [low, start] = [middle, bound];
    }
    value -= start;
    length = end - start;
    renormalise();
    model.counts[low] = (model.counts[low] ?? 0) + 1;
    model.untilUpdate -= 1;
    if (model.untilUpdate === 0) updateSymbols(model);
    return low;
  }

  function nextBit(model: BitModel): number {
    const bound = model.zeroShare * (length >>> bitBits);
    const bit = value >= bound ? 1 : 0;
    if (bit === 0) {
      length = bound;
      model.zeros += 1;
    } else {
      value -= bound;
      length -= bound;
    }
    renormalise();
    model.untilUpdate -= 1;
    if (model.untilUpdate === 0) updateBit(model);
    return bit;
  }

  function nextBits(bits: number): number {
    if (bits > 19) {
      const low = nextBits(16);
      return nextBits(bits - 16) * 0x10000 + low;
    }
    length >>>= bits;
    const found = Math.floor(value / length);
    value -= found * length;
    renormalise();
    return found;
  }

  function nextCorrection(context: 0 | 1): number {
    const bits = nextSymbol(bitCounts[context]);
    if (bits === 0) return nextBit(zeroOrOne);
    const model = corrections[bits - 1];
    if (model === undefined) return -0x80000000;
    const further = Math.max(0, bits - modelledBits);
    const high = nextSymbol(model);
    const coded = further === 0 ? high : high * 2 ** further + nextBits(further);
    // Positive ones from 2^(bits - 1) + 1 on, negative ones below.
    return coded >= 2 ** (bits - 1) ? coded + 1 : coded - (2 ** bits - 1);
  }

  return (predicted, context) => (predicted + nextCorrection(context)) >>> 0;
}

function symbolModel(symbols: number): SymbolModel {
  const counts = new Uint32Array(symbols).fill(1);
  const distribution = new Uint32Array(symbols);
  const model = { counts, distribution, total: 0, cycle: symbols, untilUpdate: 0 };
  updateSymbols(model);
  model.cycle = (symbols + 6) >> 1;
  model.untilUpdate = model.cycle;
  return model;
}

function updateSymbols(model: SymbolModel): void {
  const { counts, distribution } = model;
  model.total += model.cycle;
  if (model.total > 1 << symbolBits) {
    for (const [symbol, count] of counts.entries()) counts[symbol] = (count + 1) >> 1;
    model.total = counts.reduce((sum, count) => sum + count, 0);
  }
  const scale = Math.floor(0x80000000 / model.total);
  let sum = 0;
  for (const [symbol, count] of counts.entries()) {
    distribution[symbol] = (scale * sum) >>> (31 - symbolBits);
    sum += count;
  }
  model.cycle = Math.min((5 * model.cycle) >> 2, (counts.length + 6) << 3);
  model.untilUpdate = model.cycle;
}

function updateBit(model: BitModel): void {
  model.total += model.cycle;
  if (model.total > 1 << bitBits) {
    model.total = (model.total + 1) >> 1;
    model.zeros = (model.zeros + 1) >> 1;
    if (model.zeros === model.total) model.total += 1;
  }
  const scale = Math.floor(0x80000000 / model.total);
  model.zeroShare = (model.zeros * scale) >>> (31 - bitBits);
  model.cycle = Math.min((5 * model.cycle) >> 2, 64);
  model.untilUpdate = model.cycle;
}
