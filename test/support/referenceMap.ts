// The map of a drive as native-workers/mapping makes it, written apart from it: registration, ground and costs of a tick,
// point by point, in doubles.
import type { MapGeometry } from '#contract/host/run.ts';
import type { Vehicle } from '#contract/documents/scenario.ts';
import type { TickMap, WheelPlane } from '#contract/worker/tickMap.ts';
import {
  createCostMap,
  clearingLimits,
  tiltMarginM,
  type CostMap,
  type CostMapOptions,
} from '#domain/autonomy/costMap.ts';
import type { SensorTable, Sightings } from '#domain/autonomy/signals.ts';
import type { TickMapping } from '#domain/autonomy/tickMapping.ts';
import { createGroundGrid, type GroundGrid } from './referenceGround.ts';
import {
  createPointBuffer,
  registerReturns,
  type PointBuffer,
  type SelfFilter,
} from './referenceRegistration.ts';
import { rotate } from '#domain/shared/pose.ts';

type TickCosts = Pick<TickMap, 'maxHeightM' | 'marginPerM' | 'plane' | 'clearing'>;

/** The highest costs of the points of a tick, by cell in order. */
function sightingsOf(
  { cells, cellM, originM: [originX, originY] }: MapGeometry,
  { maxHeightM, marginPerM, plane, clearing }: TickCosts,
  { count, xM, yM, zM, rangeM }: PointBuffer,
  ground: Pick<GroundGrid, 'overPlaneM'>,
): Sightings {
  const seen = new Map<number, { cost: number; sureCost: number; lowCost: number }>();
  const costOf = (heightM: number): number =>
    heightM <= 0 ? 0 : Math.min(100, Math.round((100 / maxHeightM) * heightM));
  for (let n = 0; n < count; n += 1) {
    const [x, y] = [(xM[n] as number) - originX, (yM[n] as number) - originY];
    const [column, row] = [Math.floor(x / cellM), Math.floor(y / cellM)];
    if (column < 0 || row < 0 || column >= cells || row >= cells) continue;
    const planeM =
      plane.zM + plane.slopeX * (x + originX - plane.xM) + plane.slopeY * (y + originY - plane.yM);
    const heightM = (zM[n] as number) - planeM - ground.overPlaneM(x, y);
    const cost = costOf(heightM);
    const sureCost = costOf(heightM - marginPerM * (rangeM[n] as number));
    const mayClear =
      clearing !== undefined &&
      (cost >= clearing.highCost || (rangeM[n] as number) <= clearing.maxRangeM);
    const cell = row * cells + column;
    const before = seen.get(cell) ?? { cost: -1, sureCost: -1, lowCost: -1 };
    seen.set(cell, {
      cost: Math.max(before.cost, cost),
      sureCost: Math.max(before.sureCost, sureCost),
      lowCost: mayClear ? Math.max(before.lowCost, cost) : before.lowCost,
    });
  }
  const rows = [...seen].sort(([a], [b]) => a - b);
  return {
    cell: Uint32Array.from(rows, ([cell]) => cell),
    cost: Uint8Array.from(rows, ([, { cost }]) => cost),
    sureCost: Uint8Array.from(rows, ([, { sureCost }]) => sureCost),
    lowCost:
      clearing === undefined
        ? null
        : Uint8Array.from(rows, ([, { lowCost }]) => (lowCost < 0 ? 255 : lowCost)),
  };
}

/** The mapping of a drive: the tables of a tick, by sensor, become what the worker would reply. */
export function createReferenceMapper(vehicle: Vehicle): {
  ground(): ReturnType<GroundGrid['known']>;
  take(mapping: TickMapping, tables: readonly (readonly SensorTable[])[]): Sightings;
} {
  let ground: GroundGrid | null = null;
  const points = createPointBuffer();
  return {
    ground: () => ground?.known() ?? [],
    take({ map, sensors }, tables) {
      points.count = 0;
      for (const [sensor, { samples, body }] of sensors.entries()) {
        const isOwn: SelfFilter | null =
          body &&
          ((...sensorM) =>
            rotate(body.mountRotation, sensorM).every(
              (m, axis) =>
                Math.abs(m + (body.mountPositionM[axis] ?? 0) - (body.centreM[axis] ?? 0)) <
                (body.reachM[axis] ?? 0),
            ));
        for (const table of tables[sensor] ?? []) {
          registerReturns(points, table, { ...samples, fromNs: map.fromNs }, vehicle, isOwn);
        }
      }
      ground ??= createGroundGrid(map, map.seesGround);
      ground.learn(points, map.plane);
      return sightingsOf(map, map, points, ground);
    },
  };
}

export interface PointCostMap extends CostMap {
  /** Takes the points of one tick. */
  integratePoints(points: PointBuffer, plane: WheelPlane, tiltSigmaRad: number): boolean;
}

/** A cost map that takes points. */
export function createPointCostMap(
  geometry: MapGeometry,
  maxHeightM: number,
  { seesGround = true, ...options }: CostMapOptions & { seesGround?: boolean } = {},
): PointCostMap {
  const map = createCostMap(geometry, options);
  const ground = createGroundGrid(geometry, seesGround);
  return {
    ...map,
    integratePoints(points, plane, tiltSigmaRad) {
      ground.learn(points, plane);
      const costs = { maxHeightM, marginPerM: tiltMarginM(tiltSigmaRad, 1), plane };
      const clearing = options.clears === true ? { clearing: clearingLimits } : {};
      return map.integrate(sightingsOf(geometry, { ...costs, ...clearing }, points, ground));
    },
  };
}
