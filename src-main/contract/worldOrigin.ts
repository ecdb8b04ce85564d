// World coordinates and those of the scene, which are relative to its origin. Worker, recorded clouds and page
// calculate relative to the origin, in single precision where they need speed; world coordinates are double precision.
import type { Pose } from './pose.ts';

/** The world position of a scene's origin in metres. */
export type OriginM = readonly [number, number, number];

/**
 * Longest distance of a position from the origin of its scene. Why: rays are single precision, which rounds to 0.5 mm
 * at 10 km (PHYSICS.md, 2.4). The worker has it from here (contract.h).
 */
export const maxFromOriginM = 10_000;
/**
 * Distance that a mesh may have beyond it, by its position and the coordinates in its file: whole kilometres are taken
 * off these, so that the position is up to half of it from the mesh on each axis.
 */
export const farMeshAllowanceM = 1000;

type Place = readonly [number, number];
type Position = readonly [number, number, number];

/** The origin of a scene; [0, 0, 0] where it states none. */
export function originOf(scene: { origin?: OriginM | undefined }): OriginM {
  return scene.origin ?? [0, 0, 0];
}

/** True where world and scene coordinates are the same. */
export function isZeroOrigin([x, y, z]: OriginM): boolean {
  return x === 0 && y === 0 && z === 0;
}

/** A world position relative to the origin. */
export function toScene(originM: OriginM, [x, y, z]: Position): [number, number, number] {
  return [x - originM[0], y - originM[1], z - originM[2]];
}

/** A position relative to the origin in the world: exact to some nanometres in double precision. */
export function toWorld(originM: OriginM, [x, y, z]: Position): [number, number, number] {
  return [x + originM[0], y + originM[1], z + originM[2]];
}

/** A world place in the plane, relative to the origin. */
export function placeToScene(originM: OriginM, [x, y]: Place): [number, number] {
  return [x - originM[0], y - originM[1]];
}

/** A place relative to the origin, in the world. */
export function placeToWorld(originM: OriginM, [x, y]: Place): [number, number] {
  return [x + originM[0], y + originM[1]];
}

/** worldFromBody relative to the origin: the axes are those of the world. */
export function poseToScene(originM: OriginM, { positionM, rotation }: Pose): Pose {
  return { positionM: toScene(originM, positionM), rotation };
}

/** A pose relative to the origin, in the world. */
export function poseToWorld(originM: OriginM, { positionM, rotation }: Pose): Pose {
  return { positionM: toWorld(originM, positionM), rotation };
}
