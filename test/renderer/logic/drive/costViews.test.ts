// The sheet of cost maps: where each map is; and the cost at a place.
import { describe, expect, it } from 'vitest';
import { costAt, sheetLayout } from '#renderer/logic/drive/costViews.ts';

const map = { cells: 2, cellM: 0.5, originM: [10, 20] as [number, number] };
/** South-west 0, south-east 100, north-west unknown, north-east 50. */
const cost = Uint8Array.of(0, 100, 255, 50);

describe('the sheet of cost maps', () => {
  it.each([1, 2, 3, 4])('of %d has room for each, apart and on the sheet', (count) => {
    const { panels, widthPx, keyYPx, heightPx } = sheetLayout(count, 480);
    expect(panels.map(({ letter }) => letter)).toEqual(
      ['(a)', '(b)', '(c)', '(d)'].slice(0, count),
    );
    for (const [index, { xPx, yPx, sizePx }] of panels.entries()) {
      expect(xPx + sizePx).toBeLessThan(widthPx);
      expect(yPx + sizePx).toBeLessThan(keyYPx);
      for (const other of panels.slice(index + 1)) {
        expect(Math.abs(other.xPx - xPx) > sizePx || Math.abs(other.yPx - yPx) > sizePx).toBe(true);
      }
    }
    expect(keyYPx).toBeLessThan(heightPx);
  });
});

describe('the cost at a place', () => {
  it('is that of its cell, and not known outside and where nothing was seen', () => {
    expect(costAt(map, cost, [10.7, 20.1])).toBe(100);
    expect(costAt(map, cost, [10.9, 20.9])).toBe(50);
    expect(costAt(map, cost, [10.1, 20.9])).toBeNull();
    expect(costAt(map, cost, [9.9, 20.1])).toBeNull();
  });
});
