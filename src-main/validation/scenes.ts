// Scenes of the laboratory as documents: solids of one material each, plates, a wall, a ball.
import type { SceneInput } from '#contract/documents/scene.ts';
import { radians } from '#domain/shared/numbers.ts';
import type { Quaternion, Vector3 } from '#domain/shared/pose.ts';
import type { Scene } from '#services/scans/sceneWork.ts';

export type Material = NonNullable<SceneInput['materials']>[string];
type Model = NonNullable<SceneInput['models']>[string];
type Shape = Extract<Model, { kind: 'box' | 'sphere' | 'cylinder' | 'plane' }>;
type Without<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

export interface Solid {
  shape: Without<Shape, 'material'>;
  material: Material;
  positionM: Vector3;
  yawDeg?: number;
  pitchDeg?: number;
  /** Default: solidN, from 1 in their order, as the object ids of returns. */
  name?: string;
}

/** Solids, each with its own model and material; `more`: air, mirror depth. */
export function solids(list: readonly Solid[], more: Partial<SceneInput> = {}): SceneInput {
  const named = list.map((solid, n) => ({ name: `solid${n + 1}`, ...solid }));
  return {
    materials: Object.fromEntries(named.map(({ name, material }) => [name, material])),
    models: Object.fromEntries(
      named.map(({ name, shape }) => [name, { ...shape, material: name }]),
    ),
    instances: named.map(({ shape: _, material: __, name, ...place }) => ({
      name,
      model: name,
      onGround: false,
      ...place,
    })),
    ...more,
  };
}

export const grey: Material = { reflectance: 0.5 };

/** Thin enough that no ray of the laboratory meets a plate's side and not its face. */
const thicknessM = 1e-4;

/** A plate whose face towards the origin passes through `faceM`; at yaw 0 it lies across x. */
export interface Plate {
  material: Material;
  faceM: Vector3;
  /** Across x at yaw 0: along y and z. */
  sizeM?: readonly [widthM: number, heightM: number];
  yawDeg?: number;
  /** A single sheet of two triangles instead of a box: rays meet it once. */
  isSheet?: boolean;
  /** True for a sheet with its back to the sensor. */
  isBack?: boolean;
}

/** Object ids count from 1 in the order of the plates. */
export function plates(list: readonly Plate[], more: Partial<SceneInput> = {}): SceneInput {
  return solids(list.map(solidOf), more);
}

/** One plate across x, 40 m wide and high, turned by `yawDeg`. */
export function wall(material: Material, atM: number, yawDeg = 0): SceneInput {
  return plates([{ material, faceM: [atM, 0, 0], yawDeg }]);
}

/** A sphere of facets about the origin. */
export function ball(radiusM: number, rings: number): SceneInput {
  return solids([
    { shape: { kind: 'sphere', radiusM, rings }, material: grey, positionM: [0, 0, 0] },
  ]);
}

function solidOf({ material, faceM, sizeM = [40, 40], yawDeg = 0, ...plate }: Plate): Solid {
  const { isSheet = false, isBack = false } = plate;
  const [widthM, heightM] = sizeM;
  const behindM = isSheet ? 0 : thicknessM / 2;
  const turnRad = radians(yawDeg);
  return {
    material,
    shape: isSheet
      ? { kind: 'plane', sizeM: [heightM, widthM] }
      : { kind: 'box', sizeM: [thicknessM, widthM, heightM] },
    positionM: [
      faceM[0] + behindM * Math.cos(turnRad),
      faceM[1] + behindM * Math.sin(turnRad),
      faceM[2],
    ],
    // A plane's face is up: its nose 90° down turns the face to the sensor.
    ...(isSheet && { pitchDeg: isBack ? 90 : -90 }),
    ...(yawDeg !== 0 && { yawDeg }),
  };
}

/** A place and a rotation of a copy of a model. */
export interface Placed {
  positionM: Vector3;
  rotation: Quaternion;
}

/** The scene with copies of its model `model`, of class `leaf`, in any rotation: more than a document can state. */
export function withLeaves(
  { recipe, heights }: Scene,
  model: string,
  leaves: readonly Placed[],
): Scene {
  const index = recipe.models.findIndex(({ name }) => name === model);
  const copies = leaves.map((place, n) => ({
    ...place,
    id: recipe.instances.length + n + 1,
    name: `${model}-${n + 1}`,
    class: recipe.classes.length,
    model: index,
    onGround: false,
    scale: 1,
  }));
  const instances = [...recipe.instances, ...copies];
  return { recipe: { ...recipe, classes: [...recipe.classes, 'leaf'], instances }, heights };
}
