import { describe, expect, it } from 'vitest';
import { parallelAxis, runsWithin } from '#renderer/logic/campaigns/parallelAxes.ts';

describe('a parallel axis', () => {
  it('places numbers by their size, and runs without one nowhere', () => {
    const { shares, marks } = parallelAxis('density', [100, 400, null, 200], 6);
    expect([...shares]).toEqual([0, 1, NaN, 1 / 3]);
    expect(marks.map(({ text }) => text)).toEqual([
      '100',
      '150',
      '200',
      '250',
      '300',
      '350',
      '400',
    ]);
  });

  it('places words in their order, at equal distances', () => {
    const { shares, marks } = parallelAxis('sensor', ['vlp-16', 'hdl-64e', 'lms-291', 'vlp-16'], 6);
    expect([...shares]).toEqual([1, 0, 0.5, 1]);
    expect(marks).toEqual([
      { text: 'hdl-64e', share: 0 },
      { text: 'lms-291', share: 0.5 },
      { text: 'vlp-16', share: 1 },
    ]);
  });

  it('places switches at its ends, a single value in its middle', () => {
    expect([...parallelAxis('goal', [true, false], 6).shares]).toEqual([1, 0]);
    const { shares, marks } = parallelAxis('seed', [7, 7], 6);
    expect([...shares]).toEqual([0.5, 0.5]);
    expect(marks).toEqual([{ text: '7', share: 0.5 }]);
    expect(parallelAxis('none', [null], 6).marks).toEqual([]);
  });
});

describe('ranges of axes', () => {
  const axes = [
    parallelAxis('density', [0, 5, 10, null], 4),
    parallelAxis('hits', [3, 2, 1, 0], 4),
  ];

  it('choose the runs within all of them', () => {
    expect([...runsWithin(axes, {})]).toEqual([1, 1, 1, 1]);
    expect([...runsWithin(axes, { density: { from: 0.4, to: 1 } })]).toEqual([0, 1, 1, 0]);
    const both = { density: { from: 0.4, to: 1 }, hits: { from: 0.5, to: 1 } };
    expect([...runsWithin(axes, both)]).toEqual([0, 1, 0, 0]);
  });

  it('leave out runs without a value there', () => {
    expect([...runsWithin(axes, { density: { from: 0, to: 1 } })]).toEqual([1, 1, 1, 0]);
  });
});
