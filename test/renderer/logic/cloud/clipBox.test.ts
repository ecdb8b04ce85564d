// The box that a view is clipped to: sections, faces, and the part of a ray that is in it.
import { describe, expect, it } from 'vitest';
import { insideBox } from '#domain/shared/uprightBox.ts';
import {
  boxAround,
  clipFaces,
  faceCentre,
  minClipM,
  movedFace,
  nearestOnLine,
  rayThrough,
  sectionAcross,
  sectionAlong,
} from '#renderer/logic/cloud/clipBox.ts';
import type { PlaceM } from '#renderer/logic/cloud/cloudBounds.ts';

const bounds = { minM: [-10, 0, 0], maxM: [10, 8, 3] } as const;
const turned = { centreM: [1, 2, 0.5], yawRad: 0.7, sizeM: [6, 2, 1] } as const;

function near(found: PlaceM | undefined, expected: PlaceM): void {
  for (const axis of [0, 1, 2] as const) expect(found?.[axis]).toBeCloseTo(expected[axis], 9);
}

describe('a section', () => {
  it('across an axis is thin there and as large as the bounds elsewhere', () => {
    expect(boxAround(bounds)).toEqual({ centreM: [0, 4, 1.5], yawRad: 0, sizeM: [20, 8, 3] });
    // A twentieth of 20 m, and of 3 m.
    expect(sectionAcross(bounds, 0).sizeM).toEqual([1, 8, 3]);
    expect(sectionAcross(bounds, 2).sizeM[2]).toBeCloseTo(0.15, 12);
  });

  it('along a line has it as its length, at any turn', () => {
    const box = sectionAlong(bounds, [-3, 1, 2], [1, 4, 0]);
    expect(box?.sizeM).toEqual([5, 0.25, 3]);
    near(box?.centreM, [-1, 2.5, 1.5]);
    expect(box?.yawRad).toBeCloseTo(Math.atan2(3, 4), 12);
    expect(sectionAlong(bounds, [1, 1, 0], [1, 1, 3])).toBeNull();
  });
});

describe('a face', () => {
  it.each(clipFaces)('moves alone or with the box: %o', (face) => {
    const opposite = { ...face, end: face.end === 1 ? (-1 as const) : (1 as const) };
    const moved = movedFace(turned, face, 0.5, false);
    near(faceCentre(moved, opposite), faceCentre(turned, opposite));
    expect(moved.sizeM[face.axis]).toBeCloseTo(turned.sizeM[face.axis] + 0.5, 12);
    const whole = movedFace(turned, face, 0.5, true);
    expect(whole.sizeM).toEqual(turned.sizeM);
    near(faceCentre(whole, face), faceCentre(moved, face));
  });

  it('does not pass the opposite one', () => {
    const [face] = clipFaces;
    expect(face && movedFace(turned, face, -100, false).sizeM[0]).toBe(minClipM);
  });

  it('follows the place of its line that the pointer is nearest to', () => {
    const ray = { originM: [3, -5, 7], direction: [0, 1, 0] } as const;
    expect(nearestOnLine([1, 0, 0], [1, 0, 0], ray)).toBeCloseTo(2, 12);
    expect(nearestOnLine([1, 0, 0], [0, 1, 0], ray)).toBeNull();
  });
});

describe('the part of a ray in the box', () => {
  it('ends at its faces', () => {
    const box = { centreM: [10, 0, 0], yawRad: 0, sizeM: [4, 2, 2] } as const;
    expect(rayThrough(box, [0, 0, 0], [1, 0, 0])).toEqual({ enterM: 8, leaveM: 12 });
    expect(rayThrough(box, [10, 0, 0], [1, 0, 0])).toEqual({ enterM: 0, leaveM: 2 });
    expect(rayThrough(box, [0, 2, 0], [1, 0, 0])).toBeNull();
    expect(rayThrough(box, [20, 0, 0], [1, 0, 0])).toBeNull();
  });

  it('is where the places of the ray are inside, for a turned box', () => {
    const isInside = insideBox(turned);
    const direction = [Math.cos(0.3), Math.sin(0.3), 0] as const;
    const part = rayThrough(turned, [-8, 0, 0.4], direction);
    const at = (m: number): boolean => isInside(-8 + m * direction[0], m * direction[1], 0.4);
    expect([at((part?.enterM ?? 0) - 1e-6), at((part?.enterM ?? 0) + 1e-6)]).toEqual([false, true]);
    expect([at((part?.leaveM ?? 0) - 1e-6), at((part?.leaveM ?? 0) + 1e-6)]).toEqual([true, false]);
  });
});
