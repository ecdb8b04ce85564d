// A tripod's panorama inside a sphere: how many pulses there are, when and where each goes, against its law; the head
// turns either way.
import { radians } from '#domain/shared/numbers.ts';
import { about, forms, type Measurement } from '../closedForm.ts';
import { formsPiece, greatest } from '../parts.ts';
import { ball } from '../scenes.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { atRest } from '../trajectories.ts';

/** 1714.29 ticks a line, of which 0.4 count; the last line is cut. */
const [pulseRateHz, linesPerSecond, activeShare] = [12_000, 7, 0.4];
const [minDeg, maxDeg, headDegPerSecond] = [-40, 60, 80];

interface PanoramaPulse {
  timeNs: number;
  direction: number[];
}

function panoramaLaw(fromDeg: number, toDeg: number): PanoramaPulse[] {
  const seconds = Math.abs(toDeg - fromDeg) / headDegPerSecond;
  const turn = Math.sign(toDeg - fromDeg) * headDegPerSecond;
  return Array.from({ length: pulseRateHz * seconds }, (_, tick) => tick)
    .filter((tick) => (tick * linesPerSecond) % pulseRateHz < activeShare * pulseRateHz)
    .map((tick) => {
      const phase = ((tick * linesPerSecond) % pulseRateHz) / pulseRateHz / activeShare;
      const elevation = radians(minDeg + (maxDeg - minDeg) * phase);
      const head = radians(fromDeg + (turn * tick) / pulseRateHz);
      return { timeNs: (tick * 1e9) / pulseRateHz, direction: directionOf(head, elevation) };
    });
}

function directionOf(azimuthRad: number, elevationRad: number): number[] {
  const level = Math.cos(elevationRad);
  return [level * Math.cos(azimuthRad), level * Math.sin(azimuthRad), Math.sin(elevationRad)];
}

function panoramaRow(name: string, fromDeg: number, toDeg: number): Measurement {
  const law = panoramaLaw(fromDeg, toDeg);
  const apart = (directions: readonly number[][]): number =>
    greatest(
      law.map(({ direction }, n) =>
        Math.hypot(...direction.map((part, axis) => part - (directions[n]?.[axis] ?? NaN))),
      ),
    );
  return forms({
    scene: ball(20, 64),
    sensor: singleLaser({
      scan: {
        kind: 'panorama',
        pulseRateHz,
        rateHz: linesPerSecond,
        activeShare,
        minElevationDeg: minDeg,
        maxElevationDeg: maxDeg,
        headFromDeg: fromDeg,
        headToDeg: toDeg,
        headDegPerSecond,
      },
      banks: [],
      beam: singleRay,
    }),
    columns: [
      'time_ns',
      'pulse',
      'ring',
      'azimuth_rad',
      'elevation_rad',
      'range_m',
      'x_m',
      'y_m',
      'z_m',
      'hit_x_m',
      'hit_y_m',
      'hit_z_m',
      'beam_direction_x',
      'beam_direction_y',
      'beam_direction_z',
    ],
    path: atRest(Math.abs(toDeg - fromDeg) / headDegPerSecond),
    source: 'line ⌊t·f⌋ with phase u < κ; elevation by u/κ, head by ω·t',
    laws: [
      { name: `${name}: pulses`, statistic: 'rows', expected: law.length },
      {
        name: `${name}: time of each pulse, greatest error`,
        statistic: ({ time_ns: timesNs }) =>
          greatest(law.map(({ timeNs }, n) => (timesNs[n] ?? NaN) - timeNs)),
        // Times are whole nanoseconds.
        expected: about(0, 0.5001, 'ns'),
      },
      {
        name: `${name}: greatest angle between hits and law`,
        statistic: ({ hit_x_m: xM, hit_y_m: yM, hit_z_m: zM }) =>
          apart(
            xM.map((x, n) => {
              const hit = [x, yM[n] ?? NaN, zM[n] ?? NaN];
              const rangeM = Math.hypot(...hit);
              return hit.map((part) => part / rangeM);
            }),
          ),
        // Directions and hits have 32 bits: 6e-8 of each of three coordinates, twice.
        expected: about(0, 5e-7, 'rad'),
      },
      {
        name: `${name}: greatest angle between reported azimuth and elevation and law`,
        statistic: ({ azimuth_rad: azimuths, elevation_rad: elevations }) =>
          apart(azimuths.map((azimuth, n) => directionOf(azimuth, elevations[n] ?? NaN))),
        // 32-bit angles up to 2π are off by 2.4e-7, in both.
        expected: about(0, 5e-7, 'rad'),
      },
      {
        name: `${name}: greatest angle between the axes of the beams and law`,
        statistic: ({ beam_direction_x: x, beam_direction_y: y, beam_direction_z: z }) =>
          apart(x.map((each, n) => [each, y[n] ?? NaN, z[n] ?? NaN])),
        expected: about(0, 5e-7, 'rad'),
      },
      {
        name: `${name}: greatest distance of points from law and range`,
        statistic: (fired) =>
          greatest(
            law.map(({ direction }, n) =>
              Math.hypot(
                ...(['x_m', 'y_m', 'z_m'] as const).map(
                  (axis, at) =>
                    (fired[axis][n] ?? NaN) - (fired.range_m[n] ?? NaN) * (direction[at] ?? NaN),
                ),
              ),
            ),
          ),
        // 5e-7 of 20 m, and 32-bit points.
        expected: about(0, 1.5e-5, 'm'),
      },
      {
        name: `${name}: pulses that are not numbered in order, or of another ring than 0`,
        statistic: ({ pulse, ring }) => pulse.filter((of, n) => of !== n || ring[n] !== 0).length,
        expected: 0,
      },
    ],
  });
}

/** A tripod's panorama: how many pulses there are, when and where each goes. */
export const panorama = formsPiece({
  name: 'panorama',
  ours: `Panorama: ${pulseRateHz} pulses per second, ${linesPerSecond} lines per second, active share ${activeShare}; the head turns ${headDegPerSecond}° per second inside a sphere.`,
  rows: () => [panoramaRow('panorama', -30, 170), panoramaRow('panorama, clockwise', 170, -100)],
});
