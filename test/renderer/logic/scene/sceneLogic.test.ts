// Small pure parts of the scene view: measuring, labels, the grid, the pace of drawing, the painted ground.
import { describe, expect, it } from 'vitest';
import { declutter } from '#renderer/logic/scene/declutter.ts';
import { createDrawPace } from '#renderer/logic/scene/drawPace.ts';
import { gridLines } from '#renderer/logic/plots/gridLines.ts';
import { lightAt, paintGround } from '#renderer/logic/scene/groundPaint.ts';
import { legsOf, lengthText } from '#renderer/logic/scene/measuring.ts';
import { viewCommand } from '#renderer/logic/scene/viewCommand.ts';
import { tableOf } from './sceneTables.ts';

describe('measuring', () => {
  it('gives distance, horizontal and vertical part of each leg', () => {
    const legs = legsOf([
      [0, 0, 0],
      [3, 4, 12],
      [3, 4, 0],
    ]);
    expect(legs).toEqual([
      { distanceM: 13, horizontalM: 5, verticalM: 12, middleM: [1.5, 2, 6] },
      { distanceM: 12, horizontalM: 0, verticalM: -12, middleM: [3, 4, 6] },
    ]);
    expect(legsOf([[1, 1, 1]])).toEqual([]);
  });

  it('writes lengths with digits that mean something', () => {
    expect([0.1234, 12.3456, -123.456].map(lengthText)).toEqual(['0.123 m', '12.35 m', '−123.5 m']);
    expect(lengthText(-0.0004)).toBe('0.000 m');
  });
});

describe('labels', () => {
  const box = (xPx: number, yPx: number) => ({ xPx, yPx, widthPx: 40, heightPx: 20 });

  it('never cover each other; the first one wins', () => {
    expect(declutter([box(0, 0), box(30, 5), box(50, 0), box(0, 30)], 2, 10)).toEqual([0, 2, 3]);
    expect(declutter([box(0, 0), box(100, 0), box(200, 0)], 2, 2)).toEqual([0, 1]);
  });
});

describe('the grid', () => {
  it('has round lines that enclose the ground', () => {
    expect(gridLines([-150.5, -150.5], [150.5, 150.5])).toMatchObject({ stepM: 20 });
    const small = gridLines([-1, 2], [9, 4.2]);
    expect(small.stepM).toBe(0.5);
    expect(small.xM.at(0)).toBe(-1);
    expect(small.xM.at(-1)).toBe(9);
    expect(small.yM).toEqual([2, 2.5, 3, 3.5, 4, 4.5]);
    expect(Object.is(gridLines([-2, -2], [2, 2]).xM[10], 0)).toBe(true);
  });
});

describe('the pace of drawing', () => {
  it('finds what a slow machine can do, within bounds', () => {
    const pace = createDrawPace(5_000_000);
    // 6,000 triangles a millisecond.
    for (let frame = 0; frame < 30; frame += 1) {
      const triangles = pace.budget(true);
      pace.learn(triangles, triangles / 6_000);
    }
    expect(pace.budget(true)).toBeCloseTo(198_000, -3);
    for (let frame = 0; frame < 30; frame += 1) pace.learn(100_000, 10_000);
    expect(pace.budget(true)).toBe(120_000);
  });

  it('lets a fast machine have everything, also while it moves', () => {
    const pace = createDrawPace(5_000_000);
    for (let frame = 0; frame < 30; frame += 1) {
      const triangles = pace.budget(true);
      pace.learn(triangles, Math.max(triangles / 500_000, 1));
    }
    expect(pace.budget(true)).toBe(5_000_000);
  });

  it('refines at rest until a frame takes long, and restarts after a move', () => {
    const pace = createDrawPace(5_000_000, { minTriangles: 120_000, firstTriangles: 150_000 });
    expect(pace.budget(false)).toBe(150_000);
    expect(pace.refine(5)).toBe(false);
    pace.learn(150_000, 100);
    expect(pace.refine(100)).toBe(true);
    expect(pace.budget(false)).toBe(600_000);
    expect(pace.refine(300)).toBe(true);
    expect(pace.budget(false)).toBe(2_400_000);
    expect(pace.refine(2_000)).toBe(false);
    expect(pace.refine(900)).toBe(true);
    expect(pace.budget(false)).toBe(5_000_000);
    expect(pace.refine(10)).toBe(false);
    pace.move();
    expect(pace.budget(false)).toBe(600_000);
  });

  it('is not spoiled by one slow frame, nor by nearly empty ones', () => {
    const pace = createDrawPace(5_000_000, { minTriangles: 120_000, firstTriangles: 1_000_000 });
    pace.learn(1_000_000, 100_000);
    expect(pace.budget(true)).toBeGreaterThan(600_000);
    const before = pace.budget(true);
    pace.learn(12, 16);
    expect(pace.budget(true)).toBe(before);
  });
});

describe('the painted ground', () => {
  const table = tableOf([
    { model: 0, positionM: [0, 0, 0], halfM: [50, 50, 0] },
    { model: 1, positionM: [20, 20, 0.4], halfM: [1, 1, 0.4] },
    { model: 2, positionM: [-20, 0, 5], halfM: [2, 2, 5] },
    { model: 3, positionM: [0, -30, 2], halfM: [10, 0.2, 2] },
  ]);
  const colour = [0.2, 0.4, 0.1] as const;
  const models = (['none', 'cover', 'round', 'box'] as const).map((role) => ({ role, colour }));
  const area = { minM: [-50, -50], maxM: [50, 50] } as const;
  const groundM = new Float32Array(table.count);
  // From the south, 45° up: shadows fall north, as long as objects are high.
  const sunDirection = [0, -Math.SQRT1_2, Math.SQRT1_2] as const;
  const request = { rows: table, models, area, groundM, sunDirection, size: 500 };
  const paint = paintGround(request);
  const coverAt = (x: number, y: number): number =>
    paint.cover[4 * (Math.floor((y + 50) * 5) * 500 + Math.floor((x + 50) * 5)) + 3] ?? 0;

  it('has the cover at its place, in its colour', () => {
    expect(coverAt(20, 20)).toBeGreaterThan(120);
    expect(coverAt(25, 20)).toBe(0);
    const cell = Math.floor(70 * 5) * 500 + Math.floor(70 * 5);
    expect([...paint.cover.subarray(4 * cell, 4 * cell + 3)]).toEqual([51, 102, 26]);
  });

  it('has shadows where light does not come', () => {
    expect(lightAt(paint, -20, 5)).toBeLessThan(0.5);
    expect(lightAt(paint, -20, -8)).toBe(1);
    expect(lightAt(paint, 0, -28)).toBeLessThan(0.5);
    expect(lightAt(paint, 0, -25)).toBe(1);
    expect(lightAt(paint, 0, -31)).toBe(1);
    expect(lightAt(paint, 500, 0)).toBe(1);
  });

  it('has shadows at the foot of objects on higher ground', () => {
    const raised = { ...table, boxesM: table.boxesM.map((at, k) => (k % 3 === 2 ? at + 6 : at)) };
    const onHill = { ...request, rows: raised, groundM: groundM.map(() => 6) };
    expect(paintGround(onHill).light).toEqual(paint.light);
    expect(paintGround({ ...request, rows: raised }).light).not.toEqual(paint.light);
  });
});

describe('the command of a view', () => {
  it('puts the same camera into words', () => {
    const half = Math.SQRT1_2;
    expect(
      viewCommand('courtyard', [1, 2, 3], [0, half, -half], { widthPx: 800, heightPx: 600 }, 0),
    ).toBe(
      'npx understory render courtyard --camera 1,2,3,90,45 --out courtyard.png --size 800x600',
    );
    const sizePx = { widthPx: 800, heightPx: 600 };
    expect(viewCommand('crossing', [1, 2, 3], [1, 0, 0], sizePx, 2.5)).toContain('--at-time 2.5');
  });
});
