// ESRI ASCII grids in pieces, and the ground that they become: posts at the centres of cells, first row north, nodata
// cropped at edges and filled inside.
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import { asciiGridReader } from '#domain/import/terrain/asciiGrid.ts';
import { gridSizeProblem, terrainScene } from '#domain/import/terrain/heightGrid.ts';

function gridOf(text: string, pieceLetters = 7) {
  const reader = asciiGridReader('EPSG:25832', {});
  for (let at = 0; at < text.length; at += pieceLetters) {
    if (!reader.take(text.slice(at, at + pieceLetters))) break;
  }
  return reader.finish();
}

function problemOf(text: string): string {
  const { problems } = gridOf(text);
  return `${problems[0]?.path}: ${problems[0]?.message}`;
}

const head = 'NCOLS 3\nNROWS 2\nXLLCORNER 500000\nYLLCORNER 5400000\nCELLSIZE 10\n';

describe('asciiGridReader', () => {
  it('reads heights from the north, wherever pieces are cut', () => {
    for (const letters of [1, 7, 1000]) {
      const { value } = gridOf(`${head}NODATA_value -9999\n1 2 3\r\n4 5 -9999\n`, letters);
      expect([...(value?.grid.heights ?? [])]).toEqual([1, 2, 3, 4, 5, NaN]);
      expect(value?.grid).toMatchObject({
        columns: 3,
        rows: 2,
        westM: 500005,
        northM: 5400015,
        stepM: [10, 10],
        crs: 'EPSG:25832',
      });
    }
  });

  it('reads centres and unequal steps', () => {
    const { value } = gridOf('ncols 2\nnrows 2\nxllcenter 1\nyllcenter 2\ndx 3\ndy 4\n1 2 3 4');
    expect(value?.grid).toMatchObject({ westM: 1, northM: 6, stepM: [3, 4] });
  });

  it('refuses with the line', () => {
    expect(problemOf('hello world\n')).toContain('line 1: expected one of ncols');
    expect(problemOf('ncols 3\nnrows 2\n1 2 3 4 5 6\n')).toBe(
      'line 3: expected xllcorner, yllcorner, cellsize before the first height',
    );
    expect(problemOf(`${head}1 2 3\n4 five 6\n`)).toBe("line 7: expected a height, found 'five'");
    expect(problemOf(`${head}1 2 3\n4 5\n`)).toBe(
      'line 8: expected 3 × 2 heights, found the end after 5',
    );
    expect(problemOf(`${head}1 2 3\n4 5 6 7\n`)).toBe('line 7: expected 3 × 2 heights, found more');
    expect(problemOf('')).toBe('(file): expected heights, found none');
  });

  it('refuses a size before memory is taken for it', () => {
    const huge = head.replace('NCOLS 3', 'NCOLS 2000000000');
    expect(problemOf(`${huge}1\n`)).toContain('line 6: expected at most 16384 × 16384');
    const problemOfSize = (columns: number, rows: number): string | null =>
      gridSizeProblem({ columns, rows, westM: 0, northM: 0, stepM: [1, 1], crs: null });
    expect(problemOfSize(16384, 4096)).toBeNull();
    expect(problemOfSize(16384, 4097)).toContain('--cell 1.1');
    expect(problemOfSize(1, 5)).not.toBeNull();
  });
});

describe('terrainScene', () => {
  it('crops nodata at the edges, fills it inside, and reports both', async () => {
    const text =
      'ncols 5\nnrows 4\nxllcorner 100\nyllcorner 200\ncellsize 2\n' +
      '-9999 -9999 -9999 -9999 -9999\n10 20 20 20 -9999\n10 -9999 20 30 -9999\n10 20 20 10 -9999\n';
    const { value: part } = gridOf(text);
    if (part === null) throw new Error('no grid');
    const { value: scene } = await terrainScene(part, 'h.png');
    // 4 × 3 posts remain: x 101 to 107, y 201 to 205.
    expect(scene?.ground).toMatchObject({ sizeM: [6, 4], centreM: [104, 203], zM: [10, 30] });
    expect(scene?.ignored).toEqual([{ what: 'heights outside (nodata at edges)', count: 8 }]);
    expect(scene?.notes[0]).toContain('1 heights without data');
    expect(scene?.crs).toBe('EPSG:25832');
    const png = decode(scene?.files[0]?.content as Uint8Array);
    expect([png.width, png.height, png.depth, png.channels]).toEqual([4, 3, 16, 1]);
    const heights = [...png.data].map((value) => 10 + (20 * value) / 65535);
    const expected = [10, 20, 20, 20, 10, 10, 20, 30, 10, 20, 20, 10];
    // Rounding to 16 bits: half a step of 20 m / 65535. The gap at index 5 has neighbours of 10 and 20.
    for (const [post, height] of heights.entries()) {
      const near = post === 5 ? [10, 20] : [expected[post] ?? NaN];
      expect(Math.min(...near.map((m) => Math.abs(m - height)))).toBeLessThan(10 / 65535);
    }
  });

  it('refuses a grid of nodata only', async () => {
    const { value: part } = gridOf(`${head}-9999 -9999 -9999 -9999 -9999 -9999\n`);
    if (part === null) throw new Error('no grid');
    expect((await terrainScene(part, 'h.png')).problems[0]?.message).toContain('found nodata only');
  });
});
