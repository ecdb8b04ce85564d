// Computations of the pages about runs: requests and commands, rows in sight, curves, series, names of files.
import { describe, expect, it } from 'vitest';
import { UnderstoryError } from '#contract/errors.ts';
import { runQueryRequests } from '#contract/host/runQueries.ts';
import {
  exportFileName,
  exportTool,
  packFileName,
  replaceQuestion,
} from '#renderer/logic/runs/exportTools.ts';
import { chosenColumns } from '#renderer/logic/runs/exportColumns.ts';
import { linePath, niceTop, rowAt } from '#renderer/logic/plots/plotLines.ts';
import { pagesOf, rowWindow, scrollTo } from '#renderer/logic/frame/rowWindow.ts';
import { everything, isFiltered, listCommand, queryOf } from '#renderer/logic/runs/runFilter.ts';
import { runSeries } from '#renderer/logic/runs/runSeries.ts';

const page = { limit: 100, offset: 200 };

describe('filters', () => {
  it('make a request that the contract takes, without what is not asked for', () => {
    const query = queryOf(everything(), page);
    expect(runQueryRequests['runs.list'].parse(query)).toEqual({
      trash: 'without',
      sortBy: 'created',
      isDescending: true,
      ...page,
    });
    expect(isFiltered({ ...everything(), search: '  ' })).toBe(false);
    expect(isFiltered({ ...everything(), tag: 'wet' })).toBe(true);
  });

  it('take whole local days, the last one included', () => {
    const choice = { ...everything(), fromDay: '2026-03-28', toDay: '2026-03-29' };
    const { fromMs = 0, toMs = 0 } = queryOf(choice, page);
    expect(new Date(fromMs).getHours()).toBe(0);
    expect([new Date(toMs).getDate(), new Date(toMs).getHours()]).toEqual([30, 0]);
    expect(runQueryRequests['runs.list'].safeParse(queryOf(choice, page)).success).toBe(true);
  });

  it('are the same as a command, quoted where a shell needs it', () => {
    const choice = { ...everything(), search: "it's wet", sensor: 'vlp-16', toDay: '2026-12-31' };
    expect(listCommand(choice)).toBe(
      String.raw`npx understory runs list --search 'it'\''s wet' --sensor vlp-16 --to 2027-01-01`,
    );
  });
});

describe('rows in sight', () => {
  it('are those on screen and a margin, never beyond the table', () => {
    expect(rowWindow({ scrollPx: 3400, heightPx: 340 }, 34, 10_000)).toEqual({
      first: 92,
      count: 26,
    });
    expect(rowWindow({ scrollPx: 0, heightPx: 340 }, 34, 3)).toEqual({ first: 0, count: 3 });
    expect(rowWindow({ scrollPx: 0, heightPx: 340 }, 34, 0)).toEqual({ first: 0, count: 0 });
    expect(rowWindow({ scrollPx: 9e9, heightPx: 340 }, 34, 50).count).toBeLessThanOrEqual(50);
  });

  it('touch the pages that they lie on', () => {
    expect(pagesOf({ first: 92, count: 26 }, 100)).toEqual([0, 1]);
    expect(pagesOf({ first: 100, count: 100 }, 100)).toEqual([1]);
    expect(pagesOf({ first: 0, count: 0 }, 100)).toEqual([]);
  });

  it('are scrolled to only where they are not whole in sight', () => {
    const view = { scrollPx: 340, heightPx: 340 };
    expect(scrollTo(12, view, 34)).toBeNull();
    expect(scrollTo(5, view, 34)).toBe(170);
    expect(scrollTo(20, view, 34)).toBe(374);
  });
});

describe('curves', () => {
  const area = { widthPx: 100, heightPx: 50, fromS: 0, toS: 10, low: 0, high: 5 };

  it('go through their points, from the lower left', () => {
    expect(linePath([0, 5, 10], [0, 5, 2.5], area)).toBe('M0 50L50 0L100 25');
  });

  it('leave a gap where there is no number', () => {
    expect(linePath([0, 5, 10], [0, NaN, 5], area)).toBe('M0 50M100 0');
  });

  it('of a long run keep every peak with two points a pixel', () => {
    const count = 100_000;
    const timeS = Float64Array.from({ length: count }, (_, row) => (10 * row) / count);
    const values = new Float64Array(count);
    values[77_777] = 5;
    const path = linePath(timeS, values, area);
    expect(path.split(/[ML]/).length).toBeLessThan(2 * 101 + 2);
    expect(path).toContain('L77.8 0');
  });

  it('have a round upper edge that holds them', () => {
    expect(niceTop([0, 1.94])).toBe(2);
    expect(niceTop([0.043, NaN])).toBeCloseTo(0.05, 12);
    expect(niceTop([0])).toBe(1);
    expect(niceTop([7001])).toBe(8000);
  });

  it('are read at the last tick by then', () => {
    const timeS = [0.1, 0.2, 0.1 + 0.2, 0.4];
    expect([0, 0.1, 0.3, 0.39, 9].map((at) => rowAt(timeS, at))).toEqual([0, 0, 2, 2, 3]);
  });
});

it('series split returns by class, those with most first, those with none left out', () => {
  const f64 = (...values: number[]): Float64Array => Float64Array.of(...values);
  const series = runSeries(
    {
      time_s: f64(0.1, 0.2),
      speed_m_per_s: f64(0, 1),
      position_error_m: f64(0, 0),
      distance_to_goal_m: f64(5, 4),
      collisions: Uint32Array.of(0, 0),
      truth_x_m: f64(1, 2),
      truth_y_m: f64(3, 4),
      truth_z_m: f64(5, 6),
      gps_x_m: f64(7, NaN),
      gps_y_m: f64(8, NaN),
      gps_z_m: f64(9, NaN),
      class_returns: Uint32Array.of(1, 0, 9, 2, 0, 8),
    },
    ['ground', 'wall', 'tree'],
  );
  expect(series.classes.map(({ name, classId }) => [name, classId])).toEqual([
    ['tree', 2],
    ['ground', 0],
  ]);
  expect(series.classes[0]?.returns).toEqual(f64(9, 8));
  expect(Array.from(series.xyzM)).toEqual([1, 3, 5, 2, 4, 6]);
  expect(() => runSeries({}, [])).toThrow(TypeError);
});

it('an exported file is called after its run, and its format after the programs that open it', () => {
  expect(exportFileName('Åhus: tall/grass ', '0199-abcdef', 'pcd')).toBe(
    'hus-tall-grass-abcdef.pcd',
  );
  expect(exportFileName('…', '0199-abcdef', 'csv')).toBe('run-abcdef.csv');
  expect(exportTool('pcd').tools).toContain('Open3D');
  expect(exportFileName('Yard', '0199-abcdef', 'semantickitti')).toBe('yard-abcdef-semantickitti');
  expect(exportTool('semantickitti')).toMatchObject({ name: 'SemanticKITTI', isFolder: true });
});

it('a bundle is called after its run, or after how many there are', () => {
  expect(packFileName('Yard 1', ['0199-abcdef'])).toBe('yard-1-abcdef.understory');
  expect(packFileName('runs', ['a', 'b'])).toBe('runs-2.understory');
});

it('chosen columns are those of the request, in the order of the table', () => {
  expect(chosenColumns('', ['x_m'])).toEqual([]);
  expect(chosenColumns('truth', ['x_m'])).toEqual(['truth']);
  expect(chosenColumns('own', ['z_m', 'time_ns', 'x_m'])).toEqual(['time_ns', 'x_m', 'z_m']);
});

describe('a file that exists already', () => {
  it('is asked about with its size and date', () => {
    const existing = { bytes: 2_500_000, modifiedMs: new Date(2026, 10, 22, 2, 20).getTime() };
    const refused = new UnderstoryError('bad-input', 'there is one', { existing });
    expect(replaceQuestion(refused)).toMatch(/exists: 2\.5 MB, .*2026.*Replace it\?$/);
    expect(replaceQuestion(new UnderstoryError('disk-full', 'no room'))).toBeNull();
  });
});
