// GeoTIFFs written here byte by byte: heights in one strip of Deflate, whatever it inflates to.
import { decode } from 'fast-png';
import { zlibSync } from 'fflate';
import { expect, it } from 'vitest';
import { geoTiffScene } from '#domain/import/terrain/geoTiff.ts';

const [short, long, double] = [3, 4, 12];

/** A single-precision image by TIFF 6.0, with cells of 10 m from (500000, 5400000) on. */
function geoTiffOf(columns: number, rows: number, strip: Uint8Array): Uint8Array {
  const doubles = [10, 10, 0, 0, 0, 0, 500_000, 5_400_000, 0];
  const tags: [tag: number, type: number, count: number, value: number][] = [
    [256, long, 1, columns],
    [257, long, 1, rows],
    [258, short, 1, 32],
    [259, short, 1, 8],
    [262, short, 1, 1],
    [273, long, 1, 0],
    [277, short, 1, 1],
    [278, long, 1, 2 ** 32 - 1],
    [279, long, 1, strip.length],
    [339, short, 1, 3],
    [33550, double, 3, 0],
    [33922, double, 6, 0],
  ];
  const places = 8 + 2 + 12 * tags.length + 4;
  const start = places + 8 * doubles.length;
  const bytes = new Uint8Array(start + strip.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, 0x2a4949, true);
  view.setUint32(4, 8, true);
  view.setUint16(8, tags.length, true);
  for (const [at, [tag, type, count, value]] of tags.entries()) {
    const from = 10 + 12 * at;
    view.setUint16(from, tag, true);
    view.setUint16(from + 2, type, true);
    view.setUint32(from + 4, count, true);
    const offsets: Record<number, number> = { 273: start, 33550: places, 33922: places + 24 };
    view.setUint32(from + 8, offsets[tag] ?? value, true);
  }
  for (const [at, value] of doubles.entries()) view.setFloat64(places + 8 * at, value, true);
  bytes.set(strip, start);
  return bytes;
}

const heights = new Float32Array([1, 2, 3, 4, 5, 6]);
const content = new Uint8Array(heights.buffer);

it('reads heights, and no more of a strip than the image has', async () => {
  const large = new Uint8Array(50_000_000);
  large.set(content);
  for (const strip of [content, large]) {
    const bytes = geoTiffOf(3, 2, zlibSync(strip));
    expect(bytes.length).toBeLessThan(100_000);
    const { value, problems } = await geoTiffScene(bytes, 'heights.png');
    expect(problems).toEqual([]);
    expect(value?.ground).toMatchObject({ sizeM: [20, 10], zM: [1, 6] });
    const picture = decode(value?.files[0]?.content as Uint8Array);
    expect([...picture.data]).toEqual([0, 1, 2, 3, 4, 5].map((n) => Math.round((n * 65535) / 5)));
  }
});

it('refuses sizes beyond its limits, and strips that are cut off', async () => {
  const cut = geoTiffOf(3, 2, zlibSync(content).subarray(0, 9));
  expect((await geoTiffScene(cut, 'h.png')).problems[0]?.message).toContain('a damaged one');
  const huge = geoTiffOf(2 ** 20, 2 ** 20, zlibSync(content));
  expect((await geoTiffScene(huge, 'h.png')).problems[0]?.message).toContain('expected at most');
});
