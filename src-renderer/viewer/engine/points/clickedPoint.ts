// The point of a view that a click means.
import type { Ray } from 'three';
import type { PlaceM } from '#renderer/logic/cloud/cloudBounds.ts';
import { nearestOfClouds, type CloudPoint } from '#renderer/logic/cloud/nearestPoint.ts';
import { pixelsPerRad } from '../camera/viewSpace.ts';
import type { ViewClip } from '../clip/clipUniforms.ts';
import type { Viewport } from '../viewport.ts';

/** A click may be off by so many pixels. */
const clickPx = 7;

/** The angle that a click in the view may be off by. */
export function clickRad({ camera, size }: Pick<Viewport, 'camera' | 'size'>): number {
  return clickPx / pixelsPerRad(camera.camera, size().heightPx);
}

/** The place of the drawn point that a click on this ray means; null: none. */
export function clickedPoint(...click: Parameters<typeof clickedRow>): PlaceM | null {
  return clickedRow(...click)?.placeM ?? null;
}

/** The drawn point that a click on this ray means, by its cloud and row; null: none. */
export function clickedRow(
  view: Pick<Viewport, 'camera' | 'size'>,
  cloudsM: readonly Float32Array[],
  { isInside }: ViewClip,
  { origin, direction }: Ray,
): CloudPoint | null {
  const ray = { originM: origin.toArray(), direction: direction.toArray() };
  return nearestOfClouds(cloudsM, ray, clickRad(view), isInside);
}
