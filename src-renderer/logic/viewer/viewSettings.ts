// Settings of a 3D view: its theme, its camera, its layers and the colours of its points.

export type Theme = 'light' | 'dark';

/** Cameras of a run: free orbit, from the top with north up, behind the vehicle. */
export type RunCameraMode = 'orbit' | 'top' | 'follow';

/** Cameras of a scene: free orbit, flight by keys, from the top with north up. */
export type SceneCameraMode = 'orbit' | 'fly' | 'top';

/** Parts of the view of a run that can be switched off. */
export type RunLayer = 'cloud' | 'map' | 'paths' | 'fixes' | 'objects';

/** All of them. */
export function createShownLayers(): Record<RunLayer, boolean> {
  return { cloud: true, map: true, paths: true, fixes: true, objects: true };
}
