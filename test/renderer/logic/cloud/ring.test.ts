// Where new rows enter a ring, over its end too.
import { describe, expect, it } from 'vitest';
import { ringSpans } from '#renderer/logic/cloud/ring.ts';

describe('ring spans', () => {
  it('wrap around the end', () => {
    expect(ringSpans(7, 5, 10)).toEqual({
      spans: [
        { source: 0, target: 7, count: 3 },
        { source: 3, target: 0, count: 2 },
      ],
      cursor: 2,
    });
    expect(ringSpans(7, 3, 10).cursor).toBe(0);
    expect(ringSpans(4, 0, 10)).toEqual({ spans: [], cursor: 4 });
  });

  it('keep exactly the newest rows, whatever the sizes', () => {
    const capacity = 11;
    const ring: number[] = [];
    let cursor = 0;
    let written = 0;
    for (const rows of [3, 5, 1, 11, 4, 30, 2, 0, 9, 10]) {
      const entering = ringSpans(cursor, rows, capacity);
      for (const { source, target, count } of entering.spans) {
        for (let row = 0; row < count; row += 1) ring[target + row] = written + source + row;
      }
      cursor = entering.cursor;
      written += rows;
      const newest = Math.min(written, capacity);
      expect([...ring].sort((a, b) => a - b)).toEqual(
        Array.from({ length: newest }, (_, age) => written - newest + age),
      );
    }
  });
});
