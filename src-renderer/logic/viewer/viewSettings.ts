// Settings of a 3D view: its theme, its camera, its layers and the colours of its points.
import { createClipState, type ClipState } from '../cloud/clipBox.ts';
import type { Colouring } from '../colours/colouring.ts';
import { noRanges } from '../colours/colourRanges.ts';

export type Theme = 'light' | 'dark';

/** Cameras of a run: behind the vehicle, from on board, free orbit, from the top with north up. */
export type RunCameraMode = 'follow' | 'aboard' | 'orbit' | 'top';

/** Eyes on board are so high above the origin of the vehicle. */
export const eyesAboveVehicleM = 2;

/** Cameras of a scene: free orbit, flight by keys, from the top with north up. */
export type SceneCameraMode = 'orbit' | 'fly' | 'top';

/** Parts of the view of a run that can be switched off. */
export type RunLayer = 'cloud' | 'relief' | 'paths' | 'fixes' | 'objects' | 'fields';

/** Parts of the view of a run that can be faded; 0 hides them. */
export type FadedLayer = 'scene' | 'map';

/** All of them. */
export function createShownLayers(): Record<RunLayer, boolean> {
  return { cloud: true, relief: true, paths: true, fixes: true, objects: true, fields: true };
}

/** How runs are looked at: one view's own look, or one that views that are compared share. */
export interface RunLook {
  colouring: Colouring;
  layers: Record<RunLayer, boolean>;
  opacity: Record<FadedLayer, number>;
  cameraMode: RunCameraMode;
  clip: ClipState;
  /** The ranges stay as they are, whatever comes. */
  hasFixedRanges: boolean;
}

/** By height, everything shown. */
export function createRunLook(cameraMode: RunCameraMode = 'orbit'): RunLook {
  return {
    colouring: { by: 'height', scale: 'viridis', ranges: noRanges(), chosen: {} },
    layers: createShownLayers(),
    opacity: { scene: 1, map: 0.6 },
    cameraMode,
    clip: createClipState(),
    hasFixedRanges: false,
  };
}
