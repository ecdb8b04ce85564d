// Rays against the silhouette of a body: both sides of it are decided, and only a band about it is left out.
import { describe, expect, it } from 'vitest';
import type { Vector3 } from '#domain/shared/pose.ts';
import { boxBody, facettedSphereBody, meetingOf } from '#validation/invariants/convexBody.ts';

const edgeM = 2e-5;
const origin: Vector3 = [0, 0, 0];

/** Along a ray to a point. */
function towards(pointM: Vector3): Vector3 {
  const length = Math.hypot(...pointM);
  return pointM.map((each) => each / length) as Vector3;
}

describe('meetingOf', () => {
  // The face towards the origin is the silhouette: its edges lie at (7, ±1, ±1).
  const box = boxBody([8, 0, 0], [2, 2, 2]);

  it.each([
    [1 - 1e-4, 'hits'],
    [1, 'at the silhouette'],
    [1 + 1e-4, 'misses'],
    [1.5, 'misses'],
  ])('a ray that passes the face of a box at y = %f m', (yM, expected) => {
    expect(meetingOf(box, origin, towards([7, yM, 0.2]), edgeM)).toBe(expected);
  });

  it('a ray beside a sphere of facets misses, however near it is to the facets behind', () => {
    const sphere = facettedSphereBody([8, 0, 0], 1, 12);
    // The corner of the equator with the greatest angle to the axis of view.
    const corners = Array.from({ length: 24 }, (_, n): Vector3 => {
      const azimuth = (2 * Math.PI * n) / 24;
      return [8 + Math.cos(azimuth), Math.sin(azimuth), 0];
    });
    const slope = Math.max(...corners.map(([xM, yM]) => yM / xM));
    expect(meetingOf(sphere, origin, towards([1, slope + 1e-4, 0]), edgeM)).toBe('misses');
    expect(meetingOf(sphere, origin, towards([1, slope - 1e-4, 0]), edgeM)).toBe('hits');
  });
});
