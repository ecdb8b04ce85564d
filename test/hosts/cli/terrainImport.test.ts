// `scenario import` of parts of terrains: files far larger than memory, the same cut of both formats, and options that do
// not apply.
import { closeSync, openSync, readFileSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Scenario } from '#contract/documents/scenario.ts';
import { createNodeProcessMeter } from '#hosts/node/nodeProcessMeter.ts';
import {
  geoTiff,
  writeGeoTiff,
  type GeoTiffOptions,
} from '#test/domain/import/terrain/geoTiffFile.ts';
import { runHere, start } from '#test/support/commandLine.ts';
import { temporaryFolder } from '#test/support/folder.ts';

function writeLarge(file: string, options: GeoTiffOptions): void {
  const descriptor = openSync(file, 'w');
  writeGeoTiff(options, (at, bytes) => void writeSync(descriptor, bytes, 0, bytes.length, at));
  closeSync(descriptor);
}

function groundOf(file: string) {
  return (parse(readFileSync(file, 'utf8')) as Scenario).scene.ground;
}

/** Runs a command in a process of its own; its peak memory in bytes. */
async function peakOf(folder: string, ...args: string[]): Promise<number> {
  const { child, finished } = start(folder, ...args);
  const meter = createNodeProcessMeter();
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, meter.peakRssBytes(child.pid ?? 0) || 0);
  }, 20);
  const { exitCode, stderr } = await finished;
  clearInterval(timer);
  expect(stderr).not.toContain('understory:');
  expect(exitCode).toBe(0);
  return peak;
}

describe('a GeoTIFF of 10^10 cells', { timeout: 300_000 }, () => {
  it('is read by tiles, in less than 0.6 GB', async () => {
    const folder = temporaryFolder();
    // Heights in the first tile, the last one and a row of tiles: 40 GB in single precision.
    writeLarge(join(folder, 'large.tif'), {
      columns: 100_000,
      rows: 100_000,
      tile: [256, 256],
      isBigTiff: true,
      compression: 'deflate',
      noData: '-9999',
      isSparse: (x, y) => !(x === y && (x === 0 || x === 390)) && !(y === 200 && x < 8),
      heightAt: (column, row) => column / 100 + row / 1000,
    });
    const refused = await runHere(folder, 'scenario', 'import', 'large.tif', '--out', 'x');
    expect(refused.exitCode).toBe(2);
    expect(refused.stderr).toContain('cut it (--area x,y,x,y), or take means of cells (--cell 13)');
    const cell = ['--cell', '50', '--out', 'whole.yaml'];
    const peakBytes = await peakOf(folder, 'scenario', 'import', 'large.tif', ...cell);
    expect(peakBytes).toBeGreaterThan(0);
    // A process of Node with the schemas takes 250 MB; 4 million heights, their copies and tiles some more.
    expect(peakBytes).toBeLessThan(6e8);
    expect(groundOf(join(folder, 'whole.yaml'))).toMatchObject({
      sizeM: [99_950, 99_950],
      centreM: [550_000, 5_350_000],
      // The means of the first and the last 50 × 50 cells.
      zM: [
        expect.closeTo(24.5 * 0.011, 3) as number,
        expect.closeTo((99_950 + 24.5) * 0.011, 3) as number,
      ],
    });
    // Rows of tiles at 200 × 256 cells from the north.
    const area = ['--area', '500100.5,5348779.5,500300.5,5348729.5', '--out', 'part.yaml'];
    const part = await runHere(folder, 'scenario', 'import', 'large.tif', ...area);
    expect(part.exitCode).toBe(0);
    expect(groundOf(join(folder, 'part.yaml'))).toMatchObject({
      sizeM: [200, 50],
      centreM: [500_200.5, 5_348_754.5],
      zM: [expect.closeTo(1 + 51.22, 3) as number, expect.closeTo(3 + 51.27, 3) as number],
    });
  });
});

describe('parts of terrains', { timeout: 300_000 }, () => {
  it.each([
    ['an area', ['--area', '500010,5399990,500019,5399984']],
    ['means', ['--cell', '3']],
    ['means of an area', ['--area', '500019,5399984,500010,5399990', '--cell', '2.5']],
  ])('takes the same of a GeoTIFF and of an ESRI ASCII grid: %s', async (_, options) => {
    const heightAt = (column: number, row: number): number => ((column * 7 + row * 13) % 31) / 4;
    const lines = Array.from({ length: 20 }, (__, row) =>
      Array.from({ length: 30 }, (___, column) => heightAt(column, row)).join(' '),
    );
    const head = 'ncols 30\nnrows 20\nxllcorner 500000\nyllcorner 5399980\ncellsize 1\n';
    const folder = temporaryFolder({ 'a.asc': `${head}${lines.join('\n')}\n` });
    const options32 = { columns: 30, rows: 20, tile: [16, 16] as [number, number], heightAt };
    writeFileSync(join(folder, 'b.tif'), geoTiff(options32));
    const importOf = async (file: string, out: string, ...more: string[]): Promise<void> => {
      const run = await runHere(
        folder,
        'scenario',
        'import',
        file,
        '--out',
        out,
        ...options,
        ...more,
      );
      expect(run.stderr).not.toContain('understory:');
    };
    await importOf('a.asc', 'a.yaml', '--crs', 'EPSG:25832');
    await importOf('b.tif', 'b.yaml');
    const [ofGrid, ofTiff] = ['a.yaml', 'b.yaml'].map((file) => groundOf(join(folder, file)));
    expect({ ...ofGrid, file: '' }).toEqual({ ...ofTiff, file: '' });
    const [a, b] = ['a', 'b'].map((name) => readFileSync(join(folder, `${name}-heights.png`)));
    expect(a?.equals(b ?? Buffer.alloc(0))).toBe(true);
  });

  it('refuses an area without a terrain, and one that is no area', async () => {
    const folder = temporaryFolder({ 'trees.csv': 'x,y,height\n1,2,8\n' });
    const importOf = (...args: string[]) =>
      runHere(folder, 'scenario', 'import', 'trees.csv', '--out', 'x.yaml', ...args);
    const none = await importOf('--area', '0,0,5,5');
    expect(none.stderr).toContain('expected a terrain (ascii-grid, geotiff) among the files');
    const short = await importOf('--area', '0,0,5');
    expect(short.stderr).toContain('expected "x,y,x,y", two corners in metres, found "0,0,5"');
    const flat = await importOf('--cell', '0');
    expect(flat.exitCode).toBe(2);
  });
});
