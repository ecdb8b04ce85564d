// The cost map of a drive between host and worker: with each scan goes what the vehicle estimates of its own path, with
// the reply to the last scan of a tick come cells that its returns lie in. The host has the map; the worker has the
// ground, which it learns tick by tick, and the costs that it has sent.
import { z } from 'zod';
import { number, positive, quaternion, vector2, vector3 } from './recipeNumbers.ts';

/** Most cells of a side. */
const maxCells = 1 << 15;

/** z = zM + slopeX·(x − xM) + slopeY·(y − yM): the plane on which the wheels stand. */
const wheelPlaneSchema = z.strictObject({
  xM: number,
  yM: number,
  zM: number,
  slopeX: number,
  slopeY: number,
});
export type WheelPlane = z.output<typeof wheelPlaneSchema>;

/** Returns in the box of the vehicle's own body, which its sensors see. */
const bodyFilterSchema = z.strictObject({
  centreM: vector3.describe("in the vehicle's frame"),
  reachM: vector3.describe('half of its size, a margin included'),
  mountPositionM: vector3.describe('vehicleFromSensor'),
  mountRotation: quaternion,
});
export type BodyFilter = z.output<typeof bodyFilterSchema>;

const clearingSchema = z.strictObject({
  highCost: z.int().min(0).max(100).describe('returns of this cost count from any distance'),
  maxRangeM: number.describe('others up to here'),
});

/**
 * `map` of a scan. Beside it `map_matrices` and `map_places`, poses that the vehicle estimates, sampled from fromNs on
 * every stepNs; a pulse takes the nearest. `ground_*`, where the host restores the ground: all cells whose height is
 * known after afterTick.
 */
export const tickMapSchema = z.strictObject({
  tick: z.int().min(0),
  afterTick: z
    .int()
    .min(-1)
    .describe("the tick whose ground this one's is learned from; −1: none is known"),
  scan: z.int().min(0).max(65535).describe('number of the scan in its tick'),
  isLastScan: z.boolean().describe('the reply has the cells of all scans of the tick'),
  cells: z.int().min(1).max(maxCells).describe('a side'),
  cellM: positive,
  originM: vector2.describe('the south-west corner'),
  maxHeightM: positive.describe('h_max of Goodin 2018, eq. 8'),
  marginPerM: number.describe('for each metre of range a height is so much less surely one'),
  seesGround: z
    .boolean()
    .describe('whether returns may be ground; false: heights are over the plane'),
  plane: wheelPlaneSchema.describe('under the wheels at the end of the tick'),
  fromNs: z.int(),
  stepNs: z.int().min(1),
  ownLengthM: number.describe('half the length of the footprint whose returns are left out'),
  ownWidthM: number,
  body: bodyFilterSchema.exactOptional().describe('left out: the vehicle states none'),
  clearing: clearingSchema
    .exactOptional()
    .describe('left out: no cell is cleared, and map_low_cost does not come'),
  repeatFromCost: z
    .int()
    .min(0)
    .max(100)
    .exactOptional()
    .describe(
      'without clearing: a cell of a lower sure cost comes only where one of its costs is higher than in all ticks before; left out: all come',
    ),
});
export type TickMap = z.output<typeof tickMapSchema>;

/** 12 numbers a sample: the rows of the 3 × 4 matrix worldFromSensor; 4: x, y, cos and sin of the vehicle's heading. */
export const mapColumns = { map_matrices: 'f64', map_places: 'f64' } as const;

/** A row a cell of 2 m: its height in the world, and the distance from which it was learned. */
export const mapGroundColumns = {
  ground_cell: 'u32',
  ground_height_m: 'f32',
  ground_from_m: 'f32',
} as const;

/**
 * A row a cell of the map that has something new (repeatFromCost), in their order: the highest cost of its returns in the
 * tick, the same of heights less the margin, and of the returns that may clear it (255: there are none). With them
 * `ground_*` of the cells that changed.
 */
export const sightedColumns = {
  map_cell: 'u32',
  map_cost: 'u8',
  map_sure_cost: 'u8',
  map_low_cost: 'u8',
} as const;

/** Every object of a map by the name that the native reader has for its fields. */
export const mapObjects = {
  tickMap: tickMapSchema,
  wheelPlane: wheelPlaneSchema,
  bodyFilter: bodyFilterSchema,
  clearing: clearingSchema,
} as const;
