// The terrain of the scenario `hillside`: gentle waves and a slope, as the 16-bit grey PNG that a person
// would export from a map. Run this file to write the picture again: node test/assets/hillsideTerrain.ts
import { writeFile } from 'node:fs/promises';
import { decode, encode } from 'fast-png';

/** Posts along each side of the 120 × 120 m terrain: one every 0.75 m. */
export const hillsidePosts = 161;
const sizeM = 120;
/** Heights of black and of white in hillside.understory.yaml. */
const hillsideZM = [0, 8] as const;

/** Height in metres at a place; slopes up to 13°. */
export function hillsideHeightM(xM: number, yM: number): number {
  const slope = 4 + 0.03 * xM;
  const hills = 1.6 * Math.sin(xM / 22 + 0.4) * Math.cos(yM / 27 - 0.8);
  const waves = 0.4 * Math.sin((xM + yM) / 11);
  return slope + hills + waves;
}

/** Grey values 0–65535, row by row from the north, x fastest. */
export function hillsidePicture(): Uint16Array {
  const [black, white] = hillsideZM;
  const stepM = sizeM / (hillsidePosts - 1);
  return Uint16Array.from({ length: hillsidePosts * hillsidePosts }, (_, post) => {
    const xM = -sizeM / 2 + (post % hillsidePosts) * stepM;
    const yM = sizeM / 2 - Math.floor(post / hillsidePosts) * stepM;
    return Math.round((65535 * (hillsideHeightM(xM, yM) - black)) / (white - black));
  });
}

/** Grey values of a PNG. */
export function greyValues(png: Uint8Array): { width: number; height: number; data: Uint16Array } {
  const { width, height, data } = decode(png);
  if (!(data instanceof Uint16Array)) throw new Error('expected 16 bits a sample');
  return { width, height, data };
}

if (import.meta.main) {
  const png = encode({
    width: hillsidePosts,
    height: hillsidePosts,
    data: hillsidePicture(),
    depth: 16,
    channels: 1,
  });
  await writeFile(new URL('../../assets/scenarios/hillside.png', import.meta.url), png);
}
