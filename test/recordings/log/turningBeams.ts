// Beams of a sensor that turns, for logs of any length.
import type { LogTable } from '#contract/log/log.ts';

/** Beams that turn by a degree each, one metre further on every hundredth. */
export function turningBeams(beams: number): LogTable {
  const angle = (row: number): number => (row * Math.PI) / 180;
  const column = (value: (row: number) => number): Float32Array<ArrayBuffer> =>
    Float32Array.from({ length: beams }, (_, row) => value(row));
  return {
    time_ns: BigInt64Array.from({ length: beams }, (_, row) => BigInt(row) * 1000n),
    sweep: Uint32Array.from({ length: beams }, (_, row) => Math.floor(row / 360)),
    laser: new Uint16Array(beams),
    state: Uint8Array.from({ length: beams }, (_, row) => (row % 3 === 0 ? 2 : 1)),
    range_m: column((row) => (row % 3 === 0 ? NaN : 5 + (row % 7))),
    intensity: column((row) => (row % 3 === 0 ? NaN : 0.5)),
    azimuth_rad: column(angle),
    origin_x_m: Float64Array.from({ length: beams }, (_, row) => 4000 + row * 0.01),
    origin_y_m: new Float64Array(beams),
    origin_z_m: new Float64Array(beams).fill(1.8),
    direction_x: column((row) => Math.cos(angle(row))),
    direction_y: column((row) => Math.sin(angle(row))),
    direction_z: column(() => 0),
    label: new Uint8Array(beams),
  };
}
