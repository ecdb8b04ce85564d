// Counter-based random numbers: Philox4x32-10 (Salmon, Moraes, Dror, Shaw 2011, "Parallel random numbers:
// as easy as 1, 2, 3"). A draw is a pure function of what it is for, so order and threads cannot matter.

const multiplier0 = 0xd2511f53;
const multiplier1 = 0xcd9e8d57;
const weyl0 = 0x9e3779b9;
const weyl1 = 0xbb67ae85;
const rounds = 10;

export type Counter = readonly [number, number, number, number];

/** The purposes of random numbers; part of the key, so that no two uses share numbers. */
export const purposes = {
  gps: 1,
  compass: 2,
  posePosition: 3,
  poseAttitude: 4,
  slabLeaves: 64,
  canopyDiscs: 65,
  learnedForms: 66,
  standPlaces: 67,
  standParents: 68,
  standSizes: 69,
  standHeights: 70,
  standShapes: 71,
  standTurns: 72,
  truthLeaves: 73,
  landscapeTiles: 74,
  terrainRelief: 75,
  terrainGullies: 76,
  campaignPoints: 80,
  campaignOrder: 81,
  campaignScramble: 82,
  campaignBootstrap: 83,
} as const;

/** Ten rounds over a counter of four and a key of two 32-bit words; gives four 32-bit words. */
export function philox4x32(counter: Counter, key: readonly [number, number]): Counter {
  const words = new Uint32Array(counter);
  roundsOf(words, ...key);
  return [...words] as unknown as Counter;
}

/**
 * Four uniform numbers in (0, 1), never 0 nor 1, for draw `n` (from 0, below 2^53) of one purpose;
 * `stream` distinguishes several sources of one purpose.
 */
export function uniforms(seed: number, purpose: number, stream: number, n: number): Counter {
  const high = Math.floor(n / 2 ** 32);
  const words = philox4x32([n >>> 0, high, stream >>> 0, 0], [seed >>> 0, purpose >>> 0]);
  return words.map((word) => (word + 0.5) / 2 ** 32) as unknown as Counter;
}

/** The words from which `uniforms` are made, (word + 0.5) / 2^32, written to `words`; no memory is allocated. */
export function uniformWords(
  words: Uint32Array,
  seed: number,
  purpose: number,
  stream: number,
  n: number,
): void {
  words[0] = n;
  words[1] = Math.floor(n / 2 ** 32);
  words[2] = stream;
  words[3] = 0;
  roundsOf(words, seed >>> 0, purpose >>> 0);
}

/** Four independent standard normal numbers by Box and Muller 1958, keyed as `uniforms`. */
export function normals(seed: number, purpose: number, stream: number, n: number): Counter {
  const [u0, u1, u2, u3] = uniforms(seed, purpose, stream, n);
  const radius0 = Math.sqrt(-2 * Math.log(u0));
  const radius1 = Math.sqrt(-2 * Math.log(u2));
  return [
    radius0 * Math.cos(2 * Math.PI * u1),
    radius0 * Math.sin(2 * Math.PI * u1),
    radius1 * Math.cos(2 * Math.PI * u3),
    radius1 * Math.sin(2 * Math.PI * u3),
  ];
}

/** The upper 32 bits of the 64-bit product of two unsigned words. */
function multiplyHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = aHigh * bLow + ((aLow * bLow) >>> 16);
  const carry = (middle & 0xffff) + aLow * bHigh;
  return (aHigh * bHigh + Math.floor(middle / 0x10000) + Math.floor(carry / 0x10000)) >>> 0;
}

/** Ten rounds over the four words, in place. */
function roundsOf(words: Uint32Array, key0: number, key1: number): void {
  // Why not by destructuring: an iterator of its own would take longer than the rounds.
  let c0 = words[0] ?? 0;
  let c1 = words[1] ?? 0;
  let c2 = words[2] ?? 0;
  let c3 = words[3] ?? 0;
  let k0 = key0;
  let k1 = key1;
  for (let round = 0; round < rounds; round += 1) {
    const high0 = multiplyHigh(multiplier0, c0);
    const low0 = Math.imul(multiplier0, c0) >>> 0;
    const high1 = multiplyHigh(multiplier1, c2);
    const low1 = Math.imul(multiplier1, c2) >>> 0;
    c0 = (high1 ^ c1 ^ k0) >>> 0;
    c1 = low1;
    c2 = (high0 ^ c3 ^ k1) >>> 0;
    c3 = low0;
    k0 = (k0 + weyl0) >>> 0;
    k1 = (k1 + weyl1) >>> 0;
  }
  words[0] = c0;
  words[1] = c1;
  words[2] = c2;
  words[3] = c3;
}
