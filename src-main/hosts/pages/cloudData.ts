// A cloud as a page holds it: two bytes a coordinate, one for the intensity, one for the class, in base64.
import { classColour, heightColour, scaleColour, toHex } from '#domain/shared/colours.ts';
import type { CloudSample } from './cloudSample.ts';

/** The head of a page's cloud, as assets/runPage/viewer.mjs reads it. */
export interface CloudHead {
  count: number;
  /** Position of a point: minM + n · stepM for its three numbers. */
  minM: number[];
  stepM: number[];
  /** Numbers of z between which heights are coloured. */
  heights: [number, number];
  /** Values of the intensity's bytes 0 and 255; null: there is none. */
  intensities: [number, number] | null;
  /** Classes that occur. */
  classes: { id: number; name: string; colour: string }[];
  /** Colours from low to high, '#rrggbb'. */
  heightColours: string[];
  intensityColours: string[];
  /** The vehicle's path: x, y, z of each place, metres. */
  pathM: number[];
}

export interface CloudData {
  head: CloudHead;
  /** count × u16 x, count × u16 y, count × u16 z, count × u8 intensity, count × u8 class: little-endian, base64. */
  base64: string;
}

const steps = 65535;

/** @param pathM places of the vehicle, in turn */
export function cloudData(
  { count, xM, yM, zM, intensity, classId }: CloudSample,
  classNames: readonly string[],
  pathM: readonly (readonly [number, number, number])[],
): CloudData {
  const bytes = Buffer.alloc(8 * count);
  const minM: number[] = [];
  const stepM: number[] = [];
  for (const [axis, values] of [xM, yM, zM].entries()) {
    const [from, to] = rangeOf(values, 0, 1);
    const step = Math.max(to - from, 1e-3) / steps;
    minM.push(rounded(from));
    stepM.push(step);
    for (let at = 0; at < count; at += 1) {
      const place = Math.round(((values[at] ?? 0) - rounded(from)) / step);
      bytes.writeUInt16LE(Math.max(0, Math.min(place, steps)), 2 * (axis * count + at));
    }
  }
  const [lowest, highest] = rangeOf(zM, 0.01, 0.99);
  const heightStep = stepM[2] ?? 1;
  const signals = intensity.filter((value) => Number.isFinite(value));
  const [faint, bright] = rangeOf(signals, 0.01, 0.99);
  const span = Math.max(bright - faint, 1e-9);
  for (let at = 0; at < count; at += 1) {
    const share = ((intensity[at] ?? faint) - faint) / span;
    bytes[6 * count + at] = Math.round(255 * Math.max(0, Math.min(share || 0, 1)));
    bytes[7 * count + at] = Math.min(classId[at] ?? 0, 255);
  }
  const ids = [...new Set(bytes.subarray(7 * count))].sort((a, b) => a - b);
  return {
    head: {
      count,
      minM,
      stepM,
      heights: [lowest, highest].map((z) => Math.round((z - (minM[2] ?? 0)) / heightStep)) as [
        number,
        number,
      ],
      intensities: signals.length === 0 ? null : [short(faint), short(bright)],
      classes: ids.map((id) => {
        return { id, name: classNames[id] ?? `class ${id}`, colour: toHex(classColour(id)) };
      }),
      heightColours: coloursOf(heightColour),
      intensityColours: coloursOf((share) => scaleColour('viridis', share)),
      pathM: pathM.flat().map(rounded),
    },
    base64: bytes.toString('base64'),
  };
}

function coloursOf(colourAt: (share: number) => Parameters<typeof toHex>[0]): string[] {
  return Array.from({ length: 65 }, (_, index) => toHex(colourAt(index / 64)));
}

/** Values below which these shares of all are; [0, 0] of none. */
function rangeOf(values: Float32Array, from: number, to: number): [number, number] {
  const sorted = values.slice().sort();
  const at = (share: number): number => sorted[Math.round(share * (sorted.length - 1))] ?? 0;
  return [at(from), at(to)];
}

/** Four digits, for a legend. */
function short(value: number): number {
  return Number(value.toPrecision(4));
}

/** To the millimetre, for a short text. */
function rounded(value: number): number {
  return Math.round(1000 * value) / 1000 + 0;
}
