// GeoTIFFs and the ground that they become: strips and tiles, compressed or not, parts of a file and means of its cells,
// and files that state more than they hold.
import { getDecoder } from 'geotiff';
import { decode } from 'fast-png';
import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { geoTiffScene } from '#domain/import/terrain/geoTiff.ts';
import type { TerrainCut } from '#domain/import/terrain/gridCut.ts';
import { geoTiff, type GeoTiffOptions } from './geoTiffFile.ts';
import { packLzw } from './lzw.ts';

interface Read {
  scene: Awaited<ReturnType<typeof geoTiffScene>>['value'];
  /** Text of its only problem. */
  message: string | undefined;
  /** All that was read, and the largest piece. */
  bytesRead: number;
  maxAtOnce: number;
  progress: [done: number, total: number][];
}

async function read(bytes: Uint8Array<ArrayBuffer>, cut: TerrainCut = {}): Promise<Read> {
  let [bytesRead, maxAtOnce] = [0, 0];
  const progress: Read['progress'] = [];
  const source = {
    bytes: bytes.length,
    read: (offset: number, length: number) => {
      bytesRead += length;
      maxAtOnce = Math.max(maxAtOnce, length);
      return Promise.resolve(bytes.slice(offset, offset + length));
    },
  };
  const onProgress = (done: number, total: number): void => void progress.push([done, total]);
  const { value, problems } = await geoTiffScene(source, { picture: 'h.png', cut, onProgress });
  return { scene: value, message: problems[0]?.message, bytesRead, maxAtOnce, progress };
}

/** Heights of the picture by row from the north, to half its step, which is the second value. */
function heightsOf({ scene }: Read): { heights: number[]; stepM: number } {
  if (scene?.ground?.kind !== 'height-field') throw new Error('there is no height field');
  const [low, high] = scene.ground.zM;
  const { data } = decode(scene.files[0]?.content as Uint8Array);
  const stepM = (high - low) / 65535;
  return { heights: [...data].map((sample) => low + sample * stepM), stepM };
}

/** Expects heights to the step of the picture. */
function expectHeights(result: Read, expected: readonly number[]): void {
  const { heights, stepM } = heightsOf(result);
  expect(heights).toHaveLength(expected.length);
  const worst = Math.max(...heights.map((height, at) => Math.abs(height - (expected[at] ?? NaN))));
  expect(worst).toBeLessThanOrEqual(stepM / 2 + 1e-6);
}

const size = { columns: 53, rows: 37 };
/** Whole numbers of both signs but in the corner, whose order no symmetry hides. */
const relief = (column: number, row: number): number => ((column * 7 + row * 13) % 101) - 50;
const reliefs = (sign: (height: number) => number = (height) => height): number[] =>
  Array.from({ length: size.columns * size.rows }, (_, at) =>
    sign(relief(at % size.columns, Math.floor(at / size.columns))),
  );

describe('layouts', () => {
  const tile: [number, number] = [16, 32];
  it.each<[string, GeoTiffOptions]>([
    ['a strip', {}],
    ['strips', { rowsPerStrip: 5 }],
    ['tiles', { tile }],
    ['a tile larger than the image', { tile: [64, 64] }],
    ['big-endian strips', { rowsPerStrip: 5, isBigEndian: true }],
    ['BigTIFF tiles', { tile, isBigTiff: true }],
    ['big-endian BigTIFF tiles', { tile, isBigTiff: true, isBigEndian: true }],
    ['Deflate', { rowsPerStrip: 4, compression: 'deflate' }],
    ['tiles under Deflate', { tile, compression: 'deflate' }],
    ['LZW', { rowsPerStrip: 4, compression: 'lzw' }],
    ['a long strip under LZW', { compression: 'lzw', sample: 'float64' }],
    ['PackBits', { rowsPerStrip: 4, compression: 'packbits' }],
    ['Zstandard', { tile, compression: 'zstd' }],
    ['differences of 16 bits', { tile, compression: 'lzw', predictor: 2, sample: 'int16' }],
    ['differences of 32 bits', { compression: 'deflate', predictor: 2, sample: 'int32' }],
    ['differences of floating-point numbers', { tile, compression: 'deflate', predictor: 3 }],
    ['the same of 64 bits', { compression: 'lzw', predictor: 3, sample: 'float64' }],
    [
      'big-endian differences',
      { tile, compression: 'lzw', predictor: 2, sample: 'int16', isBigEndian: true },
    ],
    [
      'big-endian differences of floating-point numbers',
      { compression: 'deflate', predictor: 3, isBigEndian: true },
    ],
    ['numbers of 16 bits', { tile, sample: 'float16' }],
    ['bands side by side', { tile, bands: 3, compression: 'deflate' }],
    ['differences of three bands', { bands: 3, compression: 'lzw', predictor: 2, sample: 'int16' }],
    ['bands apart', { rowsPerStrip: 6, bands: 2, isPlanar: true }],
  ])('reads %s', async (_, options) => {
    const result = await read(geoTiff({ ...size, ...options, heightAt: relief }));
    expect(result.message).toBeUndefined();
    expectHeights(result, reliefs());
    expect(result.scene?.crs).toBe('EPSG:25832');
    expect(result.scene?.ground).toMatchObject({ sizeM: [52, 36], centreM: [500026.5, 5399981.5] });
    const others = (options.bands ?? 1) - 1;
    const ignored = others > 0 ? [{ what: 'bands after the first', count: others }] : [];
    expect(result.scene?.ignored).toEqual(ignored);
  });

  it.each(['uint8', 'uint16'] as const)('reads %s', async (sample) => {
    const heightAt = (column: number, row: number): number => Math.abs(relief(column, row));
    expectHeights(await read(geoTiff({ ...size, sample, heightAt })), reliefs(Math.abs));
  });

  it('writes LZW that the library reads, too', async () => {
    const bytes = new Uint8Array(20_000).map((_, at) => (at * at) >> 5);
    const packed = packLzw(bytes);
    const parameters = { tileWidth: 1, tileHeight: 1, predictor: 1, bitsPerSample: 8 };
    const decoder = await getDecoder(5, { ...parameters, planarConfiguration: 1 });
    const buffer = packed.buffer.slice(0, packed.length);
    expect(new Uint8Array((await decoder.decodeBlock(buffer)) as ArrayBuffer)).toEqual(bytes);
  });
});

describe('parts of a file', () => {
  const plane = (column: number, row: number): number => 100 + 3 * column - 2 * row;
  const file = geoTiff({ columns: 640, rows: 480, tile: [32, 32], heightAt: plane, stepM: 2 });

  it('reads the tiles of an area alone, and posts that cover it', async () => {
    // Posts are at 500001 + 2 column and 5399999 - 2 row.
    const areaM = [
      [500104, 5399900],
      [500150.5, 5399801.5],
    ] as const;
    const result = await read(file, { areaM });
    // Columns 51 to 75, rows 49 to 99: in 2 × 3 tiles of 4 KB, beside the head and 2 KB of the index.
    expect(result.scene?.ground).toMatchObject({ sizeM: [48, 100], centreM: [500127, 5399851] });
    const expected = Array.from({ length: 25 * 51 }, (_, at) =>
      plane(51 + (at % 25), 49 + Math.floor(at / 25)),
    );
    expectHeights(result, expected);
    expect(result.bytesRead).toBeLessThan(6 * 4096 + 4096);
    expect(result.scene?.notes.filter((note) => note.includes('of the area'))).toEqual([]);
  });

  it('reads rows of strips without compression alone', async () => {
    const strip = geoTiff({ columns: 2000, rows: 1000, heightAt: plane });
    const areaM = [
      [500010.5, 5399499.5],
      [500020.5, 5399490.5],
    ] as const;
    const long = await read(strip, { areaM });
    expectHeights(
      long,
      Array.from({ length: 11 * 10 }, (_, at) => plane(10 + (at % 11), 500 + Math.floor(at / 11))),
    );
    // 4 MiB at a time, of which the first begins at row 0 and the second before row 524.
    expect(long.maxAtOnce).toBeLessThanOrEqual(2 ** 22);
    expect(long.bytesRead).toBeLessThan(2 ** 22 + 4096);
  });

  it.each([10, 5, 7])('takes means of a plane at %d m', async (cellM) => {
    const result = await read(file, { cellM });
    const posts = [Math.floor(1280 / cellM), Math.floor(960 / cellM)] as const;
    if (result.scene?.ground?.kind !== 'height-field') throw new Error('there is no ground');
    expect(result.scene.ground.sizeM).toEqual(posts.map((count) => (count - 1) * cellM));
    const { heights, stepM } = heightsOf(result);
    // A cell of the file of which a post has the share s counts there with the height of its centre, (1 - s) / 2 cells
    // from that of its part: s (1 - s) / 2 ≤ 1/8 of a cell in the sum of a row, which is divided by the ratio of lengths.
    const errorM = cellM % 2 === 0 ? 0 : (3 + 2) / 8 / (cellM / 2);
    const toleranceM = errorM + stepM / 2 + 1e-6;
    const planeAt = (x: number, y: number): number => plane(x / 2 - 0.5, y / 2 - 0.5);
    const worst = Math.max(
      ...heights.map((height, at) => {
        const x = ((at % posts[0]) + 0.5) * cellM;
        const y = (Math.floor(at / posts[0]) + 0.5) * cellM;
        return Math.abs(height - planeAt(x, y));
      }),
    );
    expect(worst).toBeLessThanOrEqual(toleranceM);
    expect(result.scene.notes[0]).toBe(
      `heights ${cellM} × ${cellM} m apart are means of cells of 2 × 2 m`,
    );
  });

  it('keeps the mean of all cells, whatever the distance', async () => {
    const rough = geoTiff({ columns: 60, rows: 60, tile: [16, 16], heightAt: relief });
    const mean = (values: readonly number[]): number =>
      values.reduce((sum, value) => sum + value, 0) / values.length;
    const all = Array.from({ length: 3600 }, (_, at) => relief(at % 60, Math.floor(at / 60)));
    for (const cellM of [2.4, 4, 7.5]) {
      const { heights, stepM } = heightsOf(await read(rough, { cellM }));
      expect(heights).toHaveLength((60 / cellM) ** 2);
      expect(Math.abs(mean(heights) - mean(all))).toBeLessThan(stepM / 2);
    }
  });

  it('puts posts on the corners of an area', async () => {
    const areaM = [
      [500101, 5399500],
      [500301, 5399700],
    ] as const;
    const result = await read(file, { areaM, cellM: 10 });
    expect(result.scene?.ground).toMatchObject({ sizeM: [200, 200], centreM: [500201, 5399600] });
  });

  it('leaves heights that are none out of means', async () => {
    const holes = geoTiff({
      columns: 64,
      rows: 64,
      tile: [16, 16],
      noData: '-9999',
      heightAt: (column, row) => (column % 2 === row % 2 ? -9999 : column < 32 ? 10 : 20),
    });
    const { heights } = heightsOf(await read(holes, { cellM: 32 }));
    expect(heights.map(Math.round)).toEqual([10, 20, 10, 20]);
  });

  it('states what an area has beyond the file, and refuses one outside it', async () => {
    const beyond = await read(file, {
      areaM: [
        [500100, 5399900],
        [502000, 5399800],
      ],
    });
    expect(beyond.scene?.notes[0]).toBe('the file covers 1180 × 102 m of the area of 1900 × 100 m');
    const outside = await read(file, {
      areaM: [
        [510000, 5399900],
        [510100, 5399800],
      ],
    });
    expect(outside.message).toBe(
      "expected an area that meets the file's (500001,5399041,501279,5399999)",
    );
  });

  it('takes the overview with the largest cells that are small enough', async () => {
    // Each level has a height of its own.
    const levels = geoTiff({
      columns: 600,
      rows: 601,
      tile: [32, 32],
      overviews: [2, 4, 8],
      heightAt: (column, row, factor) => factor + (column + row) / 1e6,
    });
    for (const [cellM, factor] of [
      [1, 1],
      [1.9, 1],
      [2, 2],
      [3.9, 2],
      [4.1, 4],
      [20, 8],
    ] as const) {
      const result = await read(levels, { cellM });
      expect(Math.floor(heightsOf(result).heights[0] ?? 0)).toBe(factor);
      const ground = result.scene?.ground;
      if (ground?.kind !== 'height-field') throw new Error('there is no ground');
      // Posts and half a cell around them are within the image of 600 m, up to a cell.
      expect(600 - (ground.sizeM[0] + cellM)).toBeLessThan(cellM + 8);
      expect(ground.centreM?.[0]).toBeLessThanOrEqual(500300);
    }
    const few = await read(levels, { cellM: 20 });
    expect(few.bytesRead).toBeLessThan(9 * 4096 + 4096);
  });

  it('reports the rows that are done', async () => {
    const { progress } = await read(file, { cellM: 10 });
    expect(progress).toHaveLength(480 / 32 - 1);
    expect(progress.at(0)).toEqual([32, 480]);
    expect(progress.at(-1)).toEqual([448, 480]);
  });
});

describe('tiles without bytes', () => {
  it('have no heights', async () => {
    const options = { columns: 64, rows: 64, tile: [16, 16] as [number, number] };
    // The tile in the second row and column alone.
    const one = geoTiff({ ...options, isSparse: (x, y) => x !== 1 || y !== 1 });
    const result = await read(one);
    expect(result.scene?.imported).toEqual([{ what: 'heights (16 × 16)', count: 256 }]);
    expect(result.scene?.ground).toMatchObject({ centreM: [500024, 5399976] });
    const none = await read(geoTiff({ ...options, isSparse: () => true }));
    expect(none.message).toBe('expected heights, found nodata only');
  });
});

describe('refusals', () => {
  /** As geoTiff under Deflate, with another content of its strip. */
  const withStrip = (bytes: number): Uint8Array<ArrayBuffer> => {
    const strip = deflateSync(new Uint8Array(bytes));
    const file = Buffer.from(geoTiff({ heightAt: () => 0, compression: 'deflate' }));
    const added = Buffer.concat([file, strip]);
    for (const [tag, value] of [
      [273, file.length],
      [279, strip.length],
    ] as const) {
      added.writeUInt32LE(value, entryOf(added, tag) + 8);
    }
    return new Uint8Array(added);
  };

  /** The entry of a tag: its place in a sample. */
  const entryOf = (file: Buffer, tag: number): number => {
    const first = file.readUInt32LE(4);
    const entries = file.readUInt16LE(first);
    for (let at = first + 2; at < first + 2 + 12 * entries; at += 12) {
      if (file.readUInt16LE(at) === tag) return at;
    }
    throw new Error(`there is no tag ${tag}`);
  };

  /** The file with another number in the entry of a tag. */
  const withValue = (
    bytes: Uint8Array,
    tag: number,
    value: number,
    field: 'value' | 'count' = 'value',
  ): Uint8Array<ArrayBuffer> => {
    const file = Buffer.from(bytes);
    file.writeUInt32LE(value, entryOf(file, tag) + (field === 'value' ? 8 : 4));
    return new Uint8Array(file);
  };

  it('reads no more of a strip than its rows', async () => {
    const { scene } = await read(withStrip(50_000_000));
    expect(scene?.imported).toEqual([{ what: 'heights (16 × 16)', count: 256 }]);
  });

  it('refuses a strip that is shorter than its rows', async () => {
    const { message } = await read(withStrip(1000));
    expect(message).toContain(
      'found a damaged one: a tile or strip has 1000 bytes in place of 1024',
    );
  });

  it('refuses entries with more values than the file has bytes, whatever their tag', async () => {
    const { message } = await read(withValue(geoTiff(), 33922, 0x7fff_ffff, 'count'));
    expect(message).toContain('found the tag 33922 with 2147483647 values');
  });

  it('refuses tiles that are no whole number of rows, or far larger than the image', async () => {
    const tiled = geoTiff({ tile: [16, 16] });
    const high = await read(withValue(tiled, 323, 5000));
    expect(high.message).toContain('or 4096 × 4096, found 16 × 5000');
    // As a double at an offset: rows of a millionth of a cell had taken 600 MB.
    const file = Buffer.from(tiled);
    file.writeUInt16LE(12, entryOf(file, 323) + 2);
    const fraction = await read(withValue(file, 323, 16));
    expect(fraction.message).toMatch(/found 16 × \d/);
  });

  it('refuses directories that lead back to an earlier one or out of the file', async () => {
    const file = Buffer.from(geoTiff());
    const directoryAt = file.readUInt32LE(4);
    const nextAt = directoryAt + 2 + 12 * file.readUInt16LE(directoryAt);
    file.writeUInt32LE(directoryAt, nextAt);
    const { message } = await read(new Uint8Array(file));
    expect(message).toBe('expected at most 1000 images');
    file.writeUInt32LE(4_000_000_000, nextAt);
    const outside = await read(new Uint8Array(file));
    expect(outside.message).toContain('found a directory outside the file');
  });

  it('refuses tiles outside the file, tiles that overlap, and fewer than the image has', async () => {
    const outside = await read(withValue(geoTiff(), 273, 4_000_000_000));
    expect(outside.message).toContain('the tile or strip 0 is outside the file');
    const strips = Buffer.from(geoTiff({ rows: 64, rowsPerStrip: 1, compression: 'deflate' }));
    // All strips are the whole file.
    for (let strip = 0; strip < 64; strip += 1) {
      strips.writeUInt32LE(0, strips.readUInt32LE(entryOf(strips, 273) + 8) + 4 * strip);
      strips.writeUInt32LE(
        strips.length,
        strips.readUInt32LE(entryOf(strips, 279) + 8) + 4 * strip,
      );
    }
    const overlapping = await read(new Uint8Array(strips));
    expect(overlapping.message).toMatch(/damaged one/);
    const plain = Buffer.from(geoTiff({ rows: 64, rowsPerStrip: 1 }));
    for (let strip = 0; strip < 64; strip += 1) {
      plain.writeUInt32LE(0, plain.readUInt32LE(entryOf(plain, 273) + 8) + 4 * strip);
      plain.writeUInt32LE(plain.length, plain.readUInt32LE(entryOf(plain, 279) + 8) + 4 * strip);
    }
    const repeated = await read(new Uint8Array(plain));
    expect(repeated.message).toContain('tiles or strips overlap in the file');
    const few = await read(withValue(geoTiff({ rows: 64, rowsPerStrip: 8 }), 278, 4));
    expect(few.message).toBe('expected the places of 16 tiles or strips, found 8');
  });

  it('names the options that bring a large file to a size that is read', async () => {
    const file = geoTiff({ tile: [4096, 4096], isSparse: () => true });
    const large = withValue(withValue(file, 256, 100_000), 257, 80_000);
    const { message } = await read(large);
    expect(message).toBe(
      'expected at most 16384 × 16384 and 67108864 heights, found 100000 × 80000: cut it (--area x,y,x,y), or take means of cells (--cell 11)',
    );
    // √(8e9 / 2^26) = 10.9: with 11 m the next complaint is about the places of its tiles.
    expect((await read(large, { cellM: 11 })).message).toContain(
      'expected the places of 500 tiles',
    );
    expect((await read(large, { cellM: 10 })).message).toContain('found 10000 × 8000');
  });

  it('names a compression and samples that are not read', async () => {
    const file = geoTiff();
    expect((await read(withValue(file, 259, 7))).message).toContain('it has compression 7');
    expect((await read(withValue(file, 258, 64 << 8))).message).toContain('expected samples of 8');
  });
});
