// Velodyne's sensors as their packets have them: lasers in the order of a packet, their directions, their times within a
// firing sequence (each laser once) and the step of ranges. Sources: user manuals of the VLP-16 (63-9243), HDL-32E
// (63-9277), VLP-32C (63-9325), VLS-128 (63-9483), HDL-64E S2 and S3; directions of the VLS-128 by VeloView's calibration.

export interface VelodyneModel {
  name: string;
  /** Last byte of a packet; null: its packets do not state the model. */
  factoryByte: number | null;
  lasers: number;
  rangeStepM: number;
  /** Time from one firing sequence to the next. */
  sequenceUs: number;
  /** By laser: time since the beginning of its sequence. */
  firingUs: readonly number[];
  /** Time of the packet's stamp since its first firing. */
  stampUs: number;
  /** Flags of the blocks of a sequence, as bytes after 0xff. */
  flags: readonly number[];
  /** By laser; null: each unit has its own. */
  directions: { elevationsDeg: readonly number[]; azimuthOffsetsDeg: readonly number[] } | null;
}

/** Flag of the block of lasers 0 to 31 (of the HDL-64E: its upper lasers). */
const firstBank = 0xee;
const zeros = (count: number): number[] => new Array<number>(count).fill(0);
const series = (count: number, of: (laser: number) => number): number[] =>
  Array.from({ length: count }, (_, laser) => of(laser));

/** The lower lasers come first and third and so on, the upper ones between them. */
const alternating = (count: number, lowestDeg: number, upperDeg: number, stepDeg: number) =>
  series(count, (laser) => (laser % 2 === 0 ? lowestDeg : upperDeg) + stepDeg * (laser >> 1));

const vlp16: VelodyneModel = {
  name: 'VLP-16',
  factoryByte: 0x22,
  lasers: 16,
  rangeStepM: 0.002,
  sequenceUs: 55.296,
  firingUs: series(16, (laser) => 2.304 * laser),
  stampUs: 0,
  flags: [firstBank],
  directions: { elevationsDeg: alternating(16, -15, 1, 2), azimuthOffsetsDeg: zeros(16) },
};

const hdl32e: VelodyneModel = {
  name: 'HDL-32E',
  factoryByte: 0x21,
  lasers: 32,
  rangeStepM: 0.002,
  sequenceUs: 46.08,
  firingUs: series(32, (laser) => 1.152 * laser),
  stampUs: 0,
  flags: [firstBank],
  directions: {
    elevationsDeg: alternating(32, -92 / 3, -28 / 3, 4 / 3),
    azimuthOffsetsDeg: zeros(32),
  },
};

// prettier-ignore
const vlp32c: VelodyneModel = {
  name: 'VLP-32C',
  factoryByte: 0x28,
  lasers: 32,
  rangeStepM: 0.004,
  sequenceUs: 55.296,
  firingUs: series(32, (laser) => 2.304 * (laser >> 1)),
  stampUs: 0,
  flags: [firstBank],
  directions: {
    elevationsDeg: [
      -25, -1, -1.667, -15.639, -11.31, 0, -0.667, -8.843,
      -7.254, 0.333, -0.333, -6.148, -5.333, 1.333, 0.667, -4,
      -4.667, 1.667, 1, -3.667, -3.333, 3.333, 2.333, -2.667,
      -3, 7, 4.667, -2.333, -2, 15, 10.333, -1.333,
    ],
    azimuthOffsetsDeg: [
      -1.4, 4.2, -1.4, 1.4, -1.4, 1.4, -4.2, 1.4,
      -1.4, 4.2, -1.4, 1.4, -4.2, 1.4, -4.2, 1.4,
      -1.4, 4.2, -1.4, 4.2, -4.2, 1.4, -1.4, 1.4,
      -1.4, 1.4, -1.4, 4.2, -4.2, 1.4, -1.4, 1.4,
    ],
  },
};

/** Time of a group of eight lasers of the VLS-128. A sequence has 20: two pauses after the eighth, two after the last. */
const groupUs = 2.665;
const groupOffsetsDeg = [-6.354, -4.548, -2.732, -0.911, 0.911, 2.732, 4.548, 6.354];

// prettier-ignore
const vls128: VelodyneModel = {
  name: 'VLS-128',
  factoryByte: 0xa1,
  lasers: 128,
  rangeStepM: 0.004,
  sequenceUs: 20 * groupUs,
  firingUs: series(128, (laser) => groupUs * ((laser >> 3) + 2 * (laser >> 6))),
  stampUs: 7,
  flags: [firstBank, 0xdd, 0xcc, 0xbb],
  directions: {
    elevationsDeg: [
      -11.742, -1.99, 3.4, -5.29, -0.78, 4.61, -4.08, 1.31, -6.5, -1.11, 4.28, -4.41, 0.1, 6.48, -3.2, 2.19,
      -3.86, 1.53, -9.244, -1.77, 2.74, -5.95, -0.56, 4.83, -2.98, 2.41, -6.28, -0.89, 3.62, -5.07, 0.32, 7.58,
      -0.34, 5.18, -3.64, 1.75, -25, -2.43, 2.96, -5.73, 0.54, 9.7, -2.76, 2.63, -7.65, -1.55, 3.84, -4.85,
      3.18, -5.51, -0.12, 5.73, -4.3, 1.09, -16.042, -2.21, 4.06, -4.63, 0.76, 15, -3.42, 1.97, -6.85, -1.33,
      -5.62, -0.23, 5.43, -3.53, 0.98, -19.582, -2.32, 3.07, -4.74, 0.65, 11.75, -2.65, 1.86, -7.15, -1.44, 3.95,
      -2.1, 3.29, -5.4, -0.01, 4.5, -4.19, 1.2, -13.565, -1.22, 4.17, -4.52, 0.87, 6.08, -3.31, 2.08, -6.65,
      1.42, -10.346, -1.88, 3.51, -6.06, -0.67, 4.72, -3.97, 2.3, -6.39, -1, 4.39, -5.18, 0.21, 6.98, -3.09,
      4.98, -3.75, 1.64, -8.352, -2.54, 2.85, -5.84, -0.45, 8.43, -2.87, 2.52, -6.17, -1.66, 3.73, -4.96, 0.43,
    ],
    azimuthOffsetsDeg: series(128, (laser) => groupOffsetsDeg[laser % 8] ?? 0),
  },
};

/** Both banks fire four lasers after each other, eight times. */
function hdl64e(name: string, sequenceUs: number, withinUs: readonly number[]): VelodyneModel {
  return {
    name,
    factoryByte: null,
    lasers: 64,
    rangeStepM: 0.002,
    sequenceUs,
    firingUs: series(
      64,
      (laser) => (sequenceUs / 8) * ((laser % 32) >> 2) + (withinUs[laser % 4] ?? 0),
    ),
    stampUs: 0,
    flags: [firstBank, 0xdd],
    directions: null,
  };
}

export const hdl64eS2 = hdl64e('HDL-64E S2', 48, [0, 1.26, 2.46, 3.66]);
export const hdl64eS3 = hdl64e('HDL-64E S3', 57.6, [0, 1.3, 2.5, 3.7]);

/** Models with a byte of their own in each packet. */
export const statedModels: readonly VelodyneModel[] = [vlp16, hdl32e, vlp32c, vls128];

/** 'VLP-16, HDL-32E, …'. */
export const velodyneModelNames = [...statedModels, hdl64eS2, hdl64eS3]
  .map(({ name }) => name)
  .join(', ');
