// The terrains of scenarios, as the 16-bit grey PNG that a person would export from a map. Run this file to write the
// pictures again: node test/assets/terrains.ts
import { writeFile } from 'node:fs/promises';
import { decode, encode } from 'fast-png';

export interface Terrain {
  /** Name of the picture, in assets/scenarios. */
  file: string;
  /** Along each side. */
  posts: number;
  sizeM: number;
  /** Heights of black and of white, as the scenario states them. */
  zM: readonly [number, number];
  heightM: (xM: number, yM: number) => number;
}

/** Gentle waves and a slope; up to 13°. */
export const hillside: Terrain = {
  file: 'hillside.png',
  posts: 161,
  sizeM: 120,
  zM: [0, 8],
  heightM(xM, yM) {
    const slope = 4 + 0.03 * xM;
    const hills = 1.6 * Math.sin(xM / 22 + 0.4) * Math.cos(yM / 27 - 0.8);
    const waves = 0.4 * Math.sin((xM + yM) / 11);
    return slope + hills + waves;
  },
};

/** A wood that a trail crosses along x: level from 0 to 0.4 m in the step about x = 0, waves beside it. */
export const root: Terrain = {
  file: 'root.png',
  posts: 181,
  sizeM: 180,
  zM: [-2, 3],
  heightM(xM, yM) {
    const step = 0.4 * Math.min(1, Math.max(0, xM));
    const away = Math.min(
      1,
      Math.max(0, (Math.hypot(Math.max(0, Math.abs(xM) - 15), yM) - 4) / 25),
    );
    const waves =
      0.8 * Math.sin(xM / 17 + 1) * Math.cos(yM / 13) + 0.3 * Math.sin((xM - 2 * yM) / 9);
    return step + away * waves;
  },
};

/** Grey values 0–65535, row by row from the north, x fastest. */
export function pictureOf({ posts, sizeM, zM: [black, white], heightM }: Terrain): Uint16Array {
  const stepM = sizeM / (posts - 1);
  return Uint16Array.from({ length: posts * posts }, (_, post) => {
    const xM = -sizeM / 2 + (post % posts) * stepM;
    const yM = sizeM / 2 - Math.floor(post / posts) * stepM;
    return Math.round((65535 * (heightM(xM, yM) - black)) / (white - black));
  });
}

/** Grey values of a PNG. */
export function greyValues(png: Uint8Array): { width: number; height: number; data: Uint16Array } {
  const { width, height, data } = decode(png);
  if (!(data instanceof Uint16Array)) throw new Error('expected 16 bits a sample');
  return { width, height, data };
}

if (import.meta.main) {
  for (const terrain of [hillside, root]) {
    const { posts, file } = terrain;
    const grey = pictureOf(terrain);
    const png = encode({ width: posts, height: posts, data: grey, depth: 16, channels: 1 });
    await writeFile(new URL(`../../assets/scenarios/${file}`, import.meta.url), png);
  }
}
