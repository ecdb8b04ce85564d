// A path that never outgrows its memory, and always ends at the newest point.
import { describe, expect, it } from 'vitest';
import { createBoundedPath } from '#renderer/logic/cloud/boundedPath.ts';

const xOf = (path: ReturnType<typeof createBoundedPath>): number[] =>
  Array.from({ length: path.count }, (_, point) => path.xyzM[3 * point] ?? Number.NaN);

describe('a bounded path', () => {
  it('keeps every point while there is room', () => {
    const path = createBoundedPath(8);
    for (let x = 0; x < 7; x += 1) path.add(x, 2 * x, 3 * x);
    expect(xOf(path)).toEqual([0, 1, 2, 3, 4, 5, 6]);
    expect([...path.xyzM.slice(9, 12)]).toEqual([3, 6, 9]);
  });

  it('stays within its capacity, in order, from the first point to the newest', () => {
    const capacity = 16;
    const path = createBoundedPath(capacity);
    for (let x = 0; x < 5000; x += 1) {
      path.add(x, 0, 0);
      const xs = xOf(path);
      expect(xs.length).toBeLessThanOrEqual(capacity);
      expect(xs[0]).toBe(0);
      expect(xs.at(-1)).toBe(x);
    }
    const xs = xOf(path);
    for (let point = 1; point < xs.length; point += 1) {
      expect(xs[point]).toBeGreaterThan(xs[point - 1] ?? Number.NaN);
    }
    // Even spacing: the widest gap between settled points is the stride, twice the narrowest at most.
    const gaps = xs.slice(1, -1).map((x, point) => x - (xs[point] ?? 0));
    expect(Math.max(...gaps)).toBeLessThanOrEqual(2 * Math.min(...gaps));
  });

  it('says from where on it is another: who copies only that has all of it', () => {
    const path = createBoundedPath(16);
    const copy = new Float32Array(3 * 16);
    let copied = 0;
    for (let x = 0; x < 2000; x += 1) {
      const from = path.add(x, -x, 1);
      copy.set(path.xyzM.subarray(3 * from, 3 * path.count), 3 * from);
      copied += path.count - from;
      expect(copy.subarray(0, 3 * path.count)).toEqual(path.xyzM.subarray(0, 3 * path.count));
    }
    // Mostly the newest point alone.
    expect(copied).toBeLessThan(1.1 * 2000);
  });

  it('can be cleared and used again', () => {
    const path = createBoundedPath(4);
    for (let x = 0; x < 50; x += 1) path.add(x, 0, 0);
    path.clear();
    expect(path.count).toBe(0);
    path.add(1, 0, 0);
    path.add(2, 0, 0);
    expect(xOf(path)).toEqual([1, 2]);
  });
});
