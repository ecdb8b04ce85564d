// The loop's order of events, with a vehicle that is real and a worker and a driver that are pure
// functions small enough to be seen through.
import { describe, expect, it } from 'vitest';
import type { ScanRequest } from '#contract/worker/worker.ts';
import type { WorkerReply } from '#contract/worker/workerMethods.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import { columnTypes, returnColumns, type ReturnTable } from '#contract/columns.ts';
import type { Pose, RunEvent, RunOrder, TickRecord } from '#contract/host/run.ts';
import { scenarioSchema, type Mission } from '#contract/documents/scenario.ts';
import { createInstruments } from '#domain/truth/instruments.ts';
import { createJudge } from '#domain/truth/judge.ts';
import type { Located, TickInput } from '#domain/autonomy/autonomy.ts';
import { ownFootprint } from '#domain/autonomy/tickMapping.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';
import type { MethodOptions, ScanWorker } from '#services/ports/workers.ts';
import { drive, type DriveOptions, type DriveResult } from '#services/runProcess/driveLoop.ts';
import { uncontrolled } from '#services/runProcess/runControls.ts';

const tickNs = 100e6;
const scenario = scenarioSchema.parse({
  understory: 2,
  name: 'straight on',
  scene: { materials: {}, models: {}, ground: { kind: 'none' } },
  sensors: [{ name: 'lidar', sensor: 'none' }],
  mission: { startM: [0, 0], goalM: [6, 0], goalToleranceM: 1, timeoutS: 20 },
});
const mission = scenario.mission as Mission;

/** The cost of its one cell says how far the sensor was at the end of the tick, so that every scan is another. */
function echoWorker(log: string[]): ScanWorker {
  const call = async (
    _method: 'scan',
    request: ScanRequest,
    trajectory: Trajectory,
    { onChunk, signal }: MethodOptions<'scan'>,
  ): Promise<WorkerReply<'scan'>> => {
    const tick = request.fromNs / tickNs;
    log.push(`scan ${tick}`);
    await new Promise((resolve) => setTimeout(resolve, 1));
    if (signal?.aborted === true) throw new Error('abandoned');
    const x = trajectory.x_m.at(-1) ?? 0;
    const oneRow = request.columns.map((name) => [
      name,
      new columnTypes[returnColumns[name].type](1),
    ]);
    const table = Object.fromEntries(oneRow) as ReturnTable;
    const columns = { ...table, x_sensor_m: Float32Array.of(x), return_no: Uint8Array.of(1) };
    await onChunk?.({ body: { rows: 1 }, columns });
    const counts = { pulses: 2, rays: 18, hits: 1, rows: 1, returns: 1 };
    const mapped = request.map?.isLastScan === true ? sightedAt(x) : {};
    return {
      body: { ...counts, hash: x.toString(), traceSeconds: 0, writeSeconds: 0, peakRssBytes: 0 },
      columns: { object_id: Uint32Array.of(1), object_returns: Uint32Array.of(1), ...mapped },
    };
  };
  // Why the cast: a drive asks nothing but scans.
  return { call } as unknown as ScanWorker;
}

function sightedAt(xM: number) {
  const cost = Uint8Array.of(10 * xM);
  return {
    map_cell: Uint32Array.of(0),
    map_cost: cost,
    map_sure_cost: cost,
    ground_cell: new Uint32Array(),
    ground_height_m: new Float32Array(),
    ground_from_m: new Float32Array(),
  };
}

interface Driven {
  result: DriveResult;
  log: string[];
  ticks: TickRecord[];
  hashes: string[];
  inputs: TickInput[];
}

/** Nothing of it matters to the worker of these tests. */
function mappingOf(timeNs: number, sensors: number): Located['mapping'] {
  const samples = { matrices: new Float64Array(12), places: new Float64Array(4) };
  return {
    map: {
      cells: 1,
      cellM: 1,
      originM: [0, 0],
      maxHeightM: 1,
      marginPerM: 0,
      seesGround: false,
      plane: { xM: 0, yM: 0, zM: 0, slopeX: 0, slopeY: 0 },
      fromNs: timeNs - tickNs,
      stepNs: tickNs,
      ...ownFootprint(scenario.vehicle),
    },
    sensors: Array.from({ length: sensors }, () => ({ samples, body: null })),
  };
}

const lidar = {
  name: 'lidar',
  recipe: { banks: [] },
  mount: { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] },
};

async function driveOnce(
  change: Partial<RunOrder> = {},
  options: Partial<DriveOptions> = {},
  sensors: object[] = [lidar],
): Promise<Driven> {
  const log: string[] = [];
  const inputs: TickInput[] = [];
  const ticks: TickRecord[] = [];
  const hashes: string[] = [];
  const { vehicle, seed } = scenario;
  const judge = createJudge({
    vehicle,
    obstacles: [],
    cover: { xM: new Float32Array(), yM: new Float32Array(), radiusM: new Float32Array() },
  });
  const order = {
    compiled: {
      scenario,
      recipe: { materials: [], models: [] },
      sensors,
    },
    seconds: null,
    isPipelined: true,
    ...change,
  } as unknown as RunOrder;
  const result = await drive(
    order,
    mission,
    {
      worker: echoWorker(log),
      judge,
      objects: [],
      estimate: null,
      vehicle: createVehicle({
        vehicle,
        start: { positionM: mission.startM, yawRad: 0 },
        terrain: flatTerrain(0),
      }),
      instruments: createInstruments({ vehicle, seed }),
      autonomy: {
        locate: ({ timeNs, gps }): Located => {
          log.push(`locate ${timeNs / tickNs - 1}`);
          const positionM = gps.at(-1)?.positionM ?? [0, 0, 0];
          const pose: Pose = { positionM, rotation: [0, 0, 0, 1] };
          return { pose, motion: null, state: null, mapping: mappingOf(timeNs, sensors.length) };
        },
        step(input) {
          log.push(`step ${input.timeNs / tickNs - 1}`);
          inputs.push(input);
          // Speeds up with what is seen, so that the path depends on every scan.
          const seen = input.sightings?.cost[0];
          const speed = seen === undefined ? 0 : 0.5 + seen / 100;
          return {
            command: { leftMPerS: speed, rightMPerS: speed },
            activity: 'driving',
            estimate: input.located.pose,
            motion: null,
            distanceToGoalM: 0,
            path: null,
            mapChanged: false,
          };
        },
        map: () => ({
          geometry: { cells: 1, cellM: 1, originM: [0, 0] },
          cost: new Uint8Array(1),
        }),
      },
      recorder: {
        packings: ({ sensor, fromNs }) => {
          log.push(`packing ${sensor} ${fromNs / tickNs}`);
          return [];
        },
        record: async (tick) => {
          await new Promise((resolve) => setTimeout(resolve, 1));
          log.push(`recorded ${tick.record.tick}`);
        },
        close: () => Promise.resolve(),
      },
      viewer: { show: () => undefined },
      pace: uncontrolled.pace,
      driver: null,
    },
    {
      signal: new AbortController().signal,
      hostLost: new AbortController().signal,
      ...options,
      onRunEvent: (event: RunEvent, columns) => {
        if (event.kind === 'tick') ticks.push(event.tick);
        if (event.kind === 'scan') hashes.push(event.scan.hash);
        return options.onRunEvent?.(event, columns);
      },
    },
  );
  return { result, log, ticks, hashes, inputs };
}

describe('drive loop', () => {
  it('reaches the goal, and stops there', async () => {
    const { result, ticks } = await driveOnce();
    expect(result.end).toBe('goal');
    expect(result.distanceToGoalM).toBeLessThanOrEqual(1);
    expect(ticks.at(-2)?.distanceToGoalM).toBeGreaterThan(1);
    expect(ticks.map(({ tick }) => tick)).toEqual(ticks.map((_, k) => k));
    expect(result).toMatchObject({ ticks: ticks.length, points: ticks.length });
  });

  it('gives the same run with and without the pipeline', async () => {
    const pipelined = await driveOnce({ isPipelined: true });
    const stepwise = await driveOnce({ isPipelined: false });
    expect(pipelined.ticks).toEqual(stepwise.ticks);
    expect(pipelined.hashes).toEqual(stepwise.hashes);
    expect(pipelined.result).toEqual(stepwise.result);
  });

  it('keeps the worker two ticks ahead of the recording, only with the pipeline', async () => {
    const aheadOf = ({ log }: Driven, k: number): number =>
      log.slice(0, log.indexOf(`recorded ${k}`)).filter((line) => line.startsWith('scan')).length;
    for (const k of [0, 3, 20]) {
      expect(aheadOf(await driveOnce({ isPipelined: true }), k)).toBe(k + 3);
      expect(aheadOf(await driveOnce({ isPipelined: false }), k)).toBe(k + 1);
    }
  });

  it('applies the command of scan k in tick k + 2, not before', async () => {
    const { ticks } = await driveOnce();
    expect(ticks.slice(0, 3).map(({ speedMPerS }) => speedMPerS > 0)).toEqual([false, false, true]);
  });

  it('shows autonomy no truth, and maps with the estimate of the tick', async () => {
    const { inputs, log } = await driveOnce();
    const allowed = ['cell', 'cost', 'sureCost', 'lowCost'];
    expect(Object.keys(inputs[0]?.sightings ?? {}).sort()).toEqual(allowed.sort());
    for (const k of [0, 3]) {
      expect(log.indexOf(`locate ${k}`)).toBeLessThan(log.indexOf(`scan ${k}`));
    }
  });

  it('scans every sensor along its own way, and reports them in order', async () => {
    const ahead = { ...lidar, mount: { ...lidar.mount, positionM: [1, 0, 0] } };
    const scans: [number, number, string][] = [];
    const onRunEvent = (event: RunEvent): void => {
      if (event.kind !== 'scan') return;
      scans.push([event.scan.tick, event.scan.sensor, event.scan.hash]);
    };
    const { result } = await driveOnce({ seconds: 0.3 }, { onRunEvent }, [lidar, ahead]);
    expect(scans.map(([tick, sensor]) => [tick, sensor])).toEqual(
      [0, 1, 2].flatMap((tick) => [
        [tick, 0],
        [tick, 1],
      ]),
    );
    for (let k = 0; k < scans.length; k += 2) {
      expect(Number(scans[k + 1]?.[2])).toBeCloseTo(Number(scans[k]?.[2]) + 1, 9);
    }
    expect(result).toMatchObject({ ticks: 3, pulses: 12, points: 6 });
  });

  it('ends after the seconds asked for, and at the mission’s time-out', async () => {
    const seconds = await driveOnce({ seconds: 0.5 });
    expect(seconds.result).toMatchObject({ end: 'seconds', ticks: 5 });
    // Without a sensor it does not move.
    const timeout = await driveOnce({}, {}, []);
    expect(timeout.result).toMatchObject({ end: 'timeout', ticks: mission.timeoutS * 10 });
  });

  it.each(['signal', 'hostLost'] as const)('finishes the tick under way on %s', async (which) => {
    const controller = new AbortController();
    const { result, log } = await driveOnce(
      {},
      {
        [which]: controller.signal,
        onRunEvent: (event) => {
          if (event.kind === 'scan' && event.scan.tick === 4) controller.abort();
        },
      },
    );
    expect(result).toMatchObject({ end: which === 'signal' ? 'cancelled' : 'host-lost', ticks: 5 });
    expect(log).toContain('recorded 4');
    expect(log).not.toContain('recorded 5');
  });

  it('fails with the failure of its recorder or taker, and leaves no scan behind', async () => {
    const onRunEvent = (event: RunEvent): void => {
      if (event.kind === 'tick' && event.tick.tick === 3) throw new Error('the disk is gone');
    };
    await expect(driveOnce({}, { onRunEvent })).rejects.toThrow('the disk is gone');
  });
});
