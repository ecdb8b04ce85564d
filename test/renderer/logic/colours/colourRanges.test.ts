// Ranges of scales: their values and their texts.
import { describe, expect, it } from 'vitest';
import { noRanges, scaleKey, widenedBy } from '#renderer/logic/colours/colourRanges.ts';
import { scaledColours } from '#renderer/logic/colours/colouring.ts';
import type { PointColumns } from '#renderer/logic/cloud/pointColumns.ts';

function cloud(change: Partial<PointColumns>): PointColumns {
  const rows = Float32Array.from({ length: 500 }, (_, row) => row);
  return {
    xM: rows,
    yM: rows,
    zM: rows.map((row) => row / 100),
    intensity: rows.fill(0.5),
    rangeM: rows,
    rangeErrorM: rows,
    classId: Uint16Array.from(rows),
    ring: Uint16Array.from(rows, (_, row) => row % 64),
    returnNo: Uint8Array.from(rows, (_, row) => 1 + (row % 3)),
    sensor: new Uint8Array(rows.length),
    ...change,
  };
}

describe('ranges of colours', () => {
  it('begin with none, for each kind', () => {
    expect(Object.keys(noRanges()).sort()).toEqual([...scaledColours, 'distance'].sort());
  });

  it('hold every ring and every return', () => {
    expect(widenedBy('ring', null, cloud({}))).toEqual([0, 63]);
    expect(widenedBy('return', null, cloud({}))).toEqual([1, 3]);
  });

  it('of errors lie about zero, and only widen', () => {
    const rangeErrorM = Float32Array.from({ length: 500 }, (_, row) => (row % 2 ? 0.012 : -0.048));
    const range = widenedBy('error', null, cloud({ rangeErrorM }));
    expect(range?.map((value) => Math.round(100 * value))).toEqual([-5, 5]);
    expect(widenedBy('error', range, cloud({ rangeErrorM: new Float32Array(500) }))).toEqual(range);
  });

  it('are written with their unit, and say where more lies beyond', () => {
    expect(scaleKey('height', [0, 4.5])).toEqual({
      title: 'Height in m',
      from: '0.0',
      to: '≥ 4.5',
    });
    expect(scaleKey('error', [-0.05, 0.05])).toMatchObject({ from: '−5', to: '+5' });
  });
});
