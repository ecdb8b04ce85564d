// The edges of a sensor's field of view as lines.
import type { FieldOfView } from '#contract/host/sceneMethods.ts';

/** Between corners of an arc. */
const arcStepRad = Math.PI / 24;
/** A sensor that turns without end has so many lines from its middle to each of its circles. */
const spokes = 4;

/**
 * Line segments in the sensor's frame, two points each, x y z after one another: arcs at the least and the greatest
 * elevation, `lengthM` away, and lines to them.
 */
export function fieldLines(view: FieldOfView, lengthM: number): Float32Array {
  const { azimuthRad, isWholeTurn, elevationRad } = view;
  const [from, to] = isWholeTurn ? [-Math.PI, Math.PI] : azimuthRad;
  const steps = Math.max(1, Math.ceil((to - from) / arcStepRad));
  const azimuths = Array.from({ length: steps + 1 }, (_, at) => from + ((to - from) * at) / steps);
  const ends = isWholeTurn
    ? Array.from({ length: spokes }, (_, at) => from + (2 * Math.PI * at) / spokes)
    : [from, to];
  const placeAt = (azimuth: number, elevation: number): [number, number, number] => [
    lengthM * Math.cos(elevation) * Math.cos(azimuth),
    lengthM * Math.cos(elevation) * Math.sin(azimuth),
    lengthM * Math.sin(elevation),
  ];
  const points = [...new Set(elevationRad)].flatMap((elevation) => [
    ...azimuths
      .slice(1)
      .flatMap((azimuth, at) => [
        ...placeAt(azimuths[at] ?? from, elevation),
        ...placeAt(azimuth, elevation),
      ]),
    ...ends.flatMap((azimuth) => [0, 0, 0, ...placeAt(azimuth, elevation)]),
  ]);
  return Float32Array.from(points);
}
