// The made-up drive of the synthetic host: a path through a yard of five trees, its views and metrics, each by a formula
// of the tick.
import type { Columns } from '#contract/columns.ts';
import type { RunDetails } from '#contract/host/runMethods.ts';
import type { shownPointColumns } from '#contract/host/shownPoints.ts';
import type { RunMetrics, RunView, TickRecord } from '#contract/host/run.ts';

const startM = [-12, -12] as const;
const goalM = [12, 12] as const;
const speedMPerS = 2;
export const tickS = 0.1;
const treesM = [
  [-4, -6],
  [0, 1],
  [7, 3],
  [-6, 5],
  [4, -8],
] as const;
const map = { cells: 80, cellM: 0.5, originM: [-20, -20] as [number, number] };

export function distanceAt(tick: number): number {
  const { xM, yM } = positionAt(tick);
  return Math.hypot(goalM[0] - xM, goalM[1] - yM);
}

export function viewOf(tick: number, points: number): { view: RunView; columns: Columns } {
  const { xM, yM, yawRad } = positionAt(tick);
  const pose = {
    positionM: [xM, yM, 0] as [number, number, number],
    rotation: [0, 0, Math.sin(yawRad / 2), Math.cos(yawRad / 2)] as [
      number,
      number,
      number,
      number,
    ],
  };
  const record: TickRecord = {
    tick,
    timeNs: tick * tickS * 1e9,
    truth: pose,
    estimate: pose,
    speedMPerS,
    distanceToGoalM: distanceAt(tick),
    collisions: 0,
    activity: 'driving',
  };
  const view: RunView = {
    tick: record,
    map,
    end: null,
    wallSeconds: tick * tickS * 0.8,
    points: tick * points,
    control: 'autonomy',
    isPaused: false,
    speed: null,
    realTimeFactor: 1.25,
    pointsPerSimS: points / tickS,
  };
  const path = Array.from({ length: 40 }, (_, ahead) => positionAt(tick + 3 * ahead));
  return {
    view,
    columns: {
      ...cloudAround(tick, points),
      ...(tick % 5 === 0 && { cost: costMap() }),
      path_x_m: Float32Array.from(path, (at) => at.xM),
      path_y_m: Float32Array.from(path, (at) => at.yM),
    },
  };
}

export function detailsOf(id: string, seed: number): RunDetails {
  return {
    id,
    name: 'A made-up yard',
    state: 'running',
    createdMs: Date.now(),
    endedMs: null,
    scenarioName: 'A made-up yard',
    seed,
    sensors: ['one'],
    end: null,
    metrics: null,
    simSeconds: null,
    points: null,
    error: null,
    tags: [],
    notes: '',
    deletedMs: null,
    settings: [],
    scenarioHash: '0',
    sceneHash: null,
    version: '0',
    isa: null,
    hostName: 'memory',
    origin: null,
    recordingFile: 'memory',
    recordingBytes: null,
    scene: null,
    ticks: 0,
    scans: 0,
    classes: ['ground', 'trunk', 'leaves'],
    sensorNames: ['one'],
    vehicleSizeM: [2.4, 1.6, 1.6],
    originM: [0, 0, 0],
    crs: null,
    mission: { startM: [...startM], goalM: [...goalM], goalToleranceM: 1.5 },
  };
}

export function metricsOf(ticks: number, goalReached: boolean): RunMetrics {
  const simSeconds = ticks * tickS;
  return {
    simSeconds,
    wallSeconds: simSeconds * 0.8,
    realTimeFactor: 1.25,
    buildSeconds: 0,
    ticks,
    pulses: 0,
    points: 0,
    goalReached,
    distanceToGoalM: distanceAt(ticks),
    collisions: 0,
    collidedWith: [],
    pathLengthM: simSeconds * speedMPerS,
    shortestLengthM: Math.hypot(goalM[0] - startM[0], goalM[1] - startM[1]),
    energyJ: 0,
    groundCoverLengthM: 0,
    meanPositionErrorM: 0,
    peakRssMB: 0,
    coreSeconds: null,
    plans: 0,
    planMedianMs: 0,
    planP95Ms: 0,
    planMostMs: 0,
  };
}

/** The made-up path: straight from start to goal, with a bow to the left of the middle tree. */
function positionAt(tick: number): { xM: number; yM: number; yawRad: number } {
  const lengthM = Math.hypot(goalM[0] - startM[0], goalM[1] - startM[1]);
  const share = Math.min((tick * tickS * speedMPerS) / lengthM, 1);
  const bowM = 3 * Math.sin(Math.PI * share);
  return {
    xM: startM[0] + share * (goalM[0] - startM[0]) - bowM * Math.SQRT1_2,
    yM: startM[1] + share * (goalM[1] - startM[1]) + bowM * Math.SQRT1_2,
    yawRad: Math.PI / 4 + (3 * Math.PI * Math.cos(Math.PI * share)) / lengthM,
  };
}

/** Half of the points on the ground, half on the trees; low-discrepancy, so that they spread evenly. */
function cloudAround(tick: number, points: number): Columns {
  const x = new Float32Array(points);
  const y = new Float32Array(points);
  const z = new Float32Array(points);
  const intensity = new Float32Array(points);
  const classId = new Uint16Array(points);
  for (let row = 0; row < points; row += 1) {
    const number = tick * points + row;
    const u = (number * 0.754877666) % 1;
    const v = (number * 0.569840291) % 1;
    const tree = row % 2 === 0 ? undefined : treesM[number % treesM.length];
    if (tree === undefined) {
      x[row] = -18 + 36 * u;
      y[row] = -18 + 36 * v;
      z[row] = 0.15 * v * u;
      intensity[row] = 0.3 + 0.1 * u;
    } else {
      const crown = v > 0.35;
      const radiusM = crown ? 2 * Math.sin(Math.PI * Math.min((v - 0.3) / 0.7, 1)) : 0.2;
      x[row] = tree[0] + radiusM * Math.cos(2 * Math.PI * u);
      y[row] = tree[1] + radiusM * Math.sin(2 * Math.PI * u);
      z[row] = 6 * v;
      intensity[row] = crown ? 0.5 + 0.4 * u : 0.2;
      classId[row] = crown ? 2 : 1;
    }
  }
  return {
    x_m: x,
    y_m: y,
    z_m: z,
    intensity,
    class_id: classId,
    range_m: x.map((xM, row) => Math.hypot(xM, y[row] ?? 0)),
    range_error_m: x.map((_, row) => 0.02 * (((row * 0.618) % 1) - 0.5)),
    ring: Uint16Array.from(x, (_, row) => row % 16),
    return_no: Uint8Array.from(x, (_, row) => 1 + (row % 2)),
    sensor: new Uint8Array(points),
  } satisfies Record<keyof typeof shownPointColumns, ArrayBufferView>;
}

function costMap(): Uint8Array {
  const cost = new Uint8Array(map.cells ** 2).fill(255);
  for (let cell = 0; cell < cost.length; cell += 1) {
    const xM = map.originM[0] + map.cellM * ((cell % map.cells) + 0.5);
    const yM = map.originM[1] + map.cellM * (Math.floor(cell / map.cells) + 0.5);
    if (Math.max(Math.abs(xM), Math.abs(yM)) > 18) continue;
    const nearestM = Math.min(...treesM.map(([tx, ty]) => Math.hypot(xM - tx, yM - ty)));
    cost[cell] = Math.round(100 * Math.max(0, 1 - nearestM / 2));
  }
  return cost;
}
