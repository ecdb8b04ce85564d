// Colours of values, classes and marks, the same on the page, in pictures and in reports. sRGB bytes.
// Why anchors: every fifth entry of the published tables, interpolated linearly, is within 1.2 of 255 of them;
// the usual polynomials are off by up to 4 (viridis) and 32 (turbo).
import { clamp } from './numbers.ts';

/** Red, green, blue, 0–255. */
export type Rgb = readonly [number, number, number];
export type ScaleName = keyof typeof anchors;

const anchors = {
  // matplotlib's viridis (Smith and van der Walt 2015): even steps of lightness.
  viridis: parseColours(
    '440154 46085c 471063 481769 481d6f 482475 472a7a 46307e 453781 433d84 414287 3f4889 3d4e8a ' +
      '3a538b 38598c 355e8d 33638d 31688e 2e6d8e 2c718e 2a768e 297b8e 27808e 25848e 23898e 218e8d ' +
      '20928c 1f978b 1e9c89 1fa188 21a585 24aa83 28ae80 2eb37c 35b779 3dbc74 46c06f 50c46a 5ac864 ' +
      '65cb5e 70cf57 7cd250 89d548 95d840 a2da37 b0dd2f bddf26 cae11f d8e219 e5e419 f1e51d fde725',
  ),
  // Google's turbo (Mikhailov 2019): small differences stay visible.
  turbo: parseColours(
    '30123b 36215f 3b2f80 3f3e9c 424bb5 4559cb 4666dd 4773eb 4680f6 458cfd 4099ff 38a5fb 2fb2f4 ' +
      '27bee9 1fc9dd 1ad4d0 18ddc2 1ae4b6 22ebaa 2ff19b 3ff68a 52fa7a 65fd69 79fe59 8bff4b 9cfe40 ' +
      'a9fb39 b7f735 c3f134 d0ea34 dbe236 e5d938 eecf3a f5c53a faba39 fdae35 fea130 fe932a fc8423 ' +
      'f9751d f46617 ef5811 e84b0c e14109 d83706 ce2d04 c32503 b71d02 a91601 9b0f01 8b0902 7a0403',
  ),
} as const;

/** Okabe and Ito 2008: eight colours that stay apart for every kind of colour vision. */
export const markColours = {
  orange: [230, 159, 0],
  green: [0, 158, 115],
  skyBlue: [86, 180, 233],
  purple: [204, 121, 167],
  vermilion: [213, 94, 0],
  yellow: [240, 228, 66],
  blue: [0, 114, 178],
  grey: [153, 153, 153],
} as const satisfies Record<string, Rgb>;

/**
 * Colours of things that are compared, such as scans: as far as can be from the colours of classes, which are in the same view, and
 * from one another (41 and more in CIELAB, by 8 greedy choices).
 */
const itemColours: readonly Rgb[] = [
  [255, 0, 102],
  [102, 17, 255],
  [0, 221, 0],
  [255, 170, 136],
  [102, 102, 17],
  [255, 0, 204],
  [153, 119, 255],
  [0, 136, 0],
];
const classColours: readonly Rgb[] = Object.values(markColours);
const black: Rgb = [0, 0, 0];

/** The colour at `share` of a scale; clamped to 0 … 1. */
export function scaleColour(scale: ScaleName, share: number): Rgb {
  const stops = anchors[scale];
  const at = clamp(share, 0, 1) * (stops.length - 1);
  const index = Math.min(Math.floor(at), stops.length - 2);
  const from = stops[index] ?? black;
  const to = stops[index + 1] ?? black;
  const mix = (channel: 0 | 1 | 2): number =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (at - index));
  return [mix(0), mix(1), mix(2)];
}

/** Black at 0, white at 1; clamped. */
export function greyColour(share: number): Rgb {
  const level = Math.round(255 * clamp(share, 0, 1));
  return [level, level, level];
}

/**
 * Height above the lowest point, as a share of the whole span: turbo by the square root, so that ground, grass
 * and shrubs differ beside trees, and brighter than a black background.
 */
export function heightColour(share: number): Rgb {
  return scaleColour('turbo', 0.08 + 0.92 * Math.sqrt(clamp(share, 0, 1)));
}

/** The colour of a class by its id; ids beyond the palette start it again. */
export function classColour(classId: number): Rgb {
  return classColours[classId % classColours.length] ?? black;
}

/** The colour of a compared thing by its number from 0; more of them start the palette again. No class has it. */
export function itemColour(index: number): Rgb {
  return itemColours[index % itemColours.length] ?? black;
}

/** A scale as `size` RGBA pixels, for a texture or a legend. */
export function scalePixels(scale: ScaleName, size: number): Uint8Array<ArrayBuffer> {
  return pixelsOf(size, (index) => scaleColour(scale, index / (size - 1)));
}

/** The colours of classes 0 … size − 1 as RGBA pixels. */
export function classPixels(size: number): Uint8Array<ArrayBuffer> {
  return pixelsOf(size, classColour);
}

/** '#rrggbb'. */
export function toHex(colour: Rgb): string {
  return `#${colour.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
}

function pixelsOf(size: number, colourAt: (index: number) => Rgb): Uint8Array<ArrayBuffer> {
  const pixels = new Uint8Array(4 * size);
  for (let index = 0; index < size; index += 1) pixels.set([...colourAt(index), 255], 4 * index);
  return pixels;
}

function parseColours(hex: string): Rgb[] {
  return hex.split(' ').map((text) => {
    const value = Number.parseInt(text, 16);
    return [value >> 16, (value >> 8) & 0xff, value & 0xff];
  });
}
