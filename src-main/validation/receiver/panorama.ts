// A tripod's panorama inside a sphere: how many pulses there are, and where each goes, against its law.
import { radians } from '#domain/shared/numbers.ts';
import { closedForm, formsPart } from '../closedForm.ts';
import { atOrigin, fireAlong } from '../laboratory.ts';
import { greatest, type Piece } from '../parts.ts';
import { singleLaser, singleRay } from '../simpleSensors.ts';
import { stationary } from '../trajectories.ts';

const radiusM = 20;
/** 1714.29 ticks a line, of which 0.4 count; the last line is cut. */
const [pulseRateHz, linesPerSecond, activeShare] = [12_000, 7, 0.4];
const [minDeg, maxDeg, fromDeg, toDeg, headDegPerSecond] = [-40, 60, -30, 170, 80];
const seconds = (toDeg - fromDeg) / headDegPerSecond;

export const panorama: Piece = {
  name: 'panorama',
  async run(bench) {
    await bench.build(
      await bench.scene(
        {
          materials: { grey: { reflectance: 0.5 } },
          models: { ball: { kind: 'sphere', radiusM, rings: 64, material: 'grey' } },
          instances: [{ name: 'ball', model: 'ball', positionM: [0, 0, 0], onGround: false }],
        },
        1,
      ),
    );
    const sensor = singleLaser({
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
    });
    const rows = await fireAlong(bench, sensor, ['time_ns', 'hit_x_m', 'hit_y_m', 'hit_z_m'], {
      trajectory: stationary(atOrigin),
      toNs: Math.round(seconds * 1e9),
      seed: 1,
    });
    const ticks = Array.from({ length: pulseRateHz * seconds }, (_, tick) => tick).filter(
      (tick) => (tick * linesPerSecond) % pulseRateHz < activeShare * pulseRateHz,
    );
    const timesNs = ticks.map((tick) => (tick * 1e9) / pulseRateHz);
    const apart = ticks.map((tick, row) => {
      const phase = ((tick * linesPerSecond) % pulseRateHz) / pulseRateHz / activeShare;
      const elevation = radians(minDeg + (maxDeg - minDeg) * phase);
      const head = radians(fromDeg + (headDegPerSecond * tick) / pulseRateHz);
      const level = Math.cos(elevation);
      const law = [level * Math.cos(head), level * Math.sin(head), Math.sin(elevation)];
      const hit = [rows.hit_x_m[row] ?? NaN, rows.hit_y_m[row] ?? NaN, rows.hit_z_m[row] ?? NaN];
      const rangeM = Math.hypot(...hit);
      return Math.hypot(...law.map((part, axis) => part - (hit[axis] ?? NaN) / rangeM));
    });
    const source = 'line ⌊t·f⌋ with phase u < κ; elevation by u/κ, head by ω·t';
    return formsPart(
      `Panorama: ${pulseRateHz} pulses per second, ${linesPerSecond} lines per second, active share ${activeShare}; the head turns ${headDegPerSecond}° per second inside a sphere.`,
      [
        closedForm('panorama: pulses', {
          measured: rows.time_ns.length,
          expected: ticks.length,
          source,
        }),
        closedForm('panorama: time of each pulse, greatest error', {
          measured: greatest(timesNs.map((timeNs, row) => Number(rows.time_ns[row]) - timeNs)),
          expected: 0,
          // Times are whole nanoseconds.
          tolerance: 0.5001,
          unit: 'ns',
          source,
        }),
        closedForm('panorama: greatest angle between hits and law', {
          measured: greatest(apart),
          expected: 0,
          // Directions and hits have 32 bits: 6e-8 of each of three coordinates, twice.
          tolerance: 5e-7,
          unit: 'rad',
          source,
        }),
      ],
    );
  },
};
