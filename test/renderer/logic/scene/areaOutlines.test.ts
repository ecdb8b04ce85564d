// Outlines of a scatter's area and of what it keeps clear.
import { describe, expect, it } from 'vitest';
import { areaOutlines } from '#renderer/logic/scene/areaOutlines.ts';

const data = {
  scene: {
    stands: [
      {
        name: 'wood',
        areaM: [
          [0, 0],
          [1, 0],
          [1, 1],
        ],
      },
    ],
    scatters: [
      {
        name: 'grass',
        areaM: [
          [0, 0],
          [10, 0],
          [10, 4],
        ],
        keepClear: [{ centreM: [2, 1], radiusM: 3 }],
      },
      {
        name: 'broken',
        areaM: [
          [0, 0],
          [1, 'x'],
          [1, 1],
        ],
        keepClear: [{ centreM: [0, 0] }],
      },
    ],
  },
};

describe('the outlines of a scatter', () => {
  const [area, clear] = areaOutlines(data, (index, list) => list === 'scatters' && index === 0);

  it('are those of stands, too', () => {
    const [wood] = areaOutlines(data, (_, list) => list === 'stands');
    expect(wood).toMatchObject({ kind: 'area', label: 'wood: area' });
  });

  it('go round its area and back, in steps of at most a metre', () => {
    expect(area).toMatchObject({ kind: 'area', label: 'grass: area', labelM: [0, 0] });
    const way = area?.pathM ?? [];
    expect(way[0]).toEqual([0, 0]);
    expect(way.at(-1)).toEqual([0, 0]);
    expect(way).toContainEqual([10, 4]);
    const lengths = way.slice(1).map(([x, y], k) => Math.hypot(x - way[k]![0], y - way[k]![1]));
    expect(Math.max(...lengths)).toBeLessThanOrEqual(1 + 1e-9);
    expect(lengths.reduce((sum, one) => sum + one, 0)).toBeCloseTo(10 + 4 + Math.hypot(10, 4), 9);
  });

  it('go round what is kept clear, at its radius', () => {
    expect(clear).toMatchObject({ kind: 'clear', label: 'grass: clear, 3 m', labelM: [2, 1] });
    for (const [x, y] of clear?.pathM ?? []) expect(Math.hypot(x - 2, y - 1)).toBeCloseTo(3, 9);
    expect(clear?.pathM.at(-1)).toEqual(clear?.pathM[0]);
  });

  it('leave out what is no place, and scatters that are not asked for', () => {
    expect(areaOutlines(data, (scatter) => scatter === 1)).toEqual([]);
    expect(areaOutlines(data, () => false)).toEqual([]);
    expect(areaOutlines(null, () => true)).toEqual([]);
  });
});
