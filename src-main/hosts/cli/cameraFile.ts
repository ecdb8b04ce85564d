// The camera of a picture or a depth map, as JSON beside it: its pose and, of a perspective camera, its intrinsics.
import { degrees, radians } from '#domain/shared/numbers.ts';
import { poseFromDegrees, rotate } from '#domain/shared/pose.ts';
import type { Pose } from '#contract/commands/commandOptions.ts';
import { writeWhole } from './files.ts';

/** FILE.camera.json beside FILE, which is a PNG or an NPY. */
export function cameraFileOf(file: string): string {
  return `${file}.camera.json`;
}

/** A camera with square pixels, of which one field of view is known. */
export interface ImageCamera {
  pose: Pose;
  widthPx: number;
  heightPx: number;
  /** Full angle over `alongPx` pixels; null: parallel rays. */
  fov: { deg: number; alongPx: number } | null;
}

/**
 * Focal lengths and principal point in pixels, the centre of the upper left pixel being (0, 0); worldFromCamera in the
 * axes of OpenCV (x right, y down, z ahead), four rows.
 */
export function cameraJson(
  { pose: { pitchDeg = 0, ...place }, widthPx, heightPx, fov }: ImageCamera,
  more: object,
): string {
  const pose = { ...place, pitchDeg };
  const { rotation, positionM } = poseFromDegrees(pose);
  const right = rotate(rotation, [0, -1, 0]);
  const down = rotate(rotation, [0, 0, -1]);
  const ahead = rotate(rotation, [1, 0, 0]);
  const worldFromCamera = [
    ...([0, 1, 2] as const).map((axis) => [right[axis], down[axis], ahead[axis], positionM[axis]]),
    [0, 0, 0, 1],
  ];
  const focalPx = fov === null ? null : fov.alongPx / 2 / Math.tan(radians(fov.deg / 2));
  const intrinsics = {
    fx: focalPx,
    fy: focalPx,
    cx: (widthPx - 1) / 2,
    cy: (heightPx - 1) / 2,
    horizontalFovDeg: focalPx === null ? null : degreesOver(widthPx, focalPx),
    verticalFovDeg: focalPx === null ? null : degreesOver(heightPx, focalPx),
  };
  return `${JSON.stringify({ widthPx, heightPx, ...intrinsics, pose, worldFromCamera, ...more }, null, 2)}\n`;
}

/** Writes it. @throws UnderstoryError 'io' | 'disk-full' */
export function writeCamera(file: string, camera: ImageCamera, more: object = {}): void {
  writeWhole(file, cameraJson(camera, more));
}

function degreesOver(pixels: number, focalPx: number): number {
  return degrees(2 * Math.atan(pixels / 2 / focalPx));
}
