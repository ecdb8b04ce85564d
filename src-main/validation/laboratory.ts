// Scenes of plates and single pulses at them, for experiments on surfaces and receivers.
import type { ReturnColumnName, ReturnTable } from '#contract/columns.ts';
import type { SceneInput } from '#contract/documents/scenario.ts';
import type { SensorInput } from '#contract/documents/sensor.ts';
import type { Pose } from '#contract/host/run.ts';
import { radians } from '#domain/shared/numbers.ts';
import { rotationFromDegrees, type Vector3 } from '#domain/shared/pose.ts';
import type { Trajectory } from '#domain/trajectory/trajectory.ts';
import type { ValidationBench } from './bench.ts';
import { laserSlotNs } from './simpleSensors.ts';
import { poseByPose, stationary } from './trajectories.ts';

type Material = NonNullable<SceneInput['materials']>[string];

/** Thin enough that no ray of the laboratory meets a plate's side and not its face. */
const thicknessM = 1e-4;

/** A plate whose face towards the origin passes through `faceM`; at yaw 0 it lies across x. */
export interface Plate {
  material: string;
  faceM: Vector3;
  /** Across x at yaw 0: along y and z. */
  sizeM?: readonly [widthM: number, heightM: number];
  yawDeg?: number;
  /** A single sheet of two triangles instead of a box: rays meet it once. */
  isSheet?: boolean;
  /** True for a sheet with its back to the sensor. */
  isBack?: boolean;
}

/** Builds a scene of plates. */
export async function buildPlates(
  bench: ValidationBench,
  materials: Record<string, Material>,
  plates: readonly Plate[],
  scene: Partial<SceneInput> = {},
): Promise<void> {
  await bench.build(await bench.scene({ ...platesScene(materials, plates), ...scene }, 1));
}

/** The same as a document. */
export function platesScene(
  materials: Record<string, Material>,
  plates: readonly Plate[],
): SceneInput {
  return {
    materials,
    models: Object.fromEntries(
      plates.map(({ material, sizeM: [widthM, heightM] = [40, 40], isSheet = false }, n) => [
        `plate${n + 1}`,
        isSheet
          ? { kind: 'plane' as const, sizeM: [heightM, widthM] as [number, number], material }
          : {
              kind: 'box' as const,
              sizeM: [thicknessM, widthM, heightM] as Vector3,
              material,
            },
      ]),
    ),
    instances: plates.map(({ faceM, yawDeg = 0, isSheet = false, isBack = false }, n) => {
      const behindM = isSheet ? 0 : thicknessM / 2;
      const turnRad = radians(yawDeg);
      return {
        name: `plate${n + 1}`,
        model: `plate${n + 1}`,
        positionM: [
          faceM[0] + behindM * Math.cos(turnRad),
          faceM[1] + behindM * Math.sin(turnRad),
          faceM[2],
        ] as Vector3,
        // A plane's face is up: its nose 90° down turns the face to the sensor.
        ...(isSheet && { pitchDeg: isBack ? 90 : -90 }),
        ...(yawDeg !== 0 && { yawDeg }),
        onGround: false,
      };
    }),
  };
}

/** From the origin along x, at rest. */
export const atOrigin: Pose = { positionM: [0, 0, 0], rotation: [0, 0, 0, 1] };

/** From the origin, turned to the left. */
export function turnedLeft(yawDeg: number): Pose {
  return { positionM: [0, 0, 0], rotation: rotationFromDegrees(yawDeg, 0, 0) };
}

/** All rows of `pulses` pulses of a laser at rest. */
export async function fire<N extends ReturnColumnName>(
  bench: ValidationBench,
  sensor: SensorInput,
  columns: readonly N[],
  {
    pulses = 1,
    pose = atOrigin,
    seed = 1,
    misses = false,
  }: { pulses?: number; pose?: Pose; seed?: number; misses?: boolean } = {},
): Promise<Required<Pick<ReturnTable, N>>> {
  return fireAlong(bench, sensor, columns, {
    trajectory: stationary(pose),
    toNs: Math.round((pulses * 1e9) / slotsPerSecond(sensor)),
    seed,
    misses,
  });
}

/** One pulse from each of the poses, with rows for pulses without a return. */
export async function fireFrom<N extends ReturnColumnName>(
  bench: ValidationBench,
  sensor: SensorInput,
  columns: readonly N[],
  poses: readonly Pose[],
  seed = 1,
): Promise<Required<Pick<ReturnTable, N>>> {
  return fireAlong(bench, sensor, columns, {
    trajectory: poseByPose(poses, laserSlotNs),
    toNs: poses.length * laserSlotNs,
    seed,
    misses: true,
  });
}

/** All rows of an interval from 0 on. */
export async function fireAlong<N extends ReturnColumnName>(
  bench: ValidationBench,
  sensor: SensorInput,
  columns: readonly N[],
  order: { trajectory: Trajectory; toNs: number; seed: number; misses?: boolean },
): Promise<Required<Pick<ReturnTable, N>>> {
  const recipe = await bench.sensor(sensor);
  const scanned = await bench.scan({ sensor: recipe, ...order, columns });
  return scanned.columns;
}

function slotsPerSecond({ scan }: SensorInput): number {
  if (scan.kind !== 'sweep' || scan.rateHz === undefined || scan.slotsPerScan === undefined) {
    throw new TypeError('the laboratory fires single lasers');
  }
  return scan.rateHz * scan.slotsPerScan;
}
