// Sensors that fire as their manuals say, in the room: every pulse with its own time, azimuth and elevation.
import type { Pose } from '#contract/host/run.ts';
import { radians, wrapAngle } from '#domain/shared/numbers.ts';
import { compose, rotate } from '#domain/shared/pose.ts';
import { mount, rangeInRoom, type TrueBeam, vehicleAt } from './room.ts';

/** One cycle fires all lasers once. */
export interface FiringSensor {
  /** By laser from the lowest. */
  elevationsRad: readonly number[];
  azimuthOffsetsRad: readonly number[];
  /** After the start of the cycle. */
  firesAtNs: readonly number[];
  cycleNs: number;
  cyclesPerCloud: number;
  turnNs: number;
}

/** VLP-16 (Velodyne 63-9243): a laser each 2.304 µs, a cycle each 55.296 µs; ten clockwise turns a second. */
export const vlp16: FiringSensor = (() => {
  const byId = [-15, 1, -13, 3, -11, 5, -9, 7, -7, 9, -5, 11, -3, 13, -1, 15];
  const sorted = [...byId].sort((a, b) => a - b);
  return {
    elevationsRad: sorted.map(radians),
    azimuthOffsetsRad: sorted.map(() => 0),
    firesAtNs: sorted.map((deg) => byId.indexOf(deg) * 2304),
    cycleNs: 55_296,
    cyclesPerCloud: 1808,
    turnNs: 1e8,
  };
})();

/** HDL-64E S2: two blocks of 32 lasers at four azimuths each, four of them at once, 20,833 cycles a second. */
export const hdl64: FiringSensor = (() => {
  const lasers = Array.from({ length: 64 }, (_, laser) => laser);
  const deg = (laser: number): number =>
    laser < 32 ? -24.33 + laser / 2 : -8.33 + (laser - 32) / 3;
  return {
    elevationsRad: lasers.map((laser) => radians(deg(laser))),
    azimuthOffsetsRad: lasers.map((laser) => radians([-4.9, -2.6, 3.2, 5.4][laser % 4] ?? 0)),
    firesAtNs: lasers.map((laser) => Math.floor(laser / 4) * 2700),
    cycleNs: 48_000,
    // Half a turn.
    cyclesPerCloud: 1042,
    turnNs: 1e8,
  };
})();

export const sensorAt = (timeNs: number): Pose => compose(vehicleAt(timeNs), mount);

type RangeOf = typeof rangeInRoom;

/** The room with an opening of four metres in each of the short walls, behind which there is nothing. */
export const rangeThroughOpenings: RangeOf = (origin, direction) => {
  const rangeM = rangeInRoom(origin, direction);
  const [x, y, z] = origin.map((m, axis) => m + rangeM * (direction[axis] ?? 0));
  const isOpen = Math.abs(x ?? 0) > 11.99 && Math.abs(y ?? 9) < 2 && (z ?? 0) > 0.01;
  return isOpen ? Infinity : rangeM;
};

/** Every pulse of so many clouds, in the order of the cycles. `column` is the cycle. */
export function pulsesOf(
  sensor: FiringSensor,
  clouds: number,
  rangeOf: RangeOf = rangeInRoom,
): TrueBeam[] {
  const beams: TrueBeam[] = [];
  const { elevationsRad, azimuthOffsetsRad, firesAtNs, cycleNs, cyclesPerCloud } = sensor;
  for (let cycle = 0; cycle < clouds * cyclesPerCloud; cycle++) {
    for (const [laser, elevationRad] of elevationsRad.entries()) {
      const timeNs = cycle * cycleNs + (firesAtNs[laser] ?? 0);
      const turnedRad = (-2 * Math.PI * timeNs) / sensor.turnNs;
      const azimuthRad = wrapAngle(turnedRad + (azimuthOffsetsRad[laser] ?? 0));
      const { positionM: origin, rotation } = sensorAt(timeNs);
      const level = Math.cos(elevationRad);
      const direction = rotate(rotation, [
        level * Math.cos(azimuthRad),
        level * Math.sin(azimuthRad),
        Math.sin(elevationRad),
      ]);
      beams.push({
        timeNs,
        laser,
        azimuthRad,
        elevationRad,
        origin,
        direction,
        sweep: Math.floor(cycle / cyclesPerCloud),
        column: cycle,
        rangeM: rangeOf(origin, direction),
      });
    }
  }
  return beams;
}
