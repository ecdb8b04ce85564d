// What the picture of a scene offers, and what others hand to it.
import type { Group, Ray, Vector3 } from 'three';
import type { SceneContents } from '#contract/host/sceneMethods.ts';
import type { Theme } from '#renderer/logic/viewer/viewSettings.ts';
import type { InstanceTable } from '#renderer/logic/scene/instanceTable.ts';
import type { PointM } from '#renderer/logic/scene/measuring.ts';
import type { ModelTriangles } from '#renderer/logic/scene/surfaceMesh.ts';
import type { GizmoMode, GizmoPose, GizmoTarget } from './gizmo.ts';
import type { LabelText } from '../engine/labelLayer.ts';
import type { SceneCamera } from './sceneCamera.ts';
import type { SceneHit } from './scenePicking.ts';

/** Somebody's things in the picture that can be clicked. */
export interface ScenePicker {
  /** Distance along the ray at which it meets them, in metres, or null. `pixelRad`: angle of a pixel. */
  meet: (ray: Ray, pixelRad: number) => number | null;
  /** What was met last was clicked. */
  click: () => void;
}

export interface SceneFigures {
  /** Of the last frame, everything included. */
  triangles: number;
  calls: number;
  instances: number;
  /** Of all instances at full detail. */
  sceneTriangles: number;
  /** Nothing is left to refine, and everything has come. */
  isSettled: boolean;
}

export interface SceneColours {
  grid: string;
  accent: string;
  measure: string;
}

export interface SceneViewer {
  readonly camera: SceneCamera;
  /** Another scene: shown as soon as each of its models has come. `isSame`: the camera stays. */
  showScene(contents: SceneContents, table: InstanceTable, isSame: boolean): void;
  addMesh(model: number, level: number, triangles: ModelTriangles): void;
  clear(): void;
  /** A group of the scene by its name, made when first asked for; world coordinates, z up. */
  overlay(name: string): Group;
  /** Returns how to take it away. */
  addPicker(picker: ScenePicker): () => void;
  /** Something of an overlay changed. */
  invalidate(): void;
  /** First what overlays hold, then the scene; null: the sky. */
  pickAt(xPx: number, yPx: number): { picker: ScenePicker } | { hit: SceneHit } | null;
  /** Height of the ground at a place, in metres; 0 without a scene. */
  groundAt: (placeM: readonly [number, number]) => number;
  /** What a pixel of the screen covers at a distance from the eye, in metres. */
  pixelM(distanceM: number): number;
  setMarks(selected: readonly number[], hovered: number | null): void;
  /** Null where no such instance is on screen. */
  poseOf(instanceId: number): GizmoPose | null;
  moveInstance(instanceId: number, pose: GizmoPose): void;
  attachGizmo(target: GizmoTarget | null): void;
  setGizmoMode(mode: GizmoMode, hasAllAxes: boolean): void;
  isGizmoBusy(): boolean;
  setNames(labels: readonly LabelText[]): void;
  setMeasure(points: readonly PointM[]): void;
  setShown(shown: { labels: boolean; grid: boolean }): void;
  setTheme(theme: Theme, colours: SceneColours): void;
  /** Full: as many triangles as any view may have, however long a frame takes. */
  setFullDetail(isFull: boolean): void;
  /** All, or what these instances take up. */
  frame(instanceIds?: readonly number[]): void;
  /** Frames the surroundings of a place that the camera does not see. */
  bringIntoSight(placeM: Vector3, radiusM: number): void;
  resize(widthPx: number, heightPx: number, pixelRatio: number): void;
  figures(): SceneFigures;
  /** When a frame was begun, and when it is done. */
  onFrame(listener: () => void): void;
  /** A scene came on screen. */
  onScene(listener: () => void): void;
  dispose(): void;
}
