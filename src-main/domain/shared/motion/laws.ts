// Motions of a document as laws of the recipe: radians, unit quaternions, axes of length 1.
import type { MotionDocument } from '#contract/documents/motion.ts';
import type { MotionLaw, MotionRecipe } from '#contract/worker/motions.ts';
import type { SceneRecipe } from '#contract/worker/recipe.ts';
import { toScene, type OriginM } from '#contract/worldOrigin.ts';
import type { Pose } from '#contract/host/run.ts';
import { radians } from '../numbers.ts';
import { rotationFromDegrees, type Vector3 } from '../pose.ts';
import { displacementAt, frameAt } from './frames.ts';

type Keyframes = Extract<MotionLaw, { kind: 'keyframes' }>['keyframes'];

/** Poses of motions that have them from files, by the name of the motion. */
export type PosesOfMotions = ReadonlyMap<string, Keyframes>;

/** Checked motions by their names, as the recipe has them; positions relative to the origin of the scene. */
export function motionRecipes(
  motions: Readonly<Record<string, MotionDocument>>,
  poses: PosesOfMotions,
): MotionRecipe[] {
  return Object.entries(motions).map(([name, motion]) => {
    if (motion.kind !== 'trajectory' && motion.kind !== 'baked') {
      return { name, law: motionLaw(motion) };
    }
    const keyframes = poses.get(name);
    if (keyframes === undefined) throw new Error(`motion '${name}': its file was not read`);
    return { name, law: { kind: 'keyframes', isSmooth: false, repeats: false, keyframes } };
  });
}

/** The motion of an instance by its id; null: it is stationary. */
export function lawsOfInstances({
  instances,
  motions,
}: Pick<SceneRecipe, 'instances' | 'motions'>): (id: number) => MotionLaw | null {
  const laws = new Map(instances.map(({ id, motion }) => [id, motions?.[motion ?? -1]?.law]));
  return (id) => laws.get(id) ?? null;
}

/** Whether instances other than those of the vehicle itself move: those have boxes. */
export function hasMovingObjects(recipe: Pick<SceneRecipe, 'instances' | 'motions'>): boolean {
  const lawOf = lawsOfInstances(recipe);
  return recipe.instances.some(({ id }) => (lawOf(id)?.kind ?? 'vehicle') !== 'vehicle');
}

/**
 * The frame in which a document places the instances of a motion, where it is at a time; relative to the origin of the
 * scene. Bodies are placed in the world, as they are at time 0.
 */
export function placingFrameAt(
  { motions }: { motions?: Readonly<Record<string, MotionDocument>> | undefined },
  { name, law }: MotionRecipe,
  timeS: number,
): Pose {
  return motions?.[name]?.kind === 'baked' ? displacementAt(law, timeS) : frameAt(law, timeS);
}

/** The law of a checked motion of world coordinates, relative to an origin; null: a file has its poses. */
export function statedLaw(motion: MotionDocument, originM: OriginM): MotionLaw | null {
  const local = motionFromWorld(motion, originM);
  return local.kind === 'trajectory' || local.kind === 'baked' ? null : motionLaw(local);
}

/** The law of a checked motion whose positions are relative to the origin of the scene. */
function motionLaw(motion: Exclude<MotionDocument, { kind: 'trajectory' | 'baked' }>): MotionLaw {
  switch (motion.kind) {
    case 'keyframes':
      return {
        kind: 'keyframes',
        isSmooth: motion.interpolation === 'spline',
        repeats: motion.repeat,
        keyframes: motion.keyframes.map(({ timeS, positionM, yawDeg, pitchDeg, rollDeg }) => ({
          timeS,
          positionM,
          rotation: rotationFromDegrees(yawDeg, pitchDeg, rollDeg),
        })),
      };
    case 'path': {
      const { kind, pointsM, speedMPerS, startS, closed: isClosed, turnM } = motion;
      return { kind, pointsM, speedMPerS, startS, isClosed, turnM };
    }
    case 'rotating':
      return { kind: 'rotating', ...aboutOf(motion), rateRadPerS: radians(motion.rateDegPerS) };
    case 'swinging': {
      const { amplitudeDeg, periodS } = motion;
      return { kind: 'swinging', ...aboutOf(motion), amplitudeRad: radians(amplitudeDeg), periodS };
    }
  }
}

/** A motion of world coordinates relative to the origin of the scene. */
export function motionFromWorld(motion: MotionDocument, originM: OriginM): MotionDocument {
  switch (motion.kind) {
    case 'keyframes': {
      const keyframes = motion.keyframes.map((keyframe) => {
        return { ...keyframe, positionM: toScene(originM, keyframe.positionM) };
      });
      return { ...motion, keyframes };
    }
    case 'path':
      return { ...motion, pointsM: motion.pointsM.map((pointM) => toScene(originM, pointM)) };
    case 'trajectory':
    case 'baked':
      return motion;
    default:
      return { ...motion, pivotM: toScene(originM, motion.pivotM) };
  }
}

function aboutOf({ pivotM, axis, phaseDeg }: Extract<MotionDocument, { pivotM: unknown }>): {
  pivotM: Vector3;
  axis: Vector3;
  phaseRad: number;
} {
  const length = Math.hypot(...axis);
  const [x, y, z] = axis;
  return { pivotM, axis: [x / length, y / length, z / length], phaseRad: radians(phaseDeg) };
}
