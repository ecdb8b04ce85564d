// The field of view of a sensor, as lines in its own frame: its edges, and the fan of its lasers in
// one direction. Line segments: x y z of both ends after one another.
import { type Pixels, traitsOf } from '#contract/documents/scan/scanRecipe.ts';
import type { FieldOfView } from '#contract/host/sceneMethods.ts';
import type { SensorRecipe } from '#contract/worker/sensorRecipe.ts';

type Direction = readonly [azimuthRad: number, elevationRad: number];

const stepRad = Math.PI / 60;

/** Edges of what it sees out to `lengthM`: arcs at the lowest and the highest laser, sides where it does not turn. */
export function fieldEdges({ scan, elevationRad }: FieldOfView, lengthM: number): Float32Array {
  const { pixels, isWholeTurn, spanRad } = traitsOf(scan);
  if (pixels !== null) return imageEdges(pixels, lengthM);
  const [low, high] = elevationRad;
  const [from, to] = spanRad;
  const steps = Math.max(8, Math.ceil((to - from) / stepRad));
  const arc = (elevation: number): Direction[] =>
    Array.from({ length: steps + 1 }, (_, at) => [from + ((to - from) * at) / steps, elevation]);
  const lines: [Direction, Direction][] = [
    ...pairs(arc(low)),
    ...(high > low ? pairs(arc(high)) : []),
  ];
  const ribs = isWholeTurn ? [0, 1, 2, 3].map((quarter) => (quarter * Math.PI) / 2) : [from, to];
  const segments = lines.map(([a, b]) => [placeOf(a, lengthM), placeOf(b, lengthM)]);
  for (const azimuth of ribs) {
    for (const elevation of high > low ? [low, high] : [low]) {
      segments.push([[0, 0, 0], placeOf([azimuth, elevation], lengthM)]);
    }
  }
  return Float32Array.from(segments.flat(2));
}

/** The beams of all lasers at one azimuth, or along a line of a panorama; at most `most`. None of an image. */
export function laserFan(
  { scan, banks }: SensorRecipe,
  lengthM: number,
  most: number,
): Float32Array {
  const { pixels, spanRad, lines } = traitsOf(scan);
  if (pixels !== null) return new Float32Array(0);
  const elevations =
    lines === null
      ? banks.flatMap(({ elevationsRad, azimuthOffsetsRad }) =>
          elevationsRad.map((elevation, laser): Direction => [
            azimuthOffsetsRad?.[laser] ?? 0,
            elevation,
          ]),
        )
      : lineFan(lines.elevationRad);
  const stride = Math.ceil(elevations.length / most);
  const [from, to] = spanRad;
  const ahead = (from + to) / 2;
  return Float32Array.from(
    elevations
      .filter((_, index) => index % stride === 0)
      .flatMap(([offset, elevation]) => [
        0,
        0,
        0,
        ...placeOf([ahead + offset, elevation], lengthM),
      ]),
  );
}

/** Evenly along a line, from end to end. */
function lineFan([low, high]: readonly [number, number]): Direction[] {
  const beams = 21;
  return Array.from({ length: beams }, (_, beam) => [0, low + ((high - low) * beam) / (beams - 1)]);
}

/** A pinhole's four corners: the plane ahead is as wide as the full angle says, pixels are square. */
function imageEdges({ columns, rows, horizontalFovRad }: Pixels, lengthM: number): Float32Array {
  const wide = Math.tan(horizontalFovRad / 2);
  const high = (wide * rows) / columns;
  const corners = (
    [
      [wide, high],
      [-wide, high],
      [-wide, -high],
      [wide, -high],
    ] as const
  ).map(([left, up]) => [lengthM, lengthM * left, lengthM * up]);
  return Float32Array.from(
    corners.flatMap((corner, index) => [
      ...[0, 0, 0, ...corner],
      ...[...corner, ...(corners[(index + 1) % 4] ?? corner)],
    ]),
  );
}

function pairs(arc: readonly Direction[]): [Direction, Direction][] {
  return arc.slice(1).map((to, index) => [arc[index] ?? to, to]);
}

function placeOf([azimuth, elevation]: Direction, lengthM: number): number[] {
  const level = lengthM * Math.cos(elevation);
  return [level * Math.cos(azimuth), level * Math.sin(azimuth), lengthM * Math.sin(elevation)];
}
