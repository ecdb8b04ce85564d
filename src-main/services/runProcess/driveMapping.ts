// The mapping of a drive in the worker, tick by tick, with a copy of the ground that the worker learns: a worker that was
// started again gets it back, and the ticks under way are asked again. Guarantee: the map does not depend on it.
import { UnderstoryError } from '#contract/errors.ts';
import type { TickMap } from '#contract/worker/tickMap.ts';
import type { Sightings } from '#domain/autonomy/signals.ts';
import type { TickMapping } from '#domain/autonomy/tickMapping.ts';

/** Cells of the ground, a row each, as the worker has them. */
export interface MapGround {
  ground_cell: Uint32Array;
  ground_height_m: Float32Array;
  ground_from_m: Float32Array;
}

/** The field `map` of a scan, and the columns that belong to it. */
export interface MapRequest {
  map: TickMap;
  columns: { map_matrices: Float64Array; map_places: Float64Array } & Partial<MapGround>;
}

/** Columns of the reply to the last scan of a tick. */
export interface MapReply extends MapGround {
  map_cell: Uint32Array;
  map_cost: Uint8Array;
  map_sure_cost: Uint8Array;
  map_low_cost: Uint8Array | null;
}

export interface MappedTick {
  /** The request of scan `scan` of `scans` in the tick. `ground`: null where the worker has it. */
  requestOf(scan: number, scans: number, ground: MapGround | null): MapRequest;
  /** Null: further scans of the tick follow. */
  take(reply: MapReply | null): Sightings | null;
  /** Calls `sense`, and again with the ground where the worker has lost it. */
  withGround<T>(sense: (ground: MapGround | null) => Promise<T>): Promise<T>;
}

export interface DriveMapping {
  /** To be called tick by tick, in order; the one before need not be sensed yet. Null: the tick is not mapped. */
  tick(tick: number, mapping: TickMapping | null): MappedTick | null;
}

/** A drive that has not begun. */
export function createDriveMapping(): DriveMapping {
  const copy = createGroundCopy();
  let lastTick = -1;
  let before: Promise<unknown> = Promise.resolve();
  return {
    tick(tick, mapping) {
      if (mapping === null) return null;
      const afterTick = lastTick;
      const isBeforeSensed = before;
      lastTick = tick;
      return {
        requestOf(scan, scans, ground) {
          const sensor = mapping.sensors[scan];
          if (sensor === undefined) throw new RangeError(`there is no sensor ${scan}`);
          const { samples, body } = sensor;
          const isLastScan = scan === scans - 1;
          return {
            map: { ...mapping.map, tick, afterTick, scan, isLastScan, ...(body && { body }) },
            columns: {
              map_matrices: samples.matrices,
              map_places: samples.places,
              ...(isLastScan && ground),
            },
          };
        },
        take(reply) {
          if (reply === null) return null;
          copy.take(reply);
          return {
            cell: reply.map_cell,
            cost: reply.map_cost,
            sureCost: reply.map_sure_cost,
            lowCost: reply.map_low_cost,
          };
        },
        withGround(sense) {
          const sensed = senseUntilMapped(sense, async () => {
            await isBeforeSensed;
            return copy.ground();
          });
          before = sensed;
          return sensed;
        },
      };
    },
  };
}

/** More often than a worker is started again (workers/workerLauncher.ts). */
const maxAttempts = 7;

/** Calls `sense`, and again with the ground where the worker lacks something: it was started again, and may be once more. */
async function senseUntilMapped<T>(
  sense: (ground: MapGround | null) => Promise<T>,
  groundBefore: () => Promise<MapGround>,
): Promise<T> {
  let ground: MapGround | null = null;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await sense(ground);
    } catch (error) {
      const isLacking = error instanceof UnderstoryError && error.code === 'not-found';
      if (!isLacking || attempt === maxAttempts) throw error;
      ground = await groundBefore();
    }
  }
}

/** The cells of the ground as the replies so far have changed them. */
function createGroundCopy(): { take(changed: MapGround): void; ground(): MapGround } {
  let heightM = new Float32Array();
  let fromM = new Float32Array();
  return {
    take({ ground_cell, ground_height_m, ground_from_m }) {
      let last = 0;
      for (const cell of ground_cell) last = Math.max(last, cell + 1);
      if (last > heightM.length) {
        const cells = 2 * last;
        const [grownHeightM, grownFromM] = [new Float32Array(cells), new Float32Array(cells)];
        grownHeightM.set(heightM);
        grownFromM.fill(Infinity).set(fromM);
        [heightM, fromM] = [grownHeightM, grownFromM];
      }
      for (let row = 0; row < ground_cell.length; row += 1) {
        const cell = ground_cell[row] as number;
        heightM[cell] = ground_height_m[row] as number;
        fromM[cell] = ground_from_m[row] as number;
      }
    },
    ground() {
      const cells = Uint32Array.from(fromM.keys()).filter((cell) => fromM[cell] !== Infinity);
      return {
        ground_cell: cells,
        ground_height_m: Float32Array.from(cells, (cell) => heightM[cell] as number),
        ground_from_m: Float32Array.from(cells, (cell) => fromM[cell] as number),
      };
    },
  };
}
