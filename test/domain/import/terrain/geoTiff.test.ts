// GeoTIFFs and the ground that they become: strips and tiles, compressed or not, and strips that hold more or less than
// the directory says.
import { decode } from 'fast-png';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { geoTiffScene } from '#domain/import/terrain/geoTiff.ts';
import { geoTiff, type GeoTiffOptions } from './geoTiffFile.ts';

describe('geoTiffScene', () => {
  it.each<[string, GeoTiffOptions]>([
    ['a strip', {}],
    ['a tile', { isTiled: true }],
    ['a strip under Deflate', { isDeflated: true }],
    ['a tile under Deflate', { isTiled: true, isDeflated: true }],
  ])('reads %s', async (_, options) => {
    const size = { columns: 32, rows: 16 };
    const { value } = await geoTiffScene(geoTiff({ ...size, ...options }), 'h.png');
    expect(value?.ground).toMatchObject({
      sizeM: [31, 15],
      centreM: [500016, 5399992],
      zM: [0, 511 / 8],
    });
    expect(value?.crs).toBe('EPSG:25832');
    const png = decode(value?.files[0]?.content as Uint8Array);
    expect(png).toMatchObject({ width: 32, height: 16, depth: 16, channels: 1 });
    // 512 equal steps from 0 to 65535.
    const expected = Array.from({ length: 512 }, (__, post) => Math.round((post * 65535) / 511));
    expect([...png.data]).toEqual(expected);
  });

  /** As geoTiff under Deflate, with another content of its strip. */
  const withStrip = (bytes: number): Uint8Array => {
    const heights = new Float32Array(16 * 16);
    const strip = deflateSync(new Uint8Array(bytes));
    const file = Buffer.from(geoTiff({ heights, isDeflated: true }));
    const added = Buffer.concat([file, strip]);
    for (const [tag, value] of [
      [273, file.length],
      [279, strip.length],
    ] as const) {
      const entry = Buffer.from([tag & 0xff, tag >> 8, 4, 0, 1, 0, 0, 0]);
      added.writeUInt32LE(value, added.indexOf(entry) + 8);
    }
    return added;
  };

  it('reads no more of a strip than its rows', async () => {
    const { value } = await geoTiffScene(withStrip(50_000_000), 'h.png');
    expect(value?.imported).toEqual([{ what: 'heights (16 × 16)', count: 256 }]);
  });

  it('refuses a strip that is shorter than its rows', async () => {
    const { problems } = await geoTiffScene(withStrip(1000), 'h.png');
    expect(problems[0]?.message).toContain('found a damaged one');
  });

  /** The entry of a tag: its place in a sample. */
  const entryOf = (file: Buffer, tag: number): number =>
    file.lastIndexOf(Buffer.from([tag & 0xff, tag >> 8]));

  it('refuses entries with more values than the file has bytes, whatever their tag', async () => {
    const file = Buffer.from(geoTiff({}));
    file.writeUInt32LE(0x7fff_ffff, entryOf(file, 33922) + 4);
    const { problems } = await geoTiffScene(file, 'h.png');
    expect(problems[0]?.message).toContain('found the tag 33922 with 2147483647 values');
  });

  it('refuses tiles that are no whole number of rows, or far larger than the image', async () => {
    const file = Buffer.from(geoTiff({ isTiled: true }));
    const at = file.indexOf(Buffer.from([323 & 0xff, 323 >> 8, 4, 0, 1, 0, 0, 0]));
    file.writeUInt32LE(5000, at + 8);
    const { problems } = await geoTiffScene(file, 'h.png');
    expect(problems[0]?.message).toContain('or 4096 × 4096, found 16 × 5000');
    // As a double at an offset: rows of a millionth of a cell had taken 600 MB.
    file.writeUInt16LE(12, at + 2);
    file.writeUInt32LE(16, at + 8);
    const fraction = await geoTiffScene(file, 'h.png');
    expect(fraction.problems[0]?.message).toMatch(/found 16 × \d/);
  });

  it('refuses directories that lead back to an earlier one or out of the file', async () => {
    const file = Buffer.from(geoTiff({}));
    const directoryAt = file.readUInt32LE(4);
    const nextAt = directoryAt + 2 + 12 * file.readUInt16LE(directoryAt);
    file.writeUInt32LE(directoryAt, nextAt);
    const { problems } = await geoTiffScene(file, 'h.png');
    expect(problems[0]?.message).toBe('expected at most 1000 images');
    file.writeUInt32LE(4_000_000_000, nextAt);
    const outside = await geoTiffScene(file, 'h.png');
    expect(outside.problems[0]?.message).toContain('found a directory outside the file');
  });
});
