import { expect, it } from 'vitest';
import { exportedBox } from '#renderer/logic/runs/exportedBox.ts';

it('is in the world, in degrees', () => {
  const box = { centreM: [1.00049, -2, 0], yawRad: Math.PI / 6, sizeM: [4, 0.25, 3] } as const;
  expect(exportedBox(box, [500_000, 5_400_000, 100])).toEqual({
    centreM: [500_001, 5_399_998, 100],
    sizeM: [4, 0.25, 3],
    yawDeg: 30,
  });
});
