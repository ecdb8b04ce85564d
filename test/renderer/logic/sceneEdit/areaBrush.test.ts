// Painting of areas: the edge of what is covered, discs along strokes, and polygons that stay simple and small.
import { describe, expect, it } from 'vitest';
import {
  excludedDiscs,
  paintedArea,
  paintedDiscs,
  writtenPlaces,
} from '#renderer/logic/sceneEdit/areaBrush.ts';
import { brushEdits, canPaint } from '#renderer/logic/sceneEdit/brushEdits.ts';
import type { PlaceM } from '#renderer/logic/sceneEdit/groundShapes.ts';
import { isInside, isSimple, outerEdge, simplified } from '#renderer/logic/sceneEdit/polygons.ts';

const square: PlaceM[] = [
  [0, 0],
  [10, 0],
  [10, 10],
  [0, 10],
];
const areaOf = (corners: readonly PlaceM[]): number =>
  corners.reduce((sum, [x, y], index) => {
    const [beforeX, beforeY] = corners.at(index - 1) ?? [x, y];
    return sum + (beforeX * y - x * beforeY) / 2;
  }, 0);

describe('the outer edge', () => {
  it('is that of both squares where they overlap, share a side, or lie in one another', () => {
    const moved = (dx: number, dy: number): PlaceM[] => square.map(([x, y]) => [x + dx, y + dy]);
    expect(areaOf(outerEdge([square, moved(5, 5)]))).toBeCloseTo(175, 6);
    expect(areaOf(outerEdge([square, moved(10, 0)]))).toBeCloseTo(200, 6);
    expect(areaOf(outerEdge([square, moved(10, 5)]))).toBeCloseTo(200, 6);
    expect(areaOf(outerEdge([square, square]))).toBeCloseTo(100, 6);
    const inner = square.map(([x, y]): PlaceM => [2 + x / 4, 2 + y / 4]);
    expect(outerEdge([square, inner])).toHaveLength(4);
    // Clockwise ones, too.
    expect(areaOf(outerEdge([square.toReversed(), moved(5, 5)]))).toBeCloseTo(175, 6);
  });

  it('has as few corners as a tolerance allows', () => {
    const many = square.flatMap(([x, y], index): PlaceM[] => {
      const [toX, toY] = square[(index + 1) % 4] ?? [x, y];
      return [0, 0.25, 0.5, 0.75].map((share) => [x + share * (toX - x), y + share * (toY - y)]);
    });
    expect(simplified(many, 0.01)).toEqual(square);
    expect(simplified(square, 100)).toEqual(square);
    expect(isSimple(square)).toBe(true);
    expect(
      isSimple([
        [0, 0],
        [10, 10],
        [10, 0],
        [0, 10],
      ]),
    ).toBe(false);
  });
});

describe('a stroke as edits', () => {
  const zone = (x: number) => ({ centreM: [100 + x, 0], radiusM: 1 });
  const areaM = square.map(([x, y]) => [100 + x, y]);
  const data = {
    scene: {
      origin: [100, 0, 0],
      scatters: [{ name: 'grass', areaM, keepClear: [zone(2), zone(9)] }, { name: 'bare' }],
      stands: [{ kind: 'list', name: 'wood' }],
    },
  };
  const part = ['scene', 'scatters', 0];

  it('writes the area in the world, and removes zones that it covers', () => {
    const stroke = {
      pathM: [
        [9, 0.5],
        [12, 0.5],
      ] as PlaceM[],
      radiusM: 1,
    };
    const edits = brushEdits(data, part, 'add', stroke) ?? [];
    expect(edits.map(({ op, path }) => `${op} ${path.slice(3).join(' ')}`)).toEqual([
      'set areaM',
      'remove keepClear 1',
    ]);
    expect(JSON.stringify(edits[0]?.value)).toContain('[113,0.5]');
    expect(brushEdits(data, part, 'add', { ...stroke, pathM: [[30, 30]] })).toBeNull();
  });

  it('adds zones behind those that are there', () => {
    const stroke = {
      pathM: [
        [5, 5],
        [6, 5],
      ] as PlaceM[],
      radiusM: 1,
    };
    expect(brushEdits(data, part, 'exclude', stroke)).toEqual([
      { path: [...part, 'keepClear', 2], op: 'insert', value: { centreM: [105, 5], radiusM: 1 } },
      { path: [...part, 'keepClear', 3], op: 'insert', value: { centreM: [105.9, 5], radiusM: 1 } },
    ]);
  });

  it('is for parts with an area alone', () => {
    expect(canPaint(data, part)).toBe(true);
    expect(canPaint(data, ['scene', 'scatters', 1])).toBe(false);
    expect(canPaint(data, ['scene', 'stands', 0])).toBe(false);
    expect(canPaint(data, ['mission'])).toBe(false);
  });
});

describe('a stroke of the brush', () => {
  it('makes an area larger by what it covers beside it', () => {
    const area = paintedArea(square, {
      pathM: [
        [9, 5],
        [15, 5],
      ],
      radiusM: 2,
    });
    if (area === null) throw new Error('not touched');
    // A band of 4 m that is 5 m long, with a round end.
    expect(areaOf(area)).toBeCloseTo(100 + 20 + (Math.PI * 4) / 2, -0.5);
    expect(isInside(area, [16.5, 5])).toBe(true);
    expect(isInside(area, [12, 8])).toBe(false);
    expect(area.length).toBeLessThan(20);
    expect(isSimple(area)).toBe(true);
    for (const [x, y] of square) {
      expect(area.some(([ax, ay]) => Math.hypot(ax - x, ay - y) < 0.01)).toBe(true);
    }
  });

  it('can come from outside, and leaves an area as it is from within', () => {
    const from: PlaceM[] = [
      [20, 5],
      [12, 5],
      [5, 5],
    ];
    const area = paintedArea(square, { pathM: from, radiusM: 1 });
    expect(area !== null && isInside(area, [20.5, 5])).toBe(true);
    const within = paintedArea(square, {
      pathM: [
        [4, 4],
        [6, 6],
      ],
      radiusM: 1,
    });
    expect(within === null ? 0 : areaOf(within)).toBeCloseTo(100, 3);
    expect(
      paintedArea(square, {
        pathM: [
          [20, 5],
          [25, 5],
        ],
        radiusM: 1,
      }),
    ).toBeNull();
  });

  it('stays simple along any path', () => {
    let seed = 1;
    const random = (): number => (seed = (seed * 16807) % 2147483647) / 2147483647;
    let area: PlaceM[] = square;
    for (let stroke = 0; stroke < 25; stroke += 1) {
      const pathM = Array.from({ length: 6 }, (): PlaceM => [20 * random() - 5, 20 * random() - 5]);
      const next = paintedArea(area, { pathM, radiusM: 0.5 + random() });
      if (next === null) continue;
      expect(areaOf(next)).toBeGreaterThan(areaOf(area) - 1);
      expect(isSimple(next), `stroke ${stroke}`).toBe(true);
      expect(next.length).toBeLessThan(400);
      area = next;
    }
    expect(areaOf(area)).toBeGreaterThan(150);
  });

  it('excludes discs along its path, none twice, and takes back those that it covers', () => {
    const stroke = {
      pathM: [
        [0, 0],
        [6, 0],
      ] as PlaceM[],
      radiusM: 2,
    };
    const discs = excludedDiscs([], stroke);
    expect(discs.map(({ centreM: [x] }) => Math.round(10 * x) / 10)).toEqual([0, 1.8, 3.6, 5.4]);
    expect(excludedDiscs([{ centreM: [3, 0], radiusM: 9 }], stroke)).toEqual([]);
    expect(paintedDiscs([...discs, { centreM: [3, 3], radiusM: 1 }], stroke)).toEqual([0, 1, 2, 3]);
  });

  it('is written in whole centimetres of the world', () => {
    const places: PlaceM[] = [
      [0, 0],
      [0.001, 0.002],
      [1.23456, 2],
    ];
    expect(writtenPlaces([100, 0, 0], [[1, 1]])).toEqual([[101, 1]]);
    expect(writtenPlaces([100, 0, 0], places)).toEqual([
      [100, 0],
      [101.23, 2],
    ]);
  });
});
