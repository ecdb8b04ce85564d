// A cost map as pixels.
import { describe, expect, it } from 'vitest';
import { costMapPixels, unseenColour } from '#domain/shared/costMapImage.ts';

describe('the image', () => {
  it('has north up, black for no cost, white for 100, and no grey for what was not seen', () => {
    // Row 0 is the southernmost.
    const pixels = costMapPixels({ cells: 2 }, Uint8Array.of(0, 100, 255, 50));
    const at = (pixel: number): number[] => [...pixels.slice(4 * pixel, 4 * pixel + 4)];
    expect([0, 1, 2, 3].map(at)).toEqual([
      [...unseenColour, 255],
      [128, 128, 128, 255],
      [0, 0, 0, 255],
      [255, 255, 255, 255],
    ]);
    expect(new Set(unseenColour).size).toBe(3);
  });
});
