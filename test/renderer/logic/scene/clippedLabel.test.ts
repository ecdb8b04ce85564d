// Names of clipped objects: above the drawn part, and none where nothing is drawn.
import { describe, expect, it } from 'vitest';
import { clippedPlace } from '#renderer/logic/scene/clippedLabel.ts';

const wall = { minM: [-10, 4, 0], maxM: [10, 4.4, 3] } as const;
const around = { centreM: [0, 0, 0], yawRad: 0, sizeM: [40, 40, 20] } as const;

describe('the name of a clipped object', () => {
  it('is above the middle of an object that is drawn whole', () => {
    expect(clippedPlace(wall, around, 0.1)).toEqual([
      expect.closeTo(0),
      expect.closeTo(4.2),
      expect.closeTo(3.1),
    ]);
  });

  it('moves to the part that is drawn', () => {
    const box = { centreM: [8, 4, 0], yawRad: 0, sizeM: [2, 4, 4] } as const;
    expect(clippedPlace(wall, box, 0.1)).toEqual([
      expect.closeTo(8),
      expect.closeTo(4.2),
      expect.closeTo(2.1),
    ]);
  });

  it('is not there where all of the object is clipped away', () => {
    expect(clippedPlace(wall, { ...around, sizeM: [40, 2, 20] }, 0.1)).toBeNull();
    expect(clippedPlace(wall, { ...around, centreM: [0, 0, -20] }, 0.1)).toBeNull();
  });

  it('heeds the turn of the box: a thin section passes the corner of the bounds', () => {
    const turned = { centreM: [12, 4, 0], yawRad: Math.PI / 4, sizeM: [10, 0.5, 20] } as const;
    expect(clippedPlace(wall, turned, 0)).toBeNull();
    const across = { ...turned, centreM: [5, 4, 0] } as const;
    expect(clippedPlace(wall, across, 0)?.[0]).toBeCloseTo(5.2, 1);
  });
});
