// Colours for measured values and for classes. Scales are perceptual and safe for the colour-blind.
// Colours are sRGB bytes; scales are given by equally spaced anchors and interpolated linearly.
import { unknownCost } from '#contract/host/run.ts';

export type Rgb = readonly [number, number, number];
export type ScaleName = keyof typeof anchors;

const anchors = {
  // matplotlib's viridis (Smith and van der Walt 2015), ten samples.
  viridis: '440154 482878 3e4989 31688e 26828e 1f9e89 35b779 6ece58 b5de2b fde725'
    .split(' ')
    .map(fromHex),
  // Google's turbo (Mikhailov 2019), fifteen samples.
  turbo:
    '30123b 4145ab 4675ed 39a2fc 1bcfd4 24eca6 61fc6c a4fc3b d1e834 f3c63a fe9b2d f36315 d93806 b11901 7a0402'
      .split(' ')
      .map(fromHex),
} as const;

/** Okabe and Ito 2008: eight colours that stay apart for every kind of colour vision. */
const classColours: readonly Rgb[] = 'e69f00 009e73 56b4e9 cc79a7 d55e00 f0e442 0072b2 999999'
  .split(' ')
  .map(fromHex);

/** The colour at `share` (0 to 1; outside is held) of a scale. */
export function scaleColour(scale: ScaleName, share: number): Rgb {
  const stops = anchors[scale];
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const index = Math.min(Math.floor(at), stops.length - 2);
  const from = stops[index] ?? black;
  const to = stops[index + 1] ?? black;
  const mix = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (at - index));
  return [mix(0), mix(1), mix(2)];
}

/** The colour of a class by its id; ids beyond the palette begin it again. */
export function classColour(classId: number): Rgb {
  return classColours[classId % classColours.length] ?? black;
}

/** A scale as `size` RGBA pixels, for a texture or a legend. */
export function scalePixels(scale: ScaleName, size: number): Uint8Array<ArrayBuffer> {
  return pixelsOf(size, (index) => scaleColour(scale, index / (size - 1)));
}

/** The colours of classes 0 … size − 1 as RGBA pixels. */
export function classPixels(size: number): Uint8Array<ArrayBuffer> {
  return pixelsOf(size, classColour);
}

/** Cost (0–100, 255 unknown) to RGBA: turbo, cheap cells faint, unknown ones clear. */
export function paintCost(cost: Uint8Array, rgba: Uint8Array): void {
  for (let cell = 0; cell < cost.length; cell += 1) {
    const value = cost[cell] ?? unknownCost;
    const [red, green, blue] = costColours[Math.min(value, 100)] ?? black;
    rgba[4 * cell] = red;
    rgba[4 * cell + 1] = green;
    rgba[4 * cell + 2] = blue;
    rgba[4 * cell + 3] = value === unknownCost ? 0 : 70 + Math.round(1.5 * Math.min(value, 100));
  }
}

/** '#rrggbb'. */
export function toHex(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

const black: Rgb = [0, 0, 0];
const costColours = Array.from({ length: 101 }, (_, cost) => scaleColour('turbo', cost / 100));

function pixelsOf(size: number, colourAt: (index: number) => Rgb): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(4 * size);
  for (let index = 0; index < size; index += 1) pixels.set([...colourAt(index), 255], 4 * index);
  return pixels;
}

function fromHex(hex: string): Rgb {
  const value = Number.parseInt(hex, 16);
  return [value >> 16, (value >> 8) & 0xff, value & 0xff];
}
