// The integrals of sky occlusion, as the shader has them: against quadrature, and against the known view factor of a wall.
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { sliceDeclarations } from '#renderer/viewer/engine/skyOcclusionShaders.ts';

interface SliceIntegrals {
  signedArc: (angle: number, normal: number) => number;
  sliceLight: (normal: number) => number;
  lightBelow: (angle: number, normal: number) => number;
}

type Vector = readonly [number, number, number];

/** Its functions have no types but float, so that they are script but for the names of types. */
function integralsOf(glsl: string): SliceIntegrals {
  const script = glsl
    .replace(/float (\w+)\(([^)]*)\) \{/g, (_, name: string, values: string) => {
      return `function ${name}(${values.replaceAll('float ', '')}) {`;
    })
    .replaceAll('float ', 'const ');
  const { cos, sin, abs, min, max } = Math;
  const names = '({ signedArc, sliceLight, lightBelow })';
  return runInNewContext(`${script}\n${names}`, { cos, sin, abs, min, max }) as SliceIntegrals;
}

const { signedArc, sliceLight, lightBelow } = integralsOf(sliceDeclarations);
const right = Math.PI / 2;
const slices = 180;

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const scaled = (a: Vector, by: number): Vector => [a[0] * by, a[1] * by, a[2] * by];
const added = (a: Vector, b: Vector): Vector => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];

/**
 * Share of the light of an even sky at a place with normal z, seen along `towards` (in the plane of x and z), where
 * directions are hidden. The slices contain `towards`, as on screen.
 */
function skyShare(towards: Vector, isHidden: (direction: Vector) => boolean): number {
  const bins = 1440;
  const onScreenX: Vector = [towards[2], 0, -towards[0]];
  let [all, seen] = [0, 0];
  for (let slice = 0; slice < slices; slice += 1) {
    const azimuth = ((slice + 0.5) * Math.PI) / slices;
    const along = added(scaled(onScreenX, Math.cos(azimuth)), [0, Math.sin(azimuth), 0]);
    const share = Math.hypot(dot([0, 0, 1], towards), dot([0, 0, 1], along));
    const normal = Math.atan2(dot([0, 0, 1], along), dot([0, 0, 1], towards));
    const weight = share * sliceLight(normal);
    let hidden = 0;
    for (let bin = 0; bin < bins; bin += 1) {
      const [from, to] = [bin, bin + 1].map((at) => normal - right + (at * Math.PI) / bins) as [
        number,
        number,
      ];
      const middle = (from + to) / 2;
      const direction = added(scaled(towards, Math.cos(middle)), scaled(along, Math.sin(middle)));
      if (isHidden(direction)) hidden += lightBelow(to, normal) - lightBelow(from, normal);
    }
    all += weight;
    seen += weight * (1 - hidden);
  }
  return seen / all;
}

test.each([-1.4, -0.6, 0, 0.3, 1.2])(
  'the light of part of a slice is its integral, normal at %f',
  (normal) => {
    for (const angle of [-1.5, -0.4, 0.2, 1.1, 2.3]) {
      const steps = 200_000;
      let sum = 0;
      for (let step = 0; step < steps; step += 1) {
        const t = (angle * (step + 0.5)) / steps;
        sum += Math.cos(t - normal) * Math.abs(Math.sin(t));
      }
      // The midpoint rule is off by no more than steps * width ** 3 / 24 times a second derivative of at most 5.
      expect(signedArc(angle, normal)).toBeCloseTo((sum * angle) / steps, 8);
    }
    expect(lightBelow(normal - right - 1, normal)).toBe(0);
    expect(lightBelow(normal + right + 1, normal)).toBeCloseTo(1, 6);
  },
);

test.each([0, 0.5, 1.3])(
  'an open place gets all light, whatever the view: tilted by %f',
  (tilt) => {
    const towards: Vector = [Math.sin(tilt), 0, Math.cos(tilt)];
    let light = 0;
    for (let slice = 0; slice < slices; slice += 1) {
      const azimuth = ((slice + 0.5) * Math.PI) / slices;
      const up = -towards[0] * Math.cos(azimuth);
      light += Math.hypot(towards[2], up) * sliceLight(Math.atan2(up, towards[2]));
    }
    // A hemisphere weighted by the cosine is π; the slices have an angle of π in all.
    expect(light / slices).toBeCloseTo(1, 3);
  },
);

test.each([
  [0.2, 0],
  [1, 0.5],
  [3, 1.2],
])('beside a long wall, at %f of its height, seen tilted by %f', (distance, tilt) => {
  // The wall hides the directions to x > 0 that lie below its top.
  const isHidden = ([x, , z]: Vector): boolean => x > 0 && z * distance < x;
  const seen = skyShare([-Math.sin(tilt), 0, Math.cos(tilt)], isHidden);
  // View factor of a long wall from a horizontal element: half of 1 - cos of the elevation of its top.
  const hidden = (1 - distance / Math.hypot(distance, 1)) / 2;
  // Bins are cut at the wall's top: an error of half a bin (1/2880 of a slice) at most, as a mean.
  expect(Math.abs(seen - (1 - hidden))).toBeLessThan(1e-3);
});
