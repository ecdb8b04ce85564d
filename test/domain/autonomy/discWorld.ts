// A small world for closed-loop tests: upright cylinders on flat ground, scanned by a spinning sensor with
// a few levels, 2 m above the ground. Ray against cylinder in closed form; no noise but the instruments'.
import type { Pose } from '#contract/host/run.ts';
import {
  scenarioSchema,
  type Mission,
  type Navigation,
  type Vehicle,
} from '#contract/documents/scenario.ts';
import { createAutonomy } from '#domain/autonomy/autonomy.ts';
import { createInstruments } from '#domain/truth/instruments.ts';
import { createJudge, type JudgeMetrics } from '#domain/truth/judge.ts';
import type { Obstacle } from '#domain/truth/obstacles.ts';
import { compose, rotate } from '#domain/shared/pose.ts';
import {
  commandDelayTicks,
  type SensorTable,
  type TickOutput,
  type WheelCommand,
} from '#domain/autonomy/signals.ts';
import { flatTerrain } from '#domain/truth/terrain.ts';
import { createReferenceMapper } from '#test/support/referenceMap.ts';
import { createVehicle } from '#domain/truth/vehicle.ts';

export interface Cylinder {
  xM: number;
  yM: number;
  radiusM: number;
  heightM: number;
  isSolid: boolean;
}

export interface Drive {
  activity: string;
  ticks: number;
  distanceToGoalM: number;
  truth: Pose;
  metrics: JudgeMetrics;
  map: Uint8Array;
  /** As given, tick by tick. */
  paths: TickOutput['path'][];
  /** Plans that were measured. */
  plans: number;
}

/** The defaults of the schemas for a mission and a map of so many cells a side. */
export function defaults(
  mission: { startM: [number, number]; goalM: [number, number] },
  mapCells = 400,
): {
  vehicle: Vehicle;
  mission: Mission;
  navigation: Navigation;
} {
  const scenario = scenarioSchema.parse({
    understory: 2,
    name: 'test',
    scene: { materials: {} },
    navigation: { costMap: { cells: mapCells } },
    mission: { startM: mission.startM, goalM: mission.goalM },
  });
  return {
    vehicle: scenario.vehicle,
    mission: scenario.mission as Mission,
    navigation: scenario.navigation,
  };
}

const sensorMount: Pose = { positionM: [0, 0, 2], rotation: [0, 0, 0, 1] };

/** One tick of scanning: 360 azimuths at each elevation, one after the other. */
function scanWorld(
  world: Cylinder[],
  elevationsRad: number[],
  fromNs: number,
  tickNs: number,
  poseAt: (timeNs: number) => Pose,
): SensorTable {
  const time: bigint[] = [];
  const x: number[] = [];
  const y: number[] = [];
  const z: number[] = [];
  const azimuths = 360;
  for (let slot = 0; slot < azimuths; slot += 1) {
    const timeNs = fromNs + Math.floor((slot * tickNs) / azimuths);
    const sensor = compose(poseAt(timeNs), sensorMount);
    for (const elevation of elevationsRad) {
      const azimuth = (2 * Math.PI * slot) / azimuths;
      const level = Math.cos(elevation);
      const own: [number, number, number] = [
        level * Math.cos(azimuth),
        level * Math.sin(azimuth),
        Math.sin(elevation),
      ];
      const rangeM = cast(world, sensor.positionM, rotate(sensor.rotation, own));
      if (rangeM > 80) continue;
      time.push(BigInt(timeNs));
      x.push(own[0] * rangeM);
      y.push(own[1] * rangeM);
      z.push(own[2] * rangeM);
    }
  }
  return {
    time_ns: BigInt64Array.from(time),
    x_sensor_m: Float32Array.from(x),
    y_sensor_m: Float32Array.from(y),
    z_sensor_m: Float32Array.from(z),
    return_no: new Uint8Array(x.length).fill(1),
  };
}

/** Range to the nearest cylinder or to the ground. */
function cast(
  world: Cylinder[],
  [ox, oy, oz]: readonly [number, number, number],
  [dx, dy, dz]: readonly [number, number, number],
): number {
  let nearest = dz < 0 ? -oz / dz : Infinity;
  const square = dx * dx + dy * dy;
  for (const { xM, yM, radiusM, heightM } of world) {
    const [cx, cy] = [xM - ox, yM - oy];
    const along = cx * dx + cy * dy;
    if (along <= 0) continue;
    const discriminant = along * along - square * (cx * cx + cy * cy - radiusM * radiusM);
    if (discriminant < 0) continue;
    const range = (along - Math.sqrt(discriminant)) / square;
    const atZ = oz + range * dz;
    if (range > 0 && atZ >= 0 && atZ <= heightM && range < nearest) nearest = range;
  }
  return nearest;
}

/** Obstacles of the solid cylinders, as regular polygons around them. */
export function obstaclesOf(world: Cylinder[]): Obstacle[] {
  return world
    .filter(({ isSolid }) => isSolid)
    .map(({ xM, yM, radiusM }, n) => {
      const sides = 16;
      const outline = new Float64Array(2 * sides);
      for (let side = 0; side < sides; side += 1) {
        outline[2 * side] = xM + radiusM * Math.cos((2 * Math.PI * side) / sides);
        outline[2 * side + 1] = yM + radiusM * Math.sin((2 * Math.PI * side) / sides);
      }
      return { name: `cylinder-${n + 1}`, outline };
    });
}

/** 70 m: what the drives of these tests need. */
const mapCells = 140;

/** The whole loop: truth in 10 ms steps, a scan a tick, each command applied two ticks after its scan. */
export function driveThrough(options: {
  world: Cylinder[];
  elevationsRad: number[];
  startM: [number, number];
  goalM: [number, number];
  seed: number;
  isBlind?: boolean;
  isWarm?: boolean;
  maxTicks: number;
}): Drive {
  const { world, elevationsRad, seed, maxTicks } = options;
  const { vehicle, mission, navigation } = defaults(options, mapCells);
  const judge = createJudge({
    vehicle,
    obstacles: obstaclesOf(world),
    cover: { xM: new Float32Array(), yM: new Float32Array(), radiusM: new Float32Array() },
  });
  const truth = createVehicle({
    vehicle,
    start: { positionM: mission.startM, yawRad: 0 },
    terrain: flatTerrain(0),
    isBlocked: (pose) => judge.isBlocked(pose),
  });
  const instruments = createInstruments({ vehicle, seed });
  let plans = 0;
  const autonomy = createAutonomy({
    vehicle,
    mission,
    navigation,
    // The recipe is not read here: the table says everything.
    sensors: [{ mount: sensorMount, recipe: spinningRecipe(elevationsRad) }],
    body: null,
    measurePlan: (plan) => {
      plans += 1;
      return plan();
    },
  });
  if (options.isWarm) autonomy.warmUp();
  const mapper = createReferenceMapper(vehicle);
  const stepNs = 10_000_000;
  const tickNs = navigation.tickMs * 1e6;
  const commands: WheelCommand[] = Array.from({ length: commandDelayTicks }, () => ({
    leftMPerS: 0,
    rightMPerS: 0,
  }));
  const paths: TickOutput['path'][] = [];
  let ticks = 0;
  let activity = 'waiting';
  let distanceToGoalM = Infinity;
  for (; ticks < maxTicks && activity !== 'arrived' && activity !== 'given-up'; ticks += 1) {
    const fromNs = ticks * tickNs;
    const poses = [truth.state().pose];
    const command = commands.shift() as WheelCommand;
    for (let ns = 0; ns < tickNs; ns += stepNs) {
      truth.advance(command, stepNs / 1e9);
      judge.update(truth.state().pose);
      poses.push(truth.state().pose);
    }
    const poseAt = (timeNs: number): Pose =>
      poses[Math.min(poses.length - 1, Math.round((timeNs - fromNs) / stepNs))] as Pose;
    const readings = instruments.read(fromNs, fromNs + tickNs, poseAt);
    const table = options.isBlind ? [] : [scanWorld(world, elevationsRad, fromNs, tickNs, poseAt)];
    const timeNs = fromNs + tickNs;
    const located = autonomy.locate({ timeNs, ...readings });
    const sightings = located.mapping && mapper.take(located.mapping, [table]);
    const decided = autonomy.step({ timeNs, located, sightings });
    commands.push(decided.command);
    paths.push(decided.path);
    judge.compare(truth.state().pose, decided.estimate);
    ({ activity, distanceToGoalM } = decided);
  }
  return {
    activity,
    ticks,
    distanceToGoalM,
    truth: truth.state().pose,
    metrics: judge.metrics(),
    map: autonomy.map().cost,
    paths,
    plans,
  };
}

function spinningRecipe(elevationsRad: number[]) {
  return {
    id: 'test',
    scan: { kind: 'spinning', rateHz: 10 } as const,
    slotsPerSecond: 3600,
    banks: [{ elevationsRad, rings: elevationsRad.map((_, ring) => ring) }],
    slotPattern: [0],
    minRangeM: 1,
    maxRangeM: 80,
    beam: {
      shape: 'circular' as const,
      divergenceHorizontalRad: 0,
      divergenceVerticalRad: 0,
      stencil: 'moment' as const,
    },
    returns: { mode: 'strongest' as const, signalCutoffM: 1, window: false },
  };
}
